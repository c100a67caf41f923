"""Fishes of a recording as objects with F-curves.

A fish's empty carries its position and heading; the control points of its surfaces are keyed in the empty's frame, so
that keys stay small. The empty's curves are thinned first and played back; the control points are then taken
relative to the empty as it plays, so its error is made good and the whole tolerance is left to the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain

import bpy
import numpy as np
from mathutils import Vector
from scipy.spatial.transform import Rotation

from ...core.base.attitude import nearby
from ...core.body.anatomy import body_frame
from ...core.form.coupling import BODY_HALVES, Coupling, coupling_of
from ...core.form.look import eye_turns
from ...core.form.surfaces import eyes
from ...core.recording import Recording
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.background import in_thread
from ..blender.fcurves import LOCATION, Keys, thin, write, write_presence
from ..blender.jobs import Job, Steps
from ..blender.versions import channelbag
from ..blender.words import translated
from ..fish import materials, surfaces
from ..fish.individuality import FISH_ID
from ..identity import provenance
from ..identity.film_time import FIRST
from .compact import key_modes
from .gape import gape_of, key_gape
from .identities import fish_roles
from .moments import Moments
from .order import Order

MARGIN = 0.98
"""Share of the tolerance that is used; the rest is left to Blender's single precision."""
FISH_FRAMES = 20_000
"""Fish-frames whose control points are computed at a time, some 0.3 GB."""
EYE_BOUND = 0.005
"""Largest error of a component of an eye's quaternion: the pupil is off by under a hundredth of the eye's radius."""
QUATERNION = [("rotation_quaternion", axis) for axis in range(4)]
RIDE_CHANNELS = LOCATION + QUATERNION


@dataclass(frozen=True)
class _Mould:
    """Data shared by all fishes of a species."""

    species: Species
    coupling: Coupling
    eye_radius: float
    outward: np.ndarray
    workshop: surfaces.Workshop
    wear: Mapping[str, bpy.types.Material]


def make_fishes(
    job: Job,
    recording: Recording,
    top: bpy.types.Collection,
    order: Order,
    scene: bpy.types.Scene,
    rows: Sequence[int] | None = None,
    lead: float = 0.0,
) -> Steps[None]:
    """Make all fishes, or those of these rows, species by species.

    A fish appears and disappears `lead` frames before a frame. Blender makes materials and surfaces more slowly as a
    file grows, so those of all species come first.
    """
    with ExitStack() as workshops:
        moulds, every = [], range(len(recording.species)) if rows is None else rows
        for name in dict.fromkeys(recording.species[row] for row in every):
            moulds.append((yield from _mould(job, recording.species_models[name], workshops, scene)))
        done = 0
        for mould in moulds:
            collection = species_collection(top, mould.species)
            own = [row for row in every if recording.species[row] == mould.species.name]
            done = yield from _school(job, recording, mould, own, collection, order, done, lead)


def species_collection(top: bpy.types.Collection, species: Species) -> bpy.types.Collection:
    """The collection of a species within that of a bake, made once."""
    role = f"species {species.name}"
    for found in top.children:
        if provenance.of(found, provenance.ROLE) == role:
            return found
    made = bpy.data.collections.new(species.common_name)
    made[provenance.ROLE] = role
    top.children.link(made)
    return made


def _mould(job: Job, species: Species, workshops: ExitStack, scene: bpy.types.Scene) -> Steps[_Mould]:
    """Make the data shared by a species' fishes; they are taken from its workshop while it is open."""
    job.text = translated("Baking {species}", species=species.common_name)
    yield
    coupling, (_, radius, outward) = yield from in_thread(lambda: (coupling_of(species), eyes(species)))
    workshop = workshops.enter_context(surfaces.Workshop(species.common_name, coupling.rest))
    for _ in chain(workshop.prepare(), shader_graph.prepare()):
        yield
    wear = {}
    for part, material in materials.making(species, scene):
        wear[part] = material
        yield
    return _Mould(species, coupling, radius, outward, workshop, wear)


