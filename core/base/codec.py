"""Between declared dataclasses and JSON: reading checks everything, writing loses nothing.

The fields of the dataclasses declare what a file may hold (see `declaration`), so this file knows no scene and no
species. Every fault becomes a `SceneError` of one line: file, key, what was found, what is allowed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from math import inf, nan
from numbers import Integral, Real
from sys import float_info
from types import NoneType
from typing import Any, NoReturn, TypeVar, get_args, get_origin

import numpy as np

from .declaration import Declared, is_written, says_never, types_of

T = TypeVar("T")
REQUIRED: Any = MISSING  # as the default of a declared field: the key may not be left out
KEY_SECONDS = 36_000.0  # no key lies farther from the beginning
LARGEST_FLOAT = float_info.max
LONGEST_KEY, LONGEST_LINE = 200, 2000  # characters of a message
MOST_LISTS = 4_000_000  # lists and objects in a JSON text: those of ten meshes as large as may be
LONGEST_WORD = 60  # letters of what stands in a file that a message shows
OPTIONAL: Any = None  # as the default of a declared field: the key may be left out, and then there is no value


@dataclass(frozen=True)
class Spot:
    """A place in the coordinates of the scene, in metres."""

    at: Sequence[float]


@dataclass(frozen=True)
class Height:
    """A height above the floor of the tank, in metres."""

    z: float


@dataclass(frozen=True)
class ListItem:
    """An item of one of the lists of a scene."""

    section: str
    index: int


Words = str | tuple[str | Spot | Height | ListItem, ...]
"""A part of a sentence, and what in it is written otherwise in Blender than in a scene file."""


class Wording:
    """The wording of a `SceneError`'s fields, for the author of a scene file."""

    def key(self, key: str) -> str:
        """The place of a key in the file."""
        return key

    def spot(self, spot: Spot) -> str:
        """A place."""
        return shown(spot.at)

    def height(self, height: Height) -> str:
        """A height, in metres."""
        return f"{height.z:.3g}"

    def item(self, item: ListItem) -> str:
        """An item of a list."""
        return f"{item.section}[{item.index}]"

    def words(self, words: Words) -> str:
        """Part of a sentence."""
        return words if isinstance(words, str) else "".join(map(self._part, words))

    def _part(self, part: str | Spot | Height | ListItem) -> str:
        match part:
            case Spot():
                return self.spot(part)
            case Height():
                return self.height(part)
            case ListItem():
                return self.item(part)
        return part


class SceneError(ValueError):
    """Bad input or an output that cannot be written; as text it is always one printable line, made of its fields.

    Attributes:
        found: The value found.
        allowed: The values allowed there.
        key: Key in the file, such as `fishes[0].at`; "" if it is about all of it.
        file: Name of the file in messages; "" as long as only the key is known.
    """

    INSTEAD = "allowed"
    """The word that introduces `allowed` in the line."""

    def __init__(self, found: Words, allowed: Words, key: str = "", file: str | os.PathLike[str] = "") -> None:
        super().__init__(found, allowed, key, file)
        self.found, self.allowed, self.key, self.file = found, allowed, key, os.fspath(file)

    def __str__(self) -> str:
        return self.line(Wording())

    def line(self, wording: Wording) -> str:
        """The error in one printable line."""
        said = f"found {wording.words(self.found)}, {self.INSTEAD} {wording.words(self.allowed)}"
        line = ": ".join(filter(None, (self.file, clipped(wording.key(self.key), LONGEST_KEY), said)))
        return clipped(printable(clipped(line, LONGEST_LINE)), LONGEST_LINE)

    def within(self, place: Place) -> SceneError:
        """The same error at a place, which gives the beginning of the key."""
        key = f"{place.key}.{self.key}" if place.key and self.key else place.key or self.key
        return SceneError(self.found, self.allowed, key, place.file)


class SceneWarning(SceneError):
    """A value that is accepted but cannot go well; it is reported and never raised."""

    INSTEAD = "better"


