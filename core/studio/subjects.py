"""Subjects: the fishes that a shot is of, found in a recording by species or by what befalls them, and their ways."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.codec import SceneError
from ..body.anatomy import LOWER_TIP_NODE, NOSE_NODE, UPPER_TIP_NODE
from ..recording import Recording
from .film import SCHOOL_KINDS, Subject
from .parting import school_events
from .smoothing import between, smoothed
from .tuning import DISTANCE_SECONDS, GROUP_SHARE, PAIR_REACH


def find(recording: Recording, subject: Subject) -> tuple[tuple[int, ...], float]:
    """The fishes that a subject names, whom it is of first, and the frame that it begins to count from.

    Raises:
        SceneError: If there is no such fish or event.
    """
    if subject.event is not None or subject.stage is not None:
        row, partner, moment = _find_event(recording, subject)
    else:
        named = [row for row, name in enumerate(recording.species) if subject.species in (None, name)]
        if subject.fish >= len(named):
            what = f"{len(named)} of {subject.species}" if subject.species else f"{len(named)} fishes"
            raise SceneError(f"number {subject.fish}", f"one of {what}, counted from 0", key="subject.fish")
        row, partner, moment = named[subject.fish], None, 0.0
    if subject.other or subject.pair:
        partner = _partner(recording, row) if partner is None else partner
        row, partner = (partner, row) if subject.other else (row, partner)
    if subject.group:
        return (row, *_others_of(recording, row)), moment
    return (row,) if partner is None or not subject.pair else (row, partner), moment


def _find_event(recording: Recording, subject: Subject) -> tuple[int, int | None, float]:
    """The rows of the doer and of the other, if any, and the frame of the event."""
    events = school_events(recording) if subject.event in SCHOOL_KINDS else recording.events
    of_kind = [event for event in events if _is_it(recording, event, subject)]
    if not -len(of_kind) <= subject.nth < len(of_kind):
        found = f"{subject.stage or subject.event} number {subject.nth}"
        raise SceneError(found, f"one of the {len(of_kind)} that happen", key="subject.nth")
    event = of_kind[subject.nth]
    row = doer(recording, event)
    other = event["other"] if event["kind"] in ("eaten", "courtship", "spawned", *SCHOOL_KINDS) else None
    return row, other, float(event["frame"])


def _is_it(recording: Recording, event: dict[str, Any], subject: Subject) -> bool:
    """True if an event is one of those that a subject means."""
    species = recording.species[event["fish"]] if event["fish"] >= 0 else None
    return (
        subject.event in (None, event["kind"])
        and subject.species in (None, species)
        and subject.stage in (None, event.get("stage"))
    )


def _others_of(recording: Recording, row: int) -> list[int]:
    """All others of a fish's species."""
    return [other for other, name in enumerate(recording.species) if name == recording.species[row] and other != row]


def doer(recording: Recording, event: dict[str, Any]) -> int:
    """The fish of an event; of one that befalls no fish, who fears most a while after it."""
    if event["fish"] >= 0:
        return int(event["fish"])
    return int(recording.fear[min(event["frame"] + round(recording.fps / 2), recording.frames - 1)].argmax())


def _partner(recording: Recording, row: int) -> int:
    """The fish that a fish is after, or that is after it, most of the time; else the nearest on the whole."""
    target, alive = recording.target[:, row], recording.alive[:, row]
    after = np.bincount(target[alive & (target >= 0)], minlength=len(recording.species)).astype(float)
    after += (recording.target == row).sum(axis=0)
    after[row] = -1.0
    if after.max() > 0.0:
        return int(after.argmax())
    if len(after) < 2:
        raise SceneError("one fish", "a second one for a pair", key="subject.pair")
    away = np.linalg.norm(recording.nodes[:, :, 0] - recording.nodes[:, [row], 0], axis=-1).mean(axis=0)
    away[row] = np.inf
    return int(away.argmin())


