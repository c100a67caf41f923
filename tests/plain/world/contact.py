"""Center lines, and fishes whose center lines come near each other."""

from __future__ import annotations

import numpy as np

from artfish.core.base.sums import mean
from artfish.core.base.vectors import dot, norm
from artfish.core.body.anatomy import LOWER_TIP_NODE, NOSE_NODE, RING_NODES, UPPER_TIP_NODE
from artfish.core.world.contact import LINKS, segments

Array = np.ndarray


def center_lines(*, nodes: Array, lines: Array) -> None:
    """Nose, middles of the five rings and middle of the tail's tips."""
    lines[:, 0] = nodes[:, NOSE_NODE]
    lines[:, 1:-1] = mean(nodes[:, RING_NODES], axis=2)
    lines[:, -1] = 0.5 * (nodes[:, UPPER_TIP_NODE] + nodes[:, LOWER_TIP_NODE])


def bow(lines: Array) -> Array:
    """Greatest distance of the points of each line from its chord in metres, (fish,)."""
    chord, arm = lines[:, -1] - lines[:, 0], lines[:, 1:-1] - lines[:, :1]
    share = np.clip(dot(arm, chord[:, None]) / np.maximum(dot(chord, chord), 1e-18)[:, None], 0.0, 1.0)
    return norm(arm - share[..., None] * chord[:, None]).max(axis=1)


def closest(
    *,
    lines: Array,
    reach: Array,
    one: Array,
    other: Array,
    many: Array,
    first: Array,
    second: Array,
    distances: Array,
    at: Array,
    there: Array,
    gaps: Array,
) -> None:
    """Of pairs, those whose center lines come nearer to each other than both reach, first and in order."""
    # Most are side by side: straight lines from nose to tail tell them apart, with allowance for how far lines bow.
    chord = lines[:, [0, -1]]
    wide = reach[one] + reach[other] + bow(lines[one]) + bow(lines[other])
    close = segments(chord[one], chord[other])[0] < wide
    a, b = one[close], other[close]
    links = np.stack((lines[:, :-1], lines[:, 1:]), axis=2)
    distance, s, t, gap = segments(links[a][:, :, None], links[b][:, None])  # (n, 6, 6)
    nearest = distance.reshape(len(a), LINKS * LINKS).argmin(axis=1)
    on, against, rows = nearest // LINKS, nearest % LINKS, np.arange(len(a))
    found = distance[rows, on, against]
    keep = np.flatnonzero(found < reach[a] + reach[b])
    many[0], some = len(keep), slice(len(keep))
    first[some], second[some], distances[some] = a[keep], b[keep], found[keep]
    at[some] = (on + s[rows, on, against])[keep]
    there[some] = (against + t[rows, on, against])[keep]
    gaps[some] = gap[rows, on, against][keep]
