"""Compiled functions, declared: the name, type and shape of all that they take, said once.

C's structs (tools/declared.py) and the checks of a call (calling.py) are both made from these declarations. Nothing
here needs NumPy, so that the library can be built where nothing is installed.

Shapes are numbers and names of sizes: `reads("f8", "n", 3)` is (n, 3) of float64. Wherever a size is named it is the
same one, and C knows it by that name. "tree.count" is the size of a record that the function takes as its `tree`. A
shape that begins with "*n" is of any dimensions before the others, n in all.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

C_TYPES = {
    "f8": "double",
    "f4": "float",
    "i8": "int64_t",
    "i4": "int32_t",
    "i1": "int8_t",
    "u8": "uint64_t",
    "u1": "uint8_t",
    "?": "uint8_t",
}
"""The types of C by the names that NumPy has for them."""
PACKED_AS = {"f8": "d", "f4": "f", "i8": "q"}
"""Format letters with which the module struct packs numbers."""
Shape = tuple[int | str, ...]


@dataclass(frozen=True)
class Array:
    """An array, of which C gets the address.

    Attributes:
        kind: Its type, of `C_TYPES`.
        shape: Numbers and names of sizes.
        access: "reads", "takes", "changes" or "writes".
        rows: Names of its rows, the first of its dimensions, if they have any.
        struct: The record that the last of its dimensions is, if it is one.
    """

    kind: str
    shape: Shape
    access: str
    rows: tuple[str, ...] = ()
    struct: Record | None = None

    @property
    def written(self) -> bool:
        """True if the function writes to it."""
        return self.access in ("changes", "writes")


@dataclass(frozen=True)
class Number:
    """A number, or a few of them one after another, in the struct itself.

    Attributes:
        kind: "f8", "f4" or "i8".
        shape: How many; nothing for one that is no array.
    """

    kind: str
    shape: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """Count of its numbers, at least 1."""
        return prod(self.shape)


@dataclass(frozen=True)
class Part:
    """The address of a record."""

    record: Record


@dataclass(frozen=True)
class Struct:
    """The address of a struct that is declared elsewhere, by a record or a header, as a whole number.

    Attributes:
        name: Of the struct.
    """

    name: str


Field = Array | Number | Part | Struct


@dataclass(frozen=True)
class Record:
    """A struct of C: fields by name, and behind them the sizes that their shapes name.

    Attributes:
        name: Its name in C.
        fields: By name, in order.
    """

    name: str
    fields: dict[str, Field] = field(hash=False)

    def __post_init__(self) -> None:
        """Finds what cannot be meant.

        Raises:
            ValueError: A type is unknown, or a name stands for two things.
        """
        for name, one in self.fields.items():
            if isinstance(one, Array) and one.kind not in C_TYPES:
                raise ValueError(f"{self.name}: {name}: found {one.kind!r}, allowed {', '.join(C_TYPES)}")
        if both := [size for size in self.sizes if size in self.fields]:
            raise ValueError(f"{self.name}: found {both[0]} as a field and as a size")

    def __deepcopy__(self, memo: dict[int, object]) -> Record:
        """A declaration is one, wherever it is named."""
        return self

    @cached_property
    def sizes(self) -> tuple[str, ...]:
        """Names of sizes, as they first occur."""
        dims = [dim for one in self.fields.values() if isinstance(one, Array) for dim in one.shape]
        named = [dim.removeprefix("*") for dim in dims if isinstance(dim, str) and "." not in dim]
        return tuple(dict.fromkeys(named))

    @property
    def format(self) -> str:
        """Of its bytes, as the module struct has it."""
        kinds = [PACKED_AS[one.kind] * one.count if isinstance(one, Number) else "P" for one in self.fields.values()]
        return "".join([*kinds, "q" * len(self.sizes)])

    @property
    def width(self) -> int:
        """Count of its numbers, if it has no other fields."""
        return sum(one.count for one in self.fields.values() if isinstance(one, Number))

    @property
    def layout(self) -> str:
        """All on which C and Python must agree."""
        return f"{self.name}({', '.join([*map(_layout_of, self.fields, self.fields.values()), *self.sizes])})"

    @property
    def digest(self) -> str:
        """Of the layout, 16 letters."""
        return hashlib.sha256(self.layout.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Declaration(Record):
    """A compiled function: the record that it takes, and whether it is called with a span of rows beside it.

    Attributes:
        over: The size, or the number, whose rows are shared out among threads; empty where they are not.
    """

    over: str = ""

    def __post_init__(self) -> None:
        """See `Record`.

        Raises:
            ValueError: There is no such size to be shared out.
        """
        super().__post_init__()
        if self.over and self.over not in (*self.sizes, *self.fields):
            raise ValueError(f"{self.name}: found no size {self.over}, allowed {', '.join(self.sizes)}")

    @property
    def layout(self) -> str:
        """See `Record`."""
        return f"{super().layout} over {self.over}"


def reads(kind: str | Record, *shape: int | str) -> Array:
    """An array that is only read: of a kind, or of records of float64, whose numbers are its last dimension."""
    return _array(kind, shape, "reads")


def takes(kind: str | Record, *shape: int | str) -> Array:
    """An array that is only read, and comes in whatever order and kind: it is copied where C has another."""
    return _array(kind, shape, "takes")


def changes(kind: str, *shape: int | str) -> Array:
    """An array that is read and written."""
    return _array(kind, shape, "changes")


def writes(kind: str, *shape: int | str) -> Array:
    """An array that is filled; what it held before does not matter."""
    return _array(kind, shape, "writes")


def _array(kind: str | Record, shape: Shape, access: str) -> Array:
    if isinstance(kind, Record):
        return Array("f8", (*shape, kind.width), access, struct=kind)
    return Array(kind, shape, access)


def rows(names: str, *shape: int | str) -> Array:
    """An array of float64 that is only read, with a name for each of its rows; each has this shape."""
    named = tuple(names.split())
    return Array("f8", (len(named), *shape), "reads", named)


def record(name: str, /, **fields: Field) -> Record:
    """A struct of C with these fields, which functions may take the address of."""
    return Record(name, fields)


def integer() -> Number:
    """A whole number."""
    return Number("i8")


def real() -> Number:
    """A number."""
    return Number("f8")


def reals(names: str) -> dict[str, Field]:
    """Numbers by name; "masses:23" are 23 of them, "axes:3x3" three times three."""
    parts = [name.partition(":") for name in names.split()]
    return {name: Number("f8", tuple(map(int, shape.split("x"))) if shape else ()) for name, _, shape in parts}


def singles(names: str) -> dict[str, Field]:
    """Numbers of single precision by name."""
    return {name: Number("f4") for name in names.split()}


def part(record: Record) -> Part:
    """The address of a record."""
    return Part(record)


def struct(name: str) -> Struct:
    """The address of a struct that is declared elsewhere, by a record or a header."""
    return Struct(name)


def shape_text(array: Array) -> str:
    """A shape, as it is written."""
    return f"({', '.join(map(str, array.shape))}{',' if len(array.shape) == 1 else ''})"


def _layout_of(name: str, one: Field) -> str:
    """A field, as far as C and Python must agree on it."""
    if isinstance(one, Array):
        return f"{one.kind} {one.struct.name if one.struct else ''}*{name}{list(one.rows) or ''}"
    if isinstance(one, Number):
        return f"{one.kind} {name}{list(one.shape)}"
    if isinstance(one, Struct):
        return f"{one.name} *{name}"
    return f"*{name}: {one.record.layout}"
