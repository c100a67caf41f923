"""Recasting of single baked fishes: new individual numbers, another species' materials or its body."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import bpy

from ...core.base.codec import SceneError
from ...core.form.mesh import MESH_MATERIALS, ControlNet
from ...core.form.rig import Rig
from ...core.scene.species import Species
from ..blender.jobs import finished
from ..blender.words import translated
from ..fish.adopted import skin_of
from ..fish.armature import armature, rigged_mesh
from ..fish.individuality import INDIVIDUAL, individual
from ..fish.materials import EYE_IN_MESH, PART_MATERIALS, eye_in_mesh, species_materials
from ..identity import provenance
from ..species import library
from .whole_fish import CAST, ROOT_BONE, WholeFish


def drawn_number(fish: WholeFish, dice: int) -> float:
    """An individual number for a fish, drawn by this seed and its name."""
    return individual(crc32(f"{dice} {fish.root.name}".encode()))


def number_of(fish: WholeFish) -> float:
    """A fish's individual number."""
    numbers = (obj[INDIVIDUAL] for obj in fish.body if INDIVIDUAL in obj.keys())  # noqa: SIM118
    return next((float(number) for number in numbers if isinstance(number, float)), 0.0)


def set_number(fish: WholeFish, number: float) -> None:
    """Give a fish's objects this individual number."""
    for obj in fish.body:
        if INDIVIDUAL in obj.keys():  # noqa: SIM118
            obj[INDIVIDUAL] = number
            obj.update_tag()


def paint(fish: WholeFish, species: Species, scene: bpy.types.Scene) -> None:
    """Give a fish the materials of a species, each on the part it is made for.

    One that wears a model of an animator's wears those of another such model, if that has as many, in their order. Data
    that it shares with other fishes it has for itself from then on.

    Raises:
        SceneError: It has no materials of a species to change, or another number of its own.
    """
    wear = dict(species_materials(species, scene))
    if any(len(obj.material_slots) == len(MESH_MATERIALS) for obj in fish.body):
        wear[EYE_IN_MESH] = eye_in_mesh(species, scene)
    model = _of_model(species, scene) if species.model else []
    painted = False
    for obj in fish.body:
        materials = _materials(obj, wear) or (model if len(model) == len(obj.material_slots) else [])
        if not materials:
            continue
        painted = True
        if obj.data.users > 1:
            obj.data = obj.data.copy()
            obj.data.name = obj.name
        for slot, material in zip(obj.material_slots, materials, strict=True):
            slot.link = "DATA"
            slot.material = material
    if not painted:
        raise SceneError(
            translated("{name} with materials of its own", name=fish.root.name),
            "a fish with the materials of a species, or the look of an adopted species with as many",
        )


def _of_model(species: Species, scene: bpy.types.Scene) -> list[bpy.types.Material | None]:
    """The materials of a species' model, in their order."""
    there = next((obj.data for obj in scene.objects if _kind(obj) == species.name), None)
    if isinstance(there, bpy.types.Mesh):
        return list(there.materials)
    ((_, skin),) = finished(skin_of(species, ControlNet(species), scene, library.model_folders()))
    materials = list(skin.materials)
    bpy.data.meshes.remove(skin)
    return materials


def _materials(obj: bpy.types.Object, wear: Mapping[str, bpy.types.Material]) -> list[bpy.types.Material | None]:
    """The materials of a species for each slot of a fish's object; empty if it takes none of them."""
    if not obj.material_slots:
        return []
    fish = provenance.fish_of(obj)
    if fish is not None and fish.part in PART_MATERIALS:
        return [wear[PART_MATERIALS[fish.part]]]
    if len(obj.material_slots) != len(MESH_MATERIALS):
        return []
    return [wear[EYE_IN_MESH if name == "eye" else name] for name in MESH_MATERIALS]


def recast(fish: WholeFish, species: Species, scene: bpy.types.Scene, own_length: bool = False) -> None:
    """Give a bone-driven mesh fish the body of another species; it keeps its motion.

    Args:
        fish: The fish.
        species: The species of the new body.
        scene: The scene it is in.
        own_length: Whether it takes the species' length; else it keeps the fish's.

    Raises:
        SceneError: It has no bones, or the species has others.
    """
    root = fish.root
    body = next((part for part in fish.parts if part.type == "MESH"), None)
    if root.type != "ARMATURE" or body is None:
        raise SceneError(
            translated("{root} without bones", root=root.name), "a fish of the form Mesh, driven by an Armature"
        )
    bones, skin = _body(species, scene, fish)
    other = {*root.data.bones.keys()} ^ {*bones.bones.keys()}
    if other:
        names = ", ".join(sorted(other)[:4])
        unused = [each for each in (skin, bones) if each.users == 0]
        bpy.data.batch_remove(unused)
        raise SceneError(
            translated(
                "{root} and {species} with different bones ({names})",
                root=root.name,
                species=species.common_name,
                names=names,
            ),
            "a species with the same bones",
        )
    root.data, body.data = bones, skin
    numbers = [obj.get("species") for obj in scene.objects if _kind(obj) == species.name]
    known = [obj.get("species") for obj in scene.objects]
    body["species"] = next(
        (number for number in numbers if isinstance(number, int)),
        1 + max((number for number in known if isinstance(number, int)), default=-1),
    )
    root[CAST] = species.name
    ratio = species.length / root.scale.x if own_length else 1.0
    root.pose.bones[ROOT_BONE].scale = (ratio,) * 3
    for obj in (root, body):
        obj.update_tag()


def _kind(obj: bpy.types.Object) -> str:
    """The species of the fish an object is the mesh of; "" for other objects."""
    fish = provenance.fish_of(obj) if obj.type == "MESH" and obj.parent is not None else None
    return "" if fish is None else provenance.of(obj.parent, CAST) or fish.species


def _body(species: Species, scene: bpy.types.Scene, fish: WholeFish) -> tuple[bpy.types.Armature, bpy.types.Mesh]:
    """Bones and mesh of a species: those of other fishes in the scene, or new ones."""
    own = None if species.model else species_materials(species, scene)["skin"]
    for obj in scene.objects:
        if _kind(obj) != species.name or obj in fish.parts or obj.parent.type != "ARMATURE":
            continue
        if own is None or own in obj.data.materials.values():  # and it has not been painted otherwise
            bones, skin = obj.parent.data, obj.data
            assert isinstance(bones, bpy.types.Armature) and isinstance(skin, bpy.types.Mesh)
            return bones, skin
    net = ControlNet(species)
    ((mesh, skin),) = finished(skin_of(species, net, scene, library.model_folders()))
    skin.name = species.common_name
    rig = Rig(net, mesh)
    bench = armature(species.common_name, rig)
    made = bench.data
    assert isinstance(made, bpy.types.Armature)
    bpy.data.objects.remove(bench)
    return made, rigged_mesh(skin, mesh, mesh.vertices(net.rest), rig)
