"""Tables of tracks as programs out there write them, read line by line.

They differ in their text (UTF-8, UTF-16, or one byte a letter), in the ends of their lines, in what parts values and
decimals, in what stands where a fish was not seen, and in whether a frame is a number or a time.
"""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from ..base.codec import SceneError, shown
from ..scene.limits import FARTHEST

TRACK_COLUMNS = "frame", "id", "x", "y"
DEPTH_COLUMN = "z"
LATEST_TRACKED = 1e9
"""The last frame that a table may name."""
FEWEST_TIMES = 3
"""Times in seconds from which on their rate is known."""
NEAR_A_FRAME = 0.1
"""Frames by which times in seconds may miss whole ones."""
PICTURE_UNITS = 100.0
"""Size of places from which on a table without depth and with none below 0 is taken for pixels of a picture."""

_SEPARATORS = ",;\t"
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
_BLANK = re.compile(
    r"|[.?-]|--|n/?a|none|null|nil|missing|[+-]?(?:nan|inf|infinity)(?:\([a-z0-9_]*\))?|[+-]?1\.\#[a-z0-9]+",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True)
class Rows:
    """The lines of a table that say where a fish was.

    Attributes:
        frames: Frame of each, from 0 on.
        names: Name of the fish of each.
        places: Place of each, (x, y, z) in metres.
        flat: Whether the table has no depth.
        pictured: Whether places look like those in a picture, in which y counts down.
        rate: Frames a second, where frames were times in seconds; else None.
        notes: Notes for a person on the reading of the table, a line each.
    """

    frames: list[int]
    names: list[str]
    places: list[tuple[float, ...]]
    flat: bool
    pictured: bool
    rate: float | None
    notes: tuple[str, ...]


