"""Danger of collision with other fishes, by sensitivity boxes (Tu 1999, §6.6.1).

Every fish has a box about it, along its own axes, as long, wide and high as its temperament has it and as what it is
about lets it be (fig. 6.8). Whoever's center line comes into the box within a moment is a threat. The line is that of
the straight body: what a bend adds is within the girth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..compiled import compiled, reads, reals, record, takes, values, writes
from .collision import FISHES_A_THREAD
from .neighbours import Neighbours
from .tuning import FORESEEN_SECONDS, GIRTH_LENGTHS, NOSE_END_LENGTHS, TAIL_END_LENGTHS

BOX_SIZES = ("comfort", "comfort_ahead", "comfort_behind", "comfort_height")
"""Numbers of species.Temperament that say how large a fish's box is."""

TRUNK = record("Trunk", **reals("nose tail girth foreseen"))
_TRUNK = values(TRUNK, nose=NOSE_END_LENGTHS, tail=TAIL_END_LENGTHS, girth=GIRTH_LENGTHS, foreseen=FORESEEN_SECONDS)
THREATS = compiled(
    "threats",
    over="n",
    least=FISHES_A_THREAD,
    offsets=takes("f8", "n", "others", 3),
    motions=takes("f8", "n", "others", 3),
    headings=takes("f8", "n", "others", 3),
    lengths=takes("f8", "n", "others"),
    there=takes("?", "n", "others"),
    frames=takes("f8", "n", 3, 3),
    own=takes("f8", "n"),
    boxes=takes("f8", "n", 4),
    comforts=takes("f8", "n"),
    body=reads(TRUNK),
    portions=writes("f8", "n", "others"),
    urgencies=writes("f8", "n", "others"),
    aways=writes("f8", "n", "others", 3),
)


@dataclass(frozen=True)
class Threats:
    """The threats in the boxes of n fishes, by k neighbours each.

    Attributes:
        portion: Share of the neighbour's center line that is in the box, 0 where it is no threat, (n, k).
        urgency: 0 at the border of the box to 1 at the fish's own place, for the part of the line in it that comes
            nearest, (n, k).
        away: Unit vector from there to the fish, (n, k, 3).
    """

    portion: np.ndarray
    urgency: np.ndarray
    away: np.ndarray

    def worst(self, fish: np.ndarray) -> np.ndarray:
        """Of these rows (n, k), the one with most of its center line in each box, of equals the nearest; -1, (n,)."""
        best = np.arange(len(fish)), (self.portion + 1e-6 * self.urgency).argmax(axis=1)
        return np.where(self.portion[best] > 0, fish[best], -1)


def threats(
    neighbours: Neighbours,
    frames: np.ndarray,
    length: np.ndarray,
    traits: np.ndarray,
    scale: np.ndarray,
    welcome: np.ndarray | None = None,
) -> Threats:
    """The neighbours in each box, each at the moment within the horizon at which it is nearest.

    Args:
        neighbours: Of n fishes, k each.
        frames: Columns ahead, left and up of the fishes, (n, 3, 3).
        length: Of the fishes in metres, (n,).
        traits: (n,) with the fields `BOX_SIZES`: how far a box reaches to the side, in lengths of the smaller of the
            two beyond their girths, and how far ahead, behind, and up and down, over that.
        scale: What the fish is about makes of its comfort, 1 for all of it, (n,).
        welcome: Row of the one fish that each has no box for, that which it is after; -1 or left out without, (n,).
    """
    reach = np.stack(
        (traits["comfort_ahead"], traits["comfort_behind"], np.ones(len(length)), traits["comfort_height"]), axis=1
    )
    comfort, counts = scale * traits["comfort"], neighbours.other
    if welcome is not None:
        counts = counts & (neighbours.fish != welcome[:, None])
    found = Threats(np.empty(counts.shape), np.empty(counts.shape), np.empty(neighbours.offset.shape))
    THREATS(
        offsets=neighbours.offset,
        motions=neighbours.motion,
        headings=neighbours.ahead,
        lengths=neighbours.length,
        there=counts,
        frames=frames,
        own=length,
        boxes=reach,
        comforts=comfort,
        body=_TRUNK,
        portions=found.portion,
        urgencies=found.urgency,
        aways=found.away,
    )
    return found
