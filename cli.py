"""The artfish command: from a written scene to a film. Needs Blender's bpy only to bake and to render."""

from __future__ import annotations

import argparse
import atexit
import errno
import io
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn, TextIO, cast

from .core.base.codec import LONGEST_LINE, Place, SceneError, clipped, printable
from .core.base.files import (
    ensure_folder,
    ensure_other,
    ensure_writable,
    new_folder,
    preset_folder,
    preset_names,
    read_json,
)
from .core.base.stopping import STOPPED, stoppable
from .core.recording import Recording
from .core.scene.ride import Ride
from .core.scene.scene import Scene
from .core.scene.species import Species
from .core.studio.film import Film

MOST_FRAMES = 1_000_000
OUTPUT_ERRORS = errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF
"""Error numbers of a stream that cannot be written, which has no name."""
BPY_OF_PYTHON = {"3.11": "4.5", "3.13": "5.2"}
"""The series of Blender's bpy that the extra `blender` has for each Python; there is none for any other."""


FISH_SUFFIXES = ".abc", ".usdc", ".usdz", ".usda", ".glb", ".fbx"
"""Endings of files that fishes of a bake are exported to; those of `blender_artfish.export`."""

MODEL_SUFFIXES = ".obj", ".glb", ".gltf", ".fbx", ".blend"
"""Endings of models that become species; those of `blender_artfish.adopt`."""
MODEL_AXES = "+X", "-X", "+Y", "-Y", "+Z", "-Z"

ASSET_KINDS = "fishes", "schools", "corals", "rocks", "weeds", "stages", "materials", "nodes"
LOOP_GAITS = "swim", "glide", "turn_left", "turn_right", "idle", "all"
"""Available loops: those of `core.studio.loops`, and all of them."""

LEARNED_TASKS = "swim", "left", "right", "speed", "path", "target", "station", "all"
"""Tasks to practise; those of `core.learning.learned`, and all that a controller needs."""
LEARNING_SECONDS = 60.0
FAILED = 1
"""Exit code of a command some of whose jobs failed, each with its line."""
LEAST_EVOLVING = 4
"""Candidates of CMA-ES: it is led by the better half of them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command line.

    Args:
        argv: The words after "artfish"; those of the process if left out.

    Returns:
        Exit code: 0, 1 where `check` finds what cannot be done, 2 after one line on standard error about the error in
        the input, or 130 if the person at the keyboard stopped it.
    """
    with _streams(), stoppable(lambda: print("\nartfish: stopped", file=sys.stderr)):
        try:
            code = _run(argv)
        finally:
            _flush_output()
        return code


def command_line() -> NoReturn:
    """Runs the command line of this process, and ends it with the exit code of `main`.

    If Blender is loaded, its libraries are not torn down: after some exports that waits for ever for a thread of
    their own, though all is written.
    """
    code, blender = main(), sys.modules.get("bpy")
    if blender is None:
        sys.exit(code)
    atexit._run_exitfuncs()
    shutil.rmtree(blender.app.tempdir, ignore_errors=True)
    os._exit(code)


