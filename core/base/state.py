"""State that can be taken out of an object as plain arrays and put back, to the bit.

A field of the state is declared once, in its class; what it begins with, where it is saved, and what of it is refused
in a file come from there:

    class Mood(Stateful):
        offset: np.ndarray = state("f8", "fish", 3)
        threat: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)

        def __init__(self, fishes: int):
            self._fill(fish=fishes)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

Shape = tuple[int | str, ...]
"""Numbers, and names of sizes, which are the same wherever they are named."""


@dataclass(frozen=True)
class StateField:
    """A field of the state, or of what is recorded of it: an array, or a number.

    Attributes:
        kind: Its type, as NumPy names it.
        shape: Its shape; nothing for a number.
        unit: Its unit, "" for a pure number.
        low: The least that it may hold; None where all numbers will do.
        high: The most, or a word for that: "fish" for the last row of a fish, "particle" for the bait's, which comes
            after the last particle's, "smell" for the last kind of smell, and "frame" for the last of all frames.
        begin: The number that it is filled with at first.
        unset: The number that stands for nothing in it, NaN or infinite; None where all must be finite.
        late: True if it is missing before the first step.
        key: Its key in a state, and so in files.
        recorded: The array of a recording that has it of each frame, "" for none.
    """

    kind: str
    shape: Shape
    unit: str = ""
    low: float | None = None
    high: float | str | None = None
    begin: float = 0
    unset: float | None = None
    late: bool = False
    key: str = ""
    recorded: str = ""

    def sized(self, sizes: Mapping[str, int]) -> tuple[int, ...]:
        """Its shape, where these are the sizes that it names."""
        return tuple(sizes[size] if isinstance(size, str) else size for size in self.shape)

    def most(self, last: Mapping[str, int]) -> float | None:
        """The most that it may hold, where these are the last rows that its word may stand for."""
        return last[self.high] if isinstance(self.high, str) else self.high

    def begun(self, sizes: Mapping[str, int]) -> Any:
        """An array, or a number, as it is at first; None if it comes late."""
        if self.late:
            return None
        array = np.full(self.sized(sizes), self.begin, self.kind)
        return array if self.shape else array.item()


def state(
    kind: str,
    *shape: int | str,
    unit: str = "",
    low: float | None = None,
    high: float | str | None = None,
    begin: float | None = None,
    unset: float | None = None,
    late: bool = False,
    key: str = "",
    recorded: str = "",
) -> Any:
    """A field of the state of a `Stateful` class.

    It begins unset where nothing else is said, and with 0 where it is never unset; its key is its name. See
    `StateField`.
    """
    if begin is None:
        begin = 0 if unset is None else unset
    return StateField(kind, shape, unit, low, high, begin, unset, late, key, recorded)


class Stateful:
    """An object whose changing attributes are declared: arrays, numbers, or None for what comes late.

    Attributes:
        STATE: The declarations by attribute, in order.
        RECORDED: The attributes that recordings have, by the names that they have there.
    """

    STATE: ClassVar[Mapping[str, StateField]] = {}
    RECORDED: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Gathers the declarations of a class after its base's, and leaves its attributes to its objects."""
        super().__init_subclass__(**arguments)
        own = {name: one for name, one in vars(cls).items() if isinstance(one, StateField)}
        for name in own:
            delattr(cls, name)
        cls.STATE = {**cls.STATE, **{name: replace(one, key=one.key or name) for name, one in own.items()}}
        cls.RECORDED = {one.recorded: name for name, one in cls.STATE.items() if one.recorded}

    def _fill(self, **sizes: int) -> None:
        """Fills all attributes with what they begin with, where these are the sizes that their shapes name."""
        for name, one in self.STATE.items():
            setattr(self, name, one.begun(sizes))

    def _lengthen(self, size: str, count: int) -> None:
        """Has every array with this size in its shape hold so many, if it does not; new ones are as at first."""
        for name, one in self.STATE.items():
            if size not in one.shape:
                continue
            array, axis = getattr(self, name), one.shape.index(size)
            missing = list(array.shape)
            missing[axis] = count - array.shape[axis]
            if missing[axis] > 0:
                new = np.full(missing, one.begin, one.kind)
                setattr(self, name, np.concatenate((array, new), axis=axis))

    def declared(self) -> dict[str, StateField]:
        """The declarations of the state by key."""
        return {one.key: one for one in self.STATE.values()}

    def state(self) -> dict[str, np.ndarray]:
        """The state by key, as copies; an empty array stands for None."""
        values = {one.key: getattr(self, name) for name, one in self.STATE.items()}
        return {key: np.zeros(0) if value is None else np.array(value) for key, value in values.items()}

    def recorded(self) -> dict[str, np.ndarray]:
        """Its recorded arrays as they are, by their names in a recording."""
        return {known: getattr(self, name) for known, name in self.RECORDED.items()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned.

        Raises:
            KeyError: Something is missing.
            ValueError: Something has another shape.
        """
        for name, one in self.STATE.items():
            value, present = state[one.key], getattr(self, name)
            if isinstance(present, np.ndarray):
                if present.shape != value.shape:
                    raise ValueError(f"{name}: found the shape {value.shape}, allowed {present.shape}")
                present[...] = value
            else:
                setattr(self, name, _like(present, value))

    def copy_rows(self, other: Stateful, rows: np.ndarray) -> None:
        """Takes over the fishes of these rows (n,) from another of the same kind."""
        for name, one in self.STATE.items():
            at = (*[slice(None)] * one.shape.index("fish"), rows)
            getattr(self, name)[at] = getattr(other, name)[at]


class Together(Stateful):
    """Several that change with time, saved under one name; no two have a field of the same key."""

    def __init__(self, *members: Stateful) -> None:
        """Puts these together."""
        self._members = members

    def declared(self) -> dict[str, StateField]:
        """The declarations of all of them by key."""
        return {key: one for member in self._members for key, one in member.declared().items()}

    def state(self) -> dict[str, np.ndarray]:
        """The state of all of them by key, as copies."""
        return {name: value for member in self._members for name, value in member.state().items()}

    def recorded(self) -> dict[str, np.ndarray]:
        """The recorded arrays of all of them as they are, by their names in a recording."""
        return {name: value for member in self._members for name, value in member.recorded().items()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned; raises as theirs do."""
        for member in self._members:
            member.restore(state)


def _like(present: Any, value: np.ndarray) -> Any:
    """A stored value in its own type: a number, or an array in place of None."""
    if present is None:
        return value.copy() if value.size else None
    return type(present)(value)
