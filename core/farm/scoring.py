"""Scores of takes: how much of each wish a recording fulfils, 0 to 1, and when.

What is nearly so is worth something, so that a search finds its way; 1 is given only to what is as wished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.codec import encode
from ..body.anatomy import body_frame
from ..events import COUNTING_KINDS, FISHLESS_KINDS, LONE_KINDS
from ..habitat.obstacles import Obstacles
from ..recording import Recording
from ..scene.direction import Arrival, goal_name
from ..studio.film import SCHOOL_KINDS
from ..studio.parting import happenings
from ..studio.subjects import ends
from .tuning import FADE_METRES, FADE_PICTURE, FADE_SECONDS, FADE_SHAPE, PICTURES_A_SECOND
from .views import FishView, fish_view, in_sight
from .wishes import (
    EVENT_OF_WORD,
    WishedArrival,
    WishedClearance,
    WishedEvent,
    WishedPicture,
    WishedShape,
    WishedView,
    WishList,
)

DECIMALS = 6
"""Of scores, so that the last bits of a processor's own functions do not show."""
SPINE_PLACES = 5
"""Places along the middle of a body at which it is looked whether two touch."""


@dataclass(frozen=True)
class TakeScore:
    """The score of a take.

    Attributes:
        score: Mean of the parts by their weights, 0 to 1.
        parts: The score of each wish.
        moment: Frame of what fulfils the weightiest wish of an event best; None without.
    """

    score: float
    parts: tuple[float, ...]
    moment: int | None


def scored(recording: Recording, wishes: WishList) -> TakeScore:
    """The score of a recording by wishes."""
    parts, moments = [], []
    for one in wishes.scored:
        part, moment = _scored(recording, one, wishes)
        parts.append(round(part, DECIMALS))
        moments.append((one.weight, moment))
    weights = [one.weight for one in wishes.scored]
    total = 0.0
    for weight, part in zip(weights, parts, strict=True):
        total += weight * part
    known = [(weight, moment) for weight, moment in moments if moment is not None]
    best = max(known, key=lambda pair: pair[0])[1] if known else None
    scale = 0.0
    for weight in weights:
        scale += weight
    return TakeScore(round(total / scale, DECIMALS), tuple(parts), best)


def part_names(wishes: WishList) -> list[str]:
    """A name for each wish, for the head of a table."""
    found = []
    for row, one in enumerate(wishes.scored):
        said: Mapping[str, Any] = encode(one)
        found.append(f"wish {row} {said.get('event', said['kind'])}")
    return found


def _scored(recording: Recording, one: Any, wishes: WishList) -> tuple[float, int | None]:
    """The score of a wish, and the frame of its event."""
    match one:
        case WishedEvent():
            return _event(recording, one, wishes)
        case WishedPicture():
            return _picture(recording, one, wishes), None
        case WishedView():
            return _unhidden(recording, one, wishes), None
        case WishedShape():
            return _shape(recording, one), None
        case WishedArrival():
            return _arrival(recording, one), None
        case _:
            assert isinstance(one, WishedClearance)
            return _untouched(recording, one), None


def _half_at(gap: float | np.ndarray, half: float) -> Any:
    """1 without a gap, a half where it is so large, and less beyond."""
    return 1.0 / (1.0 + np.square(gap / half))


def _rows(recording: Recording, group: int | None, member: int | None) -> Sequence[int]:
    return range(len(recording.species)) if group is None else recording.scene.rows_of(group, member)


def _span(recording: Recording, one: Any) -> tuple[float, float]:
    return (0.0, recording.scene.duration) if one.time is None else one.time


def _frames(recording: Recording, one: Any) -> np.ndarray:
    """Frames at which a wish that lasts is looked at, (k,)."""
    begin, end = (round(seconds * recording.fps) for seconds in _span(recording, one))
    step = max(1, round(recording.fps / PICTURES_A_SECOND))
    last = min(end, recording.frames - 1)
    return np.arange(min(begin, last), last + 1, step)


