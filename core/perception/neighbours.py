"""The nearest neighbours of each fish."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base import compiled
from ..base.nearest import Points, nearest_of_each
from .tuning import ATTENDED_NEIGHBOURS, FARTHER_RANKS

_SHARED = 512  # fishes that are worth a thread of their own


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

    Sizes are grouped by octaves of length, with a tree for each, planted once a frame: all that think in it look around
    together.
    """

    def __init__(self, length: np.ndarray, species: np.ndarray, leads: np.ndarray):
        """Sorts the fishes by size.

        Args:
            length: Length of each fish in metres, (fish,).
            species: A number for the species of each fish, (fish,).
            leads: Whether its kin follow each, (fish,) bool.
        """
        self._length, self._leads = compiled.laid(length)[0], compiled.laid(leads, kind=bool)[0]
        self._species = compiled.laid(species, kind=np.int64)[0]
        octave = np.frexp(length)[1]
        sizes = [np.flatnonzero(octave == size) for size in np.unique(octave)]
        # One more than are attended to, since a fish finds itself.
        ranks = np.array([*range(1, ATTENDED_NEIGHBOURS + 2), *FARTHER_RANKS])
        self._sizes = [(size, ranks[ranks <= len(size)]) for size in sizes]
        self._far = np.zeros(
            (len(sizes), len(length))
        )  # to the last of each when each fish last looked around, squared

    def around(self, fishes: np.ndarray, place: np.ndarray, ahead: np.ndarray, velocity: np.ndarray) -> Neighbours:
        """The nearest fishes of every size, nearest first for each size in turn.

        Args:
            fishes: Rows of the fishes that look around, (n,).
            place: Where every fish is in metres, (fish, 3).
            ahead: Unit vector along every fish's body, (fish, 3).
            velocity: Velocity of every fish in m/s, (fish, 3).
        """
        crowds = [(Points(place[size]), ranks) for size, ranks in self._sizes]
        far = self._far.take(fishes, axis=1)
        found = nearest_of_each(place[fishes], crowds, far)
        self._far[:, fishes] = far
        others = np.concatenate([size[rows] for (size, _), rows in zip(self._sizes, found, strict=True)], axis=1)
        n, k = others.shape
        near = Neighbours(
            fish=others,
            offset=np.empty((n, k, 3)),
            motion=np.empty((n, k, 3)),
            ahead=np.empty((n, k, 3)),
            length=np.empty((n, k)),
            kin=np.empty((n, k), dtype=bool),
            leads=np.empty((n, k), dtype=bool),
            other=np.empty((n, k), dtype=bool),
        )
        rows, bodies = compiled.laid(fishes, others, kind=np.int64), compiled.laid(place, ahead, velocity)
        arrays = *rows, *bodies, self._length, self._species, self._leads, *list(vars(near).values())[1:]
        if compiled.share("around", arrays, n, _SHARED, k):
            return near
        return self._around(fishes, others, place, ahead, velocity)

    def _around(
        self, fishes: np.ndarray, others: np.ndarray, place: np.ndarray, ahead: np.ndarray, velocity: np.ndarray
    ) -> Neighbours:
        """What these others, (n, k), are to fishes, (n,), plainly."""
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
