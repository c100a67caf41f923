"""From the settings of the Bake panel to the remaining work: only what has changed is simulated and baked again.

This module loads nothing heavy: that is the first step of a bake.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.background import in_thread
from ..blender.jobs import Job, JobOutcome, Steps
from ..blender.layout import clear_views
from ..blender.messages import plain
from ..blender.words import Message, counted, translated
from ..direction.doubts import doubts
from ..identity import provenance, references
from ..identity.film_time import film
from ..identity.provenance import row_of
from ..identity.references import is_ours
from ..identity.roles import LINKED, is_linked
from ..identity.selection import Selection
from ..identity.units import metres
from ..languages.sentences import understood
from ..live import timer
from ..live.runtime import session_of
from ..scene.remarks import lines_of
from ..species import library
from . import cache_files, hand, history, identities, some
from .source import BakeSource

if TYPE_CHECKING:
    from ...core.recording import Recording

SIMULATED = 0.4
"""Share of a bake's work that is done at the end of the simulation."""
LOADED_FIRST = ("numpy", "scipy.spatial", "scipy.linalg", "...core", ".writer", "..scene.reader")


def source_of(scene: bpy.types.Scene) -> str:
    """The source that the panel bakes: "SCENE", "PRESET" or "FILE"."""
    source = scene.artfish.bake.source
    if source != "AUTO":
        return source
    return "SCENE" if any(obj.artfish.kind == "SHOAL" for obj in scene.objects) else "PRESET"


def obstacle(scene: bpy.types.Scene) -> Message:
    """The reason why the panel cannot bake, in a sentence; "" if it can."""
    if is_linked(scene):
        return LINKED
    first, last = film(scene)
    if last < first:
        return "The bake ends before it begins: set From and To"
    if source_of(scene) == "SCENE" and not any(obj.artfish.kind == "SHOAL" for obj in scene.objects):
        return "This scene has no fishes: add some, or choose a preset as the source"
    if source_of(scene) == "FILE" and not scene.artfish.bake.file:
        return "Choose a scene file or a recording"
    bake = scene.artfish.bake
    if bake.form == "cache" and (reason := cache_files.obstacle()):
        return reason
    if bake.form == "crowd" and bake.heroes and scene.camera is None and not bake.stage:
        return "Heroes are the fishes near the camera: add one to this scene, or tick Stage"
    return ""


def bake_job(
    scene: bpy.types.Scene, scope: str = some.SCOPE_ALL, chosen: Collection[bpy.types.Object] = ()
) -> Job[JobOutcome]:
    """Simulates and bakes what the panel asks for, reusing what is there.

    Args:
        scene: The scene.
        scope: "ALL", or "SELECTED" for the chosen fishes and shoals only.
        chosen: The selected objects.
    """
    return Job(partial(_prepare, scene, scope, chosen))


def _prepare(
    scene: bpy.types.Scene, scope: str, chosen: Collection[bpy.types.Object], job: Job[JobOutcome]
) -> Steps[Callable[[], JobOutcome]]:
    """Read, simulate and make all that is missing.

    Raises:
        SceneError: The scene is not as it must be.
    """
    yield from load(job)
    job.text = "Reading the scene"
    yield
    source = yield from read_source(scene, job)
    (first, last), bake = film(scene), scene.artfish.bake
    frames = last - first + 1
    order = _order(scene, source, first)
    about = _about(scene, source, order, frames)
    history.own_copied(scene)
    there = None if bake.beside else history.last(scene)
    part = some.part_of(scene, there, source, frames, first, scope, chosen)
    if part is not None:
        about = some.about_of(part, about, scene.artfish.seed, source)
    is_whole = there is not None and there.whole and not cache_files.lost(there.objects)
    if there is not None and is_whole and all(there.record.get(name) == about[name] for name in ("key", "order")):
        return partial(_repaint, scene, there, source, about["looks"])
    from ..fish.adopted import refuse_missing
    from .order import CACHE, FORMS, Order

    if order["fishes"] and order["form"] == CACHE:
        from .caches import refuse_uncached

        refuse_uncached(bpy.data.filepath)
    if order["fishes"] and order["form"] not in FORMS:
        refuse_missing(source.models.values(), (*source.folders, *library.model_folders()))
    recording = yield from _happened(job, source, about, frames, part)
    from .writer import prepare_bake

    instead = "" if there is None else there.id
    rest: dict[str, Any] = {"folders": source.folders, "time": False, "instead": instead, "about": about}
    numbers, number = identities.numbering(scene, source.shoals, there)
    whole = Order(**order, **rest, id=history.new_id(about["key"]), shoals=numbers, numbered=bool(numbers))
    if part is not None:
        whole = some.order_of(part, whole)
    with job.phase("Baking"):
        commit = yield from prepare_bake(job, recording, whole, scene)

    def finish() -> JobOutcome:
        commit()
        number()
        if there is None:  # later bakes leave the animator's views alone
            clear_views(scene)
        _give_way(scene, first=there is None)
        doubtful = doubts(scene) if source_of(scene) == "SCENE" else []
        return _outcome(scene, recording, frames, [*doubtful, *source.remarks], part)

    return finish


