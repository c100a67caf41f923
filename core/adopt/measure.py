"""Measures of a model's body, station by station: its outlines from the side and from above, and its tail.

A model is seen from the side, cell by cell of a grid: how far its flank is from the mirror plane there. Where that is
more than a little of the widest at a station, there is body; the thin rim around it is fin. Flanks are what faces
outwards and is nearest to the plane, so that parts that stand off the body, such as pectoral fins, are not measured
with it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import binary_dilation, grey_opening, median_filter, uniform_filter1d

from .model import Model
from .tuning import (
    BODY_SHELL_SPAN,
    BUMP_LENGTHS,
    BUMP_RATIO,
    CELL_LENGTHS,
    COLUMN_LENGTHS,
    FIN_LEAST_LENGTHS,
    FIN_LEAST_SHARE,
    LAST_RING_STATIONS,
    MOUTH_REGION_LENGTHS,
    RIM_LENGTHS,
    RIM_SHARE,
    RING_STATION,
    SMOOTHED_COLUMNS,
    TAIL_THIN_SHARE,
    TAIL_WIDENS,
    WING_FLATNESS,
    WING_LEAST_LENGTHS,
    WING_ROOT_SHARE,
)


@dataclass(frozen=True, eq=False)
class Measures:
    """Outlines of a model in body lengths, by stations from its nose; heights are above the long axis.

    Attributes:
        stations: Middles of the columns, (n,), rising.
        back: Height of the body's upper edge there, without fins.
        belly: Height of its lower edge.
        half_width: Half its width.
        widest: Height at which it is widest.
        top: Height of all that is there, fins as well.
        bottom: Depth of all that is there.
        root: Station at which the tail's fin begins.
        tail: Rear edge of that fin: station and height, from the upper tip to the lower, (k, 2).
        axis: Height of the long axis, in the frame of the model that was measured.
        flank: Half the width at each cell of the grid, (n, rows); 0 where there is no body.
        heights: Heights of the middles of those rows, (rows,).
        winged: Whether it is as flat as a ray: then the body ends at the middle of each side, and the rest is fins.
    """

    stations: np.ndarray
    back: np.ndarray
    belly: np.ndarray
    half_width: np.ndarray
    widest: np.ndarray
    top: np.ndarray
    bottom: np.ndarray
    root: float
    tail: np.ndarray
    axis: float
    flank: np.ndarray
    heights: np.ndarray
    winged: bool

    def at(self, name: str, stations: np.ndarray) -> np.ndarray:
        """An outline at any stations; beyond the last one as there."""
        return np.interp(stations, self.stations, getattr(self, name))


def body_shells(model: Model) -> np.ndarray:
    """Mask of vertices that belong to the body, not to loose parts such as eyes, teeth and fins, (n,) bool.

    Args:
        model: Model in body lengths, x along it.
    """
    shells, x = model.shells, model.vertices
    count = int(shells.max(initial=-1)) + 1
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, shells, x)
    np.maximum.at(high, shells, x)
    span = high - low
    long = (span[:, 0] > BODY_SHELL_SPAN) & (span[:, 1] > RIM_LENGTHS)
    area = np.bincount(shells[model.triangles[:, 0]], model.areas, count)
    if area[long].sum() < 0.4 * area.sum():
        long[:] = True
    return np.asarray(long[shells])


def measure(model: Model) -> Measures:
    """Measure a model.

    Args:
        model: Model in body lengths, x ahead with the nose at 0 or at the station of the second ring, y left, z up.
    """
    samples, nose = model.samples, float(model.vertices[:, 0].max())
    station, height = nose - samples.places[:, 0], samples.places[:, 2]
    off = np.abs(samples.places[:, 1])
    core = body_shells(model)[samples.vertices]
    outward = samples.normals[:, 1] * samples.places[:, 1] > 0.0
    if outward[core].mean() > 0.75:
        core &= outward
    columns = int(round(1.0 / COLUMN_LENGTHS))
    low = float(height.min())
    rows = int((height.max() - low) / CELL_LENGTHS) + 1
    column = np.clip((station / COLUMN_LENGTHS).astype(int), 0, columns - 1)
    row = np.clip(((height - low) / CELL_LENGTHS).astype(int), 0, rows - 1)
    flank = np.full(columns * rows, np.inf)
    np.minimum.at(flank, (column * rows + row)[core], off[core])
    flank = _filled(flank.reshape(columns, rows))
    wide = np.array([np.quantile(of[of > 0.0], 0.95) if (of > 0.0).any() else 0.0 for of in flank])
    rim = np.maximum(RIM_SHARE * wide, RIM_LENGTHS)
    first, last = _runs(flank > rim[:, None], int(MOUTH_REGION_LENGTHS / COLUMN_LENGTHS))
    edges = low + CELL_LENGTHS * np.arange(rows + 1)
    inside = core & (off > 0.5 * rim[column])
    inside &= (height < edges[last + 1][column] + CELL_LENGTHS) & (height > edges[first][column] - CELL_LENGTHS)
    none = last < first
    back, belly = (
        _reduced(np.maximum, column[inside], height[inside], columns),
        _reduced(np.minimum, column[inside], height[inside], columns),
    )
    near = off < np.maximum(0.5 * wide, 4.0 * RIM_LENGTHS)[column]
    top = _reduced(np.maximum, column[near], height[near], columns)
    bottom = _reduced(np.minimum, column[near], height[near], columns)
    for line in (back, belly, top, bottom):
        _bridged(line)
    middles = COLUMN_LENGTHS * (np.arange(columns) + 0.5)
    root = _tail_root(middles, np.where(none, 0.0, back - belly), top - bottom, wide)
    body = middles <= root
    back, belly = _without_fins(back, top, body, back - belly), -_without_fins(-belly, -bottom, body, back - belly)
    inner = np.arange(rows)
    own = (inner >= first[:, None]) & (inner <= last[:, None])
    flank = np.where(own, flank, 0.0)
    half_width = _smooth(_without_bumps(flank.max(axis=1)), body)
    winged = _is_winged(half_width, (back - belly)[body])
    if winged:
        half_width = np.minimum(half_width, WING_ROOT_SHARE * half_width.max())
    at = edges[:-1] + 0.5 * CELL_LENGTHS
    share = np.where(flank > 0.97 * flank.max(axis=1, keepdims=True), flank, 0.0)
    widest = np.where(share.sum(axis=1) > 0.0, share @ at / np.maximum(share.sum(axis=1), 1e-12), (back + belly) / 2)
    axis = float(np.interp(RING_STATION, middles, (back + belly) / 2))
    tail = _rear_edge(station, height, off, root)
    return Measures(
        stations=middles,
        back=_smooth(back, body) - axis,
        belly=_smooth(belly, body) - axis,
        half_width=half_width,
        widest=widest - axis,
        top=top - axis,
        bottom=bottom - axis,
        root=root,
        tail=tail - (0.0, axis),
        axis=axis,
        flank=flank,
        heights=at - axis,
        winged=winged,
    )


def _is_winged(half_width: np.ndarray, tall: np.ndarray) -> bool:
    """True if a body is as wide and flat as a ray's, so that its sides are fins."""
    return bool(half_width.max() > WING_LEAST_LENGTHS and half_width.max() > WING_FLATNESS * tall.max(initial=0.0))


