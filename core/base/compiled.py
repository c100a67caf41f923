"""What has a compiled form: functions of the kernel's library that do what NumPy's forms here and above do, sooner.

Each does the same operations in the same order, so that it gives the same bits, which a test holds for every one of
them. A room asks `run` first, and goes on by its own form, which is the definition, where that says that nothing was
done.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ..compiled import calling
from . import threads

_MOST = 48  # arrays or numbers that a function takes
_ADDRESSES = [struct.Struct(f"{count}P").pack for count in range(_MOST)]
_NUMBERS = [struct.Struct(f"{count}q").pack for count in range(_MOST)]
_byte_of: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof


def run(name: str, arrays: tuple[np.ndarray | int, ...], *numbers: int) -> bool:
    """Has a compiled function do its work, if there is one.

    Args:
        name: In the library it is artfish_NAME, which takes the addresses of arrays and the numbers, and gives 0, or
            another number where it has done nothing.
        arrays: Those it reads, and then those it fills, in C order, of the types that it knows them by; or their
            addresses, where these stay the same.
        numbers: Sizes and the like.

    Returns:
        Whether it was done.
    """
    function = calling.functions.get(name)
    if function is None:
        return False
    return function(_addresses(arrays), _NUMBERS[len(numbers)](*numbers)) == 0


def share(name: str, arrays: tuple[np.ndarray | int, ...], size: int, least: int, *numbers: int) -> bool:
    """Has a compiled function do its work on rows, shared out among threads.

    Args:
        name: See `run`; the function takes the first row and the one after the last before the other numbers.
        arrays: See `run`.
        size: How many rows there are.
        least: No thread has fewer.
        numbers: Sizes and the like.

    Returns:
        Whether it was done, for all of them.
    """
    function = calling.functions.get(name)
    if function is None:
        return False
    addresses, packed = _addresses(arrays), _NUMBERS[2 + len(numbers)]
    return threads.share_all(lambda begin, end: function(addresses, packed(begin, end, *numbers)) == 0, size, least)


def laid(*arrays: np.ndarray, kind: type = float) -> tuple[np.ndarray, ...]:
    """Arrays as compiled functions take them: of one kind and in C order, copied only where they are not."""
    return tuple([np.ascontiguousarray(array, dtype=kind) for array in arrays])


def _addresses(arrays: tuple[np.ndarray | int, ...]) -> bytes:
    """Where arrays are in memory, as a C array."""
    found = []
    for of in arrays:
        if isinstance(of, int):
            found.append(of)
        else:
            try:
                found.append(_address_of(_byte_of(of)))
            except (TypeError, ValueError):
                found.append(_sought(of))
    return _ADDRESSES[len(found)](*found)


def address(array: np.ndarray) -> int:
    """Where an array is: its first byte says so soonest, but not of one that is empty or is not to be written to."""
    try:
        return _address_of(_byte_of(array))
    except (TypeError, ValueError):
        return _sought(array)


def _sought(array: np.ndarray) -> int:
    """Where an array is that is empty, or is not to be written to."""
    assert array.flags.c_contiguous
    return int(array.ctypes.data)
