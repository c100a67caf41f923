"""Keeping with one's own kind: heading as they do and closing up (Tu 1999, §7.9.2 and fig. 7.13, after Reynolds 1987).

The book asks three questions one after the other. Here they are a table of leaves: the first whose question is
answered with no says what to do, on top of the mean pull of all fishes of its species in sight, which brings a
school together from a distance and which the book leaves to the lead fish.

A school in which each fish curves in towards the middle may turn in a ring for ever: those across the ring head the
other way, so that the mean heading is short and counts less than the middle. Therefore fishes farther off, which stand
for the many between, count for more in the heading, and a heading that half of those seen share counts in full. The
little motion that all have in common then grows, and the ring opens into a school that travels.
"""

from __future__ import annotations

import numpy as np

from ...base.sums import total, weighted
from ...base.vectors import dot, norm, unit
from ...compiled import compiled, reads, real, reals, record, takes, values, writes
from ...perception.collision import FISHES_A_THREAD
from ...perception.neighbours import Neighbours
from .tuning import (
    ALIKE_COSINE,
    BEHIND_COSINE,
    BESIDE_LENGTHS,
    CATCH_UP_PACE,
    CLOSING_SECONDS,
    CONSENT_HEADING,
    ENOUGH_SCHOOLMATES,
    FRONT_COSINE,
    IN_FRONT_LENGTHS,
    KEEPING_UP,
    LEADER_PATIENCE_LENGTHS,
    LEADER_SLOWING,
    LEADER_WEIGHT,
    LEAF_PULLS,
    LEAF_SPURTS,
    LEAST_MIDDLE_LENGTHS,
    LEAST_ROOM_LENGTHS,
    MOST_KEEPING_UP,
    MOST_LEADER_SLOWING,
    PARTY_LENGTHS,
    REMOTE_WEIGHT,
    TRAIN_LENGTHS,
)

CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG = range(4)  # the leaves of the decision tree

SCHOOL = record(
    "School",
    **reals("train leader remote consent least_middle party front behind in_front beside enough alike closing"),
    **reals("least_room keeping_up most_keeping_up catch_up pulls:4 spurts:4"),
)
_SCHOOL = values(
    SCHOOL,
    train=TRAIN_LENGTHS,
    leader=LEADER_WEIGHT,
    remote=REMOTE_WEIGHT,
    consent=CONSENT_HEADING,
    least_middle=LEAST_MIDDLE_LENGTHS,
    party=PARTY_LENGTHS,
    front=FRONT_COSINE,
    behind=BEHIND_COSINE,
    in_front=IN_FRONT_LENGTHS,
    beside=BESIDE_LENGTHS,
    enough=ENOUGH_SCHOOLMATES,
    alike=ALIKE_COSINE,
    closing=CLOSING_SECONDS,
    least_room=LEAST_ROOM_LENGTHS,
    keeping_up=KEEPING_UP,
    most_keeping_up=MOST_KEEPING_UP,
    catch_up=CATCH_UP_PACE,
    pulls=LEAF_PULLS,
    spurts=LEAF_SPURTS,
)
KEEP_TOGETHER = compiled(
    "keep_together",
    over="n",
    least=FISHES_A_THREAD,
    offsets=takes("f8", "n", "others", 3),
    motions=takes("f8", "n", "others", 3),
    headings=takes("f8", "n", "others", 3),
    lengths=takes("f8", "n", "others"),
    kin=takes("?", "n", "others"),
    leads=takes("?", "n", "others"),
    nears=takes("?", "n", "others"),
    aheads=takes("f8", "n", 3),
    speeds=takes("f8", "n"),
    own=takes("f8", "n"),
    heeds=takes("f8", "n"),
    accords=takes("f8", "n"),
    school=reads(SCHOOL),
    pulls=writes("f8", "n", 3),
    hurries=writes("f8", "n"),
    formed=writes("?", "n"),
    checks=writes("?", "n"),
)
WAIT_FOR = compiled(
    "wait_for",
    over="n",
    least=FISHES_A_THREAD,
    offsets=takes("f8", "n", "others", 3),
    kin=takes("?", "n", "others"),
    aheads=takes("f8", "n", 3),
    lengths=takes("f8", "n"),
    slower=writes("f8", "n"),
    slowing=real(),
    patience=real(),
    most=real(),
)


