"""Fishes of a recording as one mesh each, moved by an armature or by shape keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import bpy
import numpy as np

from ...core.body.anatomy import body_frame, tail_bend
from ...core.form.mesh import BoundMesh, ControlNet
from ...core.form.rig import Rig
from ...core.recording import Recording
from ...core.scene.species import Species
from ...core.studio.growing import shown_growth
from ..blender.background import in_thread
from ..blender.fcurves import thin, write, write_presence, write_switch
from ..blender.jobs import Job, Steps
from ..blender.versions import channelbag
from ..blender.words import translated
from ..crowd.table import VALUE_GRAIN
from ..fish import surfaces
from ..fish.adopted import skin_of
from ..fish.armature import armature, rigged_mesh
from ..fish.individuality import FISH_ID, INDIVIDUAL, individual
from ..identity import provenance
from .bones import key_bones
from .compact import LEAST_BOUND_LENGTHS, mode_channels, principal_modes, shape_keys, thin_together
from .fishes import MARGIN, RIDE_CHANNELS, ride_of, species_collection
from .gape import gape_of, key_gape
from .identities import fish_roles
from .moments import Moments
from .order import ARMATURE, MESH, Order

MODIFIER = "Armature"
"""Name of the modifier that moves a mesh."""
KEYED, INTENTION = ("speed", "bend", "fear"), "intention"
"""Custom properties of a fish's mesh that are keyed; beside them stand "id" and "species"."""


@dataclass(frozen=True)
class Mould:
    """Data shared by all fishes of a species."""

    species: Species
    number: int
    net: ControlNet
    mesh: BoundMesh
    rig: Rig | None
    bones: bpy.types.Object | None
    skin: bpy.types.Mesh


class FishLabel(NamedTuple):
    """The names of a fish.

    Attributes:
        name: Its name for an animator.
        role: By which it is known from bake to bake.
    """

    name: str
    role: str


FishMaker = Callable[[Recording, int, Mould, FishLabel, bpy.types.Collection, Order], Iterator[None]]
"""Makes and keys the fish of a row, by its species' data and its label, in a collection, in steps."""


def make_meshes(
    job: Job,
    recording: Recording,
    top: bpy.types.Collection,
    order: Order,
    scene: bpy.types.Scene,
    rows: Sequence[int] | None = None,
) -> Steps[None]:
    """Make all fishes, or those of these rows, species by species."""
    yield from each_fish(job, recording, top, order, scene, rows, _fish)


def each_fish(
    job: Job,
    recording: Recording,
    top: bpy.types.Collection,
    order: Order,
    scene: bpy.types.Scene,
    rows: Sequence[int] | None,
    make: FishMaker,
) -> Steps[None]:
    """Make all fishes, or those of these rows, species by species, in this way."""
    every, names = range(len(recording.species)) if rows is None else rows, list(dict.fromkeys(recording.species))
    roles, done = fish_roles(recording, order.shoals), 0
    for name in dict.fromkeys(recording.species[row] for row in every):
        mould = yield from mould_of(job, recording.species_models[name], names.index(name), scene, order)
        collection = species_collection(top, mould.species)
        number = surfaces.first_number(mould.species.common_name)
        for place, row in enumerate([row for row in every if recording.species[row] == name]):
            fish = FishLabel(f"{mould.species.common_name} {number + place:02d}", roles[row])
            job.text = translated("Baking {fish}", fish=fish.name)
            for _ in make(recording, row, mould, fish, collection, order):
                yield
            done += 1
            job.advance(done / len(every))
            yield
        if mould.bones is not None:
            bpy.data.objects.remove(mould.bones)
        if mould.skin.users == 0:  # every fish with shape keys has a copy
            bpy.data.meshes.remove(mould.skin)


def mould_of(job: Job, species: Species, number: int, scene: bpy.types.Scene, order: Order) -> Steps[Mould]:
    """Make the data shared by a species' fishes."""
    job.text = translated("Rigging {species}", species=species.common_name)
    yield
    net = yield from in_thread(partial(ControlNet, species))
    ((mesh, skin),) = yield from skin_of(species, net, scene, order.folders)
    skin.name = species.common_name
    has_bones = order.form == MESH and order.drive == ARMATURE
    rig = (yield from in_thread(partial(Rig, net, mesh))) if has_bones else None
    bones = None if rig is None else armature(species.common_name, rig)
    rigged_mesh(skin, mesh, mesh.vertices(net.rest), rig)
    return Mould(species, number, net, mesh, rig, bones, skin)