def _event(recording: Recording, one: WishedEvent, wishes: WishList) -> tuple[float, int | None]:
    """The score of the event that suits best, and its frame."""
    word = EVENT_OF_WORD.get(one.event, one.event)
    doers, others = _rows(recording, one.fishes, one.member), _rows(recording, one.whom, one.whom_member)
    begin, end = _span(recording, one)
    best, moment = 0.0, None
    events = happenings(recording) if word in SCHOOL_KINDS else recording.events
    for event in events:
        if word not in (event["kind"], event.get("stage")) or event["frame"] >= recording.frames:
            continue
        alone = event["kind"] in (*LONE_KINDS, *COUNTING_KINDS)
        anybody = event["kind"] in FISHLESS_KINDS
        if (not anybody and event["fish"] not in doers) or (
            one.whom is not None and (alone or event["other"] not in others)
        ):
            continue
        t = event["frame"] / recording.fps
        worth = _half_at(max(begin - t, t - end, 0.0), FADE_SECONDS)
        if worth <= best:
            continue  # wherever it was
        fish = None if anybody else event["fish"]
        if fish is not None:
            worth *= _placed(recording, one, event["frame"], fish, wishes)
        if worth > best:
            best, moment = float(worth), event["frame"]
    return best, moment


def _placed(recording: Recording, one: WishedEvent, frame: int, fish: int, wishes: WishList) -> float:
    """The share of an event's worth that its place, and its picture, leave it."""
    worth = 1.0
    if one.at is not None:
        place = recording.nodes[frame, fish].mean(axis=0, dtype=float)
        off = float(np.sqrt(np.square(place - np.array(one.at)).sum()))
        worth *= _half_at(max(off - one.radius, 0.0), FADE_METRES)
    if one.camera is not None:
        camera, frames = wishes.camera(one.camera, recording.scene), np.array([frame])
        view = fish_view(recording, camera, frames)
        if not view.there[0, fish]:
            return 0.0
        worth *= _half_at(view.beyond[0, fish] / view.ratio, FADE_PICTURE)
        worth *= min(1.0, view.size[0, fish] / one.size) if one.size else 1.0
        worth *= 1.0 if in_sight(recording, camera, frames, fish)[0] else 0.5
    return float(worth)


def _in_picture(view: FishView) -> np.ndarray:
    return view.there & (view.beyond == 0.0)


def _picture(recording: Recording, one: WishedPicture, wishes: WishList) -> float:
    """The share of the time, over the wished one, in which one of the fishes is in the picture as wished."""
    frames, camera = _frames(recording, one), wishes.camera(one.camera, recording.scene)
    view = fish_view(recording, camera, frames)
    shown = np.zeros(len(frames), dtype=bool)
    fits = _in_picture(view) & (view.size >= one.size)
    for fish in _rows(recording, one.fishes, one.member):
        now = fits[:, fish]
        if not now.any():
            continue
        now = now & in_sight(recording, camera, frames, fish)
        shown |= now & ~view.overlaps(fish, nearer=False) if one.clear else now
    return min(1.0, float(shown.mean()) / one.share)


def _unhidden(recording: Recording, one: WishedView, wishes: WishList) -> float:
    """The share of the time in the picture in which nobody is in front; 0 for who is never in it."""
    frames, camera = _frames(recording, one), wishes.camera(one.camera, recording.scene)
    view = fish_view(recording, camera, frames)
    inside, seen = _in_picture(view), 0
    rows = list(_rows(recording, one.fishes, one.member))
    for fish in rows:
        if inside[:, fish].any():
            sight = in_sight(recording, camera, frames, fish)
            seen += int((inside[:, fish] & sight & ~view.overlaps(fish, nearer=True)).sum())
    return seen / max(1, int(inside[:, rows].sum()))