@dataclass(frozen=True)
class Place:
    """A place in a file, such as `fishes[0].at` in `reef.json`."""

    file: str
    key: str = ""

    def under(self, name: object) -> Place:
        """The place of the value under this key."""
        word = cut(str(name))
        return replace(self, key=f"{self.key}.{word}" if self.key else word)

    def item(self, index: int) -> Place:
        """The place of one item of the list that stands here."""
        return replace(self, key=f"{self.key}[{index}]")

    def refuse(self, found: str, allowed: str) -> NoReturn:
        """Raises the SceneError for the value at this place."""
        raise SceneError(found, allowed, self.key, self.file)


def decode(cls: type[T], data: object, place: Place) -> T:
    """Builds a dataclass of declared fields, nested ones included, from the content of a JSON object.

    A field that is not there takes its default. A `SceneError` of the class's own `__post_init__`, which knows keys of
    the class alone, gets the file and the place put in front.

    Raises:
        SceneError: If a key is unknown or missing, or a value is not what its field declares.
    """
    if not isinstance(data, Mapping):
        place.refuse(shown(data), "an object of keys and values")
    known: dict[str, Field] = {field.name: field for field in fields(cls) if is_written(field)}  # type: ignore[arg-type]
    for name in data:
        if name not in known:
            close = get_close_matches(cut(str(name)), known, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            place.under(name).refuse("an unknown key", f"{', '.join(known)}{hint}")
    hints, values = types_of(cls), {}  # type: ignore[arg-type]
    for name, field in known.items():
        if name in data:
            values[name] = _value(field, hints[name], data[name], place.under(name))
        elif field.default is MISSING and field.default_factory is MISSING:
            declaration = field.metadata.get("declared")
            place.under(name).refuse("nothing", allowed(declaration) if declaration else "an object of keys and values")
    try:
        return cls(**values)
    except SceneError as error:
        raise error.within(place) from None


def encode(value: Any) -> Any:
    """The JSON form of a dataclass: objects, lists and plain values; None and empty values are left out."""
    if is_dataclass(value):
        written = [(field, getattr(value, field.name)) for field in fields(value) if is_written(field)]
        found = {field.name: encode(item) for field, item in written if item is not None or says_never(field)}
        return {name: item for name, item in found.items() if item != {}}
    return [encode(item) for item in value] if isinstance(value, tuple | list) else value


def parse(text: str, file: str) -> dict[str, Any]:
    """Reads JSON text whose outermost value is an object.

    Raises:
        SceneError: If it is no JSON, holds a key twice, or is no object. NaN and infinities pass here, and are refused
            with their key by `decode`.
    """
    data = parse_any(text, file)
    if not isinstance(data, dict):
        Place(file).refuse(shown(data), "an object of keys and values")
    return data


def parse_any(text: str, file: str) -> Any:
    """Reads JSON text of any value, for the rest as `parse` does; a message quotes nothing of text that is not JSON."""
    if text.count("[") + text.count("{") > MOST_LISTS:
        raise SceneError("more lists and objects", f"a JSON object with up to {MOST_LISTS}", file=file)
    try:
        data = json.loads(text, object_pairs_hook=_object)
        _refuse_repeats(data, Place(file))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise SceneError(f"no JSON ({error.msg.partition(':')[0]})", "a JSON object", key=where, file=file) from None
    except RecursionError:
        raise SceneError("lists or objects nested too deeply", "a JSON object", file=file) from None
    except SceneError:
        raise
    except ValueError:  # a whole number of more digits than Python reads
        raise SceneError("a number of too many digits", "a JSON object", file=file) from None
    return data


def layout(data: Any, margin: str = "\n") -> str:
    """JSON text for people: one key a line, a list of plain values on one line; floats read back exactly."""
    inner = margin + "  "
    if isinstance(data, dict) and data:
        lines = [f"{json.dumps(name)}: {layout(item, inner)}" for name, item in data.items()]
        return "{" + inner + f",{inner}".join(lines) + margin + "}"
    if isinstance(data, list) and any(isinstance(item, dict) for item in data):
        return "[" + inner + f",{inner}".join(layout(item, inner) for item in data) + margin + "]"
    return json.dumps(data, allow_nan=False)


def allowed(declared: Declared) -> str:
    """The allowed values of a declared field, in words."""
    match declared.kind:
        case "number":
            return f"a number{_span(declared)}{', or null' if declared.endless else ''}"
        case "keyed":
            return f"a number{_span(declared)}, or a list of pairs of seconds and such a number"
        case "integer":
            return f"a whole number{_span(declared)}"
        case "vector" | "colour":
            sizes = " x ".join("any number of" if size is None else str(size) for size in declared.shape)
            return f"a list of {sizes} numbers{_span(declared)}"
        case "choice":
            return f"one of {', '.join(declared.choices)}"
        case "flag":
            return "true or false"
        case "words":
            return "a list of texts, or one" if declared.alone else "a list of texts"
    return "a text"


def clipped(text: str, longest: int) -> str:
    """A text without its middle where it is longer than so many characters."""
    if len(text) <= longest:
        return text
    end = (longest - 5) // 2
    return f"{text[: longest - 5 - end]} ... {text[-end:]}"


def printable(text: str) -> str:
    """A text on one line, for a terminal or a status bar."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def cut(word: str) -> str:
    """A word as it stands in messages, where a long one is cut short."""
    return word if len(word) <= LONGEST_WORD else word[: LONGEST_WORD - 3] + "..."


def shown(value: object) -> str:
    """A value as the person who wrote it would know it again, kept short."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return repr(cut(value))
    if isinstance(value, Integral):
        return str(value) if abs(int(value)) < 10**40 else "a whole number of more than 40 digits"
    if isinstance(value, Real):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value), str(value))
    if isinstance(value, Mapping):
        return "an object of keys and values"
    if isinstance(value, list | tuple):
        plain = len(value) <= 4 and not any(isinstance(item, list | tuple | Mapping) for item in value)
        return f"[{', '.join(map(shown, value))}]" if plain else f"a list of {len(value)}"
    return f"a value of type {type(value).__name__}"


