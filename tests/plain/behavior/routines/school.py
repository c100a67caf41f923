"""Ways of fishes that keep together, and of leaders that wait."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.sums import total, weighted
from artfish.core.base.vectors import dot, norm, unit
from artfish.core.behavior.routines.school import CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG

Array = np.ndarray


def keep_together(
    *,
    offsets: Array,
    motions: Array,
    headings: Array,
    lengths: Array,
    kin: Array,
    leads: Array,
    nears: Array,
    aheads: Array,
    speeds: Array,
    own: Array,
    heeds: Array,
    accords: Array,
    alignments: Array,
    school: SimpleNamespace,
    pulls: Array,
    hurries: Array,
    formed: Array,
    checks: Array,
) -> None:
    """The pull of kin in sight, how much faster to swim, and who is in formation or must brake."""
    distance, length = norm(offsets), own[:, None]
    # A leader shows the way from afar; near it, a fish goes as it goes rather than where it is.
    remote = np.clip(distance / (school.train * length) - 0.5, 0.0, 1.0)
    guide, draw = (kin * (1.0 + school.leader * leads * how) for how in (1.0, remote))
    many, rank = np.count_nonzero(kin, axis=1), np.cumsum(kin, axis=1)
    watched = kin & (rank == (np.floor(heeds * many) + 1.0)[:, None])
    voice = accords[:, None] + (1.0 - accords)[:, None] * (many[:, None] * watched)
    guide = guide * (1.0 + school.remote * remote) * voice
    # Those glanced at count towards the middle where they are another party: the nearest stand for what is between.
    draw = draw * np.where(nears, 1.0, np.clip(distance / (school.party * length) - 1.0, 0.0, 1.0))
    guide, draw = (of / np.maximum(total(of), 1.0)[:, None] for of in (guide, draw))
    course, gain, middle = weighted(guide, headings), weighted(guide, motions), weighted(draw, offsets)
    course = course / np.maximum(norm(course), school.consent)[:, None]
    closing = middle / np.maximum(norm(middle), school.least_middle * own)[:, None]
    faster, lag = dot(gain, aheads) / np.maximum(speeds, own), dot(closing, aheads)

    bearing = dot(offsets, aheads[:, None]) / np.maximum(distance, 1e-9)
    leaf, target = decide(school, kin, distance / length, bearing, dot(course, aheads))
    at, here = np.take_along_axis(offsets, target[:, None, None], axis=1)[:, 0], kin.any(axis=1)
    pulls[:] = alignments[:, None] * course + closing + school.pulls[leaf, None] * here[:, None] * unit(at)
    formed[:] = leaf >= MATCH

    approach = -dot(offsets, motions) / np.maximum(distance, 1e-9)
    room = distance - 0.5 * (length + lengths)
    meets = approach * school.closing > np.maximum(room, school.least_room * length)
    checks[:] = (kin & (bearing > school.front) & meets).any(axis=1)
    hurry = school.keeping_up * faster + school.keeping_up * lag + school.spurts[leaf] * here
    # A fish with nobody near makes haste to get to them: one that swims as fast as they do never would.
    lost = np.where(kin, remote, 1.0).min(axis=1) * np.maximum(lag, 0.0)
    trailing = (kin & leads) * remote
    hurry = np.clip(hurry, -school.most_keeping_up, school.most_keeping_up)
    hurries[:] = hurry + school.catch_up * np.maximum(trailing.max(axis=1), lost)


def decide(school: SimpleNamespace, kin: Array, distance: Array, bearing: Array, alike: Array) -> tuple[Array, Array]:
    """The leaf of fig. 7.13 that each fish is at, (n,), and the column of the schoolmate that it names, (n,).

    Of schoolmates, (n, k), with their distances in lengths and cosines of their bearings; `alike` is the cosine between
    the fish's own heading and theirs, (n,).
    """
    front, side = kin & (bearing > school.front), kin & (bearing <= school.front) & (bearing >= school.behind)
    few_ahead = np.count_nonzero(front & (distance < school.in_front), axis=1) < school.enough
    few_beside = np.count_nonzero(side & (distance < school.beside), axis=1) < school.enough
    # A fish with nobody at all in front leads, or is on the rim, and goes by the next question.
    questions = (few_ahead & front.any(axis=1), few_beside & side.any(axis=1), alike < school.alike)
    leaf = np.select(questions, (CLOSE_UP, DRAW_IN, MATCH), SWIM_ALONG)
    sought = np.where((leaf == CLOSE_UP)[:, None], front, side)
    return leaf, np.where(sought, distance, np.inf).argmin(axis=1)


def wait_for(
    *,
    offsets: Array,
    kin: Array,
    aheads: Array,
    lengths: Array,
    slower: Array,
    slowing: float,
    patience: float,
    most: float,
) -> None:
    """The farther the middle of a leader's kin is behind it, the slower it swims."""
    mates = kin.astype(float)
    middle = weighted(mates, offsets) / np.maximum(total(mates), 1.0)[:, None]
    slower[:] = -np.clip(slowing * (-dot(middle, aheads) / lengths - patience), 0.0, most)
