"""Frozen dataclasses that hold arrays, each declared once, as a field: of a recording, or of a repertoire."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any

import numpy as np

from .codec import SceneError
from .state import StateField


def array(
    kind: str,
    *shape: int | str,
    low: float | None = None,
    high: float | str | None = None,
    begin: float = 0,
    optional: bool = False,
) -> Any:
    """A field of a dataclass that is an array; arguments as of `StateField`.

    Args:
        kind: Its type, as NumPy names it.
        shape: Numbers, and names of sizes, which must be the same wherever they stand in the dataclass.
        low: The least that it may hold; None where all numbers will do.
        high: The most.
        begin: The number that it holds where there is nothing yet.
        optional: True if it may be left out, and is None then.
    """
    declared = {"array": StateField(kind, shape, low=low, high=high, begin=begin)}
    return field(default=None, metadata=declared) if optional else field(metadata=declared)


def arrays_of(cls: Any) -> dict[str, StateField]:
    """The declarations of the arrays of a dataclass by name, in order."""
    return {one.name: one.metadata["array"] for one in fields(cls) if "array" in one.metadata}


def optional_of(cls: Any) -> tuple[str, ...]:
    """Names of the arrays of a dataclass that may be left out."""
    return tuple(one.name for one in fields(cls) if "array" in one.metadata and one.default is None)


def conform(holder: Any) -> dict[str, int]:
    """Makes arrays of the values of a frozen dataclass, as they are declared.

    Returns:
        The length that each name of a size stands for.

    Raises:
        SceneError: An array has another shape.
    """
    lengths: dict[str, int] = {}
    for name, one in arrays_of(holder).items():
        array: np.ndarray = np.asarray(getattr(holder, name), one.kind)
        object.__setattr__(holder, name, array)
        if array.ndim == len(one.shape):
            for size, length in zip(one.shape, array.shape, strict=True):
                if isinstance(size, str):
                    lengths.setdefault(size, length)
        expected = tuple(lengths.get(size) if isinstance(size, str) else size for size in one.shape)
        if array.shape != expected:
            raise SceneError(f"the shape {array.shape}", f"{one.shape}, alike in every array", key=name)
    return lengths
