"""How a school learns of danger that not all of its fishes see: many eyes (Pulliam 1973; Treherne & Foster 1981).

The book's prey fears what it sees itself, so that a fish that turns its tail on a predator forgets it. In a school the
alarm of those that see the predator passes to schoolmates in sight, and no farther: no fish passes on an alarm that it
only took over.
"""

from __future__ import annotations

import numpy as np

from ..base.nearest import nearest
from ..base.vectors import norm
from .tuning import ATTENDED_NEIGHBOURS
from .vision import in_field


def known_to_mates(
    fishes: np.ndarray,
    foes: np.ndarray,
    sighted: np.ndarray,
    school: np.ndarray,
    reach: np.ndarray,
    place: np.ndarray,
    ahead: np.ndarray,
) -> np.ndarray:
    """Of which foes schoolmates in sight know by their own eyes.

    Args:
        fishes: Rows of those that look around, (n,).
        foes: Rows of those that each may fear; its own row stands for nobody, (n, k).
        sighted: Row of the foe that each fish sees and is alarmed by, -1 without, (fish,).
        school: A number for those whose alarm each goes by, its species; -1 for who goes by nobody, (fish,).
        reach: How near they have to be in metres, (fish,).
        place: Middles of all fishes in metres, (fish, 3).
        ahead: Headings of all fishes, (fish, 3).

    Returns:
        (n, k) bool.
    """
    known = np.zeros(foes.shape, dtype=bool)
    alarmed = np.flatnonzero((sighted >= 0) & (school >= 0))
    listening = np.flatnonzero(school[fishes] >= 0)
    if not len(alarmed) or not len(listening):
        return known
    me = fishes[listening]
    ranks = np.arange(1, min(ATTENDED_NEIGHBOURS + 1, len(alarmed)) + 1)  # one more, since a fish may find itself
    mates = alarmed[nearest(place[me], place[alarmed], ranks)]
    offset = place[mates] - place[me][:, None]
    gap = norm(offset)
    in_sight = (gap <= reach[me, None]) & in_field(offset, gap, ahead[me][:, None])
    in_sight &= (school[mates] == school[me, None]) & (mates != me[:, None])
    news = np.where(in_sight, sighted[mates], -1)
    known[listening] = (foes[listening][:, :, None] == news[:, None, :]).any(axis=2)
    return known
