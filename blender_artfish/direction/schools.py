"""Schools as one: an empty's place, size, proportions and turn are a school's, and may be keyed.

Half the empty's size along its axes is half the school's length, width and height; its X axis is where its length
points.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import asin, atan2, pi
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ...core.base.keys import at_time
from ..blender.keyframes import Moves, basis, moves
from ..identity.film_time import Clock
from ..identity.keyed import curve_frames, thinned, write_keys
from ..identity.precision import short
from ..identity.roles import world
from ..identity.units import extent_of, metres, set_extent

SPREAD_NUMBERS = "radius", "elongation", "flatness"
"""Numbers that an empty's scale says."""
POINTING_NUMBERS = "turn", "climb"
"""Numbers that its rotation says."""
ROUND_PARTS = 1e-4
"""Parts by which a school may be long or flat and still be a ball."""


def read_spread(obj: bpy.types.Object, unit: float, clock: Clock) -> dict[str, Any]:
    """The radius, proportions and turn of an empty's school, for an entry of a scene's direction.

    Args:
        obj: The empty.
        unit: Metres in a unit of the scene.
        clock: The film's clock.
    """
    moved = moves(obj)
    scaled = {path: curve for path, curve in moved.items() if path[0] == "scale"}
    turned = {path: curve for path, curve in moved.items() if path[0].startswith("rotation")}
    entry: dict[str, Any] = {}
    for names, curves in ((SPREAD_NUMBERS, scaled), (POINTING_NUMBERS, turned)):
        frames = sorted({frame for curve in curves.values() for frame in curve_frames(curve)})
        rows = [
            [clock.seconds(frame), *row]
            for frame, row in zip(frames or [0.0], _rows(obj, unit, names, moved, frames), strict=True)
        ]
        for at, name in enumerate(names, 1):
            keys = thinned([[row[0], short(row[at])] for row in rows])
            values = [value for _, value in keys]
            entry[name] = values[0] if max(values) - min(values) < ROUND_PARTS * max(abs(values[0]), 1.0) else keys
    return _needed(entry, obj.artfish.school.headed)


def _rows(
    obj: bpy.types.Object, unit: float, names: tuple[str, ...], moved: Moves, frames: list[float]
) -> Iterator[list[float]]:
    """The numbers of an empty's scale or rotation at frames, or in its present state if there are none."""
    above = world(obj.parent) @ obj.matrix_parent_inverse if obj.parent else Matrix()
    about = moved.get(("rotation_euler", 2))
    before = 0.0
    for frame in frames or [None]:
        matrix = world(obj) if frame is None else above @ basis(obj, moved, frame)
        if names == SPREAD_NUMBERS:
            length, width, height = (max(abs(part), 1e-6) for part in matrix.to_scale())
            across = (length * width * height) ** (1.0 / 3.0)
            yield [unit * extent_of(obj) * across, length / width, width / height]
            continue
        ahead = matrix.to_quaternion() @ Vector((1.0, 0.0, 0.0))
        turn = atan2(ahead.y, ahead.x)
        before = about.evaluate(frame) if about is not None and frame is not None else before  # in whole turns
        before = turn = turn + 2.0 * pi * round((before - turn) / (2.0 * pi))
        yield [turn, asin(min(max(ahead.z, -1.0), 1.0))]


def _needed(entry: dict[str, Any], headed: bool) -> dict[str, Any]:
    """The entry without what is said of every ball."""
    long = any(isinstance(entry[name], list) or abs(entry[name] - 1.0) > ROUND_PARTS for name in SPREAD_NUMBERS[1:])
    found = {"radius": entry["radius"]}
    found |= {name: entry[name] for name in SPREAD_NUMBERS[1:] if long}
    return found | {name: entry[name] for name in POINTING_NUMBERS if (long or headed) and entry[name]}


def write_spread(obj: bpy.types.Object, entry: dict[str, Any], clock: Clock) -> None:
    """Sizes and turns an empty as the school of an entry of a scene's direction, with their keys.

    Args:
        obj: The empty; no object of the scene is its parent.
        entry: The entry, as JSON.
        clock: The film's clock.
    """
    unit = next((metres(scene) for scene in obj.users_scene), 1.0)
    numbers = {"radius": 0.5, "elongation": 1.0, "flatness": 1.0, "turn": 0.0, "climb": 0.0}
    numbers |= {name: _pairs(entry[name]) for name in numbers if entry.get(name) is not None}
    set_extent(obj, at_time(numbers["radius"], -1e9) / unit)
    size = extent_of(obj)
    times = sorted(
        {t for name in SPREAD_NUMBERS for t, _ in (numbers[name] if isinstance(numbers[name], tuple) else ())}
    )
    rows = [(t, _axes(numbers, t, unit * size)) for t in times or [0.0]]
    obj.scale = rows[0][1]
    for axis in range(3) if times else ():
        write_keys(obj, "scale", [[t, axes[axis]] for t, axes in rows], clock, axis)
    for name, axis, sign in (("turn", 2, 1.0), ("climb", 1, -1.0)):
        keys = numbers[name]
        obj.rotation_euler[axis] = sign * at_time(keys, -1e9)
        if isinstance(keys, tuple):
            write_keys(obj, "rotation_euler", [[t, sign * value] for t, value in keys], clock, axis)


def _axes(numbers: dict[str, Any], t: float, unit: float) -> tuple[float, float, float]:
    """Half the length, width and height of a school at a time, in so many metres."""
    radius, long, flat = (at_time(numbers[name], t) for name in SPREAD_NUMBERS)
    width = (flat / long) ** (1.0 / 3.0) * radius / unit
    return width * long, width, width / flat


def _pairs(number: Any) -> Any:
    return tuple(tuple(row) for row in number) if isinstance(number, list) else number
