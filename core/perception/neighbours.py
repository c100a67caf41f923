"""The nearest neighbours of each fish."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.nearest import nearest
from .tuning import ATTENDED_NEIGHBOURS, FARTHER_RANKS


@dataclass
class Neighbours:
    """The fishes nearest to some fishes, one row a fish that looks around, (n, k) and (n, k, 3).

    Attributes:
        fish: Row of the neighbour.
        offset: From the fish to its neighbour in metres.
        motion: Velocity of the neighbour relative to the fish in m/s.
        ahead: Unit vector along the neighbour's body.
        length: Length of the neighbour in metres.
        kin: Whether the neighbour is of the fish's own species.
        leads: Whether the neighbour is one that its kin follow.
        other: Whether there is a neighbour; False where the fish found only itself.
    """

    fish: np.ndarray
    offset: np.ndarray
    motion: np.ndarray
    ahead: np.ndarray
    length: np.ndarray
    kin: np.ndarray
    leads: np.ndarray
    other: np.ndarray


class Neighbourhood:
    """Finds the nearest fishes of every size, so that a shark is not overlooked for the sardines in front of it.

    Sizes are grouped by octaves of length, with one k-d tree for each.
    """

    def __init__(self, length: np.ndarray, species: np.ndarray, leads: np.ndarray):
        """Sorts the fishes by size.

        Args:
            length: Length of each fish in metres, (fish,).
            species: A number for the species of each fish, (fish,).
            leads: Whether its kin follow each, (fish,) bool.
        """
        self._length, self._species, self._leads = length, species, leads
        octave = np.frexp(length)[1]
        self._sizes = [np.flatnonzero(octave == size) for size in np.unique(octave)]

    def around(self, fishes: np.ndarray, place: np.ndarray, ahead: np.ndarray, velocity: np.ndarray) -> Neighbours:
        """The nearest fishes of every size, nearest first for each size in turn.

        Args:
            fishes: Rows of the fishes that look around, (n,).
            place: Where every fish is in metres, (fish, 3).
            ahead: Unit vector along every fish's body, (fish, 3).
            velocity: Velocity of every fish in m/s, (fish, 3).
        """
        found = []
        for size in self._sizes:
            ranks = np.array(
                [*range(1, ATTENDED_NEIGHBOURS + 2), *FARTHER_RANKS]
            )  # one more, since a fish finds itself
            ranks = ranks[ranks <= len(size)]
            found.append(size[nearest(place[fishes], place[size], ranks)])
        others = np.concatenate(found, axis=1)
        me = fishes[:, None]
        return Neighbours(
            fish=others,
            offset=place[others] - place[me],
            motion=velocity[others] - velocity[me],
            ahead=ahead[others],
            length=self._length[others],
            kin=(self._species[others] == self._species[me]) & (others != me),
            leads=self._leads[others],
            other=others != me,
        )