def _run(argv: Sequence[str] | None) -> int:
    """Runs one command line; arguments and result as for `main`."""
    try:
        parser = _parser()
        options, rest = parser.parse_known_args(_axes_joined(sys.argv[1:] if argv is None else argv))
        if options.run is bench:  # the table has a few options, and a help, of its own
            return bench(rest)
        if rest:
            parser.error(f"found {rest[0]!r}, which is no part of this command")
        code = options.run(options)
        sys.stdout.flush()
        return code
    except (SceneError, CommandError) as error:
        print(f"artfish: {error}", file=sys.stderr)
    except MemoryError as error:
        print(f"artfish: found too little memory ({error}), allowed fewer fishes or frames", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nartfish: stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # the reader of the output has seen enough
        return 0
    except OSError as error:
        print(f"artfish: {_of_system(error)}", file=sys.stderr)
    return 2


def species(options: argparse.Namespace) -> int:
    """Lists the species, one name a line and with its traits if asked, and checks every preset."""
    broken = 0
    for kind, folder in ((Species, "species"), (Scene, "scenes"), (Ride, "rides"), (Film, "films")):
        for name in preset_names(folder):
            try:
                kind.load(name)
            except SceneError as error:
                print(f"artfish: {error}", file=sys.stderr)
                broken += 1
            else:
                if kind is Species:
                    print(f"{name}{_traits(Species.load(name))}" if options.traits else name)
    return 2 if broken else 0


def _traits(model: Species) -> str:
    """The traits of a species, those that are not in the middle."""
    if model.traits is None:
        return ": no character"
    values = {field.name: getattr(model.traits, field.name) for field in fields(model.traits)}
    return ": " + ", ".join(f"{name} {value:g}" for name, value in values.items() if value != 0.5)


def simulate(options: argparse.Namespace) -> int:
    """Simulates a scene into a recording, and tells what happened."""
    scene = Scene.load(options.scene, None, options.files_from)
    ensure_writable(options.output, ".npz")
    ensure_other(options.output, _scene_file(options.scene))
    recording = _simulated(scene, options.seed or 0, options.frames)
    recording.save(options.output)
    for line in recording.log():
        print(line)
    return 0


def check(options: argparse.Namespace) -> int:
    """Lists what a scene asks of its fishes in time, and what they can do; the exit code is 1 if that is less."""
    from .core.studio.checking import doubts, timed_directions

    scene = Scene.load(options.scene, None, options.files_from)
    timed, wrong = timed_directions(scene), doubts(scene)
    lines = [one.line() for one in timed if one.feasible]
    for line in (*lines, *wrong):
        print(line)
    return 1 if wrong else 0


def dive(options: argparse.Namespace) -> int:
    """Rides through a scene in a submarine by a list of helm orders, and records it with the ride's camera."""
    scene, ride = Scene.load(options.scene, None, options.files_from), Ride.load(options.ride)
    ensure_writable(options.output, ".npz")
    ensure_other(options.output, _scene_file(options.scene), _preset_file("rides", options.ride))
    try:
        scene = replace(scene, ride=ride)
    except SceneError as error:
        raise error.within(Place(options.ride)) from None
    recording = _simulated(scene, options.seed or 0, options.frames)
    recording.save(options.output)
    for line in recording.log():
        print(line)
    return 0


def sync(options: argparse.Namespace) -> int:
    """Shifts starts in a scene until two things happen together, and writes the scene."""
    from .core.studio.synchronising import synchronise

    scene = Scene.load(options.scene, None, options.files_from)
    ensure_writable(options.output, ".json")
    ensure_other(options.output, _scene_file(options.scene), options.cues)
    cues, seed = read_json(options.cues), options.seed or 0
    with _Progress("sync") as progress, _farm(options) as executor:
        if executor is None:
            found = synchronise(
                scene,
                cues,
                seed,
                options.runs,
                progress=lambda run, t: progress(t / scene.duration, f"run {run}"),
                file=options.cues,
            )
        else:
            from .core.farm.searches import synchronised

            found = synchronised(scene, cues, seed, options.runs, options.cues, executor)
    if found.off is None:
        raise CommandError(f"{options.cues}: {found.summary()[:-1]} by the end of the film, allowed what does")
    found.scene.save(options.output)
    print(found.summary())
    return 0


def takes(options: argparse.Namespace) -> int:
    """Lives through a scene many times, and keeps the takes that are most as wished; goes on where it was stopped."""
    from .core.farm.engines import refuse_unknown_engine
    from .core.farm.takes import TakeSearch
    from .core.farm.varying import read_seeds, read_variations
    from .core.farm.wishes import read_wishes

    refuse_unknown_engine(options.on)
    seeds = read_seeds(options.seeds)
    scene = Scene.load(options.scene, None, options.files_from)
    wishes = read_wishes(options.wish, scene)
    varies = () if options.vary is None else read_variations(options.vary, scene)
    search = TakeSearch(scene, wishes, seeds, varies, Path(options.output), options.keep)
    with (
        new_folder(options.output),
        _Progress("takes") as progress,
        _engine(options, search.common) as executor,
    ):
        if options.task is not None:
            failed = search.task(options.task, executor)
        else:
            found = search.make(executor, progress)
            failed = found.failed
    for one in failed:
        print(f"artfish: {one.line()}", file=sys.stderr)
    if options.task is None:
        for place, row in enumerate(found.kept, 1):
            at = "" if row.moment is None else f" at {row.moment:.2f} s"
            print(f"{place}: seed {row.seed}, score {row.score:.3f}{at}, {search.name(row)}.npz")
    return FAILED if failed else 0


def breed(options: argparse.Namespace) -> int:
    """Breeds children of two species, each a species with its parents' names and genes."""
    from .core.genetics.genome import bred

    mother, father = Species.load(options.mother), Species.load(options.father)
    folder, stem = Path(options.output), options.name or f"{mother.name}_{father.name}"
    paths = [folder / f"{stem}_{row + 1}.json" for row in range(options.children)]
    with new_folder(options.output):
        for path in paths:
            ensure_other(path, options.mother, options.father)
        for row, path in enumerate(paths):
            bred(mother, father, path.stem, options.seed + row, options.mutation).save(path)
            print(path)
    return 0


def evolve(options: argparse.Namespace) -> int:
    """Breeds a species by how well its fishes do at a task; goes on where it was stopped."""
    from .core.farm.engines import refuse_unknown_engine
    from .core.farm.evolution import EvolutionRun, save
    from .core.farm.evolution_plan import EvolutionPlan

    refuse_unknown_engine(options.on)
    plan, folder = EvolutionPlan.load(options.plan), Path(options.output)

    def beside(name: str) -> str | Path:
        return Path(options.plan).parent / name if name.endswith(".json") else name

    predator = Species.load(beside(plan.predator)) if plan.predator else None
    scene = Scene.load(beside(plan.scene)) if plan.scene else None
    run = EvolutionRun(plan, Species.load(beside(plan.species)), folder / "jobs", predator, scene)
    with (
        new_folder(options.output),
        _Progress("evolve") as progress,
        _engine(options, run.common) as executor,
    ):
        found = run.run(executor, options.generations, progress)
        path = save(found, plan, folder)
    print(f"{path.name}: {found.text(plan)}")
    return 0


def follow(options: argparse.Namespace) -> int:
    """Has fishes swim where others were tracked, and records them."""
    from .core.studio.following import follow as follow_tracks
    from .core.studio.tracks import Tracks

    ensure_writable(options.output, ".npz")
    ensure_other(options.output, options.tracks)
    species, tracks = (
        Species.load(options.species),
        Tracks.read(options.tracks, options.scale, options.fps, options.y_down),
    )
    for note in tracks.notes:
        print(f"artfish: warning: {options.tracks}: {note}", file=sys.stderr)
    with _Progress("follow") as progress:
        followed = follow_tracks(
            tracks, species, options.fps, length=options.length, seed=options.seed or 0, progress=progress
        )
    followed.recording.save(options.output)
    if followed.recording.fps != options.fps:
        every = round(options.fps / followed.recording.fps)
        print(f"one frame of {every} is recorded, {followed.recording.fps:g} a second")
    print(followed.summary())
    return 0


def fit(options: argparse.Namespace) -> int:
    """Finds habits with which fishes of a species move as tracked ones, and draws how near they come, on a page."""
    from .core.farm.engines import refuse_unknown_engine
    from .core.fitting.arena import Arena
    from .core.fitting.fit import SpeciesFit, TrackHalves, named
    from .core.fitting.page import lines, write_page
    from .core.studio.tracks import Tracks

    refuse_unknown_engine(options.on)
    output = Path(options.output)
    page = output.with_suffix(".html")
    ensure_writable(output, ".json")
    ensure_writable(page, ".html")
    ensure_other(output, options.tracks, options.species)
    species = Species.load(options.species)
    length = species.length if options.length is None else options.length
    species = replace(species, length=length)
    Species.from_dict(species.to_dict(), "--length")
    tracks = Tracks.read(options.tracks, options.scale, options.fps, options.y_down)
    arena = None
    if options.arena:
        arena = Arena.of(options.arena).seen(options.scale, options.y_down)
    halves, notes = TrackHalves.of(tracks.places, options.fps, length, arena)
    for note in (*tracks.notes, *notes):
        print(f"artfish: warning: {options.tracks}: {note}", file=sys.stderr)
    search = SpeciesFit(halves, species, output.with_name(f"{output.stem}_trials"), options.seed or 0)
    with _Progress("fit") as progress, _engine(options, search.common) as executor:
        found = search.run(executor, options.generations, progress)
    made = named(found, output.stem, Path(options.tracks).name)
    made.save(output)
    write_page(page, found, output.stem, Path(options.tracks).name, halves.arena)
    search.clear()
    for line in lines(found):
        print(line)
    print(made.fitted)
    return 0


def export(options: argparse.Namespace) -> int:
    """Writes what other programs read: fishes of a baked .blend, or tracks of a recording."""
    from .core.studio.tracks import TRACK_SUFFIXES, write_tracks

    recorded = not options.source.endswith(".blend")
    endings = TRACK_SUFFIXES if recorded else FISH_SUFFIXES
    if not options.output.lower().endswith(endings):
        raise SceneError(options.output, f"a name ending in {', '.join(endings)}", key="--output")
    if recorded:
        for key, given in (
            ("--frames", options.frames),
            ("--select", options.select != "all"),
            ("--scale", options.scale != 1.0),
            ("--axis", options.axis),
            ("--no-textures", options.no_textures),
            ("--scene", options.scene),
        ):
            if given:
                raise SceneError("with a recording", "with a .blend only", key=key)
        recording = Recording.load(options.source)
        ensure_other(options.output, options.source)
        write_tracks(recording, options.output)
        return 0
    if not Path(options.source).is_file():
        raise SceneError("no such file", "a .blend made by artfish bake, or a recording", file=options.source)
    _need_blender("export")
    from .blender_artfish.export.exporting import export_file

    with _Progress("export") as progress:
        count = export_file(
            options.source,
            options.output,
            frames=options.frames,
            select=options.select,
            scale=options.scale,
            up=options.axis,
            textures=not options.no_textures,
            scene=options.scene,
            progress=progress,
        )
    print(f"{count} fish{'es' * (count != 1)} in {options.output}")
    return 0


def loop(options: argparse.Namespace) -> int:
    """Makes a motion of a species that goes round, as an action of a rigged fish or as a clip for games."""
    model = Species.load(options.species)
    endings = (".blend", *FISH_SUFFIXES)
    if not options.output.lower().endswith(endings):
        raise SceneError(options.output, f"a name ending in {', '.join(endings)}", key="--output")
    ensure_writable(options.output, Path(options.output).suffix.lower())
    _need_blender("loop")
    from .blender_artfish.loops.making import loop_file

    with _Progress("loop") as progress:
        places = (str(Path(options.species).parent),)
        loop_file(model, options.gait, options.output, options.fps, progress, places)
    return 0


def assets(options: argparse.Namespace) -> int:
    """Makes an asset library: a folder with a .blend a kind, which any Blender's Asset Browser shows."""
    if Path(options.output).exists() and not Path(options.output).is_dir():
        raise SceneError("a file", "a folder", file=options.output)
    _need_blender("assets")
    from .blender_artfish.assets.making import make_library

    with _Progress("assets") as progress:
        made = make_library(options.output, options.only or ASSET_KINDS, progress)
    for path in made:
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    return 0


def adopt(options: argparse.Namespace) -> int:
    """Makes a model that another made a species: its JSON file, and beside it a .blend with the model."""
    if not options.model.lower().endswith(MODEL_SUFFIXES):
        raise SceneError(options.model, f"a name ending in {', '.join(MODEL_SUFFIXES)}", key="model")
    if not Path(options.model).is_file():
        raise SceneError("no such file", f"a model: {', '.join(MODEL_SUFFIXES)}", file=options.model)
    if Path(options.output).stem in preset_names("species"):
        raise SceneError(f"{Path(options.output).stem}, which is a preset", "another name", key="--output")
    ensure_writable(options.output, ".json")
    _need_blender("adopt")
    from .blender_artfish.adopt.adopting import adopt_file

    with _Progress("adopt") as progress:
        adopted = adopt_file(options.model, options.output, options.axis, options.length, progress=progress)
    pose, species = adopted.pose, adopted.species
    print(f"{species.name}: nose {pose.ahead}, back {pose.up}, {species.length:.3g} m")
    for note in adopted.notes:
        print(f"note: {note}")
    return 0


def bake(options: argparse.Namespace) -> int:
    """Simulates a scene, or takes a recording, and bakes it into a new .blend."""
    if options.heroes and options.form != "crowd":
        raise SceneError(f"with {options.form}", "with --form crowd only", key="--heroes")
    if options.form != "mesh" and (options.drive != "armature" or options.stretch_free):
        key = "--stretch-free" if options.stretch_free else "--drive"
        raise SceneError(f"with {options.form}", "with --form mesh only", key=key)
    if options.stretch_free and options.drive != "armature":
        raise SceneError("with shape keys", "with --drive armature only", key="--stretch-free")
    recorded = options.source.endswith(".npz")
    source = _recorded(options) if recorded else Scene.load(options.source, None, options.files_from)
    ensure_writable(options.output, ".blend")
    ensure_other(options.output, options.source if recorded else _scene_file(options.source))
    _need_blender("bake")
    from .blender_artfish.bake.caches import refuse_uncached
    from .blender_artfish.bake.order import CACHE, FORMS
    from .blender_artfish.bake.writer import bake as bake_recording
    from .blender_artfish.fish.adopted import refuse_missing
    from .core.studio.punctuality import kept_times

    folders = [Path(options.source).parent, *options.files_from]
    if options.form == CACHE:
        refuse_uncached(options.output)
    if options.form not in FORMS:
        refuse_missing((source.species_models if isinstance(source, Recording) else source.models).values(), folders)
    recording = source if isinstance(source, Recording) else _simulated(source, options.seed or 0, options.frames)
    with _Progress("bake") as progress:
        how: dict[str, Any] = {"heroes": options.heroes, "drive": options.drive, "stretch": not options.stretch_free}
        how["folders"] = folders
        bake_recording(recording, options.output, options.form, options.tolerance, progress=progress, **how)
    for line in kept_times(recording):
        print(line)
    return 0


def render(options: argparse.Namespace) -> int:
    """Renders a baked .blend into pictures, and a movie where the options name one."""
    if not Path(options.blend).is_file():
        raise SceneError("no such file", "a .blend made by artfish bake", file=options.blend)
    if options.frames and options.seconds is not None:
        raise SceneError("with --frames", "one of the two: which frames, or how long a shot", key="--seconds")
    _need_blender("render")
    from .blender_artfish.stage.render import render as render_blend

    with new_folder(options.output):
        if options.movie:
            ensure_writable(options.movie, ".mp4")
            ensure_other(options.movie, options.blend)
        if options.still:
            ensure_writable(options.still, ".png")
            ensure_other(options.still, options.blend, *filter(None, [options.movie]))
        with _Progress("render") as progress:
            render_blend(
                options.blend,
                options.output,
                frames=options.frames,
                samples=options.samples,
                size=options.size,
                movie=options.movie,
                still=options.still,
                seconds=options.seconds,
                scene=options.scene,
                progress=progress,
            )
    return 0


def film(options: argparse.Namespace) -> int:
    """Makes a film of a list of shots: each is simulated, baked and rendered, and all are cut into a movie."""
    chosen = Film.load(options.film)
    if options.part is not None:
        return _film_part(chosen, options)
    _need_blender("film", load=False)
    with new_folder(options.output), _Progress("film") as progress, _farm(options) as executor:
        how: dict[str, Any] = {"quality": options.quality, "only": options.shots, "stills": options.stills}
        file = _preset_file("films", options.film)
        if executor is not None:
            from .blender_artfish.filming.farming import shoot_all

            shoot_all(executor, options.film, options.output, progress, file=file, **how)
        from .blender_artfish.filming.making import make

        made = make(chosen, options.output, progress, file=file, name=Path(options.film).stem, **how)
    print(made.movie or made.sheet)
    return 0


def _film_part(chosen: Film, options: argparse.Namespace) -> int:
    """Bakes shots, or makes a part of their pictures, as a task of a farm does while others make the rest."""
    file = _preset_file("films", options.film)
    rows = chosen.rows(options.shots, file)
    _need_blender("film")
    from .blender_artfish.filming.making import shoot_alone

    ensure_folder(options.output)
    with _Progress("film") as progress:
        for done, row in enumerate(rows):
            shoot_alone(chosen, options.output, row, options.quality, file, options.stills, options.part)
            progress((done + 1) / len(rows))
    return 0


def dataset(options: argparse.Namespace) -> int:
    """Makes labelled pictures of a scene: who is where in them, and what it is about; goes on where it was stopped."""
    from .core.dataset.cameras import DEFAULT_CAMERAS, read_cameras
    from .core.dataset.conditions import Varies, read_varies
    from .core.dataset.gathering import gather
    from .core.dataset.plan import DatasetPlan, read_formats
    from .core.farm.engines import refuse_unknown_engine
    from .core.farm.varying import read_seeds

    refuse_unknown_engine(options.on)
    scene = Scene.load(options.scene, None, options.files_from)
    plan = DatasetPlan(
        scene,
        read_seeds(options.seeds),
        options.frames or (1, scene.frames),
        options.every,
        DEFAULT_CAMERAS if options.cameras is None else read_cameras(options.cameras),
        Varies() if options.vary is None else read_varies(options.vary, scene),
        options.size or (640, 360),
        options.samples,
        read_formats(options.format),
        tuple(os.path.abspath(folder) for folder in (Path(_scene_file(options.scene)).parent, *options.files_from)),
    )
    _need_blender("dataset", load=False)
    from .blender_artfish.dataset.farming import make_all

    with new_folder(options.output), _engine(options) as executor, _Progress("dataset") as progress:
        make_all(executor, plan, options.output, progress)
    gather(Path(options.output), plan.formats)
    return 0


def capture(options: argparse.Namespace) -> int:
    """Records all that a species does into a repertoire, from which replicas of it are played back."""
    from .core.replicas.capture import capture as captured

    model = Species.load(options.species)
    ensure_writable(options.output, ".npz")
    repertoire = captured(model)
    repertoire.save(options.output)
    print(f"{len(repertoire)} segments of {model.name}")
    return 0


def learn(options: argparse.Namespace) -> int:
    """Has a species learn to swim by practice alone; goes on where the file says that the same search stopped."""
    from .core.learning.learning import go_on, keep, learners, refuse_there, taught

    model = Species.load(options.species)
    ensure_writable(options.output, ".json")
    ensure_other(options.output, _preset_file("species", options.species))
    if options.method == "cma" and options.candidates < LEAST_EVOLVING:
        raise CommandError(f"--candidates: found {options.candidates}, allowed {LEAST_EVOLVING} or more for cma")
    if options.controller is not None:
        if options.task not in ("swim", "all"):
            raise CommandError(f"--save-controller: found what learns {options.task}, allowed what learns swim or all")
        ensure_writable(options.controller, ".json")
        ensure_other(options.controller, options.output, _preset_file("species", options.species))
    some = learners(model, options.task, options.goal, options.method, options.seed or 0, options.candidates)
    seconds = options.seconds or (LEARNING_SECONDS if options.steps is None else None)
    goes_on = go_on(some, options.output, options.steps)
    if not goes_on:
        refuse_there(options.output)
    if options.controller is not None:
        refuse_there(options.controller, model.name if goes_on else "")
    if goes_on:
        print(f"artfish: going on from step {min(one.steps for one in some)}", file=sys.stderr)
    try:
        with _Progress("learn") as progress, _farm(options) as executor:
            if executor is not None:
                from .core.farm.searches import practise

                practise(some, executor, options.steps, seconds, progress)
            for number, one in enumerate(some if executor is None else []):
                begun, first = monotonic(), one.steps
                while True:
                    spent = (monotonic() - begun) * len(some) / seconds if seconds else 0.0
                    share = max(spent, one.steps / options.steps if options.steps is not None else 0.0)
                    if share >= 1.0 and (one.steps > first or options.steps is not None):
                        break
                    one.step()
                    progress((number + share) / len(some), f"{one.task.kind} step {one.steps} score {one.score:.3f}")
    except KeyboardInterrupt:
        keep(some, options.output)
        raise
    keep(some, options.output)
    files = [options.output] if options.task == "all" else []
    files += [] if options.controller is None else [options.controller]
    if files:
        made = taught(some)
        for file in files:
            made.save(file)
    for one in some:
        print(f"{one.task.kind}: {one.steps} steps, score {one.score:.4g}")
    return 0


def bench(words: list[str]) -> int:
    """Prints the benchmark table."""
    from .benchmarks.table import main as table

    return table(words)


class CommandError(Exception):
    """The reason why a command cannot be done, if it is in no scene or file; one printable line."""

    def __init__(self, message: str) -> None:
        super().__init__(clipped(printable(clipped(message, LONGEST_LINE)), LONGEST_LINE))


def _of_system(error: OSError) -> CommandError:
    """The error for a refusal by the system that no code of ours has reported: on its file, else on the output."""
    why = error.strerror or str(error) or type(error).__name__
    files = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
    if files:
        return CommandError(f"{' and '.join(files)}: found an obstacle ({why}), allowed a file that can be used")
    if error.errno in OUTPUT_ERRORS:
        return CommandError(f"standard output: found an obstacle ({why}), allowed one with room")
    return CommandError(f"found an obstacle that names no file ({why})")


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in one line."""

    def error(self, message: str) -> NoReturn:
        """Raises instead of printing the usage, so that all bad input ends alike."""
        raise CommandError(f"{message} (see {self.prog} --help)")


class _Version(argparse.Action):
    """Prints the version, which is read only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version

        print(f"artfish {version('artfish')}")
        parser.exit()


class _Errors:
    """Standard error that ignores failed writes, so that nobody loses a simulation to them."""

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Writes, if that is possible."""
        with suppress(OSError, ValueError, AttributeError):  # full, closed, or not there at all
            return self.stream.write(text)  # type: ignore[union-attr]
        return len(text)

    def flush(self) -> None:
        """Flushes, if that is possible."""
        with suppress(OSError, ValueError, AttributeError):
            self.stream.flush()  # type: ignore[union-attr]

    def isatty(self) -> bool:
        """True if a person watches."""
        with suppress(OSError, ValueError, AttributeError):
            return self.stream.isatty()  # type: ignore[union-attr]
        return False

    def fileno(self) -> int:
        """The file descriptor of the stream, for C code."""
        return 2 if self.stream is None else self.stream.fileno()


@contextmanager
def _streams() -> Iterator[None]:
    """Within this block standard error accepts everything, and no file gets the descriptor of a closed stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    out, errors = sys.stdout, sys.stderr
    if out is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = cast(TextIO, _Errors(errors))
    for stream in (sys.stdout, errors):  # characters it cannot encode are replaced, and end no finished work
        with suppress(AttributeError, OSError, ValueError):
            cast(io.TextIOWrapper, stream).reconfigure(errors="backslashreplace")
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stdout, sys.stderr = out, errors
        if errors is not None:
            _flush(errors, 2)


def _flush_output() -> None:
    """Flush standard output; Python itself would do it later, and complain."""
    _flush(sys.stdout, 1)


def _flush(stream: TextIO, number: int) -> None:
    """Flush a stream, into nothing if there is no other way."""
    try:
        stream.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
        with suppress(OSError, ValueError):
            stream.flush()


def _scene_file(name: str) -> str:
    """The file of a scene, given the name of a preset or a path."""
    return _preset_file("scenes", name)


def _preset_file(folder: str, name: str) -> str:
    """The file of a preset in a folder, or else the name as a path."""
    return str(preset_folder(folder) / f"{name}.json") if name in preset_names(folder) else name


class _Progress:
    """A progress line on standard error, rewritten in place where a person watches.

    Called with the share done, 0 to 1, and a text; the line ends with the block.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.begun = self.reported = monotonic()
        self.live = sys.stderr.isatty()

    def __enter__(self) -> _Progress:
        self._print(0.0)
        return self

    def __call__(self, share: float, doing: str = "") -> None:
        if monotonic() - self.reported > (0.1 if self.live else 5.0):
            self._print(share, doing)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._print(1.0)
        if self.live:
            print(file=sys.stderr)

    def _print(self, share: float, doing: str = "") -> None:
        self.reported = monotonic()
        line = f"{self.title} {share:4.0%} {self.reported - self.begun:4.0f} s  {doing}".rstrip()
        # In place, this line must cover the longest one before.
        print(f"\r{line:70.70}" if self.live else line, end="" if self.live else "\n", file=sys.stderr, flush=True)


def _simulated(scene: Scene, seed: int, frames: int | None) -> Recording:
    """The recording of a scene, with progress and warnings on standard error."""
    from .core.studio.checking import doubts
    from .core.world.world import World

    frames, world = frames or scene.frames, World(scene, seed=seed)
    for warning in (*world.warnings, *doubts(scene)):
        print(f"artfish: warning: {warning}", file=sys.stderr)
    run = world.run(frames=frames)
    with _Progress("simulate") as progress:
        while True:
            try:
                done = next(run)
                progress(done / frames, "" if done else "pre-roll")
            except StopIteration as end:
                return end.value


def _recorded(options: argparse.Namespace) -> Recording:
    """The recording to bake, or its first frames by `--frames`."""
    if options.seed is not None:
        raise SceneError("with a recording", "with a scene only", key="--seed")
    if options.files_from:
        raise SceneError("with a recording, which carries its meshes", "with a scene only", key="--files-from")
    recording = Recording.load(options.source)
    if options.frames and options.frames > recording.frames:
        raise SceneError(str(options.frames), f"up to {recording.frames}, those of {options.source}", key="--frames")
    return recording.until(options.frames or recording.frames)


def _axes_joined(words: Sequence[str]) -> list[str]:
    """The words of a command line, each axis joined to the word before: -Z would be taken for an option."""
    found: list[str] = []
    for word in words:
        if found and found[-1] == "--axis" and word in MODEL_AXES:
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found


@contextmanager
def _engine(options: argparse.Namespace, common: Mapping[str, Any] | None = None) -> Iterator[Executor]:
    """The engine that the options name, or processes here; says where the work of a cluster can be watched."""
    from .core.farm.engines import engine

    with engine(options.on, options.workers, common) as executor:
        if page := getattr(executor, "dashboard", ""):
            print(f"artfish: watch it at {page}", file=sys.stderr)
        yield executor


@contextmanager
def _farm(options: argparse.Namespace) -> Iterator[Executor | None]:
    """The engine that the options name; None where they name none, and the command does its work itself."""
    from .core.farm.engines import refuse_unknown_engine

    refuse_unknown_engine(options.on)
    if options.on is None and options.workers is None:
        yield None
        return
    with _engine(options) as executor:
        yield executor


def _need_blender(command: str, load: bool = True) -> None:
    try:
        if load:
            import bpy  # noqa: F401
        elif find_spec("bpy") is None:
            raise ImportError("No module named 'bpy'")
    except ImportError as error:
        running = "{}.{}".format(*sys.version_info[:2])
        if running in BPY_OF_PYTHON:
            cure = f"pip install bpy=={BPY_OF_PYTHON[running]}.*"
        else:
            cure = f"there is none for Python {running}, only for {' and '.join(BPY_OF_PYTHON)}"
        raise CommandError(f"{command} needs Blender's bpy module ({error}): {cure}") from None


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="artfish", description=__doc__, allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="tells the version")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(run: Callable[..., int]) -> argparse.ArgumentParser:
        about = run.__doc__
        made = commands.add_parser(
            run.__name__, help=about, description=about, allow_abbrev=False, add_help=run is not bench
        )
        made.set_defaults(run=run)
        return made

    made = command(species)
    made.add_argument("--traits", action="store_true", help="with the traits of each")
    made = command(simulate)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    made.add_argument("-o", "--output", metavar="REC.npz", required=True)
    _add_simulation(made)
    made = command(check)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    _add_files(made)
    made = command(dive)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    made.add_argument("ride", metavar="RIDE.json", help="a submarine and its orders; a preset or a path")
    made.add_argument("-o", "--output", metavar="REC.npz", required=True)
    _add_simulation(made)
    made = command(sync)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    made.add_argument("cues", metavar="CUES.json", help="the two things, and what may start at another time for them")
    made.add_argument("-o", "--output", metavar="OUT.json", required=True)
    made.add_argument("--seed", metavar="S", type=_whole(0, 2**63 - 1), help="of the world it is to hold for (0)")
    _add_files(made)
    made.add_argument("--runs", metavar="N", type=_whole(1, 100), default=8, help="most runs ahead (8)")
    _add_farm(made)
    made = command(takes)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    made.add_argument("--seeds", metavar="A-B", required=True, help="a take for each of them, as in 0-99")
    made.add_argument("--wish", metavar="WISHES.json", required=True, help="what is to happen, and cameras")
    made.add_argument("--vary", metavar="FILE.json", help="numbers of the scene that are searched too, by their keys")
    made.add_argument("-o", "--output", metavar="DIR", required=True, help="what is there of it already stays")
    made.add_argument("--keep", metavar="N", type=_whole(1, 1000), default=5, help="of the best (5)")
    _add_files(made)
    _add_farm(made)
    made.add_argument("--task", metavar="N", type=_whole(0, 10**7), help="makes the take of this number only, from 0")
    made = command(breed)
    made.add_argument("mother", metavar="MOTHER", help="a preset's name or a path")
    made.add_argument("father", metavar="FATHER", help="likewise")
    made.add_argument("-o", "--output", metavar="DIR", required=True)
    made.add_argument("--children", metavar="N", type=_whole(1, 10_000), default=9, help="how many (9)")
    made.add_argument("--seed", metavar="S", type=_whole(0, 2**30), default=0, help="of the first; others follow (0)")
    made.add_argument("--mutation", metavar="F", type=_real(0.0, 20.0, ""), default=1.0, help="factor on it (1)")
    made.add_argument("--name", metavar="STEM", help="of their files; the parents' names if left out")
    made = command(evolve)
    made.add_argument("plan", metavar="EVOLUTION.json", help="species, task, population, seed and what else is said")
    made.add_argument("-o", "--output", metavar="DIR", required=True, help="what is there of it already stays")
    made.add_argument("--generations", metavar="N", type=_whole(1, 100_000), required=True, help="how many are bred")
    _add_farm(made)
    made = command(capture)
    made.add_argument("species", metavar="SPECIES", help="a preset's name or a path")
    made.add_argument("-o", "--output", metavar="FILE.npz", required=True)
    made = command(follow)
    made.add_argument("tracks", metavar="TRACKS.csv", help="where fishes were: columns frame, id, x, y and perhaps z")
    made.add_argument("-o", "--output", metavar="REC.npz", required=True)
    made.add_argument("--species", metavar="NAME", required=True, help="a preset's name or a path")
    _add_tracks(made, _real(0.001, 100, "m"))
    made.add_argument("--seed", metavar="S", type=_whole(0, 2**63 - 1), help="of their looks (0)")
    made = command(fit)
    made.add_argument("tracks", metavar="TRACKS.csv", help="where fishes were, seen from above: frame, id, x, y")
    made.add_argument("-o", "--output", metavar="NAME.json", required=True, help="the species; NAME.html beside it")
    made.add_argument("--species", metavar="NAME", required=True, help="that it begins with: a preset's name or a path")
    _add_tracks(made, _real(0.01, 20, "m"))
    about = "X,Y,RADIUS of a round tank, or X,Y,X,Y of two corners, in the table's units; around all if left out"
    made.add_argument("--arena", metavar="N,..", type=_numbers(1e9), default=(), help=about)
    about = "of 16 species each (40)"
    made.add_argument("--generations", metavar="N", type=_whole(0, 100_000), default=40, help=about)
    made.add_argument("--seed", metavar="S", type=_whole(0, 2**30), help="of the search (0)")
    _add_farm(made)
    made = command(export)
    made.add_argument("source", metavar="BAKE.blend|REC.npz", help="a bake of the form mesh, or a recording")
    made.add_argument(
        "-o", "--output", metavar="OUT", required=True, help=".abc, .usdc, .usdz, .usda, .glb or .fbx; or tracks"
    )
    made.add_argument("--frames", metavar="A-B", type=_span, help="first and last frame; all of the film if left out")
    made.add_argument("--select", metavar="NAME", default="all", help="a fish, or a species' collection (all)")
    made.add_argument("--scale", metavar="F", type=_real(1e-6, 1e6, ""), default=1.0, help="factor on lengths (1)")
    made.add_argument("--axis", choices=("Y", "Z"), help="which points up; the format's own if left out")
    made.add_argument("--no-textures", action="store_true", help="paint no pictures of materials")
    made.add_argument("--scene", metavar="NAME", help="a scene of the .blend; the one it was saved with if left out")
    made = command(loop)
    made.add_argument("species", metavar="SPECIES", help="a preset's name or a path")
    made.add_argument("-o", "--output", metavar="FILE", required=True, help=".blend, .glb, .fbx, .usdc, .usdz or .abc")
    made.add_argument("--gait", choices=LOOP_GAITS, default="swim", help="what it does (swim); all in a .blend or .glb")
    made.add_argument(
        "--fps", metavar="F", type=_real(1, 240, "frames a second"), default=24.0, help="of the loop (24)"
    )
    made = command(assets)
    made.add_argument("-o", "--output", metavar="DIR", required=True, help="files of the same names are replaced")
    about = "makes this file only, and may be given again; all if left out"
    made.add_argument("--only", metavar="KIND", choices=ASSET_KINDS, action="append", help=about)
    made = command(adopt)
    made.add_argument("model", metavar="MODEL", help=".obj, .glb, .gltf, .fbx or .blend")
    made.add_argument("-o", "--output", metavar="FISH.json", required=True, help="the species, named after the file")
    made.add_argument("--axis", metavar="A", choices=MODEL_AXES, default="", help="where its nose points (guessed)")
    made.add_argument("--length", metavar="M", type=_real(0.01, 20, "m"), help="from nose to tail (the model's own)")
    made = command(bake)
    made.add_argument("source", metavar="SCENE|REC.npz", help="a preset's name, a path, or a recording")
    made.add_argument("-o", "--output", metavar="OUT.blend", required=True)
    _add_simulation(made)
    forms = "points", "compact", "mesh", "cache", "crowd"
    made.add_argument("--form", choices=forms, default="points", help="what is keyed (points)")
    made.add_argument("--drive", choices=("armature", "shapes"), default="armature", help="of a mesh (armature)")
    made.add_argument("--stretch-free", action="store_true", help="bones keep their places on one another")
    made.add_argument(
        "--heroes", metavar="N", type=_whole(0, 1000), default=0, help="with a crowd, surfaces nearby (0)"
    )
    made.add_argument(
        "--tolerance", metavar="T", type=_real(0, 0.999, "lengths"), default=0.002, help="lengths (0.002)"
    )
    made = command(render)
    made.add_argument("blend", metavar="OUT.blend")
    made.add_argument("-o", "--output", metavar="DIR", required=True)
    made.add_argument("--frames", metavar="A-B", type=_span, help="first and last frame; all of the film if left out")
    made.add_argument("--samples", metavar="N", type=_whole(1, 1_000_000), help="rays a pixel")
    made.add_argument("--size", metavar="WxH", type=_size, help="width and height in pixels")
    made.add_argument("--still", metavar="FILE.png", help="renders the one picture that shows most")
    about = "pictures of so long about that which shows most, beside --still if that is given; not with --frames"
    made.add_argument("--seconds", metavar="N", type=_real(0.01, 36_000, "s"), help=about)
    made.add_argument("--movie", metavar="FILE.mp4", help="also joins the pictures into a movie")
    made.add_argument("--scene", metavar="NAME", help="a scene of the .blend; the one it was saved with if left out")
    made = command(film)
    made.add_argument("film", metavar="NAME", help="a preset's name or a path")
    made.add_argument("-o", "--output", metavar="DIR", required=True, help="what is there of it already stays")
    made.add_argument("--quality", choices=("draft", "final"), default="draft", help="of the pictures (draft)")
    made.add_argument("--shots", metavar="A-B", type=_span, help="first and last shot; all if left out")
    made.add_argument("--stills", action="store_true", help="only the middle picture of each shot: a storyboard")
    about = "makes only the Kth of N parts of each shot's pictures, and no movie; 0/N only bakes"
    made.add_argument("--part", metavar="K/N", type=_part, help=about)
    _add_farm(made)
    made = command(dataset)
    made.add_argument("scene", metavar="SCENE", help="a preset's name or a path")
    made.add_argument("-o", "--output", metavar="DIR", required=True, help="what is there of it already stays")
    made.add_argument("--seeds", metavar="A-B", default="0", help="a film for each of them, as in 0-99 (0)")
    made.add_argument("--frames", metavar="A-B", type=_span, help="first and last frame; all of the film if left out")
    made.add_argument("--every", metavar="N", type=_whole(1, MOST_FRAMES), default=12, help="frames to the next (12)")
    made.add_argument("--cameras", metavar="FILE.json", help="cameras and rigs; the scene's own camera if left out")
    made.add_argument("--vary", metavar="FILE.json", help="what differs from film to film, by keys")
    made.add_argument("--size", metavar="WxH", type=_size, help="width and height in pixels (640x360)")
    made.add_argument("--samples", metavar="N", type=_whole(1, 1_000_000), default=16, help="rays a pixel (16)")
    made.add_argument("--format", metavar="NAMES", default="coco,mot,yolo", help="files for readers (coco,mot,yolo)")
    _add_files(made)
    _add_farm(made)
    made = command(learn)
    made.add_argument("species", metavar="SPECIES", help="a preset's name or a path")
    made.add_argument("--task", choices=LEARNED_TASKS, required=True, help="what is practised; all makes a controller")
    made.add_argument("-o", "--output", metavar="FILE.json", required=True)
    made.add_argument("--seconds", metavar="N", type=_real(0.1, 1e6, "s"), help="of practice (60, without --steps)")
    made.add_argument("--steps", metavar="N", type=_whole(1, 10**9), help="of the search, from its beginning")
    made.add_argument("--method", choices=("annealing", "cma"), default="cma", help="of the search (cma)")
    made.add_argument("--candidates", metavar="N", type=_whole(1, 1024), default=64, help="side by side (64)")
    made.add_argument("--seed", metavar="S", type=_whole(0, 2**63 - 1), help="of the search (0)")
    about = "writes the controller, of swim and all, to this new file as well"
    made.add_argument("--save-controller", "--controller", dest="controller", metavar="FILE.json", help=about)
    made.add_argument("--goal", metavar="N,..", type=_numbers(1e3), default=(), help="lengths, or lengths a second")
    _add_farm(made)
    command(bench)
    return parser


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--frames", metavar="N", type=_whole(1, MOST_FRAMES), help="the scene's duration if left out")
    parser.add_argument("--seed", metavar="S", type=_whole(0, 2**63 - 1), help="another seed, other fishes (0)")
    _add_files(parser)


def _add_files(parser: argparse.ArgumentParser) -> None:
    about = "a folder from which the scene may name .obj files, beside its own; may be given again"
    parser.add_argument("--files-from", metavar="DIR", action="append", default=[], help=about)


def _add_farm(parser: argparse.ArgumentParser) -> None:
    about = "local for Dask on this machine, or tcp://HOST:PORT of a Dask scheduler"
    parser.add_argument("--on", metavar="ENGINE", help=about)
    parser.add_argument("--workers", metavar="N", type=_whole(1, 1024), help="processes (as many as processors)")


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,19}", word) or not low <= int(word) <= high:
            raise argparse.ArgumentTypeError(f"found {word!r}, allowed a whole number from {low} to {high}")
        return int(word)

    return read


def _add_tracks(made: argparse.ArgumentParser, length: Callable[[str], float]) -> None:
    """Adds how a table of tracks is to be read, and the length of a body, which `length` reads."""
    rate = _real(1, 100_000, "frames a second")
    made.add_argument("--fps", metavar="F", type=rate, required=True, help="of the tracks")
    made.add_argument("--y-down", action="store_true", help="y counts down, as in the pixels of a picture")
    made.add_argument("--scale", metavar="M", type=_real(1e-9, 1e6, "m"), default=1.0, help="metres in a unit (1)")
    made.add_argument("--length", metavar="M", type=length, help="of a body; the species' if left out")


def _real(least: float, most: float, unit: str) -> Callable[[str], float]:
    """A parser of numbers within a range."""

    def read(word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"found {word!r}, allowed a number from {least:g} to {most:g} {unit}")
        return value

    return read


def _numbers(most: float) -> Callable[[str], tuple[float, ...]]:
    def read(word: str) -> tuple[float, ...]:
        return tuple(_real(-most, most, "")(part) for part in word.split(","))

    return read


def _span(word: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,7})(?:-([0-9]{1,7}))?", word)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if first > last:
        raise argparse.ArgumentTypeError(f"found {word!r}, allowed A-B with A up to B, as in 1-24")
    return first, last


def _part(word: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", word)
    number, count = (int(match[1]), int(match[2])) if match else (1, 0)
    if number > count:
        raise argparse.ArgumentTypeError(f"found {word!r}, allowed K/N with K up to N, as in 1/4")
    return number, count


def _size(word: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", word)
    width, height = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (4 <= width <= 65536 and 4 <= height <= 65536):
        raise argparse.ArgumentTypeError(f"found {word!r}, allowed WxH in pixels, as in 960x540")
    return width, height


if __name__ == "__main__":
    command_line()
