"""A brood: nine children of two species in the file, each a species of its own and a shoal of one fish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..blender.handlers import together
from ..habits.operators import chosen
from ..scene.operators import ensure_tank, middle, put_shoal
from ..scene.properties import settings_of
from ..species import library, preview
from ..species.editing import take, users
from . import family

if TYPE_CHECKING:
    from ...core.scene.species import Species

BROOD_ROWS = 3
"""Rows of children, and children in each."""
BROOD_SIZE = BROOD_ROWS * BROOD_ROWS
COLUMN_PITCH, ROW_PITCH = 2.0, 1.2
"""Distances between the places of children beside and below each other, in lengths of the longest."""
WATER_SHARE = 0.8
"""Largest share of the water that all of them take up, along each axis."""
MARGIN_COLUMNS = 0.25
"""Space in view around the places of children, over the distance between two columns."""
LONGEST_STEM = 40
NUMBERED = re.compile(r"(.+)_\d+")


def conceive(scene: bpy.types.Scene) -> list[Species]:
    """Nine children of the parents that are picked, of which nothing is in the file yet.

    Raises:
        SceneError: A parent is damaged, or they have no child that passes the checks of a species.
    """
    from ...core.genetics.genome import bred

    settings, known = scene.artfish_breeding, library.models(scene)
    mother, father = known[settings.mother], known[settings.father]
    names = brood_names(scene, settings.mother, settings.father)
    return [bred(mother, father, name, settings.seed + row, settings.mutation) for row, name in enumerate(names)]


def brood_names(scene: bpy.types.Scene, mother: str, father: str) -> list[str]:
    """Names of nine children, after the founders of their family; numbers go on, so that no two are ever alike."""
    one, other = _stem(scene, mother), _stem(scene, father)
    stem = one if other in one else other if one in other else f"{one}_{other}"[:LONGEST_STEM].rstrip("_")
    taken = [re.fullmatch(rf"{re.escape(stem)}_(\d+)", name) for name in library.names(scene)]
    last = max((int(found[1]) for found in taken if found), default=0)
    return [f"{stem}_{last + row + 1}" for row in range(BROOD_SIZE)]


def _stem(scene: bpy.types.Scene, name: str) -> str:
    """A parent's name, without its number if it was bred."""
    numbered = NUMBERED.fullmatch(name) if family.parents(scene, name) else None
    return numbered[1] if numbered else name


def put(context: bpy.types.Context, children: list[Species]) -> None:
    """Puts children into the file and into the middle of the water, in place of the last brood."""
    settings, scene = settings_of(context), context.scene
    shown = settings.species[settings.active_species].name if _is_shown(settings) else ""
    with together(settings, context):
        let_go(context)
        ensure_tank(context)
        for species, place in zip(children, places(scene, max(each.length for each in children)), strict=True):
            take(context, species, species.name, "")
            shoal = put_shoal(scene, species.name, 1, place)
            shoal.artfish.shoal.use_heading = True
            child = scene.artfish_breeding.brood.add()
            child.name, child.shoal = species.name, shoal
        edited = library.edited(scene)
        settings.active_species = edited.index(shown) if shown in edited else len(edited) - 1
    context.view_layer.update()


def places(scene: bpy.types.Scene, length: float) -> list[Vector]:
    """Places of nine children in metres: three rows above each other in the middle of the water, the top one first."""
    from ..scene.tank import size_of

    size = size_of(scene)[1]
    across = min(COLUMN_PITCH * length, WATER_SHARE * size.x / BROOD_ROWS)
    up = min(ROW_PITCH * length, WATER_SHARE * size.z / BROOD_ROWS)
    centre, away = middle(scene), 0.5 * (BROOD_ROWS - 1)
    return [
        centre + Vector(((column - away) * across, 0.0, (away - row) * up))
        for row in range(BROOD_ROWS)
        for column in range(BROOD_ROWS)
    ]


def extent(scene: bpy.types.Scene) -> tuple[Vector, Vector]:
    """Lowest and highest corner of a box around a brood that was just put into the water, in units of the scene."""
    born = [child.shoal.location for child in scene.artfish_breeding.brood]
    margin = Vector((MARGIN_COLUMNS * (born[1] - born[0]).length,) * 3)
    return born[-BROOD_ROWS] - margin, born[BROOD_ROWS - 1] + margin


def let_go(context: bpy.types.Context) -> None:
    """Takes the last brood out of the water, and out of the file whoever is not kept, a parent, or used elsewhere."""
    scene, settings = context.scene, context.scene.artfish_breeding
    last = [(child.name, child.shoal, child.kept) for child in settings.brood]
    settings.brood.clear()
    swim = [shoal for name, shoal, _ in last if _is_child(scene, name, shoal)]
    bpy.data.batch_remove(swim)
    staying = {settings.mother, settings.father, *library.own()}
    for name, _, kept in last:
        edited = library.edited(scene)
        if name in edited and not kept and name not in staying and not users(name):
            scene.artfish.species.remove(edited.index(name))
            preview.forget(scene, name)


def child_of(context: bpy.types.Context) -> Any:
    """The child of the last brood that is selected, or None."""
    shoal = chosen(context)[0]
    brood = context.scene.artfish_breeding.brood
    return next((each for each in brood if shoal is not None and each.shoal == shoal), None)


def _is_child(scene: bpy.types.Scene, name: str, shoal: bpy.types.Object | None) -> bool:
    """True if a shoal is in the water still, as the child that it was made for."""
    if shoal is None or shoal.name not in scene.objects or shoal.library is not None:
        return False
    return shoal.artfish.kind == "SHOAL" and shoal.artfish.shoal.species == name


def _is_shown(settings: Any) -> bool:
    """True if the panel of species shows one."""
    return 0 <= settings.active_species < len(settings.species)
