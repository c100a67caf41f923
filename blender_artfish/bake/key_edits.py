"""The list of edits done to the keys of a fish; its keys as baked are kept beside, and come back to the bit.

The keys in the film are made of those as baked: first the path is nudged, then all keys go together to their times in
the film, with the stops among them. Handles move with their keys, and the property that says how fast the fish swims
goes with the speed. Keys that were changed, added or moved by hand are taken along: they count as baked from then on,
but for those within a stop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from typing import Any

import bpy
import numpy as np

from .holding import CurvePart, in_film, with_stops
from .key_table import NO_KEY, Curves, KeyTable, curves_of
from .nudging import LEAST_FALLOFF, Nudge, moved, nudged
from .timing import CLOSE, FASTEST, LEAST_HOLD, SLOWEST, Course, Hold, Timing
from .whole_fish import AS_BAKED, RETIMED

HOLDS, NUDGES = "artfish_holds", "artfish_nudges"
"""Properties of an action: moment and frames of each hold; moment, falloff and move of each nudge."""
MOMENT_PATH = "frame"
"""Data path of the moment at which a cache is read."""
PACE = '["speed"]'
"""Data path of values that are a speed."""
RIDE_PATHS = {
    *("location", "rotation_quaternion", "rotation_euler"),
    *('pose.bones["root"].location', 'pose.bones["root"].rotation_quaternion'),
}
"""Data paths of place and heading, on the object that carries a fish."""
PLACE_PATHS = ('pose.bones["root"].location', "location")
"""Data paths of its place; the first that is there counts."""
MOST_WRITTEN = 200
"""Most actions whose keys are remembered as they were written, some 200 kB each."""


@dataclass(frozen=True)
class KeyEdits:
    """Edits of the keys of an action.

    Attributes:
        timing: Delay and speed.
        holds: Stops.
        nudges: Bumps of the path.
    """

    timing: Timing = field(default_factory=Timing)
    holds: tuple[Hold, ...] = ()
    nudges: tuple[Nudge, ...] = ()

    @property
    def course(self) -> Course:
        """The course of the motion in the film."""
        return Course.of(self.timing, self.holds)

    @property
    def as_baked(self) -> bool:
        """True if nothing is done."""
        return self.timing.as_baked and not self.holds and not self.nudges


@dataclass(frozen=True)
class _Written:
    """The work of edits on an action.

    Attributes:
        edits: The edits.
        made: Its keys since then.
        plain: The session number of the action that has the keys as baked.
        table: Those keys.
    """

    edits: KeyEdits
    made: KeyTable
    plain: int
    table: KeyTable


_written: dict[int, _Written] = {}
"""The same by the session numbers of actions, the last one last."""


def timing_of(action: bpy.types.Action | None) -> Timing:
    """The timing of an action relative to its bake."""
    read = _numbers(action, RETIMED, 3)
    if len(read) != 1:
        return Timing()
    frames, speed, first = read[0]
    return Timing(frames, min(max(speed, SLOWEST), FASTEST), first)


def edits_of(action: bpy.types.Action | None) -> KeyEdits:
    """The edits that were done to the keys of an action."""
    holds = [Hold(moment, max(frames, LEAST_HOLD)) for moment, frames in _numbers(action, HOLDS, 2)]
    nudges = [
        Nudge(moment, max(falloff, LEAST_FALLOFF / FASTEST), (x, y, z))
        for moment, falloff, x, y, z in _numbers(action, NUDGES, 5)
    ]
    return KeyEdits(timing_of(action), tuple(holds), tuple(nudges))


def _numbers(action: bpy.types.Action | None, mark: str, each: int) -> list[tuple[float, ...]]:
    """Numbers that a property of an action holds, so many a row; none if they were overwritten."""
    said = None if action is None else action.get(mark)
    try:
        numbers = [float(number) for number in said] if said is not None else []
    except (TypeError, ValueError):
        return []
    if len(numbers) % each or not all(map(isfinite, numbers)):
        return []
    return [tuple(numbers[begin : begin + each]) for begin in range(0, len(numbers), each)]


def first_frame(action: bpy.types.Action) -> float:
    """The first frame of an action's motion as baked."""
    timing = timing_of(action)
    plain = action.get(AS_BAKED)
    if not timing.as_baked:
        return timing.first
    source = plain if isinstance(plain, bpy.types.Action) else action
    return float(ceil(source.curve_frame_range[0]))