def decoded(content: bytes) -> str:
    """The text of a table, lines parted by a newline alone: UTF-8, UTF-16 with its mark, or else a letter a byte."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16", errors="replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")  # no byte is lost, so that no two names become one
    return text.replace("\r\n", "\n").replace("\r", "\n")


def rows_of(text: str, file: str, scale: float, fps: float | None, y_down: bool) -> Rows:
    """The rows of a table, line by line.

    Args:
        text: Text as `decoded` gives it.
        file: Name of the file in messages.
        scale: Metres in one of its units.
        fps: Frames a second, by which times in seconds become frames; where it is None, their own.
        y_down: Whether y counts down.

    Raises:
        SceneError: With the line, the column, what was found and what is allowed.
    """
    separator, lines = _separator(text), _lines(text, file)
    head = [name.strip().lower() for name in next(lines, (1, []))[1]]
    missing = [name for name in TRACK_COLUMNS if name not in head]
    if missing:
        found = ", ".join(head[:8]) or "no line"
        allowed = f"{', '.join(TRACK_COLUMNS)} and perhaps {DEPTH_COLUMN}"
        raise SceneError(f"columns {shown(found)}", allowed, "line 1", file)
    flat = DEPTH_COLUMN not in head
    at = [head.index(name) for name in (*TRACK_COLUMNS, *(() if flat else (DEPTH_COLUMN,)))]
    numbers, names, places, where = [], [], [], []
    for line, values in lines:
        if not any(values):
            continue
        if len(values) <= max(at):
            raise SceneError(f"{len(values)} values", f"one for each of {len(head)} columns", f"line {line}", file)
        frame, name, *place = (values[column].strip() for column in at)
        if any(_BLANK.fullmatch(value) for value in (name, *place)):
            continue
        if separator != ",":
            frame, *place = (value.replace(",", ".") for value in (frame, *place))
        own = [scale * _number(value, key, line, file) for key, value in zip("xyz", place, strict=False)]
        if max(map(abs, own)) > FARTHEST / 4:
            raise SceneError(f"{own[0]:g} m", f"within {FARTHEST / 4:g} m: is the scale right?", f"line {line}", file)
        number = _number(frame, "frame", line, file)
        if not 0 <= number <= LATEST_TRACKED:
            raise SceneError(shown(frame), "a whole number, 0 or more", f"line {line}: frame", file)
        numbers.append(number)
        names.append(name)
        places.append((*own, 0.0) if flat else tuple(own))
        where.append(line)
    if not numbers:
        raise SceneError("no place", "one line or more with a frame, an id, x and y", file=file)
    rate = _rate_of(numbers) if fps is None else fps
    frames, notes = _frames(numbers, where, file, rate)
    _refuse_twins(frames, names, where, file)
    most = _like_pixels(places, scale) if flat else 0.0
    notes += _sparse(frames)
    if most and not y_down:
        notes.append(_pictured(most))
    if y_down:
        places = [(x, -y, z) for x, y, z in places]
    return Rows(frames, names, places, flat, most > 0.0, rate if _are_times(numbers) else None, tuple(notes))


def _separator(text: str) -> str:
    """The separator of values: the one of comma, semicolon and tab that the first line has most of."""
    head = next((line for line in text.split("\n", 64)[:64] if line.strip()), "")
    return max(_SEPARATORS, key=head.count)


def _lines(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """The values of each line that has any, with its number."""
    table = csv.reader(io.StringIO(text), delimiter=_separator(text), strict=True)
    while True:
        begun = table.line_num + 1
        try:
            values = next(table, None)
        except csv.Error:
            allowed = "no quotation mark, or one on either side of a whole value"
            found = f"quotation marks that do not match, or more than {csv.field_size_limit()} characters in a value"
            raise SceneError(found, allowed, f"line {begun}", file) from None
        if values is None:
            return
        if values:
            yield begun, values


def _number(value: str, key: str, line: int, file: str) -> float:
    number = float(value) if _NUMBER.fullmatch(value) else math.nan
    if not math.isfinite(number):
        raise SceneError(shown(value), "a number", f"line {line}: {key}", file)
    return number


def _are_times(numbers: list[float]) -> bool:
    """True if frames are times in seconds."""
    return any(number != int(number) for number in numbers)


def _rate_of(numbers: list[float]) -> float | None:
    """Frames a second by which times in seconds are whole frames; None where they are none, or too few to say."""
    times = sorted(set(numbers))
    if not _are_times(numbers) or len(times) < FEWEST_TIMES:
        return None
    steps = sorted(after - before for before, after in pairwise(times))
    whole = times[-1] - times[0]
    return round(whole / steps[len(steps) // 2]) / whole


def _frames(numbers: list[float], lines: list[int], file: str, fps: float | None) -> tuple[list[int], list[str]]:
    """Whole frames, and notes on them; from times in seconds where they are that."""
    broken = next((row for row, number in enumerate(numbers) if number != int(number)), None)
    if broken is None:
        return [int(number) for number in numbers], []
    where, found = f"line {lines[broken]}: frame", f"{numbers[broken]:g}"
    if fps is None:
        raise SceneError(shown(found), "a whole number, 0 or more", where, file)
    first = min(numbers)
    frames = [(number - first) * fps for number in numbers]
    late = next((row for row, frame in enumerate(frames) if abs(frame - round(frame)) > NEAR_A_FRAME), None)
    if late is not None:
        allowed = f"whole numbers, or times in seconds that are {fps:g} a second (--fps)"
        raise SceneError(f"{numbers[late]:g}", allowed, f"line {lines[late]}: frame", file)
    if max(frames) > LATEST_TRACKED:
        raise SceneError(f"{max(numbers):g} s", f"up to {LATEST_TRACKED / fps:g} s", where, file)
    return [round(frame) for frame in frames], [f"frames such as {found} are taken for times in seconds"]


def _refuse_twins(frames: list[int], names: list[str], lines: list[int], file: str) -> None:
    seen: set[tuple[int, str]] = set()
    for frame, name, line in zip(frames, names, lines, strict=True):
        if (frame, name) in seen:
            raise SceneError(f"fish {shown(name)} twice", "one place a frame", f"line {line}: id", file)
        seen.add((frame, name))


def _sparse(frames: list[int]) -> list[str]:
    """A note on frames that leave others out."""
    rising = sorted(set(frames))
    steps = [after - before for before, after in pairwise(rising)]
    if len(steps) < 2 or min(steps) == 1:
        return []
    return [f"frames are {min(steps)} or more apart, and fishes go straight on between them: are they milliseconds?"]


def _like_pixels(places: list[tuple[float, ...]], scale: float) -> float:
    """The largest place in a table's units, where places look like pixels of a picture; else 0."""
    least, most = min(min(place[:2]) for place in places) / scale, max(max(place[:2]) for place in places) / scale
    return 0.0 if least < 0.0 or most < PICTURE_UNITS else most


def _pictured(most: float) -> str:
    """A note on places that look like those in a picture."""
    found = f"places up to {most:g} look like pixels, and y counts down in pictures, by which every turn is mirrored"
    return f"{found}: --y-down has them as they were"
