"""From the settings of the Bake panel to the work that is left: only what has changed is simulated and baked again.

Nothing heavy is loaded with this module: that is the first step of a bake.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import bpy

from ..blender.background import in_thread
from ..blender.jobs import Outcome
from ..direction import markers
from ..identity import provenance
from ..identity.film_time import film
from ..identity.references import is_ours
from ..identity.roles import LINKED, is_linked
from ..live import timer
from ..live.runtime import session_of
from ..species import library
from . import history

if TYPE_CHECKING:
    from ...core.recording import Recording
    from ...core.scene.scene import Scene
    from ...core.scene.species import Species

T = TypeVar("T")
Progress = Generator[tuple[float, str], None, T]
SIMULATED = 0.4
"""Of the work of a bake, the share that is done when what happens is simulated."""
ROOMS = ("numpy", "scipy.spatial", "scipy.linalg", "...core", ".writer", "..scene.reader")


@dataclass(frozen=True)
class Wanted:
    """What is to be baked.

    Attributes:
        name: What a person calls it.
        scene: What is simulated.
        models: Its species by name.
        recording: What has been simulated already, elsewhere.
        origin: Where the scene's origin stands, metres.
        own: Numbers of the obstacles that the animator has made.
        own_bed: Whether the animator has made the bed.
    """

    name: str
    scene: Scene
    models: dict[str, Species]
    recording: Recording | None = None
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    own: tuple[int, ...] = ()
    own_bed: bool = False


def source_of(scene: bpy.types.Scene) -> str:
    """What the panel bakes: "SCENE", "PRESET" or "FILE"."""
    source = scene.artfish.bake.source
    if source != "AUTO":
        return source
    return "SCENE" if any(thing.artfish.kind == "SHOAL" for thing in scene.objects) else "PRESET"


def obstacle(scene: bpy.types.Scene) -> str:
    """What keeps the panel from baking, in a sentence; "" if nothing does."""
    if is_linked(scene):
        return LINKED
    first, last = film(scene)
    if last < first:
        return "The bake ends before it begins: set From and To"
    if source_of(scene) == "SCENE" and not any(thing.artfish.kind == "SHOAL" for thing in scene.objects):
        return "This scene has no fishes: add some, or choose a preset as the source"
    if source_of(scene) == "FILE" and not scene.artfish.bake.file:
        return "Choose a scene file or a recording"
    return ""


def steps(scene: bpy.types.Scene) -> Progress[Outcome]:
    """Simulate and bake what the panel asks for, as far as it is not there yet.

    Yields:
        The share that is done, 0 to 1, and what is being done.

    Raises:
        SceneError: The scene is not as it must be.
    """
    for room in ROOMS:
        yield 0.0, "Loading the simulation"
        yield from _said("Loading the simulation", in_thread(partial(import_module, room, __package__)))
    yield 0.0, "Reading the scene"
    from ..fish.materials import looks_of

    wanted = yield from _wanted(scene)
    seed, (first, last) = scene.artfish.seed, film(scene)
    frames = last - first + 1
    if wanted.recording is not None:
        key = history.key_of(wanted.recording)
        key = provenance.digest([key, frames])
    else:
        key = history.key(wanted.scene, seed, frames, wanted.models)
    order = _order(scene, wanted, first)
    told = {
        "key": key,
        "order": provenance.digest([order, wanted.scene.to_dict()]),
        "seed": seed,
        "source": wanted.name,
    }
    told["looks"] = {name: looks_of(model) for name, model in wanted.models.items()}
    there = None if scene.artfish.bake.beside else history.last(scene)
    if there is not None and there.whole and all(there.record.get(name) == told[name] for name in ("key", "order")):
        outcome = _repaint(there, wanted, told["looks"])
        ended = _give_way(scene, first=False)
        return Outcome(f"{outcome.said}; live play has ended") if ended else outcome
    recording = wanted.recording or history.recording(key)
    begun = 0.0 if recording is None else 1.0
    if recording is None:
        recording = yield from _simulated(wanted, seed, frames)
        yield SIMULATED, "Keeping the recording"
        yield from _said("Keeping the recording", history.keep(key, recording))
    else:
        history.remember(key, recording)
    recording = replace(recording, scene=wanted.scene, species_models=wanted.models).until(frames)
    share = SIMULATED if begun == 0.0 else 0.0
    from .writer import Order, bake_steps

    instead = "" if there is None else there.id
    whole = Order(**order, time=False, id=history.new_id(key), instead=instead, about=told)
    yield from _scaled(share, 1.0, bake_steps(recording, order=whole, scene=scene))
    _give_way(scene, first=there is None)
    return _outcome(scene, recording, frames)


def _give_way(scene: bpy.types.Scene, first: bool) -> bool:
    """Has fishes that play live, or stood still, give way to those of the last bake; whether there were any."""
    from .exchange import number_anew

    playing, there = session_of(scene) is not None, sum(map(is_ours, scene.objects))
    if not playing and not there:
        return False
    baked = history.last(scene)
    timer.end(scene, baked.fishes)
    if first:  # their names are free now
        number_anew(scene, baked.objects)
        history.claim(baked)
    return playing or sum(map(is_ours, scene.objects)) < there


def _wanted(scene: bpy.types.Scene) -> Progress[Wanted]:
    """What the panel bakes, read."""
    from ...core import Recording
    from ...core.scene.scene import Scene

    source, fps = source_of(scene), scene.render.fps / scene.render.fps_base
    if source == "SCENE":
        from ..scene.reader import draft

        markers.follow(scene)
        held = draft(scene, film(scene)[0])
        reading = held.read((yield from _said("Reading the scene", in_thread(held.form))))
        obstacles = range(len(reading.objects.get("obstacles", ())))
        bed = "terrain" in reading.objects
        origin = (reading.origin.x, reading.origin.y, reading.origin.z)
        return Wanted(scene.name, reading.scene, dict(reading.models), None, origin, tuple(obstacles), bed)
    preset = source == "PRESET"
    name = scene.artfish.preset if preset else bpy.path.abspath(scene.artfish.bake.file)
    if name.lower().endswith(".npz") and not preset:
        recording = yield from _said("Reading the recording", in_thread(lambda: Recording.load(name)))
        return Wanted(Path(name).stem, recording.scene, recording.species_models, recording)
    known = library.models(scene)
    read_scene = replace(Scene.load(name, known), fps=float(f"{fps:.7g}"))
    models = {}
    for species in sorted({group.species for group in read_scene.fishes}):
        yield 0.0, f"Reading {species}"
        models[species] = known[species]
    return Wanted(read_scene.name, read_scene, models)


def _order(scene: bpy.types.Scene, wanted: Wanted, first: int) -> dict[str, Any]:
    """What the panel asks for, as the fields of an `Order`."""
    asked = scene.artfish.bake
    said = {
        name: getattr(asked, name) for name in ("form", "fishes", "plankton", "bubbles", "seaweed", "hook", "stage")
    }
    said |= {"tolerance": float(f"{asked.tolerance:.6g}"), "film": asked.stage and asked.film, "first": first}
    return said | {"origin": wanted.origin, "own": wanted.own, "own_bed": wanted.own_bed}


def _repaint(there: history.Bake, wanted: Wanted, looks: dict[str, str]) -> Outcome:
    """Nothing but looks may have changed: materials are brought up to date."""
    from ..fish.materials import retouch

    before = there.record.get("looks", {})
    changed = [name for name, told in looks.items() if before.get(name) != told]
    if not changed:
        return Outcome("Nothing has changed since the last bake", changed=False)
    for model in wanted.models.values():
        retouch(model, there.scene)
    there.write(looks=looks)
    kept = history.recording(there.id)
    if kept is not None:
        history.remember(there.record["key"], replace(kept, species_models=wanted.models))
    names = ", ".join(wanted.models[name].common_name for name in changed)
    return Outcome(f"Only looks have changed: painted {names} anew")


def _simulated(wanted: Wanted, seed: int, frames: int) -> Progress[Recording]:
    """What happens in these frames."""
    from ...core import World

    make = in_thread(lambda: World(wanted.scene, seed=seed, species=wanted.models))
    world = yield from _said("Filling the tank", make)
    run = world.run(frames=frames)
    before = wanted.scene.preroll_frames
    passed = 0

    def step() -> tuple[int, Recording | None]:
        try:
            return next(run), None
        except StopIteration as end:
            return frames, end.value

    while True:
        done, recording = yield from _said("Simulating", in_thread(step), SIMULATED * passed / (before + frames))
        if recording is not None:
            return recording
        passed += 1
        doing = f"Simulating frame {done} of {frames}" if done else "Living before the film begins"
        yield SIMULATED * passed / (before + frames), doing


def _said(doing: str, work: Generator[Any, None, T], share: float = 0.0) -> Progress[T]:
    """Steps that say nothing of themselves."""
    try:
        while True:
            next(work)
            yield share, doing
    except StopIteration as end:
        return end.value
    finally:
        work.close()


def _scaled(low: float, high: float, work: Progress[T]) -> Progress[T]:
    """Steps as part of the whole."""
    try:
        while True:
            share, doing = next(work)
            yield low + (high - low) * share, doing
    except StopIteration as end:
        return end.value
    finally:
        work.close()


def _outcome(scene: bpy.types.Scene, recording: Recording, frames: int) -> Outcome:
    fps = scene.render.fps / scene.render.fps_base
    if abs(recording.fps - fps) > 0.01:
        said = f"The recording has {recording.fps:g} frames a second and this scene {fps:g}: it plays at another pace"
        return Outcome(said, warning=True)
    if recording.frames < frames:
        return Outcome(f"The recording has only {recording.frames} frames", warning=True)
    fishes = len(recording.species)
    return Outcome(f"Baked {fishes} fish{'es' * (fishes != 1)} over {recording.frames} frames")