def rekey(action: bpy.types.Action, new: KeyEdits, carrier: int | None) -> None:
    """Make the keys of an action anew.

    Args:
        action: The action.
        new: What is done to its keys as baked.
        carrier: Handle of the slot that moves the fish as a whole; None if it is in another action.
    """
    now = edits_of(action)
    if now == new:
        return
    plain, curves = action.get(AS_BAKED), curves_of(action)
    if not isinstance(plain, bpy.types.Action):
        plain = action.copy()
        plain.name = f"{action.name} as baked"
        table, ours = KeyTable.read(curves), curves
    elif (same := _unchanged(action, plain, curves, now)) is not None:
        table, ours = same, {name: curves[name] for name in same.names}
    else:
        kept = curves_of(plain)
        ours = {name: curve for name, curve in curves.items() if name in kept}
        known = {name: kept[name] for name in ours}
        table = _absorb(ours, KeyTable.read(known), known, now, carrier)
    made = shown(table, new, carrier)
    made.write(ours)
    _remember(action, _Written(new, made, plain.session_uid, table))
    theirs = {name: curve for name, curve in curves.items() if name not in ours}
    if theirs:
        _along(KeyTable.read(theirs), now.course, new.course).write(theirs)
    _sign(action, plain, new)
    action.update_tag()


def shown(table: KeyTable, edits: KeyEdits, carrier: int | None) -> KeyTable:
    """The keys in the film, from those as baked."""
    parts, course = parts_of(table, carrier), edits.course
    place = place_of(table, carrier)
    if edits.nudges and len(place):
        table = nudged(table, edits.nudges, place)
    found = in_film(table, course)
    if edits.timing.speed != 1.0:
        points = found.points.copy()
        fast = (parts == CurvePart.PACE)[found.curve]
        points[fast, :, 1] *= np.float32(edits.timing.speed)
        found = found.with_points(points)
    return with_stops(table, found, course, parts) if course.stops else found


def parts_of(table: KeyTable, carrier: int | None) -> np.ndarray:
    """The part that each curve moves, (curves,)."""
    found = []
    for slot, path, _ in table.names:
        if path == PACE:
            found.append(CurvePart.PACE)
        elif path == MOMENT_PATH:
            found.append(CurvePart.MOMENT)
        elif (path.startswith("[") and path != '["bend"]') or (slot == carrier and path in RIDE_PATHS):
            found.append(CurvePart.RIDE)
        else:
            found.append(CurvePart.BODY)
    return np.array(found, dtype=int)


def place_of(table: KeyTable, carrier: int | None) -> np.ndarray:
    """The curves of a fish's place along x, y and z, (3,); none if they are not all there."""
    rows = {name: row for row, name in enumerate(table.names)}
    for path in PLACE_PATHS:
        found = [rows.get((carrier, path, axis)) for axis in range(3)]
        if None not in found:
            return np.array(found)
    return np.zeros(0, dtype=int)


def _remember(action: bpy.types.Action, written: _Written) -> None:
    """Remember what edits have written, by which keys that nobody has changed since are known at once."""
    _written.pop(action.session_uid, None)
    while len(_written) >= MOST_WRITTEN:
        del _written[next(iter(_written))]
    _written[action.session_uid] = written


def _unchanged(action: bpy.types.Action, plain: bpy.types.Action, curves: Curves, now: KeyEdits) -> KeyTable | None:
    """The keys as baked, if the last edits were the present ones and nobody has changed a key since; else None."""
    last = _written.get(action.session_uid)
    if last is None or last.edits != now or last.plain != plain.session_uid or not curves.keys() >= {*last.made.names}:
        return None
    here = KeyTable.read({name: curves[name] for name in last.made.names}, shaped=False)
    return last.table if here.matches(last.made).all() else None


def _absorb(curves: Curves, plain: KeyTable, kept: Curves, now: KeyEdits, carrier: int | None) -> KeyTable:
    """The keys as baked, with those that were changed by hand since, which are kept as such."""
    here, was = KeyTable.read(curves, shaped=False), shown(plain, now, carrier)
    by_hand = np.flatnonzero(~here.matches(was))
    if not len(by_hand):
        return plain
    place = place_of(plain, carrier)
    axes = {int(row): axis for axis, row in enumerate(place)}
    pace = parts_of(plain, carrier) == CurvePart.PACE
    here, parts = KeyTable.read(curves), []
    for row in range(len(plain.names)):
        only = np.array([row])
        own = plain.of(only)
        if row in by_hand:
            axis = axes.get(row)
            speed = now.timing.speed if pace[row] else 1.0
            own = _taken_back(here.of(only), was.of(only), own, now, axis, speed, int(plain.begins[row]))
            own.write({own.names[0]: kept[own.names[0]]})
        parts.append(own)
    return _joined(parts)


