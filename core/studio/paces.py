"""Paces: the speeds that bodies of a species keep for so many seconds, tiring included, as they swim them.

Several fishes swim side by side, each by another effort from a cruise to a burst; what counts is the farthest that one
of them has come by then. Bodies of one species are alike at every size, and so are these speeds in body lengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..base.elementary import interpolated, log
from ..behavior.steering import breathing_pace
from ..body.anatomy import MASS_SHARES
from ..motor.commands import Commands
from ..motor.tuning import PROLONGED_SECONDS, TIRED_RESERVE
from ..replicas.trial import Trial
from ..scene.species import Species
from .tuning import PACES_EFFORTS, PACES_RUN_UP_SECONDS, PACES_SECONDS


@dataclass(frozen=True)
class Paces:
    """The speeds that a species sustains.

    Attributes:
        seconds: Times, rising, (k,).
        speeds: The speed kept for each in lengths a second, (k,): from the second on as measured, after the last the
            cruise.
        cruise: The speed at full command in lengths a second.
        least: The slowest that it swims, in lengths a second: more than nothing where it has to swim to breathe.
    """

    seconds: tuple[float, ...]
    speeds: tuple[float, ...]
    cruise: float
    least: float

    def kept(self, seconds: float) -> float:
        """The speed that it keeps for so many seconds, in lengths a second; between those measured by their logs."""
        times = log(np.array([*self.seconds, (1.0 - TIRED_RESERVE) * PROLONGED_SECONDS]))
        at = float(log(max(seconds, 1e-3)))
        return float(interpolated(at, times, np.array([*self.speeds, self.cruise])))

    def seconds_for(self, lengths: float) -> float:
        """The least time in seconds in which it comes so many lengths on."""
        low, high = 0.0, lengths / max(self.cruise, 1e-9)
        for _ in range(50):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if self.kept(middle) * middle >= lengths else (middle, high)
        return high


@lru_cache(maxsize=64)
def paces_of(species: Species) -> Paces:
    """The paces of a species, measured once."""
    efforts = np.linspace(0.0, 1.0, int(PACES_EFFORTS)) if species.rhythm.burst_beat > 0.0 else np.zeros(1)
    restless = species.temperament.ram_breathing > 0.0
    fishes = len(efforts) + restless
    trial, commands = Trial(species, fishes, swift=True), Commands.still(fishes)
    commands.swim[:] = 1.0
    if restless:
        rhythm = species.rhythm
        commands.swim[-1] = breathing_pace(species.temperament.ram_breathing, rhythm.tail_beat, rhythm.slow_beat)
    trial.run(lambda _: commands, PACES_RUN_UP_SECONDS)
    begin = _middles(trial)
    commands.prolonged[: len(efforts)] = efforts
    speeds, gone = [], 0.0
    for seconds in PACES_SECONDS:
        while gone < seconds - 1e-9:  # a second at a time: a track holds all that is in it
            trial.run(lambda _: commands, 1.0)
            gone += 1.0
        way = np.linalg.norm(_middles(trial) - begin, axis=1) / gone
        speeds.append(float(way[: len(efforts)].max()))
    return Paces(tuple(PACES_SECONDS), tuple(speeds), float(way[0]), float(way[-1]) if restless else 0.0)


def _middles(trial: Trial) -> np.ndarray:
    """Centers of mass in lengths, (fish, 3)."""
    return np.einsum("n,fnc->fc", MASS_SHARES, trial.nodes)
