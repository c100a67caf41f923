"""Looping motions as actions of a rigged fish: for games, for hand animation, and for the asset browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.base.files import ensure_writable
from ...core.form.rig import Rig
from ...core.scene.species import Species
from ...core.studio.loops import LOOPS, Loop, loop
from ..bake.bones import key_bones
from ..bake.commit import save
from ..bake.footprint import Footprint
from ..bake.identities import NO_SHOAL
from ..bake.meshes import Mould, mould_of, skinned_fish
from ..bake.order import MESH, Order
from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..blender.layout import clear_views
from ..blender.versions import channelbag
from ..blender.words import translated
from ..export.exporting import ALL, SUFFIXES, export
from ..export.portrait import studio
from ..fish.individuality import INDIVIDUAL, individual
from ..identity import provenance
from ..identity.film_time import FIRST, set_rate
from ..identity.units import metres
from ..species import library

GAIT_NAMES = {gait: gait.replace("_", " ").title() for gait in LOOPS}
"""Names of the loops of `core.studio.loops.LOOPS` for a person."""
LOOP_SUFFIXES = (".blend", *SUFFIXES)
"""Endings of the files that loops are written to."""
SPEED, TURN = "speed", "turn"
"""Custom properties of an action: metres a second ahead, and degrees a second to the left, that its fish would go."""
TOLERANCE_LENGTHS = 0.0005
"""Largest error of a key that is left out: at a seam it would be seen."""


def make_loops(
    job: Job[Any],
    species: Species,
    gaits: Sequence[str],
    fps: float,
    scene: bpy.types.Scene,
    folders: Sequence[str] = (),
    assets: bool = True,
) -> Steps[Callable[[], bpy.types.Object]]:
    """Make a rigged fish with an action for each of some gaits.

    Args:
        job: The job this is part of.
        species: The species.
        gaits: Gaits of `LOOPS`; the first is the active one.
        fps: Frames a second.
        scene: The scene the fish is put into.
        folders: Folders to look for an adopted fish's model, beside that of one's own species.
        assets: Whether fish and actions are marked as assets, with a picture each.

    Returns:
        A function that puts it there, at the 3D cursor, and returns the armature.
    """
    footprint = Footprint(scene)
    try:
        root, home = yield from footprint.follow(_make(job, species, gaits, fps, scene, folders, assets))
    except BaseException:
        footprint.erase()
        raise

    def commit() -> bpy.types.Object:
        scene.collection.children.link(home)
        root.location, root.scale = scene.cursor.location, root.scale / metres(scene)
        return root

    return commit


def loop_file(
    species: Species,
    gait: str,
    path: str | os.PathLike[str],
    fps: float = 24.0,
    progress: Callable[[float, str], None] | None = None,
    folders: Sequence[str] = (),
) -> None:
    """Write loops of a species; the file open in this Blender is discarded.

    Args:
        species: The species.
        gait: One of `LOOPS`, or "all" for a .blend or .glb with all of them.
        path: A .blend, or a file that fishes are exported to.
        fps: Frames a second.
        progress: Called with the share that is done, 0 to 1, and a text.
        folders: Folders to look for an adopted fish's model, beside that of one's own species.

    Raises:
        SceneError: The file cannot be written, or has another format; there is no such gait, or the frames are out of
            range.
    """
    suffix = Path(path).suffix.lower()
    gaits = [*LOOPS] if gait == ALL else [gait]
    if suffix not in LOOP_SUFFIXES:
        raise SceneError(
            str(path), translated("a name ending in {names}", names=", ".join(LOOP_SUFFIXES)), key="--output"
        )
    if gait == ALL and suffix not in (".blend", ".glb"):
        raise SceneError(
            translated("all in {suffix}", suffix=suffix),
            "all in a .blend or .glb; elsewhere one gait a file",
            key="--gait",
        )
    ensure_writable(path, suffix)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    clear_views()
    scene = bpy.context.scene
    make = partial(make_loops, species=species, gaits=gaits, fps=fps, scene=scene, folders=folders)
    job = Job(partial(make, assets=suffix == ".blend"))  # no other program sees them
    while not job.step():
        if progress:
            progress(job.share, job.text)
    root = job.outcome
    set_rate(scene, fps)
    scene.frame_start, scene.frame_end = FIRST, int(root.animation_data.action.frame_end) - 1
    if suffix == ".blend":
        save(Path(path))
    else:
        export(path, frames=(FIRST, scene.frame_end + 1), clips=True)


def _make(
    job: Job[Any],
    species: Species,
    gaits: Sequence[str],
    fps: float,
    scene: bpy.types.Scene,
    folders: Sequence[str],
    assets: bool,
) -> Steps[tuple[bpy.types.Object, bpy.types.Collection]]:
    """Make the fish; returns its armature and its collection."""
    places = (*folders, *library.model_folders())
    order = Order(MESH, tolerance=TOLERANCE_LENGTHS, stage=False, folders=places)
    mould = yield from mould_of(job, species, 0, scene, order)
    home = bpy.data.collections.new(species.common_name)
    assert mould.bones is not None and mould.rig is not None
    root, body = skinned_fish(mould, mould.bones, species.common_name, species.length, home)
    bpy.data.objects.remove(mould.bones)
    root.name, body.name = species.common_name, f"{species.common_name} mesh"
    body[INDIVIDUAL] = root[INDIVIDUAL] = individual(0)
    role = provenance.fish_role(species.name, NO_SHOAL, 0)
    root[provenance.ROLE], body[provenance.ROLE] = role, f"{role} mesh"
    actions = []
    for number, gait in enumerate(gaits):
        job.advance(number / len(gaits), f"{species.common_name}: {GAIT_NAMES[gait]}")
        yield
        made = yield from in_thread(partial(loop, species, gait, fps))
        actions.append(_action(mould, mould.rig, root, made, order))
    if assets:
        yield from _mark(species, root, body, actions)
    root.animation_data.action = actions[0]
    root.animation_data.action_slot = actions[0].slots[0]
    return root, home


def _mark(
    species: Species, root: bpy.types.Object, body: bpy.types.Object, actions: Sequence[bpy.types.Action]
) -> Steps[None]:
    """Mark a fish and its actions as assets, with a picture each."""
    with studio([root, body]) as place:
        for action in actions:
            yield
            root.animation_data.action = action
            root.animation_data.action_slot = action.slots[0]
            place.portray(action, int(action.frame_start))
            action.asset_mark()
            action.asset_data.description = f"{species.common_name}: a loop of {int(action.frame_end) - FIRST} frames"
        place.portray(root, FIRST)
    root.asset_mark()


def _action(mould: Mould, rig: Rig, root: bpy.types.Object, made: Loop, order: Order) -> bpy.types.Action:
    """Key a loop."""
    recording, length = made.recording, float(made.recording.body_length[0])
    fins, mouth = recording.fins.astype(float), recording.mouth.astype(float)
    points, origin, turn = mould.net.poses(
        recording.nodes.astype(float), fins, recording.body_length, mouth, recording.look([0])
    )
    action = bpy.data.actions.new(f"{mould.species.common_name} {GAIT_NAMES[made.gait]}")
    key_bones(action, root, rig, points[:, 0], origin[:, 0] / length, turn[:, 0], None, order)
    for curve in channelbag(action, root).fcurves:
        curve.modifiers.new("CYCLES")
    action.use_frame_range = action.use_cyclic = True
    action.frame_start, action.frame_end = FIRST, FIRST + recording.frames - 1
    action.use_fake_user = True
    action[SPEED], action[TURN] = made.speed * length, float(np.degrees(made.yaw))
    return action
