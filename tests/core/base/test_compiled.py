"""What has a compiled form: what is asked of the library, and what is left to NumPy."""

import ctypes
import os
import threading

import numpy as np
import pytest

from artfish.core.base import compiled, threads
from artfish.core.base.nearest import Points
from artfish.core.body import kernel

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


@pytest.fixture
def crew(monkeypatch):
    """The one of the kernel, on a machine with three processors."""
    if not compiled.crew:
        pytest.skip(kernel.reason)
    threads.close()
    monkeypatch.setattr(threads, "available", lambda: 3)
    yield compiled.crew[0]
    threads.close()


def scaled(rows, factors):
    """Rows (n, 4) times factors (n,), by the kernel."""
    found = np.empty_like(rows)
    assert compiled.share("scaled", (rows, factors, found), len(rows), 10, rows.shape[1])
    return found


def test_a_crew_does_all_of_the_work_once(crew):
    dice = np.random.default_rng(1)
    for size in (20, 21, 1000, 5003) * 5:
        rows, factors = dice.normal(size=(size, 4)), dice.normal(size=size)
        assert np.array_equal(scaled(rows, factors), rows * factors[:, None])
    assert len([one for one in threading.enumerate() if one.name == "artfish"]) == 2
    threads.close()
    assert not [one for one in threading.enumerate() if one.name == "artfish"]


def test_a_crew_serves_whoever_comes_even_at_once(crew):
    rows, done = np.arange(40_000.0).reshape(-1, 4), []

    def work(factor):
        for _ in range(50):
            done.append(np.array_equal(scaled(rows, np.full(len(rows), factor)), factor * rows))

    both = [threading.Thread(target=work, args=(factor,)) for factor in (2.0, 3.0)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert done == [True] * 100


def test_what_one_of_a_crew_refuses_is_not_done(crew):
    places, ranks = np.random.default_rng(2).normal(size=(1000, 3)), np.array([1, 2])
    found = Points(places), places.copy(), ranks, np.zeros(1000), np.empty((1000, 2), dtype=np.int64)
    assert found[0].search(*found[1:])
    found[1][700] = np.nan
    assert not found[0].search(*found[1:])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_who_is_forked_off_a_crew_works_on_alone(crew):
    rows = np.ones((1000, 4))
    scaled(rows, np.ones(1000))
    child = os.fork()
    if not child:
        os._exit(int(not np.array_equal(scaled(rows, np.full(1000, 2.0)), 2.0 * rows)))
    assert os.waitpid(child, 0)[1] == 0
