"""Alarm of a school at danger that not all of its fishes see: many eyes (Pulliam 1973; Treherne & Foster 1981).

The book's prey fears what it sees itself, so that a fish that turns its tail on a predator forgets it. In a school the
alarm of those that see the predator passes to schoolmates in sight, and no farther: no fish passes on an alarm that it
only took over.

A start is another matter. A fish that starts startles those close by, they the next, each a little less: a wave runs
from fish to fish through the school and dies down, whatever began it (Rosenthal et al. 2015).
"""

from __future__ import annotations

import numpy as np

from ..base.nearest import Points
from ..base.vectors import norm
from ..compiled import changes, compiled, real, takes
from .tuning import ATTENDED_NEIGHBOURS, PASSED_ON_FRIGHT, START_LENGTHS
from .vision import field_cosine, in_field

EARS_A_THREAD = 400
"""Fishes listening to their mates that are worth a thread of their own."""

HEARD = compiled(
    "heard",
    over="n",
    least=EARS_A_THREAD,
    ordinals=takes("i8", "n"),
    listeners=takes("i8", "n"),
    foes=takes("i8", "looks", "others"),
    nearest=takes("i8", "n", "near"),
    alarmed=takes("i8", "alarms"),
    sighted=takes("i8", "fishes"),
    school=takes("i8", "fishes"),
    reaches=takes("f8", "fishes"),
    places=takes("f8", "fishes", 3),
    aheads=takes("f8", "fishes", 3),
    known=changes("?", "looks", "others"),
    cosine=real(),
)


def known_to_mates(
    fishes: np.ndarray,
    foes: np.ndarray,
    sighted: np.ndarray,
    school: np.ndarray,
    reach: np.ndarray,
    place: np.ndarray,
    ahead: np.ndarray,
) -> np.ndarray:
    """Mask of the foes that schoolmates in sight see with their own eyes.

    Args:
        fishes: Rows of those that look around, (n,).
        foes: Rows of those that each may fear; its own row stands for nobody, (n, k).
        sighted: Row of the foe that each fish sees and is alarmed by, -1 without, (fish,).
        school: Number of those whose alarm each goes by, its species; -1 where it goes by none, (fish,).
        reach: Distance within which they have to be in metres, (fish,).
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
    around = Points(place[alarmed])
    listening = listening[around.throng(place[fishes[listening]], reach[fishes[listening]], 0)]
    me = fishes[listening]
    ranks = np.arange(1, min(ATTENDED_NEIGHBOURS + 1, len(alarmed)) + 1)  # one more, since a fish may find itself
    near = around.nearest(place[me], ranks)
    HEARD(
        ordinals=listening,
        listeners=me,
        foes=foes,
        nearest=near,
        alarmed=alarmed,
        sighted=sighted,
        school=school,
        reaches=reach,
        places=place,
        aheads=ahead,
        cosine=field_cosine(),
        known=known,
    )
    return known


def frights_of_mates(
    fright: np.ndarray, school: np.ndarray, length: np.ndarray, place: np.ndarray, ahead: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frights that frightened schoolmates close by give to fishes that are less frightened.

    Args:
        fright: Fright of each fish, 0 to 1, (fish,).
        school: Number of those whose alarm each goes by, its species; -1 where it goes by none, (fish,).
        length: Lengths in metres, (fish,).
        place: Middles of all fishes in metres, (fish, 3).
        ahead: Headings of all fishes, (fish, 3).

    Returns:
        Rows of those that are frightened by one, (n,); the row of that one, (n,); and the fright that it gives, (n,).
    """
    sources, me = np.flatnonzero((fright > 0) & (school >= 0)), np.flatnonzero(school >= 0)
    none = np.zeros(0, dtype=int)
    if not len(sources):
        return none, none, np.zeros(0)
    around = Points(place[sources])
    me = me[around.throng(place[me], START_LENGTHS * length[me], 0)]
    if not len(me):
        return none, none, np.zeros(0)
    ranks = np.arange(1, min(ATTENDED_NEIGHBOURS + 1, len(sources)) + 1)  # one more, since a fish may find itself
    mates = sources[around.nearest(place[me], ranks)]
    offset = place[mates] - place[me][:, None]
    gap = norm(offset)
    close = (gap <= START_LENGTHS * length[me, None]) & in_field(offset, gap, ahead[me][:, None])
    given = np.where(close & (school[mates] == school[me, None]), PASSED_ON_FRIGHT * fright[mates], 0.0)
    most = given.argmax(axis=1)[:, None]
    given, by = (np.take_along_axis(of, most, axis=1)[:, 0] for of in (given, mates))
    more = given > fright[me]
    return me[more], by[more], given[more]