def keep_together(
    neighbours: Neighbours,
    ahead: np.ndarray,
    speed: np.ndarray,
    length: np.ndarray,
    heed: np.ndarray,
    accord: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The pull of kin in sight on each of n fishes.

    Args:
        neighbours: Neighbours of those fishes.
        ahead: Their headings, (n, 3).
        speed: Speeds in m/s, (n,).
        length: Lengths in metres, (n,).
        heed: The one of its kin in sight that each watches, as a share of them from the first to the last, (n,).
        accord: Share by which it heads as all of them do and not as that one, (n,).

    Returns:
        A vector towards where kin head and are, (n, 3), and the increase in speed by which to keep up with them, as a
        share of the pace, -0.6 to 1.4, (n,), both 0 without kin; the mask of those in formation, (n,) bool; and the
        mask of those that must brake for one in front, (n,) bool.
    """
    fishes = len(length)
    pull, hurry = np.empty((fishes, 3)), np.empty(fishes)
    formed, check = np.empty(fishes, dtype=bool), np.empty(fishes, dtype=bool)
    done = KEEP_TOGETHER(
        offsets=neighbours.offset,
        motions=neighbours.motion,
        headings=neighbours.ahead,
        lengths=neighbours.length,
        kin=neighbours.kin,
        leads=neighbours.leads,
        nears=neighbours.other,
        aheads=ahead,
        speeds=speed,
        own=length,
        heeds=heed,
        accords=accord,
        school=_SCHOOL,
        pulls=pull,
        hurries=hurry,
        formed=formed,
        checks=check,
    )
    if done:
        return pull, hurry, formed, check
    return _keep_together(neighbours, ahead, speed, length, heed, accord)


def _keep_together(
    neighbours: Neighbours,
    ahead: np.ndarray,
    speed: np.ndarray,
    length: np.ndarray,
    heed: np.ndarray,
    accord: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The plain form of `keep_together`."""
    distance = norm(neighbours.offset)
    mates = neighbours.kin
    # A leader shows the way from afar; near it, a fish goes as it goes rather than where it is.
    remote = np.clip(distance / (TRAIN_LENGTHS * length[:, None]) - 0.5, 0.0, 1.0)
    trailing = (mates & neighbours.leads) * remote
    guide, draw = (mates * (1.0 + LEADER_WEIGHT * neighbours.leads * how) for how in (1.0, remote))
    many, rank = np.count_nonzero(mates, axis=1), np.cumsum(mates, axis=1)
    watched = mates & (rank == (np.floor(heed * many) + 1.0)[:, None])
    voice = accord[:, None] + (1.0 - accord)[:, None] * (many[:, None] * watched)
    guide = guide * (1.0 + REMOTE_WEIGHT * remote) * voice
    # Those glanced at count towards the middle where they are another party: the nearest stand for what is between.
    draw = draw * np.where(neighbours.other, 1.0, np.clip(distance / (PARTY_LENGTHS * length[:, None]) - 1.0, 0.0, 1.0))
    guide, draw = (of / np.maximum(total(of), 1.0)[:, None] for of in (guide, draw))
    heading, gain = (weighted(guide, of) for of in (neighbours.ahead, neighbours.motion))
    heading = heading / np.maximum(norm(heading), CONSENT_HEADING)[:, None]
    middle = weighted(draw, neighbours.offset)
    closing = middle / np.maximum(norm(middle), LEAST_MIDDLE_LENGTHS * length)[:, None]
    lead = dot(gain, ahead) / np.maximum(speed, length)
    lag = dot(closing, ahead)

    bearing = dot(neighbours.offset, ahead[:, None]) / np.maximum(distance, 1e-9)
    leaf, target = _decide(mates, distance / length[:, None], bearing, dot(heading, ahead))
    at = np.take_along_axis(neighbours.offset, target[:, None, None], axis=1)[:, 0]
    pull = heading + closing + LEAF_PULLS[leaf, None] * mates.any(axis=1)[:, None] * unit(at)

    approach = -dot(neighbours.offset, neighbours.motion) / np.maximum(distance, 1e-9)
    room = distance - 0.5 * (length[:, None] + neighbours.length)
    check = (
        mates
        & (bearing > FRONT_COSINE)
        & (approach * CLOSING_SECONDS > np.maximum(room, LEAST_ROOM_LENGTHS * length[:, None]))
    ).any(axis=1)
    hurry = KEEPING_UP * lead + KEEPING_UP * lag + LEAF_SPURTS[leaf] * mates.any(axis=1)
    # A fish with nobody near makes haste to get to them: one that swims as fast as they do never would.
    lost = np.where(mates, remote, 1.0).min(axis=1) * np.maximum(lag, 0.0)
    hurry = np.clip(hurry, -MOST_KEEPING_UP, MOST_KEEPING_UP) + CATCH_UP_PACE * np.maximum(trailing.max(axis=1), lost)
    return pull, hurry, leaf >= MATCH, check


def _decide(
    mates: np.ndarray, distance: np.ndarray, bearing: np.ndarray, alike: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The leaf of fig. 7.13 that each fish is at, (n,), and the column of the schoolmate that it names, (n,).

    Args:
        mates: Mask of the neighbours that are schoolmates in sight, (n, k) bool.
        distance: Distance to each in lengths, (n, k).
        bearing: Cosine of its bearing, (n, k).
        alike: Cosine between one's own heading and theirs, (n,).
    """
    front, side = mates & (bearing > FRONT_COSINE), mates & (bearing <= FRONT_COSINE) & (bearing >= BEHIND_COSINE)
    few_ahead = np.count_nonzero(front & (distance < IN_FRONT_LENGTHS), axis=1) < ENOUGH_SCHOOLMATES
    few_beside = np.count_nonzero(side & (distance < BESIDE_LENGTHS), axis=1) < ENOUGH_SCHOOLMATES
    # A fish with nobody at all in front leads, or is on the rim, and goes by the next question.
    questions = (few_ahead & front.any(axis=1), few_beside & side.any(axis=1), alike < ALIKE_COSINE)
    leaf = np.select(questions, (CLOSE_UP, DRAW_IN, MATCH), SWIM_ALONG)
    sought = np.where((leaf == CLOSE_UP)[:, None], front, side)
    return leaf, np.where(sought, distance, np.inf).argmin(axis=1)


def wait_for(neighbours: Neighbours, ahead: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Change in the speed of leaders for kin that fall behind, as a share of the pace, -0.8 to 0, (n,)."""
    slower = np.empty(len(length))
    done = WAIT_FOR(
        offsets=neighbours.offset,
        kin=neighbours.kin,
        aheads=ahead,
        lengths=length,
        slower=slower,
        slowing=LEADER_SLOWING,
        patience=LEADER_PATIENCE_LENGTHS,
        most=MOST_LEADER_SLOWING,
    )
    if done:
        return slower
    mates = neighbours.kin.astype(float)
    middle = weighted(mates, neighbours.offset) / np.maximum(total(mates), 1.0)[:, None]
    return -np.clip(LEADER_SLOWING * (-dot(middle, ahead) / length - LEADER_PATIENCE_LENGTHS), 0.0, MOST_LEADER_SLOWING)
