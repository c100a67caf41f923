"""What has a compiled form: what is asked of the library, and what is left to NumPy."""

import ctypes

import numpy as np
import pytest

from artfish.core.base import compiled

TAKEN = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


@pytest.fixture
def doubling(monkeypatch):
    """A function that doubles so many numbers of one array into another, and leaves more than three alone."""

    @TAKEN
    def double(arrays, numbers):
        count = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))[0]
        if count > 3:
            return 1
        one, other = ctypes.cast(arrays, ctypes.POINTER(ctypes.c_void_p))[:2]
        for i in range(count):
            twice = 2.0 * ctypes.cast(one, ctypes.POINTER(ctypes.c_double))[i]
            ctypes.cast(other, ctypes.POINTER(ctypes.c_double))[i] = twice
        return 0

    monkeypatch.setattr(compiled, "functions", {"double": double})


def test_arrays_and_numbers_arrive(doubling):
    one, other = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    assert compiled.run("double", (one, other), 2)
    assert other.tolist() == [2.0, 4.0, 0.0]


def test_what_is_not_there_or_refuses_does_nothing(doubling):
    one, other = np.ones(4), np.zeros(4)
    assert not compiled.run("halve", (one, other), 2)
    assert not compiled.run("double", (one, other), 4)
    assert not other.any()
