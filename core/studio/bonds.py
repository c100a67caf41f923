"""The relations of fishes in a recording: what is written in its scene, and the grudges of its events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..behavior.grudges import left_of
from ..behavior.ties import AXIS_OF, Ties, prevailing
from ..recording import Recording
from ..scene.relation import DISLIKE, FEAR, LIKE, TRUST
from ..scene.scene import Scene

MOST_LINES = 4  # of a fish's relations in words
VERBS = {FEAR: "Fears", TRUST: "Trusts", LIKE: "Likes", DISLIKE: "Dislikes"}
FAINT = 0.005  # strength that is 0.00 in words


@dataclass(frozen=True)
class Bond:
    """The relation of a fish to another at one moment.

    Attributes:
        fish: Row of the one that feels it.
        other: Row of the one that it is to.
        kind: One of `scene.relation.RELATION_KINDS`.
        strength: 0 to 1.
    """

    fish: int
    other: int
    kind: str
    strength: float


class Bonds:
    """The relations of the fishes of a scene, as its recordings show them."""

    def __init__(self, scene: Scene):
        """Takes the scene of recordings."""
        self._ties, self._fps = Ties.of(scene), scene.fps

    def of(self, recording: Recording, frame: int, fish: int) -> list[Bond]:
        """The relations of a fish to others that are there, the nearest first."""
        return self._between(recording, frame, np.array([fish]), self._others(recording, frame, fish))

    def to(self, recording: Recording, frame: int, fish: int) -> list[Bond]:
        """The relations of others that are there to a fish, those of the nearest first."""
        return self._between(recording, frame, self._others(recording, frame, fish), np.array([fish]))

    def words(self, recording: Recording, frame: int, fish: int, name: Callable[[int], str]) -> list[str]:
        """The relations of a fish in words, the strongest first and of those the nearest: "Fears Shark 2 (0.60)".

        Args:
            recording: Recording of the scene.
            frame: Frame of the recording.
            fish: Row of the fish.
            name: Name of the fish of a row.
        """
        bonds = sorted(self.of(recording, frame, fish), key=lambda bond: -bond.strength)
        lines = [f"{VERBS[bond.kind]} {name(bond.other)} ({bond.strength:.2f})" for bond in bonds[:MOST_LINES]]
        more = len(bonds) - len(lines)
        return [*lines, f"And {more} more"] if more else lines

    def _between(self, recording: Recording, frame: int, who: np.ndarray, whom: np.ndarray) -> list[Bond]:
        """The relations of fishes, (n,), to others, (m,), of which either are one."""
        if self._ties is None or not len(who) or not len(whom):
            return []
        found, others = [], np.broadcast_to(whom, (len(who), len(whom)))
        kept = self._grudges(recording, frame) if self._ties.grudges else {}
        for kind, (axis, side) in AXIS_OF.items():
            written = self._ties.regard(axis, who, others)
            grown = np.zeros(written.shape)
            for (fish, other, grudge), strength in kept.items():
                if AXIS_OF[grudge][0] == axis:
                    grown[np.ix_(who == fish, whom == other)] = AXIS_OF[grudge][1] * strength
            how = side * prevailing(written, grown)
            found += [
                Bond(int(who[row]), int(whom[column]), kind, float(how[row, column]))
                for row, column in np.argwhere(how > FAINT).tolist()
            ]
        order = {int(row): place for place, row in enumerate(whom if len(who) == 1 else who)}
        return sorted(found, key=lambda bond: order[bond.other if len(who) == 1 else bond.fish])

    def _grudges(self, recording: Recording, frame: int) -> dict[tuple[int, int, str], float]:
        """Strength of each grudge that is held at a frame, by its fish, the other and its kind."""
        last: dict[tuple[int, int, str], tuple[int, float]] = {}
        for event in recording.events:
            if event["kind"] == "grudge" and event["frame"] <= frame:
                last[event["fish"], event["other"], event["relation"]] = event["frame"], event["strength"]
        return {of: left_of(strength, (frame - at) / self._fps) for of, (at, strength) in last.items()}

    @staticmethod
    def _others(recording: Recording, frame: int, fish: int) -> np.ndarray:
        """Rows of the other fishes that are there, the nearest first, (m,)."""
        middle = np.asarray(recording.nodes[frame, :, 0], dtype=float)
        gap = np.linalg.norm(middle - middle[fish], axis=1)
        order = np.argsort(gap, kind="stable")
        return order[recording.alive[frame, order] & (order != fish)]
