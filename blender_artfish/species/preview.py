"""A fish that stands in the scene while its species is shaped, and follows every number as it is dragged.

It is an empty with surfaces and eyes like those of a swimming fish, marked by a custom property, so that it may be
renamed and moved. The materials of a species are shared by all its fishes in a scene, so these follow, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import NUMBER_CHANGED, HandlerTurn, hears
from ..identity import provenance
from ..identity.units import metres
from . import library

if TYPE_CHECKING:
    from ...core.scene.species import Species

PREVIEW_NAME = "Artfish preview"
PREVIEW_PART = "artfish_preview"
"""Custom property of the objects of a preview: "fish" on the empty, the part's name on the others."""
PREVIEW_SPECIES = "artfish_species"
"""Custom property of the empty: the name of its species."""
LENGTH_PER_AXES = 10.0
"""Length of a fish over the size of its empty's axes."""
PREVIEW_SEED = 1
"""Seed of the preview's individual differences."""
_PATH = re.compile(r"artfish\.species\[(\d+)\](?:\.(\w+))?")
_BACK = re.compile(r"artfish\.species\[(\d+)\]\.form\.back\[0\]$")
SHAPING_PARTS = {"about", "body", "form"}
"""Parts of a species that determine its surfaces."""
PAINTING_PARTS = {"about", "body", "form", "relief", "looks"}
"""Parts of a species that determine its materials."""


