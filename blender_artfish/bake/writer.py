"""Recordings into F-curves: what the fishes did becomes an ordinary animation that needs no add-on.

A fish's empty carries its place and heading; the control points of its surfaces are keyed in the empty's frame, so
that keys stay small. The empty's curves are thinned first and played back; the control points are then taken
relative to the empty as it plays, so its error is corrected and the whole tolerance is left to the points.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import bpy
import numpy as np
from mathutils import Vector
from scipy.spatial.transform import Rotation

from ...core.base.codec import SceneError
from ...core.base.files import ensure_writable, replacing
from ...core.body.anatomy import body_frame
from ...core.form.coupling import Coupling
from ...core.form.surfaces import eyes
from ...core.recording import Recording
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.background import at, in_thread, saying
from ..blender.console import silenced
from ..blender.fcurves import FIRST, LOCATION, Keys, thin, write, write_presence
from ..blender.versions import channelbag
from ..fish import materials, surfaces
from ..identity import provenance
from ..stage.hook import make_hook
from ..stage.particles import make_bubbles, make_plankton
from ..stage.seaweed import make_seaweed
from ..stage.staging import StageOptions
from ..stage.staging import build_steps as build_stage
from . import history, scene_settings
from .compact import key_modes
from .exchange import exchange

T = TypeVar("T")
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
SHARES = {"fishes": 0.75, "stage": 0.95}
"""Of the work, done when all fishes are made, and when the stage is."""


@dataclass(frozen=True)
class Order:
    """What a bake is to make, and how.

    Attributes:
        form: "points" keys every control point; "compact" a few shape keys a surface, which play faster.
        tolerance: How far a control point may be from the recording's at any frame, in body lengths; 0 keys
            every frame.
        fishes: Whether to make fishes; likewise `plankton`, `bubbles`, `seaweed` and `hook`.
        stage: Whether to make sand, pillars, light, water and a camera.
        film: Whether the scene is filmed with that camera, by settings of its own; else those that the scene has
            stay, and only what it lacks is set.
        time: Whether the scene gets the recording's frames, its rate, and metres.
        first: Frame of the scene that shows frame 0 of the recording.
        origin: Where the recording's origin stands in the scene, metres.
        own: Numbers of the obstacles that the animator has made.
        own_bed: Whether the animator has made the bed of the sea.
        id: Of this bake; a new one if left out.
        instead: Id of a bake of this scene whose place this one takes.
        about: What to write down about it, as JSON holds it.
    """

    form: str = "points"
    tolerance: float = 0.002
    fishes: bool = True
    plankton: bool = True
    bubbles: bool = True
    seaweed: bool = True
    hook: bool = True
    stage: bool = True
    film: bool = True
    time: bool = True
    first: int = FIRST
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    own: tuple[int, ...] = ()
    own_bed: bool = False
    id: str = ""
    instead: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise ValueError(f"form: found {self.form!r}, allowed {' or '.join(FORMS)}")
        if not 0 <= self.tolerance < 1:
            raise ValueError(f"tolerance: found {self.tolerance!r}, allowed 0 up to 1 body length")


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
        stage: Whether to make sand, pillars, light, water and a camera, and film with them.
        progress: Called with the share that is done, 0 to 1, and what is being done.

    Returns:
        The collection that holds everything.

    Raises:
        SceneError: `out` cannot be written.
        ValueError: An argument is not allowed.
    """
    steps = bake_steps(recording, out, Order(form, tolerance, stage=stage))
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
    order: Order | None = None,
    scene: bpy.types.Scene | None = None,
) -> Steps:
    """Do what `bake` does bit by bit, into this scene or the open one; whoever closes this early finds all as it was.

    Yields:
        The share that is done, 0 to 1, and what is being done.
    """
    order = order or Order()
    if out is not None:
        ensure_writable(out, ".blend")
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True, load_ui=False)
    order = replace(order, id=order.id or history.new_id(history.key_of(recording)))
    scene = scene or bpy.context.scene
    return (yield from _all_or_nothing(scene, _make(scene, recording, order), order, out))


@dataclass(frozen=True)
class _Made:
    """What a bake has made, still in no scene, and what it will do to the scene in the end."""

    top: bpy.types.Collection
    recording: Recording
    film: Callable[[bool], None] | None = None


