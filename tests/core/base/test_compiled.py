"""What has a compiled form: what is asked of the library, and what is left to NumPy."""

import ctypes

import numpy as np
import pytest

from artfish.core.base import compiled, threads

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
    assert compiled.run("double", (compiled.address(one), other), 3)
    assert other.tolist() == [2.0, 4.0, 6.0]


def test_what_is_not_there_or_refuses_does_nothing(doubling):
    one, other = np.ones(4), np.zeros(4)
    assert not compiled.run("halve", (one, other), 2)
    assert not compiled.run("double", (one, other), 4)
    assert not other.any()


def test_rows_are_shared_out(monkeypatch):
    """Each thread has rows of its own, of which the function knows the first and the one after the last."""

    @TAKEN
    def count(arrays, numbers):
        begin, end, step = ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))[:3]
        rows = ctypes.cast(ctypes.cast(arrays, ctypes.POINTER(ctypes.c_void_p))[0], ctypes.POINTER(ctypes.c_double))
        spans.append((begin, end))
        for row in range(begin, end):
            rows[row] += step * row
        return int(begin > 0 and step < 0)

    spans: list[tuple[int, int]] = []
    monkeypatch.setattr(compiled, "functions", {"count": count})
    monkeypatch.setattr(threads, "available", lambda: 3)
    rows = np.zeros(10)
    assert compiled.share("count", (rows,), 10, 3, 2)
    assert rows.tolist() == [2.0 * row for row in range(10)]
    assert sorted(spans) == [(0, 3), (3, 6), (6, 10)]
    assert not compiled.share("count", (rows,), 10, 3, -1), "what one thread refuses is not done"
    assert compiled.share("count", (rows,), 10, 6, 1) and spans[-1] == (0, 10)
    assert not compiled.share("counted", (rows,), 10, 3, 2)
    threads.close()


def test_arrays_that_are_not_to_be_written_to_or_are_empty_arrive_too(doubling):
    one, other = np.ones(3), np.zeros(3)
    one.setflags(write=False)
    assert compiled.run("double", (one, other), 3) and other.tolist() == [2.0] * 3
    assert compiled.run("double", (np.zeros(0), np.zeros(0)), 0)


def test_arrays_are_laid_out_only_where_they_are_not():
    square = np.arange(4.0).reshape(2, 2)
    (same,) = compiled.laid(square)
    turned, whole = compiled.laid(square.T, np.arange(2))
    assert same is square
    assert turned.flags.c_contiguous and turned.tolist() == square.T.tolist() and whole.dtype == float
    with pytest.raises(AssertionError):
        compiled.address(square.T)
