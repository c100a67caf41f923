"""Calls of compiled functions: what is declared is checked, packed into the struct that C knows, and done.

`compiled` makes a function of a declaration by writing its Python, one line a step and no loop, so that checks cost
less than in any other form. Every call looks at each array's type, shape and contiguity, whether what is filled may be
written to, and whether two arrays begin at one place of which one is filled; the first calls also look whether they lie
one across the other.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ..base import threads
from .declarations import Array, Declaration, Field, Number, Part, Record, shape_text
from .library import MissingLibraryError, use

DTYPES = {kind: np.dtype(kind) for kind in ("f8", "f4", "i8", "i4", "i1", "u8", "u1", "?")}
_FIRST = 4  # calls of different sizes, before which it is looked whether arrays lie one across the other
_byte_of: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


class UnfitError(ValueError):
    """An argument of a compiled function is not as declared."""


class Call(Protocol):
    """A compiled function."""

    declaration: Declaration

    def __call__(self, **given: Any) -> None:
        """Has it do its work.

        Raises:
            MissingLibraryError: There is no library here.
            MemoryError: There is not enough memory for it.
            UnfitError: An argument is not as declared.
        """
        ...


class Kept:
    """A record that stays, with all that it leads to.

    Attributes:
        record: Its declaration.
        values: What it was made of.
        sizes: By their names.
        address: Where it is.
    """

    def __init__(self, record: Record, values: dict[str, Any]):
        """Checks and packs it.

        Raises:
            UnfitError: A value is not what is declared.
        """
        self.record = record
        self.values, packed, sizes = _packer(record)(**values)
        self.sizes = dict(zip(record.sizes, sizes, strict=True))
        self._bytes = bytearray(packed)
        self.address = _address_of(_byte_of(self._bytes))

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy leads to arrays of its own."""
        return keep, (self.record,), self.values

    def __setstate__(self, values: dict[str, Any]) -> None:
        """See `__reduce__`."""
        self.__init__(self.record, values)  # type: ignore[misc]


def keep(record: Record, /, **values: Any) -> Kept:
    """A record made of these values, which are kept with it; see `Kept`."""
    kept = Kept.__new__(Kept)
    kept.record = record
    if values or not record.fields:
        kept.__init__(record, values)  # type: ignore[misc]
    return kept


def stack(call: Call, name: str, /, **named: np.ndarray) -> np.ndarray:
    """The rows of an array that a function takes by their names, stacked in their order, (rows, ...) of float64.

    Raises:
        UnfitError: One is missing, or one is too many.
    """
    array = call.declaration.fields[name]
    assert isinstance(array, Array)
    if set(named) != set(array.rows):
        raise UnfitError(f"found rows {', '.join(sorted(set(named) ^ set(array.rows)))} on one side only")
    return np.stack([named[name] for name in array.rows]).astype(float)


def values(record: Record, /, **named: ArrayLike) -> np.ndarray:
    """The numbers of a record that has nothing else, in their order, (width,) of float64.

    Raises:
        UnfitError: One is missing, or one is too many.
    """
    examine(record, named)
    return np.concatenate([np.ravel(named[name]) for name in record.fields]).astype(float)


declared: list[Call] = []
"""All compiled functions that there are, in the order in which their modules are loaded."""
functions: dict[str, Any] = {}
"""Those of the library that are in use, by the name of their declaration; tests take some away."""
crew: list[threads.Crew] = [use.loaded.crew] if use.loaded is not None else []
"""The one that shares out their rows."""


def compiled(name: str, /, *, over: str = "", least: int = 1, **fields: Field) -> Call:
    """Declares a compiled function, artfish_NAME of the library.

    Args:
        name: Of the function.
        over: The size, or the number, whose rows are shared out among threads; empty for work in one piece.
        least: No thread has fewer of these rows; a call may say otherwise by `least=`.
        fields: What it takes, by name, in C's order.

    Returns:
        The function, which takes these names.
    """
    declaration = Declaration(name, fields, over)
    function = use.function(declaration)
    if function is not None:
        functions[name] = function
    else:
        functions.clear()
    declared.append(_written(declaration, least))
    return declared[-1]


