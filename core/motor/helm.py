"""A person at the helm: one fish is steered by hand, through the same motor controllers, while the others have minds.

Keys stay down, whereas a motor command to turn is given once: as long as the key of a turn is down, the turn
begins again from where the fish heads, and when it is let go the fish goes straight on.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Real

import numpy as np

from ..base.codec import SceneError, shown
from ..base.declaration import Declared, flag, number
from ..base.state import Stateful, state
from .commands import Commands
from .tuning import PRESSED_TURN_SECONDS, STRAIGHT_TURN, TURN_NUDGE


@dataclass(frozen=True)
class Helm:
    """A person's command for a fish until the next one; a value that is not as declared raises a SceneError."""

    swim: float = number(0.0, 0.0, 1.0, "", "Speed, 0 glides and 1 is all that it can")
    turn: float = number(0.0, -3.1, 3.1, "rad", "How far ahead of its heading it turns, left positive; 0 goes straight")
    climb: float = number(0.0, -1.2, 1.2, "rad", "Angle of its path above the horizontal")
    brake: bool = flag(False, "Whether it brakes with its pectoral fins")
    back: float = number(0.0, 0.0, 1.0, "", "Speed of a retreat")
    burst: float = number(0.0, 0.0, 1.0, "", "How much of its burst it gives, which tires it")

    def __post_init__(self) -> None:
        for field in fields(self):
            declared: Declared = field.metadata["declared"]
            value = getattr(self, field.name)
            if declared.kind == "flag":
                fits, allowed = isinstance(value, bool | np.bool_), "true or false"
            else:
                fits = isinstance(value, Real) and not isinstance(value, bool)
                fits = fits and declared.low <= value <= declared.high
                allowed = f"{declared.low:g} to {declared.high:g} {declared.unit}".rstrip()
            if not fits:
                raise SceneError(shown(value), allowed, key=field.name)


class Helms(Stateful):
    """The fishes steered by a person, and their commands.

    Attributes:
        steered: The fishes that are steered, (fish,) bool.
    """

    steered: np.ndarray = state("?", "fish", key="held")
    _values: np.ndarray = state("f8", "fish", len(fields(Helm)))
    _turned: np.ndarray = state("?", "fish")  # whether the turn under way is one that a person began
    _wait: np.ndarray = state("f8", "fish", unit="s")  # until a turn begins again
    _sign: np.ndarray = state("f8", "fish", begin=1)

    def __init__(self, fishes: int):
        """Begins with nobody steered."""
        self._fill(fish=fishes)

    def take(self, fish: int, helm: Helm | None) -> None:
        """Steers a fish, or lets go of it."""
        if helm is None:
            self.steered[fish] = False
            return
        if not self.steered[fish]:
            self.steered[fish], self._turned[fish], self._wait[fish] = True, True, 0.0
        self._values[fish] = [getattr(helm, field.name) for field in fields(Helm)]

    def command(self, commands: Commands, free: np.ndarray, dt: float) -> Commands:
        """The same commands but for those that are steered, for the next `dt` seconds.

        Args:
            commands: Commands of all fishes.
            free: Fishes that can obey, (fish,) bool.
            dt: Seconds.
        """
        rows = np.flatnonzero(self.steered & free)
        if not len(rows):
            return commands
        swim, turn, climb, brake, back, burst = self._values[rows].T
        turning = turn != 0
        self._wait[rows] = np.where(turning, self._wait[rows] - dt, 0.0)
        begins = turning & (self._wait[rows] <= 1e-9)
        self._sign[rows] *= np.where(begins, -1.0, 1.0)
        self._wait[rows] = np.where(begins, PRESSED_TURN_SECONDS, self._wait[rows])
        begun = np.where(begins, turn + TURN_NUDGE * self._sign[rows], 0.0)
        begun = np.where(~turning & self._turned[rows], STRAIGHT_TURN, begun)
        self._turned[rows] = turning
        merged = Commands(*(np.array(getattr(commands, field.name)) for field in fields(Commands)))
        merged.swim[rows], merged.turn[rows], merged.climb[rows] = swim, begun, climb
        merged.brake[rows], merged.back[rows] = brake > 0, back
        merged.burst[rows], merged.cstart[rows], merged.prolonged[rows] = burst, 0.0, 0.0
        return merged
