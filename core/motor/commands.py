"""Motor commands: what minds, pilots or a person make fishes do."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np


@dataclass
class Commands:
    """One motor command a fish; every array has shape (fish,).

    Attributes:
        swim: Speed, 0 (glide) to 1 (full speed).
        turn: Angle to turn by in radians, left positive. A change to a non-zero value begins a turn; zeros after
            it let the turn finish.
        climb: Angle of the path above the horizontal in radians, up positive.
        brake: Whether each brakes with the pectoral fins.
        back: Speed of the retreat, 0 to 1.
        burst: Share of its burst that a fish gives, 0 to 1; none if left out. Bursts tire a fish.
        cstart: Angle in radians, left positive, by which a startled fish flings itself round; none if left out. A
            change to a non-zero value begins it.
        prolonged: Share of its burst with which a fish keeps a pace beyond its full speed, 0 to 1; none if left out.
            It tires less by that than by a burst: see `Sprints`.
    """

    swim: np.ndarray
    turn: np.ndarray
    climb: np.ndarray
    brake: np.ndarray
    back: np.ndarray
    burst: np.ndarray = None  # type: ignore[assignment]
    cstart: np.ndarray = None  # type: ignore[assignment]
    prolonged: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        """Sets an omitted burst, C-start or prolonged swim to none."""
        for name in ("burst", "cstart", "prolonged"):
            if getattr(self, name) is None:
                setattr(self, name, np.zeros(np.shape(self.swim)))

    @property
    def muscular(self) -> tuple[np.ndarray, ...]:
        """All but the brake: swim, turn, climb, back, burst, C-start and prolonged swim, (fish,) each."""
        return self.swim, self.turn, self.climb, self.back, self.burst, self.cstart, self.prolonged

    @classmethod
    def still(cls, fishes: int) -> Commands:
        """Commands that let every fish glide."""
        return cls(np.zeros(fishes), np.zeros(fishes), np.zeros(fishes), np.zeros(fishes, dtype=bool), np.zeros(fishes))

    def checked(self, fishes: int) -> Commands:
        """The same as arrays, found to be one finite number for each fish.

        Raises:
            ValueError: If they are not.
        """
        arrays = {}
        for field in dataclasses.fields(self):
            name = field.name
            try:
                value = np.asarray(getattr(self, name), dtype=float)
            except (TypeError, ValueError):
                value = np.array(np.nan)
            if value.shape != (fishes,):
                found = f"an array {value.shape}" if value.ndim else repr(getattr(self, name))
                raise ValueError(f"commands: {name}: found {found}, allowed ({fishes},), a number for each fish")
            if not np.isfinite(value).all():
                fish = int(np.flatnonzero(~np.isfinite(value))[0])
                raise ValueError(f"commands: {name}: found {value[fish]} for fish {fish}, allowed finite numbers")
            arrays[name] = value != 0 if name == "brake" else value
        return Commands(**arrays)
