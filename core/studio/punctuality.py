"""Punctuality: which fishes of a recording came to where they were to be, when, and how near."""

from __future__ import annotations

import numpy as np

from ..behavior.timing import is_timed
from ..recording import Recording
from ..scene.direction import Arrival, Curve, goal_name
from .checking import named


def kept_times(recording: Recording) -> list[str]:
    """A line for each arrival of a recording's scene, and each timed curve with an end: when its fishes were there."""
    scene, found = recording.scene, []
    for row, entry in enumerate(scene.direction):
        ends = isinstance(entry, Curve) and not entry.closed and is_timed(entry)
        if not (isinstance(entry, Arrival) or ends):
            continue
        whom, goal = scene.rows_of(entry.fishes, entry.member), goal_name(entry, row)
        events = [
            event
            for event in recording.events
            if event["kind"] == "arrived" and event["goal"] == goal and "late" in event and event["fish"] in whom
        ]
        found.append(_line(named(scene, row), len(whom), events))
    return found


def _line(what: str, count: int, events: list[dict]) -> str:
    """The number of so many fishes that were there, how late in the middle, and how far off."""
    who = f"{len(events)} of {count} there"
    if not events:
        return f"{what}: {who}"
    late, off = (float(np.median([event[name] for event in events])) for name in ("late", "off"))
    when = f"{abs(late):.2f} s {'late' if late >= 0.0 else 'early'}"
    return f"{what}: {who}, {when}, {off:.2f} lengths off"
