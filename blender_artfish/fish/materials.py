"""The materials of a species, for skin, fins and eyes: made from its `Looks`, found again, kept up to date, and worn.

Every step of the painting is a node group that all species share; a species sets its inputs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from functools import lru_cache, partial

import bpy

from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender import shader_graph
from ..identity import provenance
from . import shades
from .eye import paint_eye
from .fin import paint_fin
from .individuality import INDIVIDUAL, individual, tell_apart
from .relief import INWARD, INWARD_PARTS, shape_of
from .skin import paint_skin

PART_MATERIALS = {
    "body_left": "skin",
    "body_right": "skin",
    "dorsal": "dorsal",
    "ventral": "ventral",
    "caudal": "caudal",
    "pectoral_left": "pectoral",
    "pectoral_right": "pectoral",
    "eye_left": "eye",
    "eye_right": "eye",
}
"""The material that each object of a fish wears."""

FIN_MATERIALS = ("dorsal", "ventral", "caudal", "pectoral")

_PAINTERS = {"skin": paint_skin} | dict.fromkeys(FIN_MATERIALS, paint_fin) | {"eye": paint_eye}
"""Function that makes each material's tree."""

SKIN_SHADES = tuple(f"skin {name}" for name in ("back", "belly", "face", "rear", "pattern", "patch", "band"))
"""Copies of the skin's material, for faces whose colour in Solid view differs from most."""

EYE_IN_MESH = "eye in mesh"
"""Material of eyes that are part of a mesh, painted by the mesh's own coordinates."""

Worn = tuple[set[bpy.types.Material], set[bpy.types.Material]]
"""The materials worn by objects of a scene, and those worn only by objects of other scenes."""


@lru_cache(maxsize=64)
def looks_of(species: Species) -> str:
    """A digest of all that a species' materials depend on."""
    data = species.to_dict()
    return provenance.digest([*(data[part] for part in ("looks", "relief", "length")), shape_of(species)])


def species_materials(species: Species, scene: bpy.types.Scene | None = None) -> dict[str, bpy.types.Material]:
    """The materials of a species, made once in a file; again for a scene in which it looks different.

    Returns:
        Materials by "skin", "dorsal", "ventral", "caudal", "pectoral" and "eye".
    """
    return dict(making(species, scene))


def making(species: Species, scene: bpy.types.Scene | None = None) -> Iterator[tuple[str, bpy.types.Material]]:
    """Yields the materials of `species_materials` one after another."""
    found = existing(species, scene)
    for part in _PAINTERS:
        yield part, found.get(part) or _made(species, part)


def existing(species: Species, scene: bpy.types.Scene | None = None) -> dict[str, bpy.types.Material]:
    """Its materials that are in the file already."""
    return _found(species.name, looks_of(species), _worn(scene))


def skin_shade(species: Species, scene: bpy.types.Scene, name: str) -> bpy.types.Material:
    """Copy of a species' skin material for faces that Solid view shows in one of its `shades.colours`."""
    part = f"skin {name}"
    found = existing(species, scene).get(part)
    if found is None:
        found = species_materials(species, scene)["skin"].copy()
        found.name = f"{species.name} {part}"
        _show(found, species.looks, part)
    return found


def eye_in_mesh(species: Species, scene: bpy.types.Scene | None = None) -> bpy.types.Material:
    """The material of a species' eyes as part of a mesh."""
    return existing(species, scene).get(EYE_IN_MESH) or _made(species, EYE_IN_MESH)


def making_in_mesh(
    species: Species, scene: bpy.types.Scene | None = None
) -> Generator[None, None, dict[str, bpy.types.Material]]:
    """The materials of a species for a mesh with all its parts, one made per step."""
    wear = {}
    for part, material in making(species, scene):
        wear[part] = material
        yield
    return wear | {EYE_IN_MESH: eye_in_mesh(species, scene)}