def _filled(flank: np.ndarray) -> np.ndarray:
    """Cells (columns, rows) without a sample are 0, or between two that have one, as those."""
    flank[~np.isfinite(flank)] = 0.0
    lone = (flank[:, 1:-1] == 0.0) & (flank[:, :-2] > 0.0) & (flank[:, 2:] > 0.0)
    flank[:, 1:-1] += np.where(lone, 0.5 * (flank[:, :-2] + flank[:, 2:]), 0.0)
    return flank


def _runs(thick: np.ndarray, head: int) -> tuple[np.ndarray, np.ndarray]:
    """First and last row of the longest run in each column, (columns,); 0 and -1 where there is none.

    In the head, the first so many columns, all runs are one: an open mouth parts it.
    """
    first, last = np.zeros(len(thick), dtype=int), np.full(len(thick), -1)
    for number, column in enumerate(thick):
        steps = np.diff(np.concatenate([[0], column.astype(np.int8), [0]]))
        begins, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
        if len(begins):
            longest = int(np.argmax(ends - begins))
            one, other = (0, -1) if number < head else (longest, longest)
            first[number], last[number] = begins[one], ends[other] - 1
    return first, last


def _reduced(how: np.ufunc, column: np.ndarray, height: np.ndarray, columns: int) -> np.ndarray:
    """The highest or lowest of the heights in each column, NaN where there is none."""
    found = np.full(columns, np.nan)
    order = np.argsort(column, kind="stable")
    at, begins = np.unique(column[order], return_index=True)
    if len(at):
        found[at] = how.reduceat(height[order], begins)
    return found


