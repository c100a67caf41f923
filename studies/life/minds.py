"""Intentions of fishes, measured from a recording's intentions and events: bouts, and partners in courtship."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SHORT_SECONDS = 0.5  # duration of a bout too short to see anything done


def bouts(intention: np.ndarray, alive: np.ndarray, fps: float) -> list[np.ndarray]:
    """Durations of the whole bouts of an intention, seconds, one array a fish, of (frames, fish) each.

    The first and the last of a fish are left out, since they are cut off.
    """
    found = []
    for mine, lives in zip(intention.T, alive.T, strict=True):
        until = len(lives) if lives.all() else int(np.argmin(lives))
        changes = np.flatnonzero(np.diff(mine[:until])) + 1
        found.append(np.diff(changes) / fps)
    return found


def changes_a_minute(intention: np.ndarray, alive: np.ndarray, fps: float) -> np.ndarray:
    """Changes of intention a minute of each fish, (fish,); NaN for one that lives less than a second."""
    lived = alive.sum(axis=0)
    changed = ((np.diff(intention, axis=0) != 0) & alive[1:]).sum(axis=0)
    return np.where(lived >= fps, changed * fps * 60.0 / np.maximum(lived, 1), np.nan)


def short_share(intention: np.ndarray, alive: np.ndarray, fps: float) -> tuple[int, int]:
    """Number of bouts shorter than half a second, and of all bouts, over all fishes."""
    lengths = np.concatenate([np.zeros(0), *bouts(intention, alive, fps)])
    return int((lengths < SHORT_SECONDS - 1e-9).sum()), len(lengths)


def foreign(events: Sequence[dict], species: Sequence[str]) -> list[bool]:
    """For each stage of courtship reached by a couple, whether it was of two species."""
    stages = [event for event in events if event["kind"] == "courtship"]
    return [species[event["fish"]] != species[event["other"]] for event in stages]


def onsets(holds: np.ndarray, fps: float) -> np.ndarray:
    """Seconds until a condition (frames, fish) first holds for each fish, (fish,); NaN if it never does."""
    return np.where(holds.any(axis=0), holds.argmax(axis=0) / fps, np.nan)


def most_at_once(onset: np.ndarray, seconds: float = 1.0) -> int:
    """Most fishes with an onset within one second, given onsets in seconds, (fish,)."""
    begun = np.sort(onset[np.isfinite(onset)])
    if not len(begun):
        return 0
    return int((np.searchsorted(begun, begun + seconds, side="left") - np.arange(len(begun))).max())