def _about(scene: bpy.types.Scene, source: BakeSource, order: dict[str, Any], frames: int) -> dict[str, Any]:
    """The record of a bake, which shows later whether anything has changed since."""
    from ..fish.materials import looks_of

    seed = scene.artfish.seed
    if source.recording is not None:
        key = provenance.digest([history.key_of(source.recording), frames])
    else:
        key = history.key(source.scene, seed, frames, source.models)
    return {
        "key": key,
        "order": provenance.digest([order, source.scene.to_dict(), *_models(source)]),
        "seed": seed,
        "source": source.name,
        "looks": {name: looks_of(model) for name, model in source.models.items()},
    }


def _models(source: BakeSource) -> list[Any]:
    """Modification times of the model files of adopted fishes, with their names."""
    names = {model.model for model in source.models.values() if model.model}
    if not names:
        return []
    from ..fish.adopted import find

    folders = (*source.folders, *library.model_folders())
    return [[name, path.stat().st_mtime_ns] for name in sorted(names) if (path := find(name, folders))]


def _happened(
    job: Job, source: BakeSource, about: dict[str, Any], frames: int, part: some.BakedPart | None
) -> Steps[Recording]:
    """The recording to bake: the one that was read, a stored one, or one simulated now."""
    key = about["key"]
    recording = source.recording or history.recording(key)
    if recording is None:
        with job.phase("Simulating", SIMULATED):
            if part is not None:
                recording = yield from some.simulated(job, part, source, about["seed"])
            else:
                recording = yield from simulate(job, source, about["seed"], frames)
        job.text = "Keeping the recording"
        yield
        yield from history.keep(key, recording)
    else:
        history.remember(key, recording)
    scene, models = (source.scene, source.models) if part is None else (part.scene, recording.species_models)
    return replace(recording, scene=scene, species_models=models).until(frames)


def _give_way(scene: bpy.types.Scene, first: bool) -> bool:
    """Remove live or still fishes in favour of those of the last bake; returns whether there were any."""
    from .exchange import number_anew

    playing, there = session_of(scene) is not None, sum(map(is_ours, scene.objects))
    if not playing and not there:
        return False
    baked, selection = history.last(scene), Selection.of(scene)
    live = {obj.session_uid: row_of(obj) for obj in scene.objects if is_ours(obj)}
    timer.end(scene, references.heirs_of(baked.fishes.values()))
    selection.restore({number: baked.fishes[row] for number, row in live.items() if row in baked.fishes})
    if first:  # their names are free now
        number_anew(scene, baked.objects)
        history.claim(baked)
        for obj in baked.objects:
            hand.note_name(obj)
    return playing or sum(map(is_ours, scene.objects)) < there


def load(job: Job) -> Steps[None]:
    """Load what simulates and bakes, in steps."""
    job.text = "Loading the simulation"
    for room in LOADED_FIRST:
        yield
        yield from in_thread(partial(import_module, room, __package__))


def read_source(scene: bpy.types.Scene, job: Job) -> Steps[BakeSource]:
    """The source that the panel bakes, as read."""
    from ...core import Recording
    from ...core.scene.scene import Scene
    from ...core.world.fitting import misgivings

    kind, fps = source_of(scene), scene.render.fps / scene.render.fps_base
    if kind == "SCENE":
        return (yield from _read_objects(scene, job))
    name = scene.artfish.preset if kind == "PRESET" else bpy.path.abspath(scene.artfish.bake.file)
    if name.lower().endswith(".npz") and kind == "FILE":
        job.text = "Reading the recording"
        recording = yield from in_thread(lambda: Recording.load(name))
        return BakeSource(Path(name).stem, recording.scene, recording.species_models, recording, folders=_folder(name))
    known = library.models(scene)
    read_scene = replace(Scene.load(name, known), fps=float(f"{fps:.7g}"))
    models = {}
    for species in sorted({group.species for group in read_scene.fishes}):
        job.text = translated("Reading {species}", species=species)
        yield
        models[species] = read_scene.models.get(species) or known[species]
    warnings = tuple(map(plain, misgivings(read_scene, models)))
    return BakeSource(read_scene.name, read_scene, models, folders=_folder(name), remarks=warnings)


def _folder(file: str) -> tuple[str, ...]:
    """The folder of a file, as a tuple; empty for a preset."""
    return (str(Path(file).absolute().parent),) if Path(file).suffix else ()


