"""Bringing two events together in time: the panel's settings as cues of the simulation, and its answer as objects.

Nothing heavy is loaded with this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.background import at, in_thread, saying
from ..blender.jobs import Outcome
from . import markers

if TYPE_CHECKING:
    from collections.abc import Generator

    from ...core.studio.synchronising import Synchronised
    from ..scene.reader import Reading

ROUNDS = 8
"""How often the scene is run at most."""


class GivenUp(Exception):
    """Nobody waits for the answer any more."""


def obstacle(scene: bpy.types.Scene) -> str:
    """What keeps two things from being brought together, in a sentence; "" if nothing does."""
    asked = scene.artfish.sync
    if not any(thing.artfish.kind == "SHOAL" for thing in scene.objects):
        return "Add fishes first"
    for word, cue in (("first", asked.first), ("second", asked.second)):
        if cue.kind != "event" and (cue.fishes is None or cue.place is None):
            return f"Choose which shoal passes what place as the {word} thing"
    if asked.first.start is None and asked.second.start is None:
        return "Choose what may begin at another time, for one of the two at least"
    return ""


def steps(scene: bpy.types.Scene) -> Generator[tuple[float, str], None, Outcome]:
    """Run the scene ahead, and shift the times of its objects until both things happen together.

    Raises:
        SceneError: The scene, or what is asked, is not as it must be.
    """
    yield 0.0, "Reading the scene"
    from ...core.studio.synchronising import synchronise
    from ..scene.reader import draft

    markers.follow(scene)
    held = draft(scene)
    reading = held.read((yield from at(0.0, saying("Reading the scene", in_thread(held.form)))))
    cues = {name: _cue(getattr(scene.artfish.sync, name), reading) for name in ("first", "second")}
    asked = {**cues, "later": _rounded(scene.artfish.sync.later), "tolerance": _rounded(scene.artfish.sync.tolerance)}
    far: list[tuple[int, float]] = [(1, 0.0)]
    awaited = [True]

    def progress(count: int, seconds: float) -> None:
        if not awaited:
            raise GivenUp
        far[0] = (count, seconds)

    seed, lasts = scene.artfish.seed, reading.scene.duration
    work = in_thread(lambda: synchronise(reading.scene, asked, seed, ROUNDS, reading.models, progress, scene.name))
    try:
        while True:
            next(work)
            count, seconds = far[0]
            share = (count - 1 + seconds / lasts) / ROUNDS
            yield min(share, 1.0), f"Run {count}, {seconds:.0f} s of {lasts:.0f} s"
    except StopIteration as end:
        found: Synchronised = end.value
    finally:
        awaited.clear()
        work.close()
    starts = [start for cue in cues.values() for start in cue["starts"]]
    changed = _apply(scene, reading, found, starts)
    return Outcome(found.summary(), changed, warning=not found.done)


def _cue(cue: Any, reading: Reading) -> dict[str, Any]:
    """One of the two things as JSON holds it."""
    from ...core.base.codec import SceneError

    moment: dict[str, Any] = {"kind": cue.kind}
    if cue.kind == "event":
        moment["event"] = cue.event
        if cue.event == "courtship" and cue.stage != "ANY":
            moment["stage"] = cue.stage
    else:
        place = cue.place.matrix_world
        moment["at"] = [_rounded(x) for x in place.translation - reading.origin]
        if cue.kind == "passes":
            moment["radius"] = _rounded(cue.radius)
        else:
            moment["direction"] = [_rounded(x) for x in place.to_quaternion() @ _up()]
    if cue.fishes is not None:
        if cue.fishes not in reading.shoals:
            raise SceneError(f"{cue.fishes.name}, which is no shoal of this scene", "one that is", key="Synchronise")
        moment["fishes"] = reading.shoals.index(cue.fishes)
    return {"moment": moment, "starts": _starts(cue, reading)}


def _up() -> Any:
    from mathutils import Vector

    return Vector((0.0, 0.0, 1.0))


def _starts(cue: Any, reading: Reading) -> list[str]:
    """What may begin at another time, in the words of the simulation."""
    from ...core.base.codec import SceneError

    thing = cue.start
    if thing is None:
        return []
    rows = {key: [row for row, each in enumerate(held) if each == thing] for key, held in reading.objects.items()}
    if thing.artfish.kind == "HOOK":
        return ["hook.start"]
    if thing.artfish.kind == "SHOAL" and not cue.wants:
        return [f"fishes[{row}].enters" for row in rows.get("fishes", ())]
    key = {"SHOAL": "wants", "DIRECTION": "direction", "EVENT": "events"}.get(thing.artfish.kind, "")
    found = [f"{key}[{row}]" + ".time" * (key == "events") for row in rows.get(key, ())]
    if not found:
        what = "no wants" if key == "wants" else "nothing that begins"
        raise SceneError(what, "a shoal that enters, keyed wants, a direction or an event", key=thing.name)
    return found


def _apply(scene: bpy.types.Scene, reading: Reading, found: Synchronised, starts: list[str]) -> bool:
    """Shift the times of objects as the answer has them; whether anything changed."""
    from ...core.studio.synchronising import begins

    shifted: dict[tuple[bpy.types.Object | None, str], float] = {}
    for start in starts:
        by = begins(found.scene, start) - begins(reading.scene, start)
        section, _, row = start.partition(".")[0].rstrip("]").partition("[")
        thing = None if section == "hook" else reading.objects[section][int(row)]
        shifted[thing, section] = by
    fps = reading.scene.fps
    for (thing, section), by in shifted.items():
        if abs(by) < 1e-6:
            continue
        if section == "hook":
            hook = next(each for each in scene.objects if each.artfish.kind == "HOOK")
            hook.artfish.hook.start += by
        elif thing is not None and section == "fishes":
            thing.artfish.shoal.enters += by
        elif thing is not None and section == "events":
            getattr(thing.artfish, thing.artfish.event).time += by
        elif thing is not None:
            _shift(thing, section, by * fps, by)
    return any(abs(by) >= 1e-6 for by in shifted.values())


def _shift(thing: bpy.types.Object, section: str, frames: float, seconds: float) -> None:
    """Let the keys of a direction or of wants come later."""
    from ..blender.versions import channelbags

    paths = ("artfish.wants.",) if section == "wants" else ("artfish.direction.", "location")
    for bag in channelbags(thing):
        for curve in bag.fcurves:
            if curve.data_path.startswith(paths):
                for key in curve.keyframe_points:
                    key.co.x += frames
                    key.handle_left.x += frames
                    key.handle_right.x += frames
                curve.update()
    if section == "wants":
        if thing.artfish.wants.use_until:
            thing.artfish.wants.until = round(thing.artfish.wants.until + frames)
    elif thing.artfish.direction.kind == "curve":
        thing.artfish.curve.start += seconds


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")