def share(function: Any, packed: bytes, size: int, least: int) -> bool:
    """Has a compiled function do its work on rows, shared out among threads; whether all of it was done."""
    if size < 2 * least:
        return bool(function(packed, 0, size) == 0)
    place = getattr(function, "place", None)
    if place is not None and crew:
        return crew[0].work(place, packed, size, least)
    return threads.share_all(lambda begin, end: function(packed, begin, end) == 0, size, least)


def missing() -> NoReturn:
    """Refuses work for which there is no library.

    Raises:
        MissingLibraryError: Always.
    """
    raise MissingLibraryError(use.reason)


def exhausted(declaration: Record) -> NoReturn:
    """Refuses work for which there is no room.

    Raises:
        MemoryError: Always.
    """
    raise MemoryError(f"found too little memory for {declaration.name}")


def lay(declaration: Record, name: str, value: Any) -> np.ndarray:
    """An array that a function takes, as C has it.

    Raises:
        UnfitError: It would lose what it says.
    """
    one = declaration.fields[name]
    assert isinstance(one, Array)
    if isinstance(value, np.ndarray) and value.dtype == DTYPES[one.kind]:
        return value if value.flags.c_contiguous else np.ascontiguousarray(value)
    found = np.asarray(value)
    if not np.can_cast(found.dtype, DTYPES[one.kind], "same_kind"):
        raise UnfitError(f"{declaration.name}: {name}: found {found.dtype}, allowed {DTYPES[one.kind]}")
    return np.require(found, DTYPES[one.kind], "C")


def laid(*arrays: np.ndarray, kind: type = float) -> tuple[np.ndarray, ...]:
    """Arrays as compiled functions take them: of one kind and in C order, copied only where they are not."""
    return tuple([np.ascontiguousarray(array, dtype=kind) for array in arrays])


def examine(record: Record, values: dict[str, Any]) -> dict[str, int]:
    """Looks at all that a record is made of; its sizes.

    Raises:
        UnfitError: Something is not what is declared.
    """
    sizes: dict[str, int] = {}
    if set(values) != set(record.fields):
        names = ", ".join(sorted(set(values) ^ set(record.fields)))
        raise UnfitError(f"{record.name}: found {names} on one side only")
    for name, one in record.fields.items():
        if isinstance(one, Part) and isinstance(values[name], Kept):
            sizes.update({f"{name}.{size}": many for size, many in values[name].sizes.items()})
    for name, one in record.fields.items():
        value = values[name]
        if isinstance(one, Array):
            _fit(record, name, one, value, sizes)
        elif isinstance(one, Part) and (not isinstance(value, Kept) or value.record != one.record):
            found = value.record.name if isinstance(value, Kept) else type(value).__name__
            raise UnfitError(f"{record.name}: {name}: found {found}, allowed {one.record.name}")
        elif isinstance(one, Number) and one.shape and np.size(value) != one.count:
            raise UnfitError(f"{record.name}: {name}: found {np.size(value)} numbers, allowed {one.count}")
    return sizes


def _fit(record: Record, name: str, one: Array, value: Any, sizes: dict[str, int]) -> None:
    """Looks at one array, and finds sizes by it."""
    where = f"{record.name}: {name}"
    if not isinstance(value, np.ndarray):
        raise UnfitError(f"{where}: found {type(value).__name__}, allowed an array")
    if value.dtype != DTYPES[one.kind]:
        raise UnfitError(f"{where}: found {value.dtype}, allowed {DTYPES[one.kind]}")
    if not value.flags.c_contiguous:
        raise UnfitError(f"{where}: found an array that is not in C order")
    if one.written and not value.flags.writeable:
        raise UnfitError(f"{where}: found an array that is not to be written to")
    shape, dims = value.shape, one.shape
    if dims and str(dims[0]).startswith("*"):
        whole = len(shape) - len(dims) + 1
        shape, dims = (prod(shape[:whole]), *shape[whole:]), (str(dims[0])[1:], *dims[1:])
    fits = len(shape) == len(dims)
    for dim, size in zip(dims, shape, strict=False):
        fits &= size == (sizes.setdefault(dim, size) if isinstance(dim, str) else dim)
    if not fits:
        known = ", ".join(f"{dim} = {sizes[dim]}" for dim in dims if isinstance(dim, str) and dim in sizes)
        known = f" with {known}" if known else ""
        raise UnfitError(f"{where}: found shape {value.shape}, allowed {shape_text(one)}{known}")


