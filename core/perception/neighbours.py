"""The nearest neighbours of each fish, and some of its kind farther off at which it glances.

A fish that attends to the nearest alone learns of the rest of a large school late or never, and a crowd that comes
together falls into parties, each with a heading of its own. A glance that falls now on one, now on another of all in
sight makes it one school, and costs less than a search for many neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.nearest import Wanderers, nearest_of_each
from ..compiled import compiled, integer, laid, reads, takes, writes
from .retina.sight import RetinalSight
from .tuning import ATTENDED_NEIGHBOURS, FARTHER_RANK

_SHARED = 512  # fishes that are worth a thread of their own

_AROUND = compiled(
    "around",
    over="n",
    least=_SHARED,
    fishes=takes("i8", "n"),
    rows=takes("i8", "n", "many"),
    places=takes("f8", "all", 3),
    ways=takes("f8", "all", 3),
    velocities=takes("f8", "all", 3),
    lengths=reads("f8", "all"),
    species=reads("i8", "all"),
    leads=reads("?", "all"),
    sights=reads("f8", "all"),
    offsets=writes("f8", "n", "many", 3),
    motions=writes("f8", "n", "many", 3),
    headings=writes("f8", "n", "many", 3),
    sizes=writes("f8", "n", "many"),
    kin=writes("?", "n", "many"),
    leaders=writes("?", "n", "many"),
    others=writes("?", "n", "many"),
    close=integer(),
)


@dataclass
class Neighbours:
    """The fishes nearest to some fishes, one row per fish that looks around, (n, k) and (n, k, 3).

    Attributes:
        fish: Row of the neighbour.
        offset: Vector from the fish to its neighbour in metres.
        motion: Velocity of the neighbour relative to the fish in m/s.
        ahead: Unit vector along the neighbour's body.
        length: Length of the neighbour in metres.
        kin: True where the neighbour is of the fish's own species, and in sight.
        leads: True where the neighbour is one that its kin follow.
        other: True where it is one of the nearest and so may be run into; False where the fish found only itself.
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

    Sizes are grouped by octaves of length, with a tree for each, brought up to date once a frame: all that think in it
    look around together.
    """

    def __init__(
        self,
        length: np.ndarray,
        species: np.ndarray,
        leads: np.ndarray,
        sight: np.ndarray,
        retinas: RetinalSight | None = None,
    ):
        """Sorts the fishes by size.

        Args:
            length: Length of each fish in metres, (fish,).
            species: Number of the species of each fish, (fish,).
            leads: Mask of the fishes that their kin follow, (fish,) bool.
            sight: Distance at which each sees its kin in metres, (fish,).
            retinas: The eyes of those that see with images; None where none do.
        """
        self._retinas = retinas
        self._length, self._leads = laid(length)[0], laid(leads, kind=bool)[0]
        self._species, self._sight = laid(species, kind=np.int64)[0], laid(sight)[0]
        self._by_kind = np.argsort(species, kind="stable")
        count = np.bincount(species)
        self._kin, self._first = count[species], (np.cumsum(count) - count)[species]
        octave = np.frexp(length)[1]
        sizes = [np.flatnonzero(octave == size) for size in np.unique(octave)]
        # One more than are attended to, since a fish finds itself.
        ranks = np.array([*range(1, ATTENDED_NEIGHBOURS + 2), FARTHER_RANK])
        self._sizes = [(size, ranks[ranks <= len(size)]) for size in sizes]
        self._crowds = [Wanderers() for _ in sizes]
        # Distance to the last one of each size when each fish last looked around, squared.
        self._far = np.zeros((len(sizes), len(length)))

    def around(
        self, fishes: np.ndarray, glances: np.ndarray, place: np.ndarray, ahead: np.ndarray, velocity: np.ndarray
    ) -> Neighbours:
        """The nearest fishes of every size, nearest first for each size in turn, and those glanced at.

        Neighbours of a fish that sees with images are those that it sees, where it sees them.

        Args:
            fishes: Rows of the fishes that look around, (n,).
            glances: Those of its kind at which each glances, as shares of them from the first to the last, (n, g).
            place: Place of every fish in metres, (fish, 3).
            ahead: Unit vector along every fish's body, (fish, 3).
            velocity: Velocity of every fish in m/s, (fish, 3).
        """
        crowds = [(of.at(place[size]), ranks) for of, (size, ranks) in zip(self._crowds, self._sizes, strict=True)]
        far = self._far.take(fishes, axis=1)
        found = nearest_of_each(place[fishes], crowds, far)
        self._far[:, fishes] = far
        me = fishes[:, None]
        glanced = self._by_kind[self._first[me] + (glances * self._kin[me]).astype(int)]
        around = (size[rows] for (size, _), rows in zip(self._sizes, found, strict=True))
        others = np.concatenate((*around, glanced), axis=1)
        (n, k), close = others.shape, others.shape[1] - glances.shape[1]
        if self._retinas is not None:
            mine, rows = self._retinas.among(fishes)
            others[mine, :close] = self._retinas.pick(rows, np.ones(len(place), dtype=bool), close)[0]
            unseen = ~np.isfinite(self._retinas.ranges(rows, others[mine]))
            others[mine] = np.where(unseen, me[mine], others[mine])
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
        _AROUND(
            fishes=fishes,
            rows=others,
            places=place,
            ways=ahead,
            velocities=velocity,
            lengths=self._length,
            species=self._species,
            leads=self._leads,
            sights=self._sight,
            offsets=near.offset,
            motions=near.motion,
            headings=near.ahead,
            sizes=near.length,
            kin=near.kin,
            leaders=near.leads,
            others=near.other,
            close=close,
        )
        if self._retinas is not None:
            seen = self._retinas.placed(rows, others[mine]) - place[fishes[mine]][:, None]
            near.offset[mine] = np.where(unseen[..., None], near.offset[mine], seen)
        return near