class _Object(dict):
    """A JSON object in which a key stood twice."""

    repeated: str


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object that remembers a key that stood in it twice."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    twice, seen = _Object(found), set()
    for name, _ in pairs:
        if name in seen:
            twice.repeated = name
            break
        seen.add(name)
    return twice


def _refuse_repeats(data: Any, place: Place) -> None:
    if isinstance(data, _Object):
        place.under(data.repeated).refuse("the key twice", "each key once")
    if isinstance(data, dict):
        for name, item in data.items():
            if isinstance(item, dict | list):
                _refuse_repeats(item, place.under(name))
    elif isinstance(data, list):
        for index, item in enumerate(data):
            if isinstance(item, dict | list):
                _refuse_repeats(item, place.item(index))


def _value(field: Field, hint: Any, data: object, place: Place) -> Any:
    """The value of one field: a declared value, a section, or a list of sections."""
    declared: Declared | None = field.metadata.get("declared")
    if declared:
        return None if declared.endless and data is None else _declared(declared, data, place)
    lists = [one for one in (hint, *get_args(hint)) if get_origin(one) is tuple]
    if lists:
        if data is None and NoneType in get_args(hint):
            return None
        if not isinstance(data, list | tuple):
            place.refuse(shown(data), "a list of objects")
        return tuple(_section(get_args(lists[0])[0], item, place.item(index)) for index, item in enumerate(data))
    return _section(hint, data, place)


def _section(hint: Any, data: object, place: Place) -> Any:
    """A nested dataclass, or one made already; of several that whose `kind`, or `do`, the data gives or alone is."""
    classes = [cls for cls in get_args(hint) or (hint,) if cls is not NoneType]
    if isinstance(data, tuple(classes)):
        return data
    if len(classes) == 1:
        return decode(classes[0], data, place)
    key = "kind" if "kind" in classes[0].__dataclass_fields__ else "do"
    kinds = {kind: cls for cls in classes for kind in cls.__dataclass_fields__[key].metadata["declared"].choices}
    if isinstance(data, str) and NoneType in get_args(hint):
        data = {key: data} if data in kinds else place.refuse(shown(data), f"one of {', '.join(kinds)}")
    if not isinstance(data, Mapping):
        place.refuse(shown(data), "an object of keys and values")
    kind = data.get(key)
    if not isinstance(kind, str) or kind not in kinds:
        place.under(key).refuse(shown(kind) if key in data else "nothing", f"one of {', '.join(kinds)}")
    return decode(kinds[kind], data, place)