def _read_objects(scene: bpy.types.Scene, job: Job[JobOutcome]) -> Steps[BakeSource]:
    """The source read from a scene's objects: its fishes and everything else in the water."""
    from ..scene.reader import read_steps

    found, reading = yield from read_steps(job, scene, film(scene)[0])
    obstacles = range(len(reading.objects.get("obstacles", ())))
    bed = "terrain" in reading.objects
    origin = (reading.origin.x, reading.origin.y, reading.origin.z)
    remarks = (*lines_of(scene), *found.warnings(reading.scene))
    own, models = tuple(obstacles), dict(reading.models)
    shoals, objects = tuple(reading.shoals), reading.objects
    return BakeSource(
        scene.name, reading.scene, models, None, origin, own, bed, (), remarks, shoals, found.saying, objects
    )


def _order(scene: bpy.types.Scene, source: BakeSource, first: int) -> dict[str, Any]:
    """The panel's settings as the fields of an `Order`."""
    panel = scene.artfish.bake
    order = {
        name: getattr(panel, name)
        for name in ("form", "fishes", "plankton", "bubbles", "spawn", "seaweed", "hook", "stage")
    }
    order |= {"tolerance": float(f"{panel.tolerance:.6g}"), "film": panel.stage and panel.film, "first": first}
    if panel.form == "mesh":
        order |= {"drive": panel.drive, "stretch": panel.drive != "armature" or not panel.stretch_free}
    if panel.form == "crowd":
        order |= {"heroes": panel.heroes} | {name: float(f"{getattr(panel, name):.6g}") for name in ("near", "far")}
    return order | {"origin": source.origin, "unit": metres(scene), "own": source.own, "own_bed": source.own_bed}


def _repaint(scene: bpy.types.Scene, there: history.Bake, source: BakeSource, looks: dict[str, str]) -> JobOutcome:
    """Update materials, since only looks may have changed, and end live play."""
    from ..fish.materials import retouch

    before = there.record.get("looks", {})
    changed = [name for name, look in looks.items() if before.get(name) != look]
    message: Message = "Nothing has changed since the last bake"
    if changed:
        for model in source.models.values():
            retouch(model, there.scene)
        there.write(looks=looks)
        kept = history.recording(there.id)
        if kept is not None:
            history.remember(there.record["key"], replace(kept, species_models=source.models))
        names = ", ".join(source.models[name].common_name for name in changed)
        message = translated("Only looks have changed: painted {names} anew", names=names)
    if _give_way(scene, first=False):
        return JobOutcome(translated("{message}; live play has ended", message=translated(message)))
    return JobOutcome(message, changed=bool(changed))


def simulate(job: Job, source: BakeSource, seed: int, frames: int, called: str = "") -> Steps[Recording]:
    """The recording of these frames, simulated in steps; `called` begins the text of its progress."""
    from ...core import World

    job.text = called + translated("Filling the tank")
    with source.saying():
        world = yield from in_thread(lambda: World(source.scene, seed=seed, species=source.models))
    run = world.run(frames=frames)
    whole = source.scene.preroll_frames + frames
    passed = 0
    job.text = called + translated("Simulating")

    def step() -> tuple[int, Recording | None]:
        try:
            return next(run), None
        except StopIteration as end:
            return frames, end.value

    while True:
        done, recording = yield from in_thread(step)
        if recording is not None:
            return recording
        passed += 1
        said = (
            translated("Simulating frame {done} of {frames}", done=done, frames=frames)
            if done
            else translated("Living before the film begins")
        )
        job.advance(passed / whole, called + said)
        yield


def _outcome(
    scene: bpy.types.Scene, recording: Recording, frames: int, doubtful: list[str], part: some.BakedPart | None = None
) -> JobOutcome:
    from ...core.studio.punctuality import kept_times

    fps = scene.render.fps / scene.render.fps_base
    if abs(recording.fps - fps) > 0.01:
        message = translated(
            "The recording has {fps:g} frames a second and this scene {other:g}: it plays at another pace",
            fps=recording.fps,
            other=fps,
        )
        return JobOutcome(message, warning=True)
    if recording.frames < frames:
        return JobOutcome(translated("The recording has only {frames} frames", frames=recording.frames), warning=True)
    fishes = len(recording.species) if part is None else len(part.rows)
    done = counted(
        fishes,
        "Baked {count} fish over {frames} frames",
        "Baked {count} fishes over {frames} frames",
        frames=recording.frames,
    )
    if part is not None:
        done += translated(", among {count} that stay", count=len(part.known) - fishes)
    return JobOutcome("; ".join([done, *map(understood, kept_times(recording)), *doubtful]), warning=bool(doubtful))