def _make(scene: bpy.types.Scene, recording: Recording, order: Order) -> Generator[tuple[float, str], None, _Made]:
    top = bpy.data.collections.new("Artfish")
    root = bpy.data.objects.new(f"Artfish bake {surfaces.first_number('Artfish bake'):02d}", None)
    root.empty_display_size, root.location = 0.1, order.origin
    root[provenance.ROLE] = provenance.ROOT
    top.objects.link(root)
    if order.fishes:
        yield from _fishes(recording, top, order, scene)
    for doing in _small(recording, top, order):
        yield SHARES["fishes"], doing
    film = None
    if order.stage:
        options = StageOptions(order.first, order.own, order.own_bed, order.film)
        stage, film = yield from _told_as(SHARES["fishes"], SHARES["stage"], build_stage(scene, recording, options))
        top.children.link(stage)
    for thing in top.all_objects:
        if thing.parent is None and thing != root:
            thing.parent = root
    shader_graph.drop_unused()
    return _Made(top, recording, film)


def _told_as(low: float, high: float, steps: Generator[str, None, T]) -> Generator[tuple[float, str], None, T]:
    """Steps of which only the words are known, as shares of the work that come ever closer to the higher one."""
    share = low
    try:
        while True:
            share += 0.02 * (high - share)
            yield share, next(steps)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def _small(recording: Recording, top: bpy.types.Collection, order: Order) -> Iterator[str]:
    """Make what is no fish but moves."""
    if order.plankton:
        yield from saying("Baking plankton", make_plankton(recording, top, PLANKTON, order.first))
    if order.bubbles:
        yield from saying("Baking bubbles", make_bubbles(recording, top, PLANKTON, order.first))
    if order.seaweed:
        yield from saying("Baking seaweed", make_seaweed(recording, top, SEAWEED, order.first))
    if order.hook:
        make_hook(recording, top, order.first)
        yield "Baking the hook"


@dataclass(frozen=True)
class _Mould:
    """What all fishes of a species are made with."""

    species: Species
    coupling: Coupling
    eye_radius: float
    outward: np.ndarray
    workshop: surfaces.Workshop
    wear: Mapping[str, bpy.types.Material]


def _fishes(
    recording: Recording, top: bpy.types.Collection, order: Order, scene: bpy.types.Scene
) -> Iterator[tuple[float, str]]:
    """Make all fishes, species by species.

    Blender makes materials and surfaces the more slowly the more there is in the file, so those of all species come
    first.

    Yields:
        The share of the work that is done, and what is being done.
    """
    with ExitStack() as workshops:
        moulds = []
        for name in dict.fromkeys(recording.species):
            moulds.append((yield from _mould(recording.species_models[name], workshops, scene)))
        done = 0.0
        for mould in moulds:
            collection = bpy.data.collections.new(mould.species.common_name)
            collection[provenance.ROLE] = f"species {mould.species.name}"
            top.children.link(collection)
            for share, doing in _school(recording, mould, collection, order):
                done += SHARES["fishes"] * share / len(recording.species)
                yield done, doing


def _mould(
    species: Species, workshops: ExitStack, scene: bpy.types.Scene
) -> Generator[tuple[float, str], None, _Mould]:
    """Make what the fishes of a species share; its workshop is left when these are."""
    doing = f"Baking {species.common_name}"
    coupling, (_, radius, outward) = yield from _aside(doing, lambda: (Coupling(species), eyes(species)))
    workshop = workshops.enter_context(surfaces.Workshop(species.common_name, coupling.rest))
    for _ in chain(workshop.prepare(), shader_graph.prepare()):
        yield 0.0, doing
    wear = {}
    for part, material in materials.making(species, scene):
        wear[part] = material
        yield 0.0, doing
    return _Mould(species, coupling, radius, outward, workshop, wear)


