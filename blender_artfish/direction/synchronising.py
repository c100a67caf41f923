"""Bringing two events together in time: the panel's settings as cues of the simulation, and its answer as objects.

Nothing heavy is loaded with this module.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import bpy

from ..blender.background import GivenUp, in_thread
from ..blender.jobs import Job, JobOutcome, Steps
from ..blender.words import Message, translated
from ..identity.units import in_metres, metres
from . import markers

if TYPE_CHECKING:
    from ...core.studio.synchronising import Synchronised
    from ..scene.reader import Reading

ROUNDS = 8
"""Most runs of the scene."""


FIRST_LACKS: Message = "Choose which shoal passes what place as the first thing"
SECOND_LACKS: Message = "Choose which shoal passes what place as the second thing"
"""Demands of incomplete cues."""


def obstacle(scene: bpy.types.Scene) -> str:
    """The reason why two events cannot be brought together, in a sentence; "" if they can."""
    settings = scene.artfish.sync
    if not any(obj.artfish.kind == "SHOAL" for obj in scene.objects):
        return translated("Add fishes first")
    for line, cue in ((FIRST_LACKS, settings.first), (SECOND_LACKS, settings.second)):
        if cue.kind != "event" and (cue.fishes is None or cue.place is None):
            return translated(line)
    if settings.first.start is None and settings.second.start is None:
        return translated("Choose what may begin at another time, for one of the two at least")
    return ""


def synchronise_job(scene: bpy.types.Scene) -> Job[JobOutcome]:
    """Job that runs the scene ahead, and shifts the times of its objects until both cues happen together."""
    return Job(partial(_prepare, scene))


def _prepare(scene: bpy.types.Scene, job: Job[JobOutcome]) -> Steps[Callable[[], JobOutcome]]:
    """Search for the times.

    Raises:
        SceneError: The scene or the request is invalid.
    """
    job.text = "Reading the scene"
    yield
    from ...core.studio.synchronising import synchronise
    from ..scene.reader import draft

    markers.follow(scene)
    found = draft(scene)
    reading = found.read((yield from in_thread(found.form)))
    settings, seed, lasts = scene.artfish.sync, scene.artfish.seed, reading.scene.duration
    cues = {name: _cue(getattr(settings, name), reading, metres(scene)) for name in ("first", "second")}
    query = {**cues, "later": _rounded(settings.later), "tolerance": _rounded(settings.tolerance)}

    def progress(count: int, seconds: float) -> None:
        if job.cancelled:
            raise GivenUp
        share = (count - 1 + seconds / lasts) / ROUNDS
        job.advance(
            min(share, 1.0),
            translated("Run {count}, {seconds:.0f} s of {lasts:.0f} s", count=count, seconds=seconds, lasts=lasts),
        )

    with found.saying():
        answer = yield from in_thread(
            lambda: synchronise(reading.scene, query, seed, ROUNDS, reading.models, progress, scene.name)
        )
    starts = [start for cue in cues.values() for start in cue["starts"]]

    def shift() -> JobOutcome:
        changed = _apply(scene, reading, answer, starts)
        return JobOutcome(answer.summary(), changed, warning=not answer.done)

    return shift


def _cue(cue: Any, reading: Reading, unit: float) -> dict[str, Any]:
    """One of the two cues as JSON; a unit of the scene has so many metres."""
    from ...core.base.codec import SceneError

    moment: dict[str, Any] = {"kind": cue.kind}
    if cue.kind == "event":
        moment["event"] = cue.event
        if cue.event == "courtship" and cue.stage != "ANY":
            moment["stage"] = cue.stage
    else:
        place = in_metres(cue.place.matrix_world, unit)
        moment["at"] = [_rounded(x) for x in place.translation - reading.origin]
        if cue.kind == "passes":
            moment["radius"] = _rounded(cue.radius)
        else:
            moment["direction"] = [_rounded(x) for x in place.to_quaternion() @ _up()]
    if cue.fishes is not None:
        if cue.fishes not in reading.shoals:
            raise SceneError(
                translated("{name}, which is no shoal of this scene", name=cue.fishes.name),
                "one that is",
                key="Synchronise",
            )
        moment["fishes"] = reading.shoals.index(cue.fishes)
    return {"moment": moment, "starts": _starts(cue, reading)}


def _up() -> Any:
    from mathutils import Vector

    return Vector((0.0, 0.0, 1.0))


def _starts(cue: Any, reading: Reading) -> list[str]:
    """The cue's starts that may be shifted, as keys of the simulation."""
    from ...core.base.codec import SceneError

    obj = cue.start
    if obj is None:
        return []
    rows = {key: [row for row, each in enumerate(those) if each == obj] for key, those in reading.objects.items()}
    if obj.artfish.kind == "HOOK":
        return ["hook.start"]
    if obj.artfish.kind == "SHOAL" and not cue.wants:
        return [f"fishes[{row}].enters" for row in rows.get("fishes", ())]
    key = {"SHOAL": "wants", "DIRECTION": "direction", "EVENT": "events"}.get(obj.artfish.kind, "")
    found = [f"{key}[{row}]" + ".time" * (key == "events") for row in rows.get(key, ())]
    if not found:
        what: Message = "no wants" if key == "wants" else "nothing that begins"
        raise SceneError(what, "a shoal that enters, keyed wants, a direction or an event", key=obj.name)
    return found


def _apply(scene: bpy.types.Scene, reading: Reading, found: Synchronised, starts: list[str]) -> bool:
    """Shift the times of objects as found; returns whether anything changed."""
    from ...core.studio.synchronising import begins

    shifted: dict[tuple[bpy.types.Object | None, str], float] = {}
    for start in starts:
        by = begins(found.scene, start) - begins(reading.scene, start)
        section, _, row = start.partition(".")[0].rstrip("]").partition("[")
        obj = None if section == "hook" else reading.objects[section][int(row)]
        shifted[obj, section] = by
    fps = reading.scene.fps
    for (obj, section), by in shifted.items():
        if abs(by) < 1e-6:
            continue
        if section == "hook":
            hook = next(each for each in scene.objects if each.artfish.kind == "HOOK")
            hook.artfish.hook.start += by
        elif obj is not None and section == "fishes":
            obj.artfish.shoal.enters += by
        elif obj is not None and section == "events":
            getattr(obj.artfish, obj.artfish.event).time += by
        elif obj is not None:
            _shift(obj, section, by * fps, by)
    return any(abs(by) >= 1e-6 for by in shifted.values())


def _shift(obj: bpy.types.Object, section: str, frames: float, seconds: float) -> None:
    """Delay the keys of a direction or of wants."""
    from ..blender.versions import channelbags

    paths = ("artfish.wants.",) if section == "wants" else ("artfish.direction.", "location")
    for bag in channelbags(obj):
        for curve in bag.fcurves:
            if curve.data_path.startswith(paths):
                for key in curve.keyframe_points:
                    key.co.x += frames
                    key.handle_left.x += frames
                    key.handle_right.x += frames
                curve.update()
    if section == "wants":
        if obj.artfish.wants.use_until:
            obj.artfish.wants.until = round(obj.artfish.wants.until + frames)
    elif obj.artfish.direction.kind == "curve":
        obj.artfish.curve.start += seconds


def _rounded(number: float) -> float:
    return float(f"{number:.6g}")
