"""Recordings into F-curves: what the fishes did becomes an ordinary animation that needs no add-on.

A fish's empty carries its place and heading; the control points of its surfaces are keyed in the empty's frame, so
that keys stay small. The empty's curves are thinned first and played back; the control points are then taken
relative to the empty as it plays, so its error is made good and the whole tolerance is left to the points.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from scipy.spatial.transform import Rotation

from ..core.body.anatomy import body_frame
from ..core.codec import SceneError
from ..core.files import ensure_writable, replacing
from ..core.form.coupling import Coupling
from ..core.form.surfaces import eyes
from ..core.recording import Recording
from ..core.species import Species
from . import materials, objects
from .actions import FIRST, LOCATION, Keys, thin, write, write_presence
from .compat import channelbag
from .hook import make_hook
from .modes import key_modes
from .particles import make_bubbles, make_plankton
from .quiet import quiet
from .seaweed import make_seaweed
from .stage import build as build_stage

FORMS = ("points", "compact")
MARGIN = 0.98
"""Share of the tolerance that is used up; the rest is left to Blender's single precision."""
BLOCK = 20_000
"""Fish-frames whose control points are computed at a time, some 0.3 GB."""
PLANKTON = 0.5
"""How far plankton and bubbles may be off, over their size."""
SEAWEED = 0.1
"""How far leaves of seaweed may be off, over their width."""
RIDE_CHANNELS = LOCATION + [("rotation_quaternion", axis) for axis in range(4)]

Steps = Generator[tuple[float, str], None, bpy.types.Collection]


def bake(
    recording: Recording,
    out: str | os.PathLike[str] | None = None,
    form: str = "points",
    tolerance: float = 0.002,
    stage: bool = True,
    progress: Callable[[float, str], None] | None = None,
) -> bpy.types.Collection:
    """Make a recording an animation.

    Args:
        recording: What happened.
        out: A .blend to write, whole or not at all; it replaces what is open in this Blender. None bakes into the
            open scene, beside what is there.
        form: "points" keys every control point; "compact" a few shape keys a surface, which play faster.
        tolerance: How far a control point may be from the recording's at any frame, in body lengths; 0 keys
            every frame.
        stage: Whether to make sand, pillars, light, water and a camera.
        progress: Called with the share that is done, 0 to 1, and what is being done.

    Returns:
        The collection that holds everything.

    Raises:
        SceneError: `out` cannot be written.
        ValueError: An argument is not allowed.
    """
    steps = bake_steps(recording, out, form, tolerance, stage)
    while True:
        try:
            done, doing = next(steps)
        except StopIteration as end:
            if progress:
                progress(1.0, "Done")
            return end.value
        if progress:
            progress(done, doing)


def bake_steps(
    recording: Recording,
    out: str | os.PathLike[str] | None = None,
    form: str = "points",
    tolerance: float = 0.002,
    stage: bool = True,
) -> Steps:
    """Do what `bake` does bit by bit; whoever closes this early finds everything as it was.

    Yields:
        The share that is done, 0 to 1, and what is being done.
    """
    if form not in FORMS:
        raise ValueError(f"form: found {form!r}, allowed {' or '.join(FORMS)}")
    if not 0 <= tolerance < 1:
        raise ValueError(f"tolerance: found {tolerance!r}, allowed 0 up to 1 body length")
    if out is not None:
        ensure_writable(out, ".blend")
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    scene = bpy.context.scene
    return (yield from _all_or_nothing(scene, _make(scene, recording, out, form, MARGIN * tolerance, stage)))


def _make(
    scene: bpy.types.Scene,
    recording: Recording,
    out: str | os.PathLike[str] | None,
    form: str,
    tolerance: float,
    stage: bool,
) -> Steps:
    top = bpy.data.collections.new("Artfish")
    done = 0
    for name in dict.fromkeys(recording.species):
        species = recording.species_models[name]
        collection = bpy.data.collections.new(species.common_name)
        top.children.link(collection)
        for fish in _school(recording, species, collection, form, tolerance):
            done += 1
            yield 0.9 * done / len(recording.species), f"Baking {fish.root.name}"
    make_plankton(recording, top, PLANKTON)
    make_bubbles(recording, top, PLANKTON)
    make_seaweed(recording, top, SEAWEED)
    make_hook(recording, top)
    yield 0.9, "Building the stage"
    # No step ends from here to the end of a bake into an open scene: settings of the scene are not handed back.
    _set_time_and_units(scene, recording)
    scene.collection.children.link(top)
    if stage:
        build_stage(scene, recording)
    scene.frame_current = FIRST
    if out is not None:
        yield 0.95, "Saving"
        _save(Path(out))
    return top


