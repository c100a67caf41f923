"""Fishes of a recording as a crowd: one object per species and shoal that plays a table of places, turns and poses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import bpy
import numpy as np

from ...core.form.mesh import LEVELS, ControlNet
from ...core.form.poses import PoseTable
from ...core.recording import Recording
from ...core.scene.species import Species
from ..bake.fishes import make_fishes, species_collection
from ..bake.identities import shoals_of
from ..bake.order import Order
from ..blender.background import in_thread
from ..blender.jobs import Job, Steps
from ..blender.words import translated
from ..fish.adopted import skin_of
from ..fish.individuality import INDIVIDUAL, individual
from ..fish.pose_meshes import pose_meshes
from ..fish.surfaces import soften
from ..identity import provenance
from .heroes import SWITCH_FRAMES, camera_path, heroes_of, surface_frames
from .nodes import ABSENT, FIN_POSE_ERROR, FISH_ROW, LENGTH, POSE, POSE_ERROR, TURN, add_modifier
from .table import MOST_POSES, CrowdTable, pose_table, stances, table, ways


@dataclass(frozen=True)
class CrowdParts:
    """Data shared by all crowds of a species."""

    species: Species
    number: int
    table: PoseTable
    poses: bpy.types.Collection
    wear: tuple[bpy.types.Material, ...]


def make_crowds(
    job: Job, recording: Recording, top: bpy.types.Collection, order: Order, scene: bpy.types.Scene
) -> Steps[None]:
    """Make a crowd of every shoal, species by species, except for its heroes."""
    heroes: list[int] = []
    shown = recording.alive
    if order.heroes:
        path = yield from camera_path(scene, order, recording)
        heroes = heroes_of(recording, order, path)
        shown = shown.copy()
    names, done = list(dict.fromkeys(recording.species)), 0
    shoals = list(shoals_of(recording, order.shoals))
    crowds: dict[int, bpy.types.Object] = {}
    for number, name in enumerate(names):
        species = recording.species_models[name]
        job.text = translated("Posing {species}", species=species.common_name)
        yield
        cast = yield from make_cast(recording, species, number, scene, order)
        for row in [row for row in heroes if recording.species[row] == name]:
            miss = yield from in_thread(partial(_misses, recording, row, cast.table))
            shown[:, row] = surface_frames(recording, row, path, miss, order.near)
        collection = species_collection(top, species)
        for place, shoal in enumerate([one for one in shoals if one.species == name], 1):
            rows = shoal.rows
            job.text = translated("Baking {count} {species}", count=len(rows), species=species.common_name)
            yield
            going = yield from ways(recording, rows, cast.table)
            going.pose[shown[:, rows] & np.isin(rows, heroes)] = ABSENT
            kept = yield from in_thread(partial(table, recording, rows, going, order.tolerance))
            numbers = [individual(recording.seeds[row]) for row in rows]
            fishes = {FISH_ROW: np.array(rows), INDIVIDUAL: np.array(numbers), LENGTH: recording.body_length[rows]}
            crowd = f"{species.common_name} crowd {place:02d}"
            obj = crowd_object(crowd, cast, kept, fishes, recording.frames, order)
            obj[provenance.ROLE] = f"crowd {shoal.name}"
            collection.objects.link(obj)
            crowds |= dict.fromkeys(rows, obj)
            done += len(rows)
            job.advance(done / len(recording.species))
            yield
    if heroes:
        yield from make_fishes(
            job, replace(recording, alive=shown), top, replace(order, form="compact"), scene, heroes, SWITCH_FRAMES
        )
        for obj in top.all_objects:  # whoever moves a crowd moves its heroes
            if (row := provenance.row_of(obj)) != provenance.NO_ROW:
                obj.parent = crowds[row]


def _misses(recording: Recording, row: int, poses: PoseTable) -> np.ndarray:
    """Error of a fish's farthest body vertex in a crowd, (frames,), in body lengths."""
    frames = np.arange(recording.frames)
    return poses.misses(stances(recording, frames, np.full(recording.frames, row)))[0]