def _shape(recording: Recording, one: WishedShape) -> float:
    """The mean over time of how near a shoal's figures are to their bounds."""
    frames, rows = _frames(recording, one), np.array(_rows(recording, one.fishes, None))
    worth = []
    for frame in frames:
        there = rows[recording.alive[frame, rows]]
        if not len(there):
            worth.append(0.0)
            continue
        nodes = recording.nodes[frame, there].astype(float)
        place, ahead = nodes.mean(axis=1), body_frame(nodes)[1][..., 0]
        figures = {
            "polarisation": float(np.sqrt(np.square(ahead.mean(axis=0)).sum())),
            "extent": float(np.sqrt(np.square(place - place.mean(axis=0)).sum(axis=-1)).mean()),
        }
        if len(there) > 1:
            apart = np.sqrt(np.square(place[:, None] - place).sum(axis=-1))
            np.fill_diagonal(apart, np.inf)
            figures["nearest"] = float((apart.min(axis=1) / recording.body_length[there]).mean())
        now = 1.0
        for key in ("polarisation", "nearest", "extent"):
            bound = getattr(one, key)
            if bound is not None:
                now *= _within(figures.get(key), bound)
        worth.append(now)
    return float(np.mean(worth))


def _within(figure: float | None, bound: tuple[float, float]) -> float:
    if figure is None:
        return 0.0
    low, high = bound
    off, of = (low - figure, low) if figure < low else (max(figure - high, 0.0), high)
    return float(_half_at(off / max(of, 1e-3), FADE_SHAPE))


def _arrival(recording: Recording, one: WishedArrival) -> float:
    """The share of fishes that arrived in time, over the wished one."""
    rows = _rows(recording, one.fishes, one.member)
    times = [
        event["late"]
        for event in recording.events
        if event["kind"] == "arrived"
        and "late" in event
        and event["fish"] in rows
        and one.goal in (None, event["goal"])
        and (one.time is None or one.time[0] <= event["frame"] / recording.fps <= one.time[1])
    ]
    count = len(_awaited(recording, one, rows))
    worth = np.array([_half_at(max(abs(late) - one.late, 0.0), FADE_SECONDS) for late in times])
    return min(1.0, float(worth.sum()) / max(1, count) / one.share)


def _awaited(recording: Recording, one: WishedArrival, rows: Sequence[int]) -> set[tuple[int, int]]:
    """The fishes that are to arrive, each with the entry of the direction that leads it there."""
    return {
        (row, fish)
        for row, entry in enumerate(recording.scene.direction)
        if isinstance(entry, Arrival) and one.goal in (None, goal_name(entry, row))
        for fish in recording.scene.rows_of(entry.fishes, entry.member)
        if fish in rows
    }


def _untouched(recording: Recording, one: WishedClearance) -> float:
    """The share of the time in which none of the fishes touches what it is not to touch."""
    frames, rows = _frames(recording, one), np.array(_rows(recording, one.fishes, one.member))
    touched = np.zeros((len(frames), len(rows)), dtype=bool)
    if one.of != "fishes":
        obstacles = Obstacles.from_scene(recording.scene)
        if len(obstacles):
            touched |= (obstacles.distance(recording.nodes[frames][:, rows].astype(float))[0] < one.gap).any(axis=-1)
    if one.of != "obstacles":
        for at, frame in enumerate(frames):
            touched[at] |= _touching(recording, frame, rows, one.gap)
    return float(1.0 - (touched & recording.alive[frames][:, rows]).any(axis=1).mean())


def _touching(recording: Recording, frame: int, rows: np.ndarray, gap: float) -> np.ndarray:
    """True where the trunks of some fishes touch those of any other at a frame, (n,)."""
    nodes = recording.nodes[frame].astype(float)
    nose, tail = ends(nodes)
    shares = np.linspace(0.1, 0.8, SPINE_PLACES)[:, None]
    spine = nose[:, None] + shares * (tail - nose)[:, None]
    girth = 0.5 * np.sqrt(np.square(nodes[:, 5] - nodes[:, 6]).sum(axis=-1))
    apart = np.sqrt(np.square(spine[rows][:, None, :, None] - spine[None, :, None]).sum(axis=-1)).min(axis=(2, 3))
    near = apart < girth[rows, None] + girth + gap
    near &= recording.alive[frame] & (rows[:, None] != np.arange(len(nodes)))
    return near.any(axis=1)
