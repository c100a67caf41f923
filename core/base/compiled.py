"""What has a compiled form: functions of the kernel's library that do what NumPy's forms here and above do, sooner.

Each does the same operations in the same order, so that it gives the same bits, which a test holds for every one of
them. A room asks `run` first, and goes on by its own form, which is the definition, where that says that nothing was
done.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np

_ADDRESS, _NUMBER = ctypes.c_void_p, ctypes.c_int64

functions: dict[str, Callable[..., int]] = {}
"""By the name of what it does: `body.kernel` enters them when it has loaded the library."""


def run(name: str, arrays: tuple[np.ndarray, ...], *numbers: int) -> bool:
    """Has a compiled function do its work, if there is one.

    Args:
        name: In the library it is artfish_NAME, which takes the addresses of arrays and the numbers, and gives 0, or
            another number where it has done nothing.
        arrays: Those it reads, and then those it fills, in C order, of the types that it knows them by.
        numbers: Sizes and the like.

    Returns:
        Whether it was done.
    """
    function = functions.get(name)
    if function is None:
        return False
    pointers, sizes = (_ADDRESS * len(arrays))(), (_NUMBER * len(numbers))(*numbers)
    for index, array in enumerate(arrays):
        assert array.flags.c_contiguous
        pointers[index] = array.ctypes.data
    return function(pointers, sizes) == 0
