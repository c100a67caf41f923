"""One declaration for every number that an animator may set.

A field of a frozen dataclass, made with `number`, `vector`, `colour`, `choice` or `text`, carries its range,
unit and one line of help. JSON checking, Blender properties, panel tool tips and the reference page all read
these declarations; nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field
from functools import cache
from typing import Any, get_type_hints


@dataclass(frozen=True)
class Declared:
    """The declaration of one field: its kind and its allowed values.

    Attributes:
        kind: "number", "keyed", "integer", "vector", "colour", "choice", "text", "words" or "flag".
        low: Smallest allowed value, of each component for a vector.
        high: Largest allowed value, of each component for a vector.
        unit: Unit as written after the value, "" for a pure number.
        help: Help line for an animator.
        choices: Allowed words of a "choice".
        shape: Lengths of the nested lists of a "vector", outermost first; None where any length will do.
        endless: Whether null is a value of its own, "never", other than the default of a key left out.
        alone: Whether one of "words" may stand without a list.
        ends: The words for the lowest and the highest value of a trait; none for other numbers.
    """

    kind: str
    help: str
    low: float = float("-inf")
    high: float = float("inf")
    unit: str = ""
    choices: tuple[str, ...] = ()
    shape: tuple[int | None, ...] = ()
    endless: bool = False
    alone: bool = False
    ends: tuple[str, ...] = ()


def declared(default: Any, declaration: Declared) -> Any:
    """A dataclass field with this default and this declaration."""
    return field(default=default, metadata={"declared": declaration})


def number(default: float, low: float, high: float, unit: str, help: str) -> Any:
    """A real number within [low, high]."""
    return declared(default, Declared("number", help, low, high, unit))


def trait(low_word: str, high_word: str, help: str) -> Any:
    """A trait of a character from 0 to 1, 0.5 if left out, with a word for either end."""
    return declared(0.5, Declared("number", help, 0.0, 1.0, ends=(low_word, high_word)))


def lasting(default: float | None, low: float, high: float, unit: str, help: str) -> Any:
    """A declared duration within [low, high]; None, null in JSON, is for ever."""
    return declared(default, Declared("number", help, low, high, unit, endless=True))


def keyed(default: float, low: float, high: float, unit: str, help: str) -> Any:
    """A real number within [low, high] that may change: a number, or pairs of seconds and number, linear between."""
    return declared(default, Declared("keyed", help, low, high, unit))


def integer(default: int, low: int, high: int, unit: str, help: str) -> Any:
    """A whole number within [low, high]."""
    return declared(default, Declared("integer", help, low, high, unit))


def vector(
    default: tuple, low: float, high: float, unit: str, help: str, shape: tuple[int | None, ...] | None = None
) -> Any:
    """A nested tuple of real numbers within [low, high]; its shape is that of the default unless given."""
    return declared(default, Declared("vector", help, low, high, unit, shape=shape or _shape(default)))


def colour(default: tuple[float, float, float], help: str) -> Any:
    """Linear red, green and blue within [0, 1]."""
    return declared(default, Declared("colour", help, 0.0, 1.0, shape=(3,)))


def choice(default: str, choices: tuple[str, ...], help: str) -> Any:
    """One of these words."""
    return declared(default, Declared("choice", help, choices=choices))


def text(default: str, help: str) -> Any:
    """Any text."""
    return declared(default, Declared("text", help))


def beside(default_factory: Callable[[], Any]) -> Any:
    """A field of a dataclass that is not in its JSON but beside it; equal instances may differ in it."""
    return field(default_factory=default_factory, compare=False, metadata={"beside": True})


@cache
def types_of(cls: type) -> dict[str, Any]:
    """The types of a dataclass's fields, by name; to be read."""
    return get_type_hints(cls)


def is_written(of: Field) -> bool:
    """True if a field of a dataclass is written to JSON."""
    return "beside" not in of.metadata


def says_never(field: Field) -> bool:
    """True if None in a field is to be written as null, since its default is another time."""
    declaration: Declared | None = field.metadata.get("declared")
    return declaration is not None and declaration.endless and field.default is not None


def words(default: tuple[str, ...], help: str, alone: bool = False) -> Any:
    """A list of texts; one may stand without a list where that is said."""
    return declared(default, Declared("words", help, alone=alone))


def flag(default: bool, help: str) -> Any:
    """True or false."""
    return declared(default, Declared("flag", help))


def _shape(value: Any) -> tuple[int, ...]:
    return (len(value), *_shape(value[0])) if isinstance(value, tuple) else ()