def retouch(species: Species, scene: bpy.types.Scene | None = None) -> None:
    """Update the file's materials of a species to its looks, where they differ.

    Args:
        species: The species.
        scene: The scene to update; fishes of other scenes keep theirs. All scenes if left out.
    """
    looks, worn = looks_of(species), _worn(scene)
    for part, material in _found(species.name, looks, worn).items():
        if material.get(provenance.LOOKS) == looks:
            continue
        own = _parted(material, scene) if material in worn[1] else material
        shader_graph.retouch(own, partial(_paint, species=species, part=part))
        _show(own, species.looks, part)
        own[provenance.LOOKS] = looks


def rename(before: str, name: str, scene: bpy.types.Scene) -> None:
    """Rename the materials of a species in a scene, unless there are such already."""
    worn = _worn(scene)
    for part, material in _found(before, "", worn).items():
        if f"{name} {part}" not in bpy.data.materials:
            (_parted(material, scene) if material in worn[1] else material).name = f"{name} {part}"


def _worn(scene: bpy.types.Scene | None) -> Worn:
    """The materials of objects of a scene, and those of objects only in other scenes."""
    here = set(scene.objects if scene else bpy.data.objects)
    others = {obj for each in bpy.data.scenes for obj in each.objects} - here
    mine, theirs = ({slot.material for obj in objects for slot in obj.material_slots} for objects in (here, others))
    return mine, theirs


def _found(name: str, looks: str, worn: Worn) -> dict[str, bpy.types.Material]:
    """The materials of a species for a scene: those worn there, or else with the same looks, or else worn in no other.

    Linked materials, which cannot be changed here, are left out.
    """
    mine, theirs = worn
    parts = *_PAINTERS, *SKIN_SHADES, EYE_IN_MESH
    found: dict[str, list[bpy.types.Material]] = {f"{name} {part}": [] for part in parts}
    for material in [each for each in bpy.data.materials if each.library is None]:
        same = material.get(provenance.LOOKS) == looks
        if provenance.plain(material.name) in found and (material in mine or same or material not in theirs):
            found[provenance.plain(material.name)].append(material)

    def rank(material: bpy.types.Material) -> tuple[bool, bool, str]:
        other = material not in mine
        return other, other and material.get(provenance.LOOKS) != looks, material.name

    return {part: min(every, key=rank) for part, every in zip(parts, found.values(), strict=True) if every}


def _parted(material: bpy.types.Material, scene: bpy.types.Scene | None) -> bpy.types.Material:
    """A copy of a material that replaces it on all objects of a scene; other scenes keep theirs."""
    own = material.copy()
    for obj in scene.objects if scene else ():
        for slot in obj.material_slots:
            if slot.material == material:
                slot.link = "OBJECT"  # objects of other scenes may share the data
                slot.material = own
    return own


def _made(species: Species, part: str) -> bpy.types.Material:
    material, graph = shader_graph.material(f"{species.name} {part}")
    _paint(graph, species, part)
    material.displacement_method = "BOTH"
    _show(material, species.looks, part)
    material[provenance.LOOKS] = looks_of(species)
    return material


def _paint(graph: shader_graph.Graph, species: Species, part: str) -> None:
    """Make the tree of a material."""
    _PAINTERS[part.partition(" ")[0]](graph, species, part)
    tell_apart(graph)


def _show(material: bpy.types.Material, looks: Looks, part: str) -> None:
    """Set the colour for viewports without shaders."""
    kind, _, shade = part.partition(" ")
    if kind == "skin":
        colour = shades.colours(looks).get(shade, looks.side)
    else:
        colour = looks.iris if kind == "eye" else getattr(looks, kind)
    material.diffuse_color = (*colour, 1.0)


def dress(fish_objects: Mapping[str, bpy.types.Object], wear: Mapping[str, bpy.types.Material], seed: int) -> None:
    """Give the objects of a fish their materials and their individuality.

    Args:
        fish_objects: Its objects by the names in `PART_MATERIALS`.
        wear: The materials of its species, as `species_materials` gives them.
        seed: Seed of its individual differences.
    """
    number = individual(seed)
    for name, obj in fish_objects.items():
        obj[INDIVIDUAL] = number
        if name in INWARD_PARTS:
            obj[INWARD] = 1.0
        if not obj.data.materials:
            obj.data.materials.append(None)
        obj.material_slots[0].link = "DATA"
        obj.material_slots[0].material = wear[PART_MATERIALS[name]]
