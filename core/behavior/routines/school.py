"""Keeping with one's own kind: heading as they do and closing up (Tu 1999, §7.9.2 and fig. 7.13, after Reynolds 1987).

The book asks three questions one after the other. Here they are a table of leaves: the first whose question is
answered with no says what to do, on top of the mean pull of all kin in sight, which brings a school together from
afar and which the book leaves to the lead fish.

A school in which each curves in towards the middle may turn in a ring for good: those across it head the other way, so
that the mean heading is short and says less than the middle. Therefore those farther off, who stand for the many
between, count for more in the heading, and a heading that half of those seen share counts in full. What little way all
have in common then grows, and the ring opens into a school that travels.
"""

from __future__ import annotations

import numpy as np

from ...base.vectors import dot, norm, unit
from ...perception.neighbours import Neighbours

AHEAD, ASIDE = np.cos(np.pi / 4), np.cos(3 * np.pi / 4)  # schoolmates are in front, to the sides or behind
IN_FRONT, BESIDE = 2.0, 1.3  # lengths between places where bodies are about one length apart, as the book has it
ENOUGH = 2  # schoolmates in front, and to the sides
ALIKE = np.cos(np.pi / 5)  # generally the same direction
LEADING = 2.0  # how much more than another schoolmate a leader is heeded
TRAIN = 4.0  # lengths behind a leader at which one makes for it and hurries, half of that at which one begins to
OUTLOOK = 4.0  # how much more those from 6 lengths off count in the heading; none of it within 2
CONSENT = 0.5  # length of the mean heading of those seen from which it counts in full
CATCH_UP = 0.8  # share of the pace that the farthest behind a leader, or from anybody, add to theirs
HASTE = 0.4  # seconds; who would be on the one in front sooner brakes
PATIENCE = 1.0  # lengths that the school may be behind before its leader slows down

CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG = range(4)  # the leaves of the decision tree
STEP = np.array([0.2, 0.2, 0.0, 0.0])  # how much a leaf's own target counts, over the mean of all kin
SPURT = np.array([0.25, 0.0, 0.0, 0.0])  # share of the pace that it adds


def keep_together(
    neighbours: Neighbours, ahead: np.ndarray, speed: np.ndarray, length: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The pull of kin in sight on each of n fishes.

    Args:
        neighbours: Of those fishes.
        ahead: Their headings, (n, 3).
        speed: In m/s, (n,).
        length: In metres, (n,).

    Returns:
        A vector towards where kin head and are, (n, 3), and how much faster to swim in order to keep up with them, as
        a share of the pace, -0.6 to 1.4, (n,), both 0 without kin; whether each is in formation, (n,) bool; and whether
        it must brake for one in front, (n,) bool.
    """
    distance = norm(neighbours.offset)
    heeded = neighbours.kin
    # A leader shows the way from afar; near it, one goes as it goes rather than where it is.
    remote = np.clip(distance / (TRAIN * length[:, None]) - 0.5, 0.0, 1.0)
    trailing = (heeded & neighbours.leads) * remote
    guide, draw = (heeded * (1.0 + LEADING * neighbours.leads * how) for how in (1.0, remote))
    guide = guide * (1.0 + OUTLOOK * remote)
    guide, draw = (of / np.maximum(of.sum(axis=1, keepdims=True), 1.0) for of in (guide, draw))
    heading, gain = (np.einsum("nk,nki->ni", guide, of) for of in (neighbours.ahead, neighbours.motion))
    heading = heading / np.maximum(norm(heading), CONSENT)[:, None]
    middle = np.einsum("nk,nki->ni", draw, neighbours.offset)
    closing = middle / np.maximum(norm(middle), 2 * length)[:, None]
    lead = dot(gain, ahead) / np.maximum(speed, length)
    lag = dot(closing, ahead)

    bearing = np.einsum("nki,ni->nk", neighbours.offset, ahead) / np.maximum(distance, 1e-9)
    leaf, target = _decide(heeded, distance / length[:, None], bearing, dot(heading, ahead))
    at = np.take_along_axis(neighbours.offset, target[:, None, None], axis=1)[:, 0]
    pull = heading + closing + STEP[leaf, None] * heeded.any(axis=1)[:, None] * unit(at)

    approach = -dot(neighbours.offset, neighbours.motion) / np.maximum(distance, 1e-9)
    room = distance - 0.5 * (length[:, None] + neighbours.length)
    check = (heeded & (bearing > AHEAD) & (approach * HASTE > np.maximum(room, 0.1 * length[:, None]))).any(axis=1)
    hurry = 0.4 * lead + 0.4 * lag + SPURT[leaf] * heeded.any(axis=1)
    # Who has nobody near makes haste to get to them: one that swims as fast as they do never would.
    lost = np.where(heeded, remote, 1.0).min(axis=1) * np.maximum(lag, 0.0)
    hurry = np.clip(hurry, -0.6, 0.6) + CATCH_UP * np.maximum(trailing.max(axis=1), lost)
    return pull, hurry, leaf >= MATCH, check


def _decide(
    heeded: np.ndarray, distance: np.ndarray, bearing: np.ndarray, alike: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The leaf of fig. 7.13 that each fish is at, (n,), and the column of the schoolmate that it names, (n,).

    Args:
        heeded: Which neighbours are schoolmates in sight, (n, k) bool.
        distance: To each in lengths, (n, k).
        bearing: Cosine of its bearing, (n, k).
        alike: Cosine between one's own heading and theirs, (n,).
    """
    front, side = heeded & (bearing > AHEAD), heeded & (bearing <= AHEAD) & (bearing >= ASIDE)
    few_ahead = (front & (distance < IN_FRONT)).sum(axis=1) < ENOUGH
    few_aside = (side & (distance < BESIDE)).sum(axis=1) < ENOUGH
    # Whoever has nobody at all in front leads, or is on the rim, and goes by the next question.
    questions = (few_ahead & front.any(axis=1), few_aside & side.any(axis=1), alike < ALIKE)
    leaf = np.select(questions, (CLOSE_UP, DRAW_IN, MATCH), SWIM_ALONG)
    sought = np.where((leaf == CLOSE_UP)[:, None], front, side)
    return leaf, np.where(sought, distance, np.inf).argmin(axis=1)


def wait_for(neighbours: Neighbours, ahead: np.ndarray, length: np.ndarray) -> np.ndarray:
    """How much slower leaders swim for kin that fall behind, as a share of the pace, -0.8 to 0, (n,)."""
    heeded = neighbours.kin.astype(float)
    middle = np.einsum("nk,nki->ni", heeded, neighbours.offset) / np.maximum(heeded.sum(axis=1), 1.0)[:, None]
    return -np.clip(0.4 * (-dot(middle, ahead) / length - PATIENCE), 0.0, 0.8)
