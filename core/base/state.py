"""State that can be taken out of an object as plain arrays and put back, to the bit."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np


class Stateful:
    """An object whose changing attributes are named: arrays, numbers, or None for a value not yet known.

    Attributes:
        _STATE: Names of these attributes.
        _KEYS: Keys in the state, and so in files, of attributes whose key is not their name.
    """

    _STATE: ClassVar[tuple[str, ...]] = ()
    _KEYS: ClassVar[dict[str, str]] = {}

    def state(self) -> dict[str, np.ndarray]:
        """The state by key, as copies; an empty array stands for None."""
        values = {self._KEYS.get(name, name): getattr(self, name) for name in self._STATE}
        return {key: np.zeros(0) if value is None else np.array(value) for key, value in values.items()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned.

        Raises:
            KeyError: Something is missing.
            ValueError: Something has another shape.
        """
        for name in self._STATE:
            value, present = state[self._KEYS.get(name, name)], getattr(self, name)
            if isinstance(present, np.ndarray):
                if present.shape != value.shape:
                    raise ValueError(f"{name}: found the shape {value.shape}, allowed {present.shape}")
                present[...] = value
            else:
                setattr(self, name, _like(present, value))

    def copy_rows(self, other: Stateful, rows: np.ndarray) -> None:
        """Takes over the columns of these rows (n,) from another of the same kind, whose last axes are of fishes."""
        for name in self._STATE:
            getattr(self, name)[..., rows] = getattr(other, name)[..., rows]


class Together(Stateful):
    """Several that change with time, saved under one name; no two have an attribute of the same name."""

    def __init__(self, *members: Stateful) -> None:
        """Puts these together."""
        self._members = members

    def state(self) -> dict[str, np.ndarray]:
        """The state of all of them by attribute, as copies."""
        return {name: value for member in self._members for name, value in member.state().items()}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes back to what `state` returned; raises as theirs do."""
        for member in self._members:
            member.restore(state)


def _like(present: Any, value: np.ndarray) -> Any:
    """A stored value in its own type: a number, or an array in place of None."""
    if present is None:
        return value.copy() if value.size else None
    return type(present)(value)
