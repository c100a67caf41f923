"""Pacing: how hard fishes beat that are to keep a speed, from a crawl by prolonged swimming to a burst.

A fish knows about what its beats mean in speed, feels what it makes of them, and beats more or less for the rest. It
gives no more than its strength lasts for as long as it has to go (Brett 1964).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..base.elementary import log
from ..base.state import Stateful, state
from ..motor.commands import Commands
from ..motor.sprint import Sprints
from ..motor.tuning import MEANT_STRIDE, PROLONGED_SECONDS, TIRED_RESERVE
from .tuning import (
    PACING_AGAIN_SECONDS,
    PACING_FAST_BEAT,
    PACING_FAST_SHARE,
    PACING_GAIN,
    PACING_LACK_GAIN,
    PACING_MOST_LACK,
)


@dataclass(frozen=True)
class Vigor:
    """The strength of all fishes.

    Attributes:
        full: Speed at full command in lengths a second, as about meant, (fish,).
        top: Speed of a burst, (fish,); the full one of those that have none.
        seconds: Time in which a burst in full takes the whole reserve, (fish,).
        brisk: Effort just beyond full command, (fish,).
        restless: Fishes that have to swim to breathe, however slowly they mean to go, (fish,) bool.
    """

    full: np.ndarray
    top: np.ndarray
    seconds: np.ndarray
    brisk: np.ndarray
    restless: np.ndarray

    @classmethod
    def of(cls, beat: np.ndarray, sprints: Sprints, restless: np.ndarray) -> Vigor:
        """That of fishes with so many tail beats a second at full command, and with these bursts.

        Args:
            beat: Beats a second, (fish,).
            sprints: Their bursts.
            restless: Fishes that have to swim to breathe, (fish,) bool.
        """
        full = MEANT_STRIDE * beat
        top = np.where(sprints.able, np.maximum(MEANT_STRIDE * sprints.beat, full), full)
        more = PACING_FAST_BEAT * beat / np.maximum(sprints.beat - beat, 1e-9)
        brisk = 1.0 + np.where(sprints.able, np.minimum(more, 1.0), 0.0)
        return cls(full, top, sprints.seconds, brisk, restless)

    def effort(self, fishes: np.ndarray, speed: np.ndarray) -> np.ndarray:
        """The effort that about makes these speeds of fishes, (n,): 1 at full command, 2 in a burst, (n,)."""
        full, top = self.full[fishes], self.top[fishes]
        beyond = (speed - full) / np.maximum(top - full, 1e-9)
        return np.where(speed <= full, speed / full, np.where(top > full, 1.0 + beyond, 1.0))

    def enduring(self, fishes: np.ndarray, seconds: np.ndarray, reserve: np.ndarray) -> np.ndarray:
        """The most effort of fishes that they can give for so many seconds, with so much of their reserve, (n,)."""
        spare = np.maximum(reserve - TIRED_RESERVE, 1e-3)
        lasting = np.maximum(seconds, 1e-3) / spare  # for which the whole reserve would have to last
        burst = self.seconds[fishes]
        share = log(PROLONGED_SECONDS / lasting) / log(PROLONGED_SECONDS / burst)
        return 1.0 + np.where(self.top[fishes] > self.full[fishes], np.clip(share, 0.0, 1.0), 0.0)


class Pacing(Stateful):
    """Keeps the speeds of fishes.

    Attributes:
        kept: Fishes that keep a speed at present, (fish,) bool.
        vigor: Their strength.
    """

    kept: np.ndarray = state("?", "fish")
    _lack: np.ndarray = state("f8", "fish", unit="lengths/s")  # by which its beats make less of speed than meant
    _when: np.ndarray = state("f8", "fish", unit="s", unset=np.nan)  # it last felt its speed

    def __init__(self, vigor: Vigor):
        """Begins with nobody who keeps a speed."""
        self.vigor = vigor
        self._fill(fish=len(vigor.full))

    def keep(
        self,
        t: float,
        fishes: np.ndarray,
        speed: np.ndarray,
        made: np.ndarray,
        fast: np.ndarray,
        lasting: np.ndarray,
        reserve: np.ndarray,
    ) -> np.ndarray:
        """The efforts that keep fishes at these speeds.

        Args:
            t: Time in seconds.
            fishes: Their rows, (n,).
            speed: The speeds in lengths a second, (n,).
            made: What each makes of them, NaN where it does not head there, (n,).
            fast: The speeds of their bodies, wherever they head, (n,).
            lasting: For how many seconds each has to keep it, (n,).
            reserve: Reserves, (n,).

        Returns:
            1 at full command, 2 in a burst, (n,).
        """
        since = np.where(np.isnan(self._when[fishes]), 0.0, t - self._when[fishes])
        fresh = since > PACING_AGAIN_SECONDS
        self._when[fishes] = t
        lack = np.where(fresh, 0.0, self._lack[fishes])
        most = self.vigor.enduring(fishes, lasting, reserve)
        off = np.where(np.isnan(made), 0.0, speed - np.nan_to_num(made))
        wished = speed + PACING_GAIN * off
        effort = self.vigor.effort(fishes, np.maximum(wished + lack, 0.0))
        most = np.where(np.isnan(made), 1.0, most)  # it turns first: hardly any fish turns in a burst
        # What it cannot give anyway is no reason to give more later.
        spent = ((effort >= most) & (off > 0.0)) | ((effort <= 0.0) & (off < 0.0))
        gain = PACING_LACK_GAIN * np.where(fresh | spent, 0.0, since) * off
        bound = PACING_MOST_LACK * np.maximum(speed, self.vigor.full[fishes])
        self._lack[fishes] = np.clip(lack + gain, -bound, bound)
        vigor = self.vigor
        least = np.where(fast > PACING_FAST_SHARE * vigor.full[fishes], vigor.brisk[fishes], 0.0)
        return np.clip(effort, least, np.maximum(most, least))

    def prolonged(self, commands: Commands) -> Commands:
        """The same commands, but that those which keep a speed beyond full command do so by no burst."""
        burst = commands.burst
        return replace(
            commands, burst=np.where(self.kept, 0.0, burst), prolonged=np.where(self.kept, burst, commands.prolonged)
        )
