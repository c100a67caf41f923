"""Bursts and C-starts: the gaits of flight and of the strike, which tire (Domenici & Blake 1997; Webb 1978).

Between full speed and a burst is prolonged swimming, which a fish keeps for minutes at its slow end and for seconds at
its fast one: the logarithm of that time falls with the speed in a straight line (Brett 1964; Videler & Wardle 1991).

The book has one swimming gait. A species whose `burst_beat` and `start` are 0 has none of these either.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import exp, log
from ..base.state import Stateful, state
from ..scene.species import Species
from .tuning import (
    CSTART_AGAIN_ANGLE,
    CSTART_AGAIN_BEATS,
    CSTART_BEATS,
    CSTART_BENDS,
    CSTART_RECOIL,
    CSTART_RECOIL_BEATS,
    PROLONGED_SECONDS,
    SPENT_PACE,
    TIRED_RESERVE,
)


class Sprints(Stateful):
    """Freshness of all fishes, and progress of their C-starts.

    In a C-start the whole body bends to one side within about a beat of a burst, and then, while the tail strikes
    back, a little to the other; the burst begins from there.

    Attributes:
        reserve: Remaining strength for bursts, 1 rested and 0 spent, (fish,).
        beat: Tail beats a second of a burst in full, (fish,).
        width: Contractions of such a beat over those at full speed, (fish,).
        able: Mask of the fishes that have bursts, (fish,) bool.
        seconds: Time in which a burst in full takes the whole reserve, (fish,).
    """

    reserve: np.ndarray = state("f8", "fish", low=0, high=1, begin=1)
    _since: np.ndarray = state("f8", "fish", begin=1e3)  # bursting beats since a C-start began
    _side: np.ndarray = state("f8", "fish")
    _bends: np.ndarray = state("f8", "fish")  # left to it in this start
    _command: np.ndarray = state("f8", "fish")

    def __init__(self, species: Sequence[Species], kind: np.ndarray, slowness: np.ndarray | float = 1.0):
        """Begins rested.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            slowness: Factor on the time that each takes for a beat, over that of its kind, (fish,).
        """
        rhythms = [s.rhythm for s in species]
        self.beat = np.array([r.burst_beat for r in rhythms])[kind] / slowness
        self.width = np.array([r.burst_width for r in rhythms])[kind]
        self.able, self._flings = self.beat > 0, (self.beat > 0) & (np.array([r.start for r in rhythms])[kind] > 0)
        self.seconds = np.array([r.burst_seconds for r in rhythms])[kind]
        self._loss, self._lasting = 1.0 / self.seconds, log(PROLONGED_SECONDS / self.seconds)
        self._gain = 1.0 / np.array([r.rest_seconds for r in rhythms])[kind]
        self._fill(fish=len(kind))

    @property
    def traits(self) -> dict[str, np.ndarray]:
        """Traits of each fish by their names in `drive.DRIVE`, (fish,) each."""
        able = {"bursts": self.able, "flings": self._flings, "loss": self._loss, "gain": self._gain}
        return {"width": self.width, "burst_beat": self.beat, "lasting": self._lasting, **able}

    def burst(self, wish: np.ndarray, dt: float) -> np.ndarray:
        """Share of its burst that each fish gives in the next `dt` seconds, 0 to 1, (fish,), for that in `wish`."""
        given = self._given(wish)
        self._tire(given, given, dt)
        return given

    def prolonged(self, wish: np.ndarray, dt: float) -> np.ndarray:
        """The same of a pace that is kept, by which a fish tires as Brett 1964 found: log time falls with the speed."""
        given = self._given(wish)
        self._tire(given, exp((given - 1.0) * self._lasting), dt)
        return given

    def _given(self, wish: np.ndarray) -> np.ndarray:
        """Share of its burst that each has the strength for, 0 to 1, (fish,), of that in `wish`."""
        strength = np.minimum(self.reserve / TIRED_RESERVE, 1.0)
        return np.where(self.able, np.clip(wish, 0.0, 1.0) * strength, 0.0)

    def _tire(self, given: np.ndarray, toil: np.ndarray, dt: float) -> None:
        """Takes `dt` seconds of toil, 1 in a full burst, (fish,), from the reserves of those that give anything."""
        self.reserve += dt * np.where(given > 0.0, -toil * self._loss, self._gain)
        np.clip(self.reserve, 0.0, 1.0, out=self.reserve)

    def pace(self, swim: np.ndarray) -> np.ndarray:
        """The speed of fishes that would swim at this one, 0 to 1, (fish,): spent fishes are slower."""
        return np.minimum(swim, SPENT_PACE + (1.0 - SPENT_PACE) * np.minimum(self.reserve / TIRED_RESERVE, 1.0))

    def cstart(self, command: np.ndarray, left: np.ndarray, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """C-starts in the next `dt` seconds.

        Args:
            command: Angle by which each is to fling itself round in radians, left positive, (fish,).
            left: Remainder of its turn in radians, left positive, (fish,): one that still faces the threat bends again.
            dt: Seconds.

        Returns:
            Bend of the whole body, left positive, (fish,), and the mask of those that begin, (fish,) bool.
        """
        begun = (command != 0) & (command != self._command) & self._flings
        self._command = np.array(command)
        before, whole = self._since, CSTART_BEATS + CSTART_RECOIL_BEATS
        self._since = np.minimum(before + dt * self.beat, 1e3)
        done = (before < whole) & (self._since >= whole)
        again = done & (self._bends > 0) & (self._side * left > CSTART_AGAIN_ANGLE)
        self._since = np.where(begun, 0.0, np.where(again, CSTART_BEATS - CSTART_AGAIN_BEATS, self._since))
        self._bends = np.where(begun, CSTART_BENDS, self._bends) - (begun | again)
        self._side = np.where(begun, np.sign(command), self._side)
        bends, recoils = self._since < CSTART_BEATS, self._since < whole
        return self._side * np.where(bends, 1.0, np.where(recoils, -CSTART_RECOIL, 0.0)), begun
