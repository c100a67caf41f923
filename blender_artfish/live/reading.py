"""Reading of a scene for live play, and of the changes that a running world can take up.

Work without Blender (sampling the water around meshes, filling the tank) is done in a thread.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import bpy
from mathutils import Vector

from ..blender.background import at_once, in_thread
from ..direction import markers
from ..identity.roles import is_linked
from ..scene.animated import needs_sampling
from . import pace
from .statuses import FIXED_PARTS, Cause, CauseKind

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ...core.scene.scene import Scene
    from ...core.scene.species import Species
    from ...core.studio.rehearsal import Rehearsal
    from ..scene.reader import Draft

NEEDED_MODULES = ("numpy", "scipy.spatial", "scipy.linalg", "...core", "..scene.reader", ".replacement")
"""Modules that live play needs, loaded without keeping Blender waiting."""
TUNABLE_SHOAL_PARTS, TUNABLE_SPECIES_PARTS = (
    ("habits", "mind", "members", "visual_memory", "vision"),
    ("temperament", "mind", "rhythm", "steering", "pectoral", "looks", "visual_memory", "vision"),
)
"""Parts of shoals and of species whose changes a running world can take up."""


class Recipe(NamedTuple):
    """The inputs of a world.

    Attributes:
        scene: The scene.
        models: The species by name.
        seed: Seed of all chance.
    """

    scene: Scene
    models: dict[str, Species]
    seed: int


class ReadScene(NamedTuple):
    """The result of reading a scene.

    Attributes:
        origin: The world's origin in Blender.
        recipe: The recipe that was read.
        cause: The change that a running world cannot take up; None if it can take up all, or there is no world.
        rehearsal: A rehearsal from the first frame, if it must restart.
        warnings: Warnings about the scene, a line each.
        followed: Names of the objects that only Blender's evaluation places, by rows of their obstacles.
    """

    origin: Vector
    recipe: Recipe
    cause: Cause | None
    rehearsal: Rehearsal | None
    warnings: tuple[str, ...]
    followed: dict[int, str]


def read(
    uid: int, first: int, recipe: Recipe | None, has_begun: Callable[[], bool]
) -> Generator[None, None, ReadScene]:
    """Reads a scene, in steps.

    Args:
        uid: The scene's `session_uid`.
        first: Frame of the scene at which the film begins.
        recipe: Recipe of the world to continue if possible; None to begin anew.
        has_begun: Whether that world has any frame yet.

    Yields:
        Nothing, now and then while it lasts.

    Returns:
        The result.

    Raises:
        SceneError: The scene is invalid.
        ValueError: There are no fishes.
    """
    beside: Callable[[Callable[[], Any]], Generator[None, None, Any]] = at_once if pace.unhurried() else in_thread
    for module in NEEDED_MODULES:
        yield from beside(partial(import_module, module, __package__))
    draft = draft_of(_scene_of(uid), first)
    work = partial(_filled, draft, _scene_of(uid).artfish.seed, recipe, has_begun())
    now, cause, rehearsal = yield from beside(work)
    # Undo meanwhile has replaced the scene as Python knows it.
    followed = _followed(_scene_of(uid), now.scene)
    return ReadScene(draft.origin, now, cause, rehearsal, draft.warnings(now.scene), followed)


def _scene_of(uid: int) -> bpy.types.Scene:
    """The scene that has a number."""
    return next(scene for scene in bpy.data.scenes if scene.session_uid == uid)


def draft_of(scene: bpy.types.Scene, first: int) -> Draft:
    """The scene from its objects' present state, which after undo, or in a script, Blender may not have evaluated."""
    from ..scene import movement
    from ..scene.reader import draft

    markers.follow(scene)
    if not pace.circumstances().within_frame:
        for layer in scene.view_layers[:1]:
            layer.update()
    with movement.followed():
        return draft(scene, first)


def _followed(scene: bpy.types.Scene, now: Scene) -> dict[int, str]:
    """Names of the objects of obstacles that F-curves do not place, by rows."""
    there = {obj.name: obj for obj in scene.objects}
    names = {row: obstacle.name for row, obstacle in enumerate(now.obstacles) if obstacle.motion is not None}
    return {row: name for row, name in names.items() if name in there and needs_sampling(there[name])}


def has_shoals(scene: bpy.types.Scene) -> bool:
    """True if there are fishes to play in a scene of this file; a linked scene cannot be changed."""
    return not is_linked(scene) and any(obj.artfish.kind == "SHOAL" for obj in scene.objects)


def is_baked(scene: bpy.types.Scene) -> bool:
    """True if a scene has baked fishes, which play by themselves."""
    return any(obj.get("artfish_bake") for obj in scene.objects)


def _filled(
    draft: Draft, seed: int, before: Recipe | None, has_begun: bool
) -> tuple[Recipe, Cause | None, Rehearsal | None]:
    """The recipe, the change that a running world cannot take up, and a rehearsal if it must restart.

    Nothing here touches Blender.
    """
    from ...core.studio.rehearsal import Rehearsal

    now, cause = Recipe(draft.form(), draft.models, seed), None
    if before is None and not now.scene.fishes:
        raise ValueError("There are no fishes: add some first")
    if before is not None:
        if has_begun or before.seed != seed:
            cause = obstacle(before, now)
        elif before != now:
            cause = Cause(CauseKind.ANY)
    again = before is None or cause is not None
    with draft.saying():
        return now, cause, Rehearsal(now.scene, seed, draft.models) if again else None


def obstacle(before: Recipe, now: Recipe) -> Cause | None:
    """The change that a running world cannot take up; None if it can take up all."""
    if now.seed != before.seed:
        return Cause(CauseKind.SEED)
    from ...core.scene.obstacles import alike_but_for_motion

    for name in FIXED_PARTS:
        pair = getattr(now.scene, name), getattr(before.scene, name)
        if not (alike_but_for_motion(*pair) if name == "obstacles" else pair[0] == pair[1]):
            return Cause(CauseKind.PART, name)
    groups = [[replace(group, **_usual(group)) for group in of.scene.fishes] for of in (before, now)]
    if groups[0] != groups[1]:
        return Cause(CauseKind.SHOALS)
    for name, model in now.models.items():
        former = before.models.get(name)
        if former is None or former != replace(
            model, **{part: getattr(former, part) for part in TUNABLE_SPECIES_PARTS}
        ):
            return Cause(CauseKind.SPECIES, model.common_name)
    return None


def _usual(group: Any) -> dict[str, Any]:
    """Default values of the parts of a shoal that a running world can take up."""
    plain = type(group)(species=group.species, at=group.at)
    return {name: getattr(plain, name) for name in TUNABLE_SHOAL_PARTS}