def make_cast(
    recording: Recording,
    species: Species,
    number: int,
    scene: bpy.types.Scene,
    order: Order,
    most: int = MOST_POSES,
) -> Steps[CrowdParts]:
    """Make the data shared by a species' crowds, with so many poses at the most."""
    rows = [row for row, name in enumerate(recording.species) if name == species.name]
    net = yield from in_thread(partial(ControlNet, species))
    chosen = yield from in_thread(partial(pose_table, recording, rows, net, most))
    skins = yield from skin_of(species, net, scene, order.folders, range(len(LEVELS)))
    wear = tuple(dict.fromkeys(material for skin in skins for material in skin.mesh.materials if material))
    poses = yield from pose_meshes(species.common_name, skins, chosen.points, chosen.gape)
    return CrowdParts(species, number, chosen, poses, wear)


def crowd_object(
    name: str,
    cast: CrowdParts,
    kept: CrowdTable,
    fishes: dict[str, np.ndarray],
    frames: int,
    order: Order,
    loop: bool = False,
) -> bpy.types.Object:
    """Make the object of a shoal.

    Args:
        name: Name of the object.
        cast: Data shared by the species' crowds.
        kept: The table it plays.
        fishes: For each fish, (fish,), its `LENGTH` in metres, its `INDIVIDUAL` number and its `FISH_ROW`.
        frames: Number of frames it plays.
        order: The first frame of the scene, and the distances of the levels of detail.
        loop: Whether it goes round for ever; its last frame is its first again.
    """
    mesh = bpy.data.meshes.new(name)
    keys, count = kept.place.shape[:2]
    mesh.vertices.add(keys * count)
    mesh.vertices.foreach_set("co", kept.place.ravel())
    mesh.edges.add(count)
    ends = np.stack([np.arange(count), (keys - 1) * count + np.arange(count)], axis=1)
    mesh.edges.foreach_set("vertices", ends.astype(np.int32).ravel())
    _attribute(mesh, TURN, "QUATERNION", "POINT", kept.turn)
    for frame in range(kept.stride):
        _attribute(mesh, POSE.format(frame), "INT8", "POINT", kept.pose[:, frame])
    for value, values in kept.values.items():
        _attribute(mesh, value, "FLOAT", "POINT", values)
    _attribute(mesh, FISH_ROW, "INT", "EDGE", fishes[FISH_ROW].astype(np.int32))
    for value in (LENGTH, INDIVIDUAL):
        _attribute(mesh, value, "FLOAT", "EDGE", fishes[value])
    _attribute(mesh, "species", "FLOAT", "EDGE", np.full(count, float(cast.number)))
    for material in cast.wear:
        mesh.materials.append(material)
    obj = bpy.data.objects.new(name, mesh)
    soften(obj)
    obj[POSE_ERROR], obj[FIN_POSE_ERROR] = cast.table.body_error.tolist(), cast.table.fin_error.tolist()
    add_modifier(
        obj,
        Poses=cast.poses,
        Pose_Count=len(cast.table.points),
        Fishes=count,
        Keys=keys,
        Stride=kept.stride,
        Frames=frames,
        First=float(order.first),
        Near=order.near,
        Far=order.far,
        **({"Loop": True} if loop else {}),  # a group of an older file has no such input
    )
    return obj


def _attribute(
    mesh: bpy.types.Mesh,
    name: str,
    kind: Literal["FLOAT", "INT", "INT8", "QUATERNION"],
    domain: Literal["POINT", "EDGE"],
    values: np.ndarray,
) -> None:
    """Store values as an attribute of a mesh; the first axes are its keys and fishes, or its fishes."""
    made: Any = mesh.attributes.new(name, kind, domain)
    made.data.foreach_set("value", np.ascontiguousarray(values, np.float32 if kind == "FLOAT" else None).ravel())
