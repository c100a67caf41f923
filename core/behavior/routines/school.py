"""Keeping with one's own kind: heading as they do and closing up (Tu 1999, §7.9.2 and fig. 7.13, after Reynolds 1987).

The book asks three questions one after the other. Here they are a table of leaves: the first whose question is
answered with no says what to do, on top of the mean pull of all fishes of its species in sight, which brings a
school together from a distance and which the book leaves to the lead fish.

A school in which each fish curves in towards the middle may turn in a ring for ever: those across the ring head the
other way, so that the mean heading is short and counts less than the middle. Therefore fishes farther off, which stand
for the many between, count for more in the heading, and a heading that half of those seen share counts in full. The
little motion that all have in common then grows, and the ring opens into a school that travels.

Heading alike and drawing near are two pulls, as in models by zones of repulsion, alignment and attraction (Huth &
Wissel 1992; Couzin et al. 2002). What the first counts is a number of the species, `alignment`, for fishes differ in
it: in golden shiners hardly anything is found of it that speeding up and turning towards others would not do (Katz et
al. 2011).
"""

from __future__ import annotations

import numpy as np

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
    alignments=takes("f8", "n"),
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
    alignment: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The pull of kin in sight on each of n fishes.

    Args:
        neighbours: Neighbours of those fishes.
        ahead: Their headings, (n, 3).
        speed: Speeds in m/s, (n,).
        length: Lengths in metres, (n,).
        heed: The one of its kin in sight that each watches, as a share of them from the first to the last, (n,).
        accord: Share by which it heads as all of them do and not as that one, (n,).
        alignment: What heading as they do counts, over being drawn to them, (n,).

    Returns:
        A vector towards where kin head and are, (n, 3), and the increase in speed by which to keep up with them, as a
        share of the pace, -0.6 to 1.4, (n,), both 0 without kin; the mask of those in formation, (n,) bool; and the
        mask of those that must brake for one in front, (n,) bool.
    """
    fishes = len(length)
    pull, hurry = np.empty((fishes, 3)), np.empty(fishes)
    formed, check = np.empty(fishes, dtype=bool), np.empty(fishes, dtype=bool)
    KEEP_TOGETHER(
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
        alignments=alignment,
        school=_SCHOOL,
        pulls=pull,
        hurries=hurry,
        formed=formed,
        checks=check,
    )
    return pull, hurry, formed, check


def wait_for(neighbours: Neighbours, ahead: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Change in the speed of leaders for kin that fall behind, as a share of the pace, -0.8 to 0, (n,)."""
    slower = np.empty(len(length))
    WAIT_FOR(
        offsets=neighbours.offset,
        kin=neighbours.kin,
        aheads=ahead,
        lengths=length,
        slower=slower,
        slowing=LEADER_SLOWING,
        patience=LEADER_PATIENCE_LENGTHS,
        most=MOST_LEADER_SLOWING,
    )
    return slower