def apart(record: Record, values: dict[str, Any]) -> None:
    """Looks whether what is filled lies apart from all else.

    Raises:
        UnfitError: Two arrays share memory, of which one is filled.
    """
    arrays = [(name, one) for name, one in record.fields.items() if isinstance(one, Array) and values[name].size]
    spans = sorted((values[name].ctypes.data, place) for place, (name, _) in enumerate(arrays))
    last, end = 0, 0  # of those before, the one that reaches farthest
    for begin, place in spans:
        (name, one), (other, its) = arrays[place], arrays[last]
        if begin < end and (one.written or its.written):
            raise UnfitError(f"{record.name}: {' and '.join(sorted((name, other)))}: found in the same memory")
        if begin + values[name].nbytes > end:
            last, end = place, begin + values[name].nbytes


def _sought(record: Record, name: str, value: np.ndarray) -> int:
    """Where an array is that is empty or only to be read; its first byte tells it sooner of all others."""
    one, flags = record.fields[name], value.flags
    assert isinstance(one, Array)
    if not flags.c_contiguous or (one.written and not flags.writeable):
        _fit(record, name, Array(one.kind, ("*n",), one.access), value, {})
    return int(value.__array_interface__["data"][0])


@cache
def _packer(record: Record) -> Callable[..., tuple[dict[str, Any], bytes, tuple[int, ...]]]:
    """The function that packs a record and returns its values as laid out, its bytes and its sizes."""
    return _written(record, 1)


def _written(declaration: Record, least: int) -> Any:
    """The function of a declaration; or, of a mere record, what packs it."""
    arrays = {name: one for name, one in declaration.fields.items() if isinstance(one, Array)}
    names = list(declaration.fields)
    shapes, checks = _shapes(declaration, arrays)
    checks += [
        f"{name}.record is _records[{name!r}]" for name, one in declaration.fields.items() if isinstance(one, Part)
    ]
    places, taken = [], [name for name, one in arrays.items() if one.access == "takes"]
    for name in arrays:
        places.append(f"try: _at_{name} = _address_of(_byte_of({name}))")
        places.append("except (TypeError, ValueError):")
        if name in taken:
            places.append(f"    {name} = _calling.lay(_declaration, {name!r}, {name})")
        places.append(f"    _at_{name} = _calling._sought(_declaration, {name!r}, {name})")
    values = f"{{{', '.join(f'{name!r}: {name}' for name in names)}}}"
    packed = [_packed(name, one) for name, one in declaration.fields.items()]
    called = isinstance(declaration, Declaration)
    work = f"{values}, _packed, ({''.join(f'{size}, ' for size in declaration.sizes)})"
    if isinstance(declaration, Declaration):
        span = f"_calling.share(_function, _packed, {declaration.over}, least)"
        work = span if declaration.over else "_function(_packed) == 0"
    lines = [
        f"def {declaration.name}(*, {', '.join(names)}, least=least):",
        f"    _function = _calling.functions.get({declaration.name!r})" if called else "    _function = 0",
        "    if _function is None: _calling.missing()",
        "    try:",
        *(f"        {line}" for line in shapes),
        f"        _fits = {' and '.join(checks) or True}",
        "    except (AttributeError, ValueError, LookupError): _fits = False",
        "    if not _fits:",
        *(f"        {name} = _calling.lay(_declaration, {name!r}, {name})" for name in taken),
        f"        _sizes = _calling.examine(_declaration, {values})",
        *(f"        {size} = _sizes[{size!r}]" for size in declaration.sizes),
        *(f"    {line}" for line in [*places, *_apartness(declaration, arrays, values)]),
        f"    _packed = _pack({', '.join([*packed, *declaration.sizes])})",
        f"    if not {work}: _calling.exhausted(_declaration)" if called else f"    return {work}",
    ]
    text = "\n".join(
        [
            "def make(_declaration, least, _pack, _types, _records, _seen):",
            *(f"    {kind} = _types[{code!r}]" for code, kind in _TYPES.items()),
            *(f"    {line}" for line in lines),
            f"    return {declaration.name}",
        ]
    )
    made: dict[str, Any] = {}
    exec(compile(text, f"<compiled {declaration.name}>", "exec"), _GLOBALS, made)
    records = {name: one.record for name, one in declaration.fields.items() if isinstance(one, Part)}
    call: Any = made["make"](declaration, least, struct.Struct(declaration.format).pack, DTYPES, records, set())
    call.declaration = declaration
    return call