def _fish(
    recording: Recording, row: int, mould: Mould, label: FishLabel, collection: bpy.types.Collection, order: Order
) -> Iterator[None]:
    """Make and key one fish."""
    moments, length = Moments.of(recording, row), float(recording.body_length[row])
    nodes, fins, mouth, look = moments.all(recording, row)
    points, origin, turn = mould.net.poses(nodes, fins, np.array([length]), mouth, look)
    yield
    action = bpy.data.actions.new(label.name)
    if mould.rig is not None and mould.bones is not None:
        root, body = skinned_fish(mould, mould.bones, label.name, length, collection)
        place = origin[:, 0] / (length * shown_growth(recording, row, moments.times))[:, None]  # root is scaled by both
        key_bones(action, root, mould.rig, points[:, 0], place, turn[:, 0], moments.times, order)
    else:
        root = body = bpy.data.objects.new(label.name, mould.skin.copy())
        body.data.name = label.name
        collection.objects.link(body)
        _key_modes(action, body, mould, points[:, 0], moments, length, order)
    yield
    finish(action, root, body, recording, row, mould, label.role, order)


def finish(
    action: bpy.types.Action,
    root: bpy.types.Object,
    body: bpy.types.Object,
    recording: Recording,
    row: int,
    mould: Mould,
    role: str,
    order: Order,
) -> None:
    """Key what a fish does beside its motion, and label it; `root` carries its mesh `body`, or is the same."""
    _key_data(action, body, recording, row, mould.number, order)
    key_gape(action, [body], gape_of(recording, row), order.first)
    for obj in {root: None, body: None}:
        if not recording.alive[:, row].all():
            write_presence(channelbag(action, obj), recording.alive[:, row], order.first)
        obj[INDIVIDUAL] = individual(recording.seeds[row])
    surfaces.soften(body)
    root[provenance.ROW], root[provenance.ROLE] = row, role
    if body != root:
        body[provenance.ROLE] = f"{role} mesh"


def skinned_fish(
    mould: Mould, bones: bpy.types.Object, name: str, length: float, collection: bpy.types.Collection
) -> tuple[bpy.types.Object, bpy.types.Object]:
    """Make a fish of this length in metres moved by an armature: a copy of the species' bones, and the mesh on it."""
    root = bones.copy()
    root.name = name
    body = surfaces.child(root, "mesh", mould.skin)
    collection.objects.link(root)
    collection.objects.link(body)
    root.scale = (length,) * 3
    body.modifiers.new(MODIFIER, "ARMATURE").object = root
    return root, body


def _key_modes(
    action: bpy.types.Action,
    body: bpy.types.Object,
    mould: Mould,
    points: np.ndarray,
    moments: Moments,
    length: float,
    order: Order,
) -> None:
    """Key a fish as an object that moves along its path and is bent by a few shape keys.

    Args:
        action: The action to key.
        body: The object.
        mould: Its species' data.
        points: Control points (moments, points, 3), in body lengths in the fish's own frame.
        moments: The moments at which it is keyed.
        length: Body length, metres.
        order: The tolerance and the first frame.
    """
    bound = max(MARGIN * order.tolerance, LEAST_BOUND_LENGTHS) * length
    ride = ride_of(moments, bound)
    body.rotation_mode = "QUATERNION"
    write(channelbag(action, body), RIDE_CHANNELS, ride.keys, order.first)
    body.location, body.rotation_quaternion = ride.location[0], ride.quaternion[0]
    origin, turn = body_frame(np.asarray(moments.nodes, dtype=float))
    world = origin[:, None] + length * points @ np.swapaxes(turn, -1, -2)
    motion = ride.local(world).T.astype(float)
    rest = motion.mean(axis=0)
    motion -= rest
    values, shapes = principal_modes(motion, bound / 2)
    keys = thin_together(values, shapes, motion, bound, moments.times)
    places, ways = (mould.mesh.vertices(of.reshape(-1, mould.net.count, 3)) for of in (rest, shapes))
    shape_keys(body, places.ravel(), ways.reshape(len(shapes), -1))
    write(channelbag(action, body.data.shape_keys), mode_channels(len(shapes)), keys, order.first)


def _key_data(
    action: bpy.types.Action, body: bpy.types.Object, recording: Recording, row: int, number: int, order: Order
) -> None:
    """Give a fish the properties shaders and others may read: identity, speed, bend and intention."""
    body[FISH_ID], body["species"] = row, number
    nodes, length = recording.nodes[:, row].astype(float), float(recording.body_length[row])
    way = np.gradient(body_frame(nodes)[0], axis=0) if len(nodes) > 1 else np.zeros((1, 3))
    speed = np.linalg.norm(way, axis=-1) * recording.fps / length
    bag, found = channelbag(action, body), np.stack([speed, tail_bend(nodes), recording.fear[:, row]])
    keys = thin(found, VALUE_GRAIN)
    for name, value in zip(KEYED, keys.first, strict=True):
        body[name] = float(value)
    write(bag, [(f'["{name}"]', 0) for name in KEYED], keys, order.first)
    intention = recording.intention[:, row].astype(int)
    body[INTENTION] = int(intention[0])
    write_switch(bag, (f'["{INTENTION}"]',), intention, order.first)
