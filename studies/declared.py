"""Random data from declarations, so that no key of a scene or a species is left out by a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType
from typing import Any, get_args, get_origin

import numpy as np

from ..core.base.declaration import Declared, is_written, types_of

OFTEN = 0.35  # chance of a key that may be left out
AT_AN_END = 0.25  # chance of a number to be at an end of its range
LATEST = 1.5  # seconds, so that timed events happen in a short film
MOST_ITEMS = 3  # in a list

Maker = Callable[[np.random.Generator], Any]


def keys_of(cls: type) -> set[str]:
    """All keys of a dataclass's data, including nested ones: `Vent.rate`."""
    found: set[str] = set()
    waiting = [cls]
    while waiting:
        one = waiting.pop()
        own = {f"{one.__name__}.{field.name}" for field in fields(one) if is_written(field)}
        if not own <= found:
            found |= own
            waiting += [below for field in _written(one) for below in _classes(one, field)]
    return found


def keys_in(cls: type, data: Any) -> set[str]:
    """Those of these keys that some data has."""
    found: set[str] = set()
    if not isinstance(data, dict):
        return found
    for field in _written(cls):
        if field.name in data:
            found.add(f"{cls.__name__}.{field.name}")
            value, below = data[field.name], _classes(cls, field)
            for item in value if isinstance(value, list) else [value]:
                found |= keys_in(_meant(below, item), item) if below else set()
    return found


def made(dice: np.random.Generator, cls: type, size: np.ndarray, own: dict[str, Maker]) -> dict[str, Any]:
    """Random data for a dataclass: required keys, and some of the optional ones, anywhere in their range.

    Args:
        dice: Random generator.
        cls: The dataclass.
        size: Size of the water in metres, (3,), within which places usually are.
        own: Makers of the values of some keys, such as `FishGroup.species`, in place of their declarations; None
            as a value leaves the key out.
    """
    data = {}
    for field in _written(cls):
        key = f"{cls.__name__}.{field.name}"
        needed = field.default is MISSING and field.default_factory is MISSING
        if not needed and dice.random() > OFTEN:
            continue
        value = own[key](dice) if key in own else valued(dice, cls, field, size, own)
        if value is not None:
            data[field.name] = value
    return data


def valued(dice: np.random.Generator, cls: type, field: Field, size: np.ndarray, own: dict[str, Maker]) -> Any:
    """A random value for a field of a dataclass."""
    declared: Declared | None = field.metadata.get("declared")
    if declared is not None:
        return _drawn(dice, declared, size)
    below = _classes(cls, field)
    if _is_list(cls, field):
        return [_section(dice, below, size, own) for _ in range(int(dice.integers(1, MOST_ITEMS + 1)))]
    return _section(dice, below, size, own)


def _section(dice: np.random.Generator, classes: list[type], size: np.ndarray, own: dict[str, Maker]) -> Any:
    cls = classes[dice.integers(len(classes))]
    return own[cls.__name__](dice) if cls.__name__ in own else made(dice, cls, size, own)


def _written(cls: type) -> Iterator[Field]:
    yield from (field for field in fields(cls) if is_written(field))


def _classes(cls: type, field: Field) -> list[type]:
    """The dataclasses that a field may hold, by itself or in a list."""
    waiting, found = [types_of(cls)[field.name]], []
    while waiting:
        hint = waiting.pop(0)
        if isinstance(hint, type) and is_dataclass(hint):
            found.append(hint)
        waiting += [one for one in get_args(hint) if one not in (NoneType, Ellipsis)]
    return found


def _is_list(cls: type, field: Field) -> bool:
    hint = types_of(cls)[field.name]
    return any(get_origin(one) is tuple for one in (hint, *get_args(hint)))


def _meant(classes: list[type], item: Any) -> type:
    """The one of several dataclasses that data is for, by its kind."""
    kind = item.get("kind") if isinstance(item, dict) else None
    for cls in classes:
        of = getattr(cls, "__dataclass_fields__", {}).get("kind")
        if len(classes) > 1 and of is not None and kind in of.metadata["declared"].choices:
            return cls
    return classes[0]


def _drawn(dice: np.random.Generator, declared: Declared, size: np.ndarray) -> Any:
    match declared.kind:
        case "choice":
            return str(dice.choice(declared.choices))
        case "flag":
            return bool(dice.random() < 0.5)
        case "text":
            return str(dice.choice(["a", "b", "Ähre", "clownfish"]))
        case "words":
            return [str(word) for word in dice.choice(["a", "b"], dice.integers(0, 3))]
        case "integer":
            most = min(declared.high, declared.low + dice.choice([1, 3, 30]))
            return int(dice.integers(int(declared.low), int(most) + 1))
        case "keyed":
            if dice.random() < 0.4:
                return _number(dice, declared, size.max())
            times = np.sort(dice.uniform(-0.5, LATEST, int(dice.integers(1, 4))))
            return [[float(time), _number(dice, declared, size.max())] for time in times]
        case "vector" | "colour":
            return _vector(dice, declared, declared.shape, size)
    return None if declared.endless and dice.random() < 0.2 else _number(dice, declared, size.max())


def _vector(dice: np.random.Generator, declared: Declared, shape: tuple[int | None, ...], size: np.ndarray) -> Any:
    count = int(dice.integers(2, 5)) if shape[0] is None else shape[0]
    if len(shape) > 1:
        return [_vector(dice, declared, shape[1:], size) for _ in range(count)]
    if declared.unit == "m" and count == 3 and dice.random() < 0.95:
        return np.clip(dice.uniform(0.1, 0.9, 3) * size, declared.low, declared.high).tolist()
    return [_number(dice, declared, size.max()) for _ in range(count)]


def _number(dice: np.random.Generator, declared: Declared, reach: float) -> float:
    """A number in a range: at an end of it, near 0, near 1, or anywhere; a length or a time of a fitting size."""
    low, high = declared.low, min(declared.high, 1e6)
    if declared.unit == "m":
        high = max(low, min(high, 0.4 * reach))
    elif declared.unit == "s":
        low, high = max(low, -LATEST), max(low, min(high, LATEST))
    elif dice.random() < AT_AN_END:
        return float(dice.choice([declared.low if np.isfinite(declared.low) else -1e6, high]))
    if high > 20.0:  # most numbers with so wide a range are meant to be near 1
        high = max(low, 10.0 ** dice.uniform(-3.0, np.log10(high)))
    return float(np.clip(dice.uniform(max(low, -high), high), declared.low, declared.high))