class Attendance:
    """The times at which fishes are there.

    Attributes:
        alive: (frames, fish) bool.
        since: The frame from which a fish that is there at a frame has been there without a break, (frames, fish).
        until: The frame after the last to which it is there from then on, (frames, fish).
    """

    def __init__(self, recording: Recording) -> None:
        alive = self.alive = recording.alive
        frames = np.arange(len(alive))[:, None]
        self.since = 1 + np.maximum.accumulate(np.where(alive, -1, frames), axis=0)
        self.until = np.minimum.accumulate(np.where(alive, len(alive), frames)[::-1], axis=0)[::-1]

    def last(self, frames: np.ndarray, rows: np.ndarray | int) -> np.ndarray:
        """Frames at which fishes, (n,) or one, are there: these, or the ones before, as of those just eaten, (n,)."""
        return np.where(self.alive[frames, rows], frames, np.maximum(frames - 1, 0))


def ends(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nose, and middle of the tail's tips, of bodies (..., 23, 3), (..., 3) each."""
    return nodes[..., NOSE_NODE, :], nodes[..., [UPPER_TIP_NODE, LOWER_TIP_NODE], :].mean(axis=-2)


class SubjectTrack:
    """The places of subjects at the frames of a shot.

    Attributes:
        middle: Middle of all of them (k, 3), metres.
        extent: Their extent (k,), metres.
        centre: Centre of each (k, n, 3), metres.
        length: Length of each (n,), metres.
    """

    def __init__(self, recording: Recording, rows: tuple[int, ...], frames: np.ndarray) -> None:
        self.fps, self.length = recording.fps, recording.body_length[list(rows)]
        nodes = between(recording.nodes[:, list(rows)], frames)
        alive = recording.alive[:, list(rows)]
        for column in range(len(rows)):  # a vanished fish is filmed where it was last
            there = np.flatnonzero(alive[:, column])
            if len(there):
                nodes[:, column] = between(recording.nodes[:, rows[column]], np.clip(frames, there[0], there[-1]))
        nose, tail = ends(nodes)
        along = nose - tail
        self.centre = nose - 0.5 * along
        self._ahead = along / np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-9)
        self.middle, self.extent = self.centre[:, 0], np.full(len(frames), self.length[0])
        if len(rows) == 2:
            self._take_in_the_other(between(alive[:, 1], frames))
        elif len(rows) > 2:
            self._take_in_all(between(alive, frames) > 0.5)

    def _take_in_the_other(self, there: np.ndarray) -> None:
        """Takes in the second of two while it is there (k,) and near."""
        ray = self.centre[:, 1] - self.centre[:, 0]
        apart, reach = np.linalg.norm(ray, axis=-1), PAIR_REACH * self.length.max()
        counts = smoothed((there * np.clip(2.0 - apart / reach, 0.0, 1.0))[:, None], DISTANCE_SECONDS * self.fps)
        counts = np.clip(counts[:, 0], 0.0, 1.0)  # one so far away, or gone, is left to itself
        self.middle = self.middle + 0.5 * counts[:, None] * ray
        self.extent = self.extent + counts * (apart + self.length[1] - 0.5 * self.length.min())

    def _take_in_all(self, there: np.ndarray) -> None:
        """Takes in most of a group, of which some are there, (k, n) bool."""
        there = there | ~there.any(axis=1, keepdims=True)
        places = np.where(there[..., None], self.centre, np.nan)
        self.middle = np.nanmedian(places, axis=1)
        away = np.linalg.norm(places - self.middle[:, None], axis=-1)
        self.extent = 2.0 * np.nanquantile(away, GROUP_SHARE, axis=1) + self.length.mean()
        ahead = np.where(there[..., None], self._ahead, 0.0).sum(axis=1)
        self._ahead[:, 0] = ahead / np.maximum(np.linalg.norm(ahead, axis=-1, keepdims=True), 1e-9)

    def ahead_of(self, which: int, seconds: float) -> np.ndarray:
        """Heading of one of them, or of a group the common one, (k, 3), unit, smoothed over a time."""
        ahead = smoothed(self._ahead[:, which], seconds * self.fps)
        return ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
