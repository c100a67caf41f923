"""Numbers that may be keyed: F-curves as pairs of seconds and value, linear in between, and back."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ..blender.versions import channelbag, channelbags
from .film_time import Clock
from .precision import short

BRIGHTNESS_PATH = "artfish.light.brightness"
LINE_ERROR = 1e-4
"""Largest distance, in value or metres, from the line between its neighbours at which a key is left out."""
STEP_FRAMES = 0.02
"""Frames between two keys that stand for a step: Blender merges closer keys."""
MOST_SKIPPED = 40
"""Most samples on one line left out between two: each is checked again with every further one."""


def read_keys(
    owner: bpy.types.ID,
    path: str,
    axis: int,
    value: float,
    clock: Clock,
    span: tuple[float, float] = (0.0, 1.0),
) -> float | list[list[float]]:
    """A number clamped to a span, or if it has an F-curve pairs of seconds and value."""
    for bag in channelbags(owner):
        curve = bag.fcurves.find(path, index=axis)
        if curve is not None and len(curve.keyframe_points) and not curve.mute:
            return thinned([[clock.seconds(at), _limited(value, span)] for at, value in curve_values(curve)])
    return _limited(value, span)


def curve_values(curve: bpy.types.FCurve) -> list[tuple[float, float]]:
    """Frames and values of a polyline equal to the curve; a step is two values at one frame."""
    keys, found = list(curve.keyframe_points), []
    for key, after in zip(keys, [*keys[1:], None], strict=True):
        here, value = float(key.co[0]), float(key.co[1])
        if after is not None and after.co[0] - here < 2 * STEP_FRAMES:
            here = float(after.co[0])
        found.append((here, value))
        if after is None or key.interpolation == "LINEAR" or here == after.co[0]:
            continue
        if key.interpolation == "CONSTANT":
            found.append((after.co[0], value))
            continue
        frame = int(here) + 1
        while frame < after.co[0]:
            found.append((float(frame), curve.evaluate(frame)))
            frame += 1
    return found


def curve_frames(curve: bpy.types.FCurve) -> list[float]:
    """Frames of such a polyline."""
    return [frame for frame, _ in curve_values(curve)]


def thinned(rows: list[list[float]]) -> list[list[float]]:
    """Rows of time and values without those that lie on the line between the kept ones."""
    kept, skipped = rows[:1], 0
    for row in range(1, len(rows) - 1):
        between = rows[row - skipped : row + 1]
        if skipped < MOST_SKIPPED and all(_on_line(kept[-1], one, rows[row + 1]) for one in between):
            skipped += 1
        else:
            kept.append(rows[row])
            skipped = 0
    return kept + rows[1:][-1:]


def _on_line(before: list[float], row: list[float], after: list[float]) -> bool:
    (t0, *v0), (t, *v), (t1, *v1) = before, row, after
    if t in (t0, t1):  # a step
        return False
    share = (t - t0) / (t1 - t0)
    return all(abs(a + share * (b - a) - c) <= LINE_ERROR for a, b, c in zip(v0, v1, v, strict=True))


def _limited(value: float, span: tuple[float, float]) -> float:
    return short(min(max(value, span[0]), span[1]))


def write_keys(
    owner: bpy.types.ID, path: str, number: float | Sequence[Sequence[float]], clock: Clock, axis: int = 0
) -> None:
    """Set a property, and key it with linear interpolation if it has keys."""
    holder, _, name = path.rpartition(".")
    group = owner.path_resolve(holder) if holder else owner
    first = number if isinstance(number, int | float) else number[0][1]
    if path not in ("location", "scale", "rotation_euler"):  # those are set as a whole
        setattr(group, name, first)
    if isinstance(number, int | float):
        return
    data = owner.animation_data
    action = data.action if data and data.action else bpy.data.actions.new(owner.name)
    curve = channelbag(action, owner).fcurves.new(path, index=axis)
    curve.keyframe_points.add(len(number))
    for key, after, (seconds, value) in zip(curve.keyframe_points, [*number[1:], None], number, strict=True):
        step = after is not None and after[0] - seconds < LINE_ERROR
        key.co = (clock.frame(seconds) - STEP_FRAMES * step, value)
        key.interpolation = "LINEAR"
    curve.update()
