"""The plain forms of compiled functions, tests/plain, and how to put them in place of the compiled ones.

An oracle is a function of NumPy with the name of a compiled function, in the file of tests/plain that mirrors the one
that declares it. It takes the declared arguments, by the same names, and fills the same arrays; it defines the results
of its C, to the bit. It is put in place where C would be called, behind all checks, so that it gets what C gets. The
step of the bodies has none: core/body/production.py is its plain scheme.
"""

from __future__ import annotations

import ctypes
import importlib.util
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from artfish.core.compiled import calling
from artfish.core.compiled.declarations import Array, Declaration, Number, Part, Record

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "plain"


def found() -> dict[str, Callable[..., None]]:
    """All oracles of the functions that are declared by now, by the names of these.

    Raises:
        ValueError: Two have one name.
    """
    return _found(frozenset(call.declaration.name for call in calling.declared))


@cache
def _found(names: frozenset[str]) -> dict[str, Callable[..., None]]:
    oracles: dict[str, Callable[..., None]] = {}
    for path in sorted(FOLDER.rglob("*.py")):
        name = "_".join(("plain", *path.relative_to(FOLDER).with_suffix("").parts))
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for own in names & vars(module).keys():
            if vars(module)[own].__module__ == name:
                if own in oracles:
                    raise ValueError(f"{path}: found {own} a second time")
                oracles[own] = vars(module)[own]
    return oracles


@contextmanager
def in_place(*names: str) -> Iterator[list[float]]:
    """Put the oracles of these functions, or of all, in place for the duration of the block, in one thread.

    The list that it gives adds up the processor's seconds spent on reading their arguments.
    """
    spent = [0.0]
    functions, share = calling.functions, calling.share
    plain = {call.declaration.name: _filling(call.declaration, spent) for call in calling.declared}
    chosen = {name: plain[name] for name in names or functions}
    calling.functions = functions | {name: own for name, own in chosen.items() if own is not None}
    calling.share = lambda function, packed, size, least: function(packed, 0, size) == 0
    try:
        yield spent
    finally:
        calling.functions, calling.share = functions, share


def _filling(declaration: Declaration, spent: list[float]) -> Callable[..., int] | None:
    """An oracle as C's function is called; None where there is none."""
    oracle = found().get(declaration.name)
    if oracle is None:
        return None

    def filling(packed: bytes, *span: int) -> int:
        begun = time.process_time()
        given = taken(declaration, packed)[0]
        spent[0] += time.process_time() - begun
        oracle(**given)
        return 0

    return filling


def taken(record: Record, packed: bytes) -> tuple[dict[str, Any], dict[str, int]]:
    """The fields of a packed record, and its sizes; a field whose rows or numbers have names is a namespace."""
    values, sizes = unpacked(record, packed)
    for name, one in record.fields.items():
        if isinstance(one, Array):
            values[name] = _named(one, values[name])
    return values, sizes


def unpacked(record: Record, packed: bytes) -> tuple[dict[str, Any], dict[str, int]]:
    """The fields of a packed record, and its sizes: numbers, arrays where they are, addresses, and records in it."""
    words, values = iter(struct.unpack(record.format, packed)), dict[str, Any]()
    for name, one in record.fields.items():
        many = [next(words) for _ in range(one.count if isinstance(one, Number) else 1)]
        values[name] = np.reshape(many, one.shape) if isinstance(one, Number) and one.shape else many[0]
    sizes = dict(zip(record.sizes, words, strict=True))
    for name, one in record.fields.items():
        if isinstance(one, Part):
            inner, own = taken(one.record, ctypes.string_at(values[name], struct.calcsize(one.record.format)))
            values[name] = SimpleNamespace(**inner)
            sizes |= {f"{name}.{size}": many for size, many in own.items()}
    for name, one in record.fields.items():
        if isinstance(one, Array):
            values[name] = _array(one, values[name], sizes)
    return values, sizes


def _named(one: Array, array: np.ndarray) -> Any:
    """An array, or its rows or the numbers of its records by their names."""
    if one.rows:
        return SimpleNamespace(**dict(zip(one.rows, array, strict=True)))
    if one.struct is None:
        return array
    found, at = {}, 0
    for name, number in one.struct.fields.items():
        assert isinstance(number, Number)
        values = array[..., at : at + number.count]
        found[name] = values.reshape((*array.shape[:-1], *number.shape))[()]
        at += number.count
    return SimpleNamespace(**found)


def _array(one: Array, address: int, sizes: dict[str, int]) -> np.ndarray:
    """An array at an address, of which as much may be written to as is declared."""
    shape = tuple(sizes[dim.removeprefix("*")] if isinstance(dim, str) else dim for dim in one.shape)
    kind = calling.DTYPES[one.kind]
    if not prod(shape):
        return np.empty(shape, kind)
    memory = (ctypes.c_char * (prod(shape) * kind.itemsize)).from_address(address)
    array: np.ndarray = np.ndarray(shape, kind, memoryview(memory))
    array.flags.writeable = one.written
    return array
