"""Punctuality: which fishes of a recording came to where they were to be, when, and how near."""

from __future__ import annotations

import numpy as np

from ..recording import Recording
from ..scene.direction import Arrival, Curve
from .checking import named


def kept_times(recording: Recording) -> list[str]:
    """A line for each arrival of a recording's scene, and each timed curve with an end: when its fishes were there."""
    scene, found = recording.scene, []
    counts = [group.count for group in scene.fishes]
    begins = np.cumsum([0, *counts])
    for row, entry in enumerate(scene.direction):
        ends = isinstance(entry, Curve) and not entry.closed and (entry.duration or entry.speed)
        if not (isinstance(entry, Arrival) or ends):
            continue
        first, count = begins[entry.fishes], counts[entry.fishes]
        whom = range(first, first + count) if entry.member is None else [first + entry.member]
        goal = getattr(entry, "name", "") or f"direction[{row}]"
        events = [
            event
            for event in recording.events
            if event["kind"] == "arrived" and event["goal"] == goal and "late" in event and event["fish"] in whom
        ]
        found.append(_line(named(scene, row), len(whom), events))
    return found


def _line(what: str, count: int, events: list[dict]) -> str:
    """How many of so many fishes were there, how late in the middle, and how far off."""
    who = f"{len(events)} of {count} there"
    if not events:
        return f"{what}: {who}"
    late, off = (float(np.median([event[name] for event in events])) for name in ("late", "off"))
    when = f"{abs(late):.2f} s {'late' if late >= 0.0 else 'early'}"
    return f"{what}: {who}, {when}, {off:.2f} lengths off"