def _school(
    recording: Recording, mould: _Mould, collection: bpy.types.Collection, order: Order
) -> Iterator[tuple[float, str]]:
    """Make all fishes of a species, one at a time.

    Yields:
        The share of a fish that has been made since the last time, and what is being done.
    """
    species, coupling = mould.species, mould.coupling
    rows = [row for row, name in enumerate(recording.species) if name == species.name]
    number = surfaces.first_number(species.common_name)
    block = max(1, BLOCK // recording.frames)
    for begin in range(0, len(rows), block):
        some = rows[begin : begin + block]
        lengths = recording.body_length[some]
        moving = (recording.nodes[:, some], recording.fins[:, some], lengths, recording.mouth[:, some])
        doing = f"Baking {species.common_name}"
        world = yield from _aside(doing, partial(coupling.control_points, *moving))
        for place, row in enumerate(some):
            length = float(lengths[place])
            name = f"{species.common_name} {number + begin + place:02d}"
            fish = mould.workshop.fish(name, collection, length, mould.eye_radius * length)
            parts = {part: points[:, place] for part, points in world.items()}
            bound = MARGIN * order.tolerance * length
            of_nodes = recording.nodes[:, row]
            for _ in animate(fish, of_nodes, parts, mould.outward, length, bound, order.form, order.first):
                yield 0.0, f"Baking {fish.root.name}"
            _hide(fish, recording.alive[:, row], order.first)
            materials.dress(fish.parts, mould.wear, int(recording.seeds[row]))
            _name(fish, row, f"{species.name} {begin + place}")
            yield 1.0, f"Baking {fish.root.name}"


def _aside(doing: str, work: Callable[[], T]) -> Generator[tuple[float, str], None, T]:
    """Run something that touches nothing of Blender beside it, saying what is being done."""
    return (yield from at(0.0, saying(doing, in_thread(work))))


def _name(fish: surfaces.Fish, row: int, who: str) -> None:
    """Write on a fish's objects who it is."""
    fish.root[provenance.ROW] = row
    fish.root[provenance.ROLE] = f"fish {who}"
    for part, thing in fish.parts.items():
        thing[provenance.ROLE] = f"fish {who} {part}"


def animate(
    fish: surfaces.Fish,
    nodes: np.ndarray,
    world: dict[str, np.ndarray],
    outward: np.ndarray,
    length: float,
    bound: float,
    form: str,
    first: int = FIRST,
) -> Iterator[None]:
    """Key one fish, bit by bit.

    Args:
        fish: Its objects.
        nodes: (frames, 23, 3), metres, world frame.
        world: Control points of each surface, (frames, u, v, 3), and "eyes", (frames, 2, 3), likewise.
        outward: Directions of the eyes in the fish's own frame, (2, 3).
        length: Of its body, in metres.
        bound: How far a point may be off at any frame, in metres.
        form: One of `FORMS`.
        first: Frame of the scene at which the keys begin.
    """
    action = bpy.data.actions.new(fish.root.name)
    ride = _ride(nodes, bound)
    write(channelbag(action, fish.root), RIDE_CHANNELS, ride.keys, first)
    fish.root.location, fish.root.rotation_quaternion = ride.location[0], ride.quaternion[0]
    local = {part: ride.local(surfaces.in_order(points)) for part, points in world.items() if part != "eyes"}
    yield
    if form == "points":
        for _ in _key_points(fish, action, local, bound, first):
            yield
    else:
        pectorals = [part for part in local if part.startswith("pectoral")]
        meeting = [part for part in local if part not in pectorals]
        for group in (meeting, *([part] for part in pectorals)):
            key_modes(fish.surfaces, action, {part: local[part] for part in group}, length, bound, first)
            yield
    for eye, centre, direction in zip(fish.eyes.values(), np.moveaxis(world["eyes"], 1, 0), outward, strict=True):
        keys = thin(ride.local(centre[:, None]), bound / 3**0.5)
        eye.location = keys.played()[:, 0]
        eye.rotation_quaternion = Vector(direction).to_track_quat("Z", "Y")
        if keys.keyed[:, 1:].any():
            write(channelbag(action, eye), LOCATION, keys, first)


def _key_points(
    fish: surfaces.Fish, action: bpy.types.Action, local: dict[str, np.ndarray], bound: float, first: int
) -> Iterator[None]:
    """Key every control point, surface by surface; arguments as in `key_modes`."""
    for part, curves in local.items():
        surface = fish.surfaces[part]
        keys = thin(curves, bound / 3**0.5)
        surfaces.place_points(surface, curves[:, 0])
        write(channelbag(action, surface.data), point_channels(len(curves) // 3), keys, first)
        yield


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


def _hide(fish: surfaces.Fish, alive: np.ndarray, first: int) -> None:
    """Show a fish only in the frames in which it lives."""
    if alive.all():
        return
    action = fish.root.animation_data.action
    for thing in (fish.root, *fish.parts.values()):
        write_presence(channelbag(action, thing), alive, first)


def _set_time_and_units(scene: bpy.types.Scene, recording: Recording, first: int) -> None:
    """Metres and seconds as the recording has them."""
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    scene.render.fps = max(1, round(recording.fps))
    scene.render.fps_base = scene.render.fps / recording.fps
    scene.frame_start, scene.frame_end = first, first + recording.frames - 1
    scene.frame_current = first


def _all_or_nothing(
    scene: bpy.types.Scene,
    steps: Generator[tuple[float, str], None, _Made],
    order: Order,
    out: str | os.PathLike[str] | None,
) -> Steps:
    """Run steps, then put what they made into the scene; if anything fails or is given up, remove what was made.

    What others make between two steps stays.
    """
    before = scene_settings.values(scene)
    numbers: set[int] = set()
    there, count = set(_ids()), _count()
    try:
        while True:
            if _count() != count:
                there = set(_ids())
            try:
                step = next(steps)
            except StopIteration as end:
                made = end.value
                break
            finally:
                here = set(_ids())
                numbers.update(here - there)
                there, count = here, _count()
            yield step
        yield SHARES["stage"], "Putting everything in its place"
        # No step ends from here to the end of a bake into an open scene.
        there = set(_ids())
        try:
            _mark(made.top, order.id, numbers)
            top = _put_in(scene, made, order)
        finally:
            numbers.update(set(_ids()) - there)
        if out is not None:
            yield SHARES["stage"], "Saving"
            _save(Path(out))
        return top
    except BaseException:
        steps.close()
        bpy.data.batch_remove([thing for number, thing in _ids().items() if number in numbers])
        scene_settings.hand_back(scene, scene_settings.changes(before, scene_settings.values(scene)))
        raise


def _put_in(scene: bpy.types.Scene, made: _Made, order: Order) -> bpy.types.Collection:
    """Give a scene what a bake has made, beside what is there or in the place of another bake.

    Returns:
        The collection that holds it then.
    """
    old = history.Bake(scene, order.instead)
    there, was = bool(order.instead and old.objects), old.record
    filming = order.stage and order.film
    goes_on = there and filming and bool(was.get("film"))  # what has been made of the settings since then stays
    if there and not goes_on:
        scene_settings.hand_back(scene, history.changed(was, scene, old.id))
    basis = scene_settings.values(scene)
    if order.time:
        _set_time_and_units(scene, made.recording, order.first)
    if made.film:
        made.film(not goes_on)
    top = old.top if there and old.top else made.top
    if top is made.top:
        scene.collection.children.link(top)
    else:
        exchange(scene, top, made.top)
        made.top.name, made.top[provenance.FORMER], made.top.use_fake_user = "Artfish before", order.id, True
    try:
        changes = history.told(scene_settings.changes(basis, scene_settings.values(scene)))
        bake = history.Bake(scene, order.id)
        bake.write(
            objects=len(bake.objects),
            former=order.id if top is not made.top else "",
            changed=_both(was["changed"], changes) if goes_on else changes,
            film=filming,
            first=order.first,
            **order.about,
        )
        if filming and scene.world and provenance.of(scene.world, provenance.BAKE) == order.id:
            top[provenance.SKY] = scene.world
        history.claim(bake)
    except BaseException:
        if top is not made.top:
            exchange(scene, top, made.top)
        raise
    if there:
        history.drop(old, was, kept=top is not made.top)
    history.tidy()
    for species in made.recording.species_models.values():
        materials.retouch(species, scene)
    return top


def _both(earlier: dict[str, list[Any]], later: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Two changes of a scene as one."""
    return earlier | {path: [earlier.get(path, pair)[0], pair[1]] for path, pair in later.items()}


def _mark(top: bpy.types.Collection, bake: str, numbers: set[int]) -> None:
    """Write on all that was made which bake it is of, and on what stands in the scene what it is."""
    for number, thing in _ids().items():
        if number in numbers:
            thing[provenance.BAKE] = bake
    provenance.sign(top.all_objects)
    top[provenance.ROLE] = provenance.TOP
    for collection in (top, *top.children_recursive):
        if not provenance.of(collection, provenance.ROLE):
            collection[provenance.ROLE] = provenance.plain(collection.name)
        many: Counter[str] = Counter()
        for thing in collection.objects:
            if not provenance.of(thing, provenance.ROLE):
                name = provenance.plain(thing.name)
                many[name] += 1
                thing[provenance.ROLE] = f"{collection[provenance.ROLE]} {name} {many[name]}"


def _count() -> int:
    """How many things there are in this file."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return sum(len(getattr(bpy.data, kind)) for kind in kinds)


def _ids() -> dict[int, bpy.types.ID]:
    """Everything in this file, by a number that no other thing in this session gets."""
    kinds = [kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION"]
    return {thing.session_uid: thing for kind in kinds for thing in getattr(bpy.data, kind)}


def _save(out: Path) -> None:
    """Write the file whole or not at all."""
    try:
        with replacing(out) as part, silenced():
            bpy.ops.wm.save_as_mainfile(filepath=str(part), copy=True, compress=True, check_existing=False)
    except RuntimeError as error:
        why = " ".join(str(error).split())
        raise SceneError(f"an obstacle ({why})", "a file that can be written", file=out) from error