def _taken_back(
    here: KeyTable, was: KeyTable, plain: KeyTable, now: KeyEdits, axis: int | None, speed: float, begin: int
) -> KeyTable:
    """One curve as it would be without the edits, where it was changed by hand.

    Args:
        here: Its keys now.
        was: Its keys as they would be if nobody had changed them.
        plain: Its keys as baked.
        now: The edits.
        axis: The axis of the place that it moves, if it does.
        speed: Factor of its values.
        begin: The number of its first key in `was.origin`.
    """
    course = now.course
    times = course.baked(here.points[:, 0, 0])
    stay = ~_within(course, here.points[:, 0, 0])
    earlier = {float(time): key for key, time in enumerate(was.points[:, 0, 0])}
    points = here.points.astype(float)
    late = points[:, 0, 0] - course.timing.shift(times)
    for part in range(3):
        at = course.timing.shift_back(points[:, part, 0] - late)
        if axis is not None and now.nudges:
            points[:, part, 1] -= moved(now.nudges, at, np.full(len(at), axis))
        points[:, part] = np.stack([at, points[:, part, 1] / speed], axis=1)
    added = np.zeros(len(points), dtype=bool)
    for key, time in enumerate(here.points[:, 0, 0]):
        old = earlier.get(float(time))
        if old is None:
            continue
        origin = was.origin[old]
        if origin == NO_KEY:
            added[key] = True
            continue
        same = here.points[key] == was.points[old]
        points[key] = np.where(same, plain.points[origin - begin], points[key])
    stay &= ~(added & _unmoved(here, was, earlier))
    lost = ~np.isin(np.arange(len(plain.points)), was.origin - begin)  # where edits have put other keys
    gaps = np.abs(plain.points[:, 0, 0][:, None] - points[stay][None, :, 0, 0])
    lost &= gaps.min(axis=1, initial=np.inf) > CLOSE
    every = np.concatenate([points[stay].astype(np.float32), plain.points[lost]])
    shapes = np.concatenate([here.shapes[stay], plain.shapes[lost]])
    order = np.argsort(every[:, 0, 0], kind="stable")
    return KeyTable(here.names, np.array([len(every)]), every[order], shapes[order], np.arange(len(every)))


def _unmoved(here: KeyTable, was: KeyTable, earlier: Mapping[float, int]) -> np.ndarray:
    """Keys of a curve that are as they were made, (keys,) bool."""
    found = [earlier.get(float(time)) for time in here.points[:, 0, 0]]
    alike = [
        key is not None and bool((here.points[row, 0] == was.points[key, 0]).all()) for row, key in enumerate(found)
    ]
    return np.array(alike, dtype=bool)


def _within(course: Course, times: np.ndarray) -> np.ndarray:
    """True for times in the film at which a fish slows down, stops or gets going."""
    found = np.zeros(times.shape, dtype=bool)
    for stop in course.stops:
        begin, end = stop.window
        found |= (times > begin - CLOSE) & (times < end + CLOSE)
    return found


def _along(table: KeyTable, now: Course, new: Course) -> KeyTable:
    """Keys of curves that an artist has added, from one course to another."""
    points, times = table.points.astype(float), now.baked(table.points[:, 0, 0])
    shift = new.film(times) - table.points[:, 0, 0]
    ratio = now.timing.speed / new.timing.speed
    for part in (2, 1, 0):
        points[:, part, 0] = table.points[:, 0, 0] + shift + ratio * (points[:, part, 0] - points[:, 0, 0])
    return replace(table, points=points.astype(np.float32))


def _joined(tables: Sequence[KeyTable]) -> KeyTable:
    """The tables of single curves as one."""
    counts = np.array([int(table.counts[0]) for table in tables])
    points = np.concatenate([table.points for table in tables])
    shapes = np.concatenate([table.shapes for table in tables])
    return KeyTable(tuple(table.names[0] for table in tables), counts, points, shapes, np.arange(len(points)))


def _sign(action: bpy.types.Action, plain: bpy.types.Action, new: KeyEdits) -> None:
    """Write on an action what was done to its keys."""
    timing = new.timing
    marks: dict[str, Any] = {
        RETIMED: None if timing.as_baked else [timing.frames, timing.speed, timing.first],
        HOLDS: [number for hold in new.holds for number in (hold.moment, hold.frames)],
        NUDGES: [number for each in new.nudges for number in (each.moment, each.falloff, *each.move)],
        AS_BAKED: None if new.as_baked else plain,
    }
    for mark, value in marks.items():
        if value:
            action[mark] = value
        elif mark in action.keys():  # noqa: SIM118
            del action[mark]
    if new.as_baked and plain.users == 0:
        bpy.data.actions.remove(plain)