def find(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The preview's empty, if one stands in this scene."""
    return next((obj for obj in scene.objects if provenance.of(obj, PREVIEW_PART) == "fish" and _is_own(obj)), None)


def make(scene: bpy.types.Scene, species: Species) -> bpy.types.Object:
    """Put a preview at the 3D cursor, not to be rendered.

    Returns:
        Its empty.
    """
    from ...core.form.surfaces import rest_surfaces
    from ..fish.surfaces import Workshop

    collection = bpy.data.collections.new(PREVIEW_NAME)
    scene.collection.children.link(collection)
    with Workshop(PREVIEW_NAME, rest_surfaces(species)) as workshop:
        fish = workshop.fish(PREVIEW_NAME, collection, species.length, 1.0)
    fish.root[PREVIEW_PART] = "fish"
    fish.root.location, fish.root.scale = scene.cursor.location, (1.0 / metres(scene),) * 3
    fish.root.hide_render = True
    for part, obj in fish.parts.items():
        obj[PREVIEW_PART], obj.hide_render = part, True
    update(fish.root, species)
    return fish.root


def update(root: bpy.types.Object, species: Species) -> None:
    """Give a preview the form and the materials of a species; missing or remade parts are skipped."""
    from mathutils import Vector

    from ...core.form.surfaces import eyes, rest_surfaces
    from ..fish import materials
    from ..fish.surfaces import in_order, place_points

    patches, (centres, radius, outward) = rest_surfaces(species), eyes(species)
    objects: dict[Any, Any] = {provenance.of(obj, PREVIEW_PART): obj for obj in root.children_recursive}
    parts = {part: objects[part] for part in materials.PART_MATERIALS if part in objects}
    for part, patch in patches.items():
        surface = parts.get(part)
        if surface is not None and _fits(surface, patch.points.shape[:2]):
            place_points(surface, species.length * in_order(patch.points).ravel())
            surface.data.update_tag()
    for part, centre, direction in zip(("eye_left", "eye_right"), centres, outward, strict=True):
        if part in parts:
            eye = parts[part]
            eye.location, eye.scale = species.length * centre, (species.length * radius,) * 3
            eye.rotation_mode = "QUATERNION"
            eye.rotation_quaternion = Vector(direction).to_track_quat("Z", "Y")
    root.empty_display_type, root.empty_display_size = "PLAIN_AXES", species.length / LENGTH_PER_AXES
    root[PREVIEW_SPECIES] = species.name
    if root.name.startswith(PREVIEW_NAME):
        root.name = f"{PREVIEW_NAME}: {species.common_name}"
    if any(not obj.material_slots or obj.active_material is None for obj in parts.values()) or not all(
        obj.active_material.name.startswith(f"{species.name} ") for obj in parts.values()
    ):
        materials.dress(parts, materials.species_materials(species, root.users_scene[0]), PREVIEW_SEED)


def remove(scene: bpy.types.Scene) -> bool:
    """Remove the preview, with its data; returns whether there was one."""
    root = find(scene)
    if root is None:
        return False
    objects = [root, *(obj for obj in root.children_recursive if obj.get(PREVIEW_PART))]
    blocks = {obj.data for obj in objects if obj.data}
    homes = {home for obj in objects for home in obj.users_collection}
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove([block for block in blocks if block.users == 0])
    empty = [
        home for home in homes if home.name.startswith(PREVIEW_NAME) and not home.all_objects and not home.children
    ]
    bpy.data.batch_remove([home for home in empty if home in set(bpy.data.collections)])
    return True


@hears(HandlerTurn.DISPLAY, NUMBER_CHANGED)
def join_heads(context: bpy.types.Context, group: Any) -> None:
    """Make the belly begin where the back does, as it must."""
    if not isinstance(group.id_data, bpy.types.Scene):
        return
    found = _BACK.match(group.path_from_id())
    if found:
        belly = group.id_data.artfish.species[int(found[1])].form.belly
        if belly and belly[0].values[1] != group.values[1]:
            belly[0].values[1] = group.values[1]


@hears(HandlerTurn.DISPLAY, NUMBER_CHANGED)
def follow(context: bpy.types.Context, group: bpy.types.PropertyGroup) -> None:
    """Update preview and materials to the species that a group belongs to; on errors the last good form stays."""
    scene = group.id_data
    if not isinstance(scene, bpy.types.Scene):
        return
    found = _PATH.match(group.path_from_id())
    if found:
        if not found[2] or found[2] in SHAPING_PARTS | PAINTING_PARTS:
            refresh(scene, int(found[1]), found[2] or "")
    elif group == scene.artfish and (root := find(scene)) is not None:
        index, entries = scene.artfish.active_species, scene.artfish.species
        if 0 <= index < len(entries) and root.get(PREVIEW_SPECIES) != entries[index].name:
            refresh(scene, index)


def refresh(scene: bpy.types.Scene, index: int, part: str = "") -> None:
    """Update preview and materials to an edited species, if its numbers are consistent.

    Args:
        scene: The scene of the species and the preview.
        index: Index of the species.
        part: The part that has changed; all of it if left out.
    """
    entries = scene.artfish.species
    root = find(scene) if index == scene.artfish.active_species else None
    if not 0 <= index < len(entries) or root is None and not _is_painted(entries[index].name):
        return  # nothing to see
    from ...core.base.codec import SceneError
    from ..fish import materials

    try:
        species = library.species_of(entries[index])
    except SceneError:
        return  # the panel says what is wrong
    if not part or part in PAINTING_PARTS:
        materials.retouch(species, scene)
    if root is not None and (not part or part in SHAPING_PARTS):
        update(root, species)


def forget(scene: bpy.types.Scene, name: str) -> None:
    """After a species is dropped: restore its materials as saved, and remove a preview without a species."""
    from ...core.base.codec import SceneError
    from ..fish import materials

    if not scene.artfish.species:
        remove(scene)
    if _is_painted(name) and name in library.names():
        try:
            materials.retouch(library.load(name), scene)
        except SceneError:
            return  # its file is damaged, as the panel says


def rename(scene: bpy.types.Scene, before: str, name: str) -> None:
    """Rename the materials of an edited species."""
    if _is_painted(before):
        from ..fish import materials

        materials.rename(before, name, scene)


def _is_painted(name: str) -> bool:
    """True if a species has materials; without them the simulation need not be loaded."""
    return any(provenance.plain(material.name) == f"{name} skin" for material in bpy.data.materials)


def _is_own(obj: bpy.types.Object) -> bool:
    """True if an object is of this file: linked ones can be neither renamed nor removed here."""
    return obj.library is None and obj.override_library is None


def _fits(surface: Any, shape: tuple[int, ...]) -> bool:
    splines: Any = surface.data.splines if surface.type == "SURFACE" else ()
    return len(splines) == 1 and (splines[0].point_count_u, splines[0].point_count_v) == shape


CLASSES: tuple[type, ...] = ()