def _bridged(line: np.ndarray) -> None:
    """Fill the NaN of a line from known values on both sides, or on one."""
    known = np.flatnonzero(np.isfinite(line))
    line[:] = np.interp(np.arange(len(line)), known, line[known]) if len(known) else 0.0


def _without_bumps(wide: np.ndarray) -> np.ndarray:
    """Half widths without parts that stand far out over a few columns: fins that are one with the skin."""
    plain = grey_opening(wide, (int(BUMP_LENGTHS / COLUMN_LENGTHS),))
    bump = binary_dilation(wide > BUMP_RATIO * plain + FIN_LEAST_LENGTHS, iterations=2)
    if bump.all() or not bump.any():
        return wide
    at = np.arange(len(wide))
    return np.where(bump, np.minimum(wide, np.interp(at, at[~bump], wide[~bump])), wide)


def _smooth(line: np.ndarray, body: np.ndarray) -> np.ndarray:
    """A line without spikes; behind the body as at its end."""
    last = int(np.flatnonzero(body)[-1])
    own = median_filter(line[: last + 1], SMOOTHED_COLUMNS, mode="nearest")
    own[1:-1] = uniform_filter1d(own, SMOOTHED_COLUMNS, mode="nearest")[1:-1]
    return np.concatenate([own, np.full(len(line) - last - 1, own[-1])])


def _tail_root(stations: np.ndarray, thick: np.ndarray, whole: np.ndarray, wide: np.ndarray) -> float:
    """The station at which the tail's fin begins: where the body has become thin, or else behind its waist."""
    least, most = LAST_RING_STATIONS
    rear = np.flatnonzero((stations > least) & (stations < most))
    waist = rear[int(np.argmin(whole[rear]))]
    widens = whole[waist:].max() > TAIL_WIDENS * whole[waist]
    thin = thick < TAIL_THIN_SHARE * whole
    behind = rear[thin[rear] | (wide[rear] < RIM_LENGTHS)]
    steady = [at for at in behind if (thin[at:] | (wide[at:] < 2.0 * RIM_LENGTHS)).mean() > 0.8]
    if steady:
        return float(np.clip(max(stations[steady[0]], stations[waist] if widens else least), least, most))
    return float(stations[waist]) if widens else most


def _without_fins(edge: np.ndarray, outer: np.ndarray, body: np.ndarray, tall: np.ndarray) -> np.ndarray:
    """Upper edge of the body, which is all that is there unless that is a fin; (columns,)."""
    beyond = np.maximum(outer - edge, 0.0)
    fin = beyond > np.maximum(FIN_LEAST_LENGTHS, FIN_LEAST_SHARE * tall)
    plain = body & ~fin
    keel = float(np.median(beyond[plain])) if plain.any() else 0.0
    return edge + np.where(fin, np.minimum(beyond, keel), beyond)


def _rear_edge(station: np.ndarray, height: np.ndarray, off: np.ndarray, root: float) -> np.ndarray:
    """Station and height of the rear edge of the tail's fin, from its upper tip to its lower, (9, 2)."""
    own = station > root + 0.25 * (1.0 - root)
    if not own.any():
        own = station >= min(root, float(station.max()))
    low, high = height[own].min(), height[own].max()
    levels = np.linspace(high, low, 9)
    step = max((high - low) / 8.0, 1e-6)
    level = np.clip(np.round((high - height) / step).astype(int), 0, 8)
    rear = _reduced(np.maximum, level[station > root], station[station > root], 9)
    _bridged(rear)
    return np.stack([rear, levels], axis=1)