_GLOBALS = {
    "_calling": sys.modules[__name__],
    "_prod": prod,
    "_ravel": np.ravel,
    "_address_of": ctypes.addressof,
    "_byte_of": ctypes.c_char.from_buffer,
}
"""Globals of the written functions; all begin with an underscore, which no field does."""
_TYPES = {kind: f"_{'bool' if kind == '?' else kind}" for kind in DTYPES}


def _packed(name: str, one: Field) -> str:
    """The expression that is packed for a field."""
    if isinstance(one, Array):
        return f"_at_{name}"
    if isinstance(one, Part):
        return f"{name}.address"
    return f"*_ravel({name}).tolist()" if isinstance(one, Number) and one.shape else name


def _shapes(declaration: Record, arrays: dict[str, Array]) -> tuple[list[str], list[str]]:
    """Lines that find the sizes, and conditions that all arrays fit."""
    lines, checks, known = [], [], set[str]()
    for name, whole in arrays.items():
        one = Array(whole.kind, tuple(_named(dim) for dim in whole.shape), whole.access)
        checks.append(f"{name}.dtype is {_TYPES[one.kind]}")
        first, *rest = one.shape or (1,)
        if str(first).startswith("*"):
            size, inner = str(first)[1:], [str(dim) for dim in rest]
            many = f"_prod({name}.shape[:-{len(inner)}])" if inner else f"{name}.size"
            for place, dim in enumerate(rest):
                if isinstance(dim, str) and dim not in known and "." not in dim:
                    lines.append(f"{dim} = {name}.shape[{place - len(rest)}]")
                    known.add(dim)
            if size in known:
                checks.append(f"{many} == {size}")
            else:
                lines.append(f"{size} = {many}")
            known.add(size)
            if inner:
                checks.append(f"{name}.shape[-{len(inner)}:] == ({', '.join(inner)},)")
            continue
        new = [dim for dim in one.shape if isinstance(dim, str) and dim not in known and "." not in dim]
        if new:
            dims = [str(dim) if dim in new else f"{name}_{place}" for place, dim in enumerate(one.shape)]
            lines.append(f"{', '.join(dims)}, = {name}.shape")
            checks += [f"{name}_{place} == {dim}" for place, dim in enumerate(one.shape) if dim not in new]
        else:
            checks.append(f"{name}.shape == ({', '.join(map(str, one.shape))},)")
        known.update(new)
    return lines, checks


def _named(dim: int | str) -> int | str:
    """A dimension as Python finds it; those of a record by its sizes."""
    if isinstance(dim, str) and "." in dim:
        owner, size = dim.split(".")
        return f"{owner}.sizes[{size!r}]"
    return dim


def _apartness(declaration: Record, arrays: dict[str, Array], values: str) -> list[str]:
    """Lines that look whether what is filled lies apart from all else."""
    filled = ", ".join(f"_at_{name}" for name, one in arrays.items() if one.written)
    read = "".join(f"_at_{name}, " for name, one in arrays.items() if not one.written)
    if not filled:
        return []
    key = "".join(f"{size}, " for size in declaration.sizes)
    return [
        f"_filled = {{{filled}}}",
        f"if len(_filled) < {filled.count(',') + 1} or not _filled.isdisjoint(({read})):",
        f"    _calling.apart(_declaration, {values})",
        f"elif len(_seen) < {_FIRST} and ({key}) not in _seen:",
        f"    _calling.apart(_declaration, {values})",
        f"    _seen.add(({key}))",
    ]