def _school(
    job: Job,
    recording: Recording,
    mould: _Mould,
    rows: list[int],
    collection: bpy.types.Collection,
    order: Order,
    done: int,
    lead: float,
) -> Steps[int]:
    """Make these fishes of a species, one at a time; returns the number done, including those done before."""
    species, coupling, roles = mould.species, mould.coupling, fish_roles(recording, order.shoals)
    number = surfaces.first_number(species.common_name)
    block = max(1, FISH_FRAMES // recording.frames)
    for begin in range(0, len(rows), block):
        some = rows[begin : begin + block]
        lengths = recording.body_length[some]
        moving = (
            recording.nodes[:, some],
            recording.fins[:, some],
            lengths,
            recording.mouth[:, some],
            recording.look(some),
        )
        job.text = translated("Baking {species}", species=species.common_name)
        yield
        points = yield from in_thread(partial(coupling.control_points, *moving))
        for place, row in enumerate(some):
            length = float(lengths[place])
            name = f"{species.common_name} {number + begin + place:02d}"
            fish = mould.workshop.fish(name, collection, length, mould.eye_radius * length)
            job.text = translated("Baking {name}", name=fish.root.name)
            parts = {part: those[:, place] for part, those in points.items()}
            bound = MARGIN * order.tolerance * length
            moments = Moments.of(recording, row)
            if moments.times is not None:
                parts = yield from in_thread(partial(moments.merged, parts, coupling, recording, row))
            for _ in animate(fish, moments, parts, length, bound, order.form, order.first):
                yield
            roll_eyes(fish, moments.gaze(recording, row), mould.outward, moments.times, order)
            halves = [fish.surfaces[part] for part in BODY_HALVES]
            key_gape(fish.root.animation_data.action, halves, gape_of(recording, row), order.first)
            _hide(fish, recording.alive[:, row], order.first - lead)
            materials.dress(fish.parts, mould.wear, int(recording.seeds[row]))
            _name(fish, row, roles[row])
            done += 1
            job.advance(done / len(recording.species))
            yield
    return done


def _name(fish: surfaces.FishObjects, row: int, role: str) -> None:
    """Label a fish's objects with its identity."""
    fish.root[provenance.ROW], fish.root[provenance.ROLE] = row, role
    for part, obj in fish.parts.items():
        obj[provenance.ROLE] = f"{role} {part}"
        obj[FISH_ID] = row


def animate(
    fish: surfaces.FishObjects,
    moments: Moments,
    world: dict[str, np.ndarray],
    length: float,
    bound: float,
    form: str,
    first: int = FIRST,
) -> Iterator[None]:
    """Key a fish in steps.

    Args:
        fish: Its objects.
        moments: The moments at which it is keyed.
        world: Control points of each surface, (moments, u, v, 3), and "eyes", (moments, 2, 3), in metres.
        length: Body length, metres.
        bound: Largest error of a point at any moment, metres.
        form: One of `FORMS`.
        first: Frame of the scene at which the keys begin.
    """
    action = bpy.data.actions.new(fish.root.name)
    ride, times = ride_of(moments, bound), moments.times
    write(channelbag(action, fish.root), RIDE_CHANNELS, ride.keys, first)
    fish.root.location, fish.root.rotation_quaternion = ride.location[0], ride.quaternion[0]
    local = {part: ride.local(surfaces.in_order(points)) for part, points in world.items() if part != "eyes"}
    yield
    if form == "points":
        for _ in _key_points(fish, action, local, bound, first, times):
            yield
    else:
        pectorals = [part for part in local if part.startswith("pectoral")]
        meeting = [part for part in local if part not in pectorals]
        for group in (meeting, *([part] for part in pectorals)):
            key_modes(fish.surfaces, action, {part: local[part] for part in group}, length, bound, first, times)
            yield
    for eye, centre in zip(fish.eyes.values(), np.moveaxis(world["eyes"], 1, 0), strict=True):
        keys = thin(ride.local(centre[:, None]), bound / 3**0.5, times=times)
        eye.location = keys.first.tolist()
        if keys.keyed[:, 1:].any():
            write(channelbag(action, eye), LOCATION, keys, first)


def roll_eyes(
    fish: surfaces.FishObjects, gaze: np.ndarray, outward: np.ndarray, times: np.ndarray | None, order: Order
) -> None:
    """Key the turning of a fish's eyes.

    Args:
        fish: Its objects, animated.
        gaze: Turn of each eye ahead and up, radians, (moments, 2, 2).
        outward: Directions in which they look at rest, in the fish's own frame, (2, 3).
        times: Times of the moments in frames; one every frame if left out.
        order: The tolerance and the first frame.
    """
    turns = eye_turns(gaze, outward)
    for eye, turn, direction in zip(fish.eyes.values(), np.moveaxis(turns, 1, 0), outward, strict=True):
        rest = np.array(Vector(direction).to_track_quat("Z", "Y").to_matrix())
        quaternion = nearby(np.roll(Rotation.from_matrix(turn @ rest).as_quat(), 1, axis=-1))
        keys = thin(quaternion.T.copy(), 0.0 if order.tolerance == 0 else EYE_BOUND, times=times)
        eye.rotation_quaternion = keys.first.tolist()
        if keys.keyed[:, 1:].any():
            write(channelbag(fish.root.animation_data.action, eye), QUATERNION, keys, order.first)


def _key_points(
    fish: surfaces.FishObjects,
    action: bpy.types.Action,
    local: dict[str, np.ndarray],
    bound: float,
    first: int,
    times: np.ndarray | None,
) -> Iterator[None]:
    """Key every control point, surface by surface; arguments as in `key_modes`."""
    for part, curves in local.items():
        surface = fish.surfaces[part]
        keys = thin(curves, bound / 3**0.5, times=times)
        surfaces.place_points(surface, curves[:, 0])
        write(channelbag(action, surface.data), point_channels(len(curves) // 3), keys, first)
        yield


def point_channels(points: int) -> list[tuple[str, int]]:
    """RNA path and index of the three curves of each control point of a surface."""
    return [(f"splines[0].points[{point}].co", axis) for point in range(points) for axis in range(3)]


@dataclass(frozen=True)
class KeyedRide:
    """The motion of an empty, as keyed and as it plays.

    Attributes:
        keys: Curves of `RIDE_CHANNELS`.
        location: (moments, 3) metres.
        quaternion: (moments, 4), w first, unit length.
        rotation: (moments, 3, 3), columns ahead, left and up.
    """

    keys: Keys
    location: np.ndarray
    quaternion: np.ndarray
    rotation: np.ndarray

    def local(self, points: np.ndarray) -> np.ndarray:
        """World points (moments, n, 3) in the empty's frame as it plays, as curves (3 n, moments) float32."""
        inside = (points - self.location[:, None]) @ self.rotation
        return np.ascontiguousarray(inside.reshape(len(points), -1).T, dtype=np.float32)


def ride_of(moments: Moments, bound: float) -> KeyedRide:
    """Key the motion of a fish's own frame closely enough that its error hardly shows in the points."""
    nodes = moments.nodes
    origin, axes = body_frame(np.asarray(nodes, dtype=float))
    quaternion = nearby(np.roll(Rotation.from_matrix(axes).as_quat(), 1, axis=-1))
    reach = np.linalg.norm(nodes - origin[:, None], axis=-1).max()
    # A change of d in a unit quaternion turns by 2 d at most, and so moves a point `reach` away by 2 d reach.
    bounds = np.repeat([bound / 8, bound / (16 * reach)], (3, 4))
    keys = thin(np.concatenate([origin, quaternion], axis=1).T.copy(), bounds, times=moments.times)
    played = keys.played().T
    quaternion = played[:, 3:] / np.linalg.norm(played[:, 3:], axis=1, keepdims=True)
    rotation = Rotation.from_quat(np.roll(quaternion, -1, axis=-1)).as_matrix()
    return KeyedRide(keys, played[:, :3], quaternion, rotation)


def _hide(fish: surfaces.FishObjects, alive: np.ndarray, first: float) -> None:
    """Show a fish only in the frames in which it is alive."""
    if alive.all():
        return
    action = fish.root.animation_data.action
    for obj in (fish.root, *fish.parts.values()):
        write_presence(channelbag(action, obj), alive, first)
