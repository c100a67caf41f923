"""Ties: the relations to particular others that a scene writes, for all fishes at once.

They lie on two axes: alarm, from trust (below 0) to fear, and affection, from dislike (below 0) to liking. Only what
is written is kept, so that a crowd without relations has none to carry.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..scene.relation import DISLIKE, FEAR, LIKE, TRUST, pairs_of, particularity
from ..scene.scene import Scene

ALARM, AFFECTION = range(2)
AXIS_OF = {FEAR: (ALARM, 1.0), TRUST: (ALARM, -1.0), LIKE: (AFFECTION, 1.0), DISLIKE: (AFFECTION, -1.0)}
"""The axis of each kind of relation, and its side of that."""


class Ties:
    """The relations of a scene, in the order in which one has its way over another.

    Attributes:
        fishes: Number of fishes.
        grudges: Whether others come by themselves.
        kinds: Kinds that are written.
    """

    def __init__(self, scene: Scene):
        """Takes over the relations of a scene, the most particular last."""
        self.fishes, self.grudges = scene.count, scene.grudges
        self._written = sorted(scene.relations, key=particularity)
        self.kinds = {entry.kind for entry in self._written if entry.strength > 0.0}
        self._pairs = [pairs_of(scene, entry) for entry in self._written]
        self._rows = [tuple(np.array(rows) for rows in pair) for pair in self._pairs]

    @classmethod
    def of(cls, scene: Scene) -> Ties | None:
        """The ties of a scene; None where it has no relations and none come."""
        return cls(scene) if scene.relations or scene.grudges else None

    def regard(self, axis: int, me: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Each fish's relation to some others on an axis, -1 to 1, 0 without.

        Args:
            axis: ALARM or AFFECTION.
            me: Rows of the fishes, (n,).
            others: Rows of the others, (n, k).

        Returns:
            (n, k).
        """
        found = np.zeros(others.shape)
        for entry, (mine, theirs) in zip(self._written, self._pairs, strict=True):
            on, side = AXIS_OF[entry.kind]
            rows = np.flatnonzero(_among(me, mine)) if on == axis else me[:0]
            if len(rows):
                found[rows] = np.where(_among(others[rows], theirs), side * entry.strength, found[rows])
        return np.where(others == me[:, None], 0.0, found)

    def who(self, kind: str) -> np.ndarray:
        """Mask of the fishes of which a kind of relation is written, (fish,) bool."""
        found = np.zeros(self.fishes, dtype=bool)
        for entry, (mine, _) in zip(self._written, self._rows, strict=True):
            found[mine] |= entry.kind == kind and entry.strength > 0.0
        return found

    def candidates(self, kind: str, me: np.ndarray, near: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        """Others to which fishes may have a kind of relation, the nearest of each that is written.

        Args:
            kind: The kind.
            me: Rows of the fishes, (n,).
            near: Gives the nearest to some fishes, (m,), among others, (q,): rows, (m, j).

        Returns:
            Rows, each fish's own for nobody, (n, k).
        """
        columns = [np.zeros((len(me), 0), dtype=me.dtype)]
        for entry, (mine, _), (_, theirs) in zip(self._written, self._pairs, self._rows, strict=True):
            rows = np.flatnonzero(_among(me, mine)) if entry.kind == kind and entry.strength > 0.0 else me[:0]
            if len(rows):
                found = near(me[rows], theirs)
                column = np.repeat(me[:, None], found.shape[1], axis=1)
                column[rows] = found
                columns.append(column)
        return np.concatenate(columns, axis=1)


def prevailing(written: np.ndarray, grown: np.ndarray) -> np.ndarray:
    """Of relations that are written and such as have come by themselves, (...): the stronger, or what is written.

    What is written has its way where the two are opposed.
    """
    return np.where((written * grown >= 0.0) & (np.abs(grown) > np.abs(written)), grown, written)


def _among(fishes: np.ndarray, rows: range) -> np.ndarray:
    """Mask of the fishes (...) that are of these rows, (...) bool."""
    return (fishes >= rows.start) & (fishes < rows.stop)
