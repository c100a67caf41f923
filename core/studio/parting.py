"""Schools that part and join again, as events that are found in a recording (Tu 1999, §10.4).

Two fishes are of one company where a way leads from one to the other, from neighbour to neighbour, no step of which is
longer than `COMPANY_LENGTHS`. A school has parted while there are two companies of `LEAST_COMPANY` or more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse.csgraph import connected_components

from ..behavior.intention import SCHOOL
from ..recording import Recording
from .film import SCHOOL_KINDS
from .tuning import COMPANY_LENGTHS, LEAST_COMPANY, PARTED_SECONDS

PARTED, JOINED = SCHOOL_KINDS


def happenings(recording: Recording) -> list[dict[str, Any]]:
    """The events of a recording, those of its schools included, in the order of frames."""
    return sorted([*recording.events, *school_events(recording)], key=lambda event: event["frame"])


def school_events(recording: Recording) -> list[dict[str, Any]]:
    """The partings and joinings of schools; as `Recording.events`, of the kinds "parted" and "joined", in order."""
    names, schools = np.array(recording.species), (recording.intention == SCHOOL).any(axis=0)
    events: list[dict[str, Any]] = []
    for name in sorted(set(recording.species)):
        rows = np.flatnonzero(names == name)
        if len(rows) >= 2 * LEAST_COMPANY and schools[rows].any():
            events += _of_one(recording, rows)
    return sorted(events, key=lambda event: event["frame"])


def _of_one(recording: Recording, rows: np.ndarray) -> list[dict[str, Any]]:
    """The events of the school of these rows."""
    step = max(1, round(PARTED_SECONDS * recording.fps))
    looked = range(0, recording.frames, step)
    companies = [_companies(recording, rows, frame) for frame in looked]
    parted, events, last = len(companies[0]) > 1, [], companies[0]
    for before, now, frame in zip(companies, companies[1:], looked, strict=False):
        if len(before) > 1:
            last = before
        if (len(before) > 1) == (len(now) > 1) != parted and before and now:  # for two looks: it lasts
            parted = not parted
            largest, next_largest = (before if parted else last)[:2]
            kind = PARTED if parted else JOINED
            events.append({"kind": kind, "frame": frame, "fish": int(largest[0]), "other": int(next_largest[0])})
    return events


def _companies(recording: Recording, rows: np.ndarray, frame: int) -> list[np.ndarray]:
    """Rows of each company of those that live, the largest first."""
    rows = rows[recording.alive[frame, rows]]
    if not len(rows):
        return []
    place = recording.nodes[frame, rows].mean(axis=1, dtype=float)
    apart = np.linalg.norm(place[:, None] - place, axis=-1)
    near = apart < COMPANY_LENGTHS * np.median(recording.body_length[rows])
    count, labels = connected_components(near, directed=False)
    companies = [rows[labels == label] for label in range(count)]
    return sorted([one for one in companies if len(one) >= LEAST_COMPANY], key=len, reverse=True)