def _declared(declared: Declared, data: Any, place: Place) -> Any:
    match declared.kind:
        case "number" | "integer":
            return _number(declared, data, place)
        case "keyed":
            return _keyed(declared, data, place)
        case "vector" | "colour":
            return _vector(declared, declared.shape, data, place)
        case "choice":
            fits = isinstance(data, str) and data in declared.choices
        case "flag":
            fits = isinstance(data, bool)
        case "words":
            listed = (data,) if declared.alone and isinstance(data, str) else data
            if isinstance(listed, list | tuple) and all(isinstance(word, str) for word in listed):
                return tuple(listed)
            fits = False
        case _:
            fits = isinstance(data, str)
    if not fits:
        place.refuse(shown(data), allowed(declared))
    return data


def _vector(declared: Declared, shape: tuple[int | None, ...], data: Any, place: Place) -> Any:
    """Nested tuples of floats of this shape, or the number at the bottom of them."""
    if not shape:
        return _number(replace(declared, kind="number"), data, place)
    items = data.tolist() if isinstance(data, np.ndarray) else data
    plain = _plain(declared, shape, items)
    if plain is not None:
        return plain
    if not isinstance(items, list | tuple) or shape[0] not in (None, len(items)):
        place.refuse(shown(items), allowed(replace(declared, shape=shape)))
    return tuple(_vector(declared, shape[1:], item, place.item(index)) for index, item in enumerate(items))


def _plain(declared: Declared, shape: tuple[int | None, ...], items: Any) -> tuple | None:
    """The result of `_vector` for lists of nothing but floats and ints as declared; None for anything else.

    It keeps no account of where it is, for the places of a mesh's numbers take ten times as long as the numbers.
    """
    if not isinstance(items, list | tuple) or shape[0] not in (None, len(items)):
        return None
    if len(shape) > 1:
        rows = tuple(_plain(declared, shape[1:], row) for row in items)
        return None if None in rows else rows
    low, high = max(declared.low, -LARGEST_FLOAT), min(declared.high, LARGEST_FLOAT)
    if not set(map(type, items)) <= {float, int} or not all(low <= number <= high for number in items):
        return None
    return tuple(map(float, items))


def _keyed(declared: Declared, data: Any, place: Place) -> float | tuple[tuple[float, float], ...]:
    """A number, or pairs of seconds and number in order of time."""
    value = replace(declared, kind="number")
    if not isinstance(data, list | tuple | np.ndarray):
        if isinstance(data, int | float) and not isinstance(data, bool) and declared.low <= data <= declared.high:
            return _number(value, data, place)
        place.refuse(shown(data), allowed(declared))
    if not len(data):
        place.refuse("an empty list", allowed(declared))
    seconds, keys = Declared("number", "", -KEY_SECONDS, KEY_SECONDS, "s"), []
    for row, pair in enumerate(data):
        if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
            place.item(row).refuse(shown(pair), "a pair of seconds and a number")
        time, number = (_number(of, pair[at], place.item(row).item(at)) for at, of in enumerate((seconds, value)))
        if keys and time < keys[-1][0]:
            place.item(row).refuse(f"{shown(time)} s after {shown(keys[-1][0])} s", "times in order")
        keys.append((time, number))
    return tuple(keys)


def _number(declared: Declared, data: Any, place: Place) -> float | int:
    kind, made = (Integral, int) if declared.kind == "integer" else (Real, float)
    try:
        number: Any = made(data) if isinstance(data, kind) and not isinstance(data, bool) else nan  # type: ignore
    except OverflowError:  # a whole number too large for a float
        number = inf
    if not declared.low <= number <= declared.high or abs(number) == inf:  # NaN fails every comparison
        place.refuse(shown(data), allowed(declared))
    return number


def _span(declared: Declared) -> str:
    unit = f" {declared.unit}" if declared.unit else ""
    low, high = f"{declared.low:.10g}", f"{declared.high:.10g}"
    if abs(declared.low) == abs(declared.high) == inf:
        return unit and f" in{unit}"
    if declared.high == inf:
        return f" of {low}{unit} or more"
    return f" up to {high}{unit}" if declared.low == -inf else f" from {low} to {high}{unit}"