def _school(
    recording: Recording, species: Species, collection: bpy.types.Collection, form: str, tolerance: float
) -> Iterator[objects.Fish]:
    """Make all fishes of a species, one at a time."""
    rows = [row for row, name in enumerate(recording.species) if name == species.name]
    coupling, (_, radius, outward) = Coupling(species), eyes(species)
    number = objects.first_number(species.common_name)
    block = max(1, BLOCK // recording.frames)
    with objects.Workshop(species.common_name, coupling.rest) as workshop:
        for begin in range(0, len(rows), block):
            some = rows[begin : begin + block]
            lengths = recording.body_length[some]
            nodes, fins, mouths = (of[:, some] for of in (recording.nodes, recording.fins, recording.mouth))
            world = coupling.control_points(nodes, fins, lengths, mouths)
            for place, row in enumerate(some):
                length = float(lengths[place])
                name = f"{species.common_name} {number + begin + place:02d}"
                fish = workshop.fish(name, collection, length, radius * length)
                parts = {part: points[:, place] for part, points in world.items()}
                animate(fish, recording.nodes[:, row], parts, outward, length, tolerance * length, form)
                _hide(fish, recording.alive[:, row])
                materials.dress(fish.parts, species, int(recording.seeds[row]))
                yield fish


def animate(
    fish: objects.Fish,
    nodes: np.ndarray,
    world: dict[str, np.ndarray],
    outward: np.ndarray,
    length: float,
    bound: float,
    form: str,
) -> None:
    """Key one fish.

    Args:
        fish: Its objects.
        nodes: (frames, 23, 3), metres, world frame.
        world: Control points of each surface, (frames, u, v, 3), and "eyes", (frames, 2, 3), likewise.
        outward: Directions of the eyes in the fish's own frame, (2, 3).
        length: Of its body, in metres.
        bound: How far a point may be off at any frame, in metres.
        form: One of `FORMS`.
    """
    action = bpy.data.actions.new(fish.root.name)
    ride = _ride(nodes, bound)
    write(channelbag(action, fish.root), RIDE_CHANNELS, ride.keys)
    fish.root.location, fish.root.rotation_quaternion = ride.location[0], ride.quaternion[0]
    local = {part: ride.local(objects.in_order(points)) for part, points in world.items() if part != "eyes"}
    if form == "points":
        _key_points(fish, action, local, bound)
    else:
        pectorals = [part for part in local if part.startswith("pectoral")]
        meeting = [part for part in local if part not in pectorals]
        for group in (meeting, *([part] for part in pectorals)):
            key_modes(fish.surfaces, action, {part: local[part] for part in group}, length, bound)
    for eye, centre, direction in zip(fish.eyes.values(), np.moveaxis(world["eyes"], 1, 0), outward, strict=True):
        keys = thin(ride.local(centre[:, None]), bound / 3**0.5)
        eye.location = keys.played()[:, 0]
        eye.rotation_quaternion = Vector(direction).to_track_quat("Z", "Y")
        if keys.keyed[:, 1:].any():
            write(channelbag(action, eye), LOCATION, keys)


def _key_points(fish: objects.Fish, action: bpy.types.Action, local: dict[str, np.ndarray], bound: float) -> None:
    """Key every control point; arguments as in `key_modes`."""
    for part, curves in local.items():
        surface = fish.surfaces[part]
        keys = thin(curves, bound / 3**0.5)
        objects.place_points(surface, curves[:, 0])
        write(channelbag(action, surface.data), point_channels(len(curves) // 3), keys)


def point_channels(points: int) -> list[tuple[str, int]]:
    """RNA path and index of three curves for each control point of a surface."""
    return [(f"splines[0].points[{point}].co", axis) for point in range(points) for axis in range(3)]


@dataclass(frozen=True)
class Ride:
    """The motion of an empty, as keyed and as it plays.

    Attributes:
        keys: Curves of `RIDE_CHANNELS`.
        location: (frames, 3) metres.
        quaternion: (frames, 4), w first, unit length.
        rotation: (frames, 3, 3), columns ahead, left and up.
    """

    keys: Keys
    location: np.ndarray
    quaternion: np.ndarray
    rotation: np.ndarray

    def local(self, points: np.ndarray) -> np.ndarray:
        """World points (frames, n, 3) in the empty's frame as it plays, as curves (3 n, frames) float32."""
        inside = (points - self.location[:, None]) @ self.rotation
        return np.ascontiguousarray(inside.reshape(len(points), -1).T, dtype=np.float32)


def _ride(nodes: np.ndarray, bound: float) -> Ride:
    """Key the motion of a fish's own frame, closely enough that its error hardly shows in the points."""
    origin, axes = body_frame(np.asarray(nodes, dtype=float))
    quaternion = _continuous(np.roll(Rotation.from_matrix(axes).as_quat(), 1, axis=-1))
    reach = np.linalg.norm(nodes - origin[:, None], axis=-1).max()
    # A change of d in a unit quaternion turns by 2 d at most, and so moves what is `reach` away by 2 d reach.
    bounds = np.repeat([bound / 8, bound / (16 * reach)], (3, 4))
    keys = thin(np.concatenate([origin, quaternion], axis=1).T.copy(), bounds)
    played = keys.played().T
    quaternion = played[:, 3:] / np.linalg.norm(played[:, 3:], axis=1, keepdims=True)
    rotation = Rotation.from_quat(np.roll(quaternion, -1, axis=-1)).as_matrix()
    return Ride(keys, played[:, :3], quaternion, rotation)


def _continuous(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations, (frames, 4), each quaternion on the side of the one before it."""
    flips = np.sum(quaternions[1:] * quaternions[:-1], axis=1) < 0
    signs = np.where(np.cumsum(flips) % 2, -1.0, 1.0)
    return np.concatenate([quaternions[:1], quaternions[1:] * signs[:, None]])


def _hide(fish: objects.Fish, alive: np.ndarray) -> None:
    """Show a fish only in the frames in which it lives."""
    if alive.all():
        return
    action = fish.root.animation_data.action
    for thing in (fish.root, *fish.parts.values()):
        write_presence(channelbag(action, thing), alive)


def _set_time_and_units(scene: bpy.types.Scene, recording: Recording) -> None:
    """Metres and seconds as the recording has them."""
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    scene.render.fps = max(1, round(recording.fps))
    scene.render.fps_base = scene.render.fps / recording.fps
    scene.frame_start, scene.frame_end = FIRST, FIRST + recording.frames - 1


def _all_or_nothing(scene: bpy.types.Scene, steps: Steps) -> Steps:
    """Run steps; if they fail or are given up, remove what they made.

    What others make between two steps stays.
    """
    camera, world, frame = scene.camera, scene.world, scene.frame_current
    range_, render, unit = (scene.frame_start, scene.frame_end), scene.render, scene.unit_settings
    rate, units = (render.fps, render.fps_base), (unit.system, unit.scale_length)
    made: set[int] = set()
    try:
        while True:
            before = set(_ids())
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            finally:
                made.update(set(_ids()) - before)
            yield step
    except BaseException:
        steps.close()
        bpy.data.batch_remove([thing for number, thing in _ids().items() if number in made])
        scene.camera, scene.world = camera, world
        scene.frame_start, scene.frame_end = range_
        render.fps, render.fps_base = rate
        unit.system, unit.scale_length = units
        scene.frame_current = frame
        raise


def _ids() -> dict[int, bpy.types.ID]:
    """Everything in this file, by a number that no other thing in this session gets."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return {thing.session_uid: thing for kind in kinds for thing in getattr(bpy.data, kind)}


def _save(out: Path) -> None:
    """Write the file whole or not at all."""
    try:
        with replacing(out) as part, quiet():
            bpy.ops.wm.save_as_mainfile(filepath=str(part), copy=True, compress=True, check_existing=False)
    except RuntimeError as error:
        raise SceneError(f"{out}: found an obstacle ({error}), allowed a file that can be written") from error
