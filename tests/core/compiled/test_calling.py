"""Calls of compiled functions: what is declared arrives in C, and what is not is an error that says which."""

import copy
import os
import pickle
import threading

import numpy as np
import pytest

from artfish.core.base import threads
from artfish.core.base.nearest import TREE, Points
from artfish.core.base.sums import SCALED
from artfish.core.compiled import (
    UnfitError,
    calling,
    changes,
    compiled,
    integer,
    keep,
    part,
    reads,
    real,
    reals,
    record,
    rows,
    stack,
    takes,
    values,
    writes,
)
from artfish.core.compiled.declarations import Declaration
from artfish.core.compiled.library import MissingLibraryError, use

needs_a_library = pytest.mark.skipif(use.loaded is None, reason=use.reason or "not in use")


@pytest.fixture
def declare(monkeypatch):
    """Declares a function that the library has not, and notes what it is called with: bytes, and the span if any."""
    noted = []
    monkeypatch.setattr(calling, "functions", dict(calling.functions))
    monkeypatch.setattr(threads, "available", lambda: 1)

    def declare(over="", refused=0, **fields):
        monkeypatch.setattr(use, "function", lambda _: lambda *given: noted.append(given) or refused)
        return compiled("noted", over=over, **fields), noted

    return declare


def test_numbers_and_sizes_are_packed_in_the_order_of_the_declaration(declare):
    call, noted = declare(points=reads("f8", "n", 3), weight=real(), steps=integer(), found=writes("f8", "n"))
    points, found = np.zeros((4, 3)), np.zeros(4)
    call(points=points, weight=2.5, steps=7, found=found)
    ((packed,),) = noted
    address, steps, found_at, n = np.frombuffer(packed, np.int64)[[0, 2, 3, 4]]
    assert (address, steps, found_at, n) == (points.ctypes.data, 7, found.ctypes.data, 4)
    assert np.frombuffer(packed)[1] == 2.5


def test_what_is_not_in_the_library_or_finds_no_memory_is_an_error(declare, monkeypatch):
    call, noted = declare(refused=1, points=reads("f8", "n"))
    with pytest.raises(MemoryError, match="found too little memory for noted"):
        call(points=np.zeros(3))
    monkeypatch.setattr(calling, "functions", {})
    with pytest.raises(MissingLibraryError, match="no compiled part of Artfish"):
        call(points=np.zeros(3))
    assert len(noted) == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"points": np.zeros((4, 3), np.float32)}, "points: found float32, allowed float64"),
        ({"points": np.zeros((3, 4)).T}, "points: found an array that is not in C order"),
        ({"points": [[0.0, 0.0, 0.0]]}, "points: found list, allowed an array"),
        ({"points": np.zeros((4, 2))}, r"points: found shape \(4, 2\), allowed \(n, 3\)"),
        ({"points": np.zeros(12)}, r"points: found shape \(12,\), allowed \(n, 3\)"),
        ({"rows": np.zeros(3, np.int64)}, r"rows: found shape \(3,\), allowed \(n,\) with n = 4"),
        ({"rows": np.zeros(4)}, "rows: found float64, allowed int64"),
        ({"found": np.zeros((2, 4))[:, ::2]}, "found: found an array that is not in C order"),
        ({"found": np.broadcast_to(np.zeros(()), (4,))}, "found: found an array that is not"),
        ({"loose": np.zeros(4, complex)}, "loose: found complex128, allowed float64"),
    ],
)
def test_what_is_not_as_it_is_declared_is_an_error_that_names_it(declare, given, said):
    call, noted = declare(
        over="n",
        points=reads("f8", "n", 3),
        rows=reads("i8", "n"),
        loose=takes("f8", "n"),
        found=writes("f8", "n"),
    )
    good = {
        "points": np.zeros((4, 3)),
        "rows": np.zeros(4, np.int64),
        "loose": np.arange(4),
        "found": np.zeros(4),
    }
    call(**good)
    assert noted.pop()[1:] == (0, 4)
    with pytest.raises(UnfitError, match=f"noted: {said}"):
        call(**{**good, **given})
    with pytest.raises(TypeError, match="missing.*'rows'"):
        call(points=good["points"], loose=good["loose"], found=good["found"])
    assert noted == []


def test_what_is_filled_is_not_to_be_read_only_nor_to_share_memory(declare):
    call, noted = declare(before=reads("f8", "n"), now=changes("f8", "n"), then=writes("f8", "n"))
    one, other, third = np.zeros((3, 4))
    frozen = np.zeros(4)
    frozen.setflags(write=False)
    call(before=frozen, now=one, then=other)
    with pytest.raises(UnfitError, match="then: found an array that is not to be written to"):
        call(before=other, now=one, then=frozen)
    with pytest.raises(UnfitError, match="before and now: found in the same memory"):
        call(before=one, now=one, then=other)
    with pytest.raises(UnfitError, match="now and then: found in the same memory"):
        call(before=third, now=one, then=one)
    long = np.zeros(9)
    with pytest.raises(UnfitError, match="now and then: found in the same memory"):
        call(before=np.zeros(6), now=long[:6], then=long[3:])
    assert len(noted) == 1


def test_what_is_taken_is_laid_out_anew_only_where_it_is_not(declare):
    call, noted = declare(points=takes("f8", "n", 2))
    square = np.arange(4.0).reshape(2, 2)
    call(points=square)
    assert np.frombuffer(noted.pop()[0], np.int64)[0] == square.ctypes.data
    for points in (square.T, square.astype(int), square.tolist(), np.broadcast_to([1.0, 2.0], (3, 2))):
        call(points=points)


def test_arrays_of_any_dimensions_and_empty_ones_arrive(declare):
    call, noted = declare(over="n", points=reads("f8", "*n", 3), found=writes("f8", "*n"))
    call(points=np.zeros((2, 5, 3)), found=np.zeros((2, 5)))
    assert noted.pop()[1:] == (0, 10)
    call(points=np.zeros(3), found=np.zeros(()))
    assert noted.pop()[1:] == (0, 1)
    call(points=np.zeros((0, 3)), found=np.zeros(0))
    assert noted.pop()[1:] == (0, 0)
    with pytest.raises(UnfitError, match="found: found shape"):
        call(points=np.zeros((2, 5, 3)), found=np.zeros((2, 4)))


@needs_a_library
def test_a_function_of_another_layout_takes_the_whole_library_out_of_use(monkeypatch):
    monkeypatch.setattr(calling, "functions", dict(calling.functions))
    monkeypatch.setattr(calling, "declared", [])
    monkeypatch.delenv("ARTFISH_KERNEL", raising=False)
    for name in ("loaded", "name", "reason"):
        monkeypatch.setattr(use, name, getattr(use, name))
    call = compiled("scaled", vectors=reads("f8", "n"), factors=reads("f8", "n"))
    assert use.loaded is None and use.name == ""
    assert use.reason.endswith("as its scaled tells")
    assert calling.functions == {}
    with pytest.raises(MissingLibraryError, match="as its scaled tells"):
        call(vectors=np.zeros(2), factors=np.zeros(2))


@needs_a_library
def test_a_function_that_the_library_lacks_is_an_error_where_a_build_of_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("ARTFISH_KERNEL", use.name)
    with pytest.raises(ValueError, match="ARTFISH_KERNEL: found .* of another version of Artfish, as its not_written"):
        compiled("not_written", points=reads("f8", "n"))


def test_a_declaration_that_cannot_be_meant_is_refused():
    with pytest.raises(ValueError, match="odd: points: found 'f2', allowed f8"):
        Declaration("odd", {"points": reads("f2", "n")})
    with pytest.raises(ValueError, match="odd: found n as a field and as a size"):
        Declaration("odd", {"points": reads("f8", "n"), "n": integer()})
    with pytest.raises(ValueError, match="odd: found no size m, allowed n"):
        Declaration("odd", {"points": reads("f8", "n")}, over="m")


def test_numbers_of_a_record_and_rows_of_an_array_go_by_their_names(declare):
    gait = record("Gait", **reals("beat width shares:3"))
    assert values(gait, width=2.0, shares=(3, 4, 5), beat=1.0).tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    with pytest.raises(UnfitError, match="Gait: found width on one side only"):
        values(gait, beat=1.0, shares=(3, 4, 5))
    with pytest.raises(UnfitError, match="Gait: shares: found 2 numbers, allowed 3"):
        values(gait, beat=1.0, width=2.0, shares=(3, 4))
    call, _ = declare(gait=reads(gait), fish=rows("beat lead", "n"))
    fish = stack(call, "fish", lead=np.array([3, 4]), beat=np.array([1, 2]))
    assert fish.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    call(gait=np.zeros(5), fish=fish)
    with pytest.raises(UnfitError, match="found rows lead on one side only"):
        stack(call, "fish", beat=np.zeros(2))
    with pytest.raises(UnfitError, match=r"gait: found shape \(4,\), allowed \(5,\)"):
        call(gait=np.zeros(4), fish=fish)


def test_a_record_is_kept_with_what_it_leads_to(declare):
    tree = record("Tree", rows=reads("i8", "count"), depth=integer())
    call, noted = declare(tree=part(tree), points=reads("f8", "tree.count", 3))
    kept = keep(tree, rows=np.arange(4), depth=2)
    call(tree=kept, points=np.zeros((4, 3)))
    assert np.frombuffer(noted[0][0], np.int64)[0] == kept.address
    with pytest.raises(UnfitError, match=r"points: found shape \(5, 3\), .* with tree.count = 4"):
        call(tree=kept, points=np.zeros((5, 3)))
    with pytest.raises(UnfitError, match="tree: found Bush, allowed Tree"):
        call(tree=keep(record("Bush", depth=integer()), depth=1), points=np.zeros((4, 3)))
    with pytest.raises(UnfitError, match="tree: found ndarray, allowed Tree"):
        call(tree=np.zeros(4), points=np.zeros((4, 3)))
    for other in (copy.deepcopy(kept), pickle.loads(pickle.dumps(kept))):
        assert other.address != kept.address and other.values["rows"] is not kept.values["rows"]
        assert other.sizes == {"count": 4}
        call(tree=other, points=np.zeros((4, 3)))


@needs_a_library
def test_a_copy_of_points_finds_the_same_others():
    points = np.random.default_rng(1).normal(size=(50, 3))
    other = copy.deepcopy(Points(points))
    ranks = np.array([1, 2])
    assert np.array_equal(other.nearest(points, ranks), Points(points).nearest(points, ranks))
    assert other._tree.record is TREE


@pytest.fixture
def crew(monkeypatch):
    """The one of the library, on a machine with three processors."""
    if not calling.crew:
        pytest.skip(use.reason)
    threads.close()
    monkeypatch.setattr(threads, "available", lambda: 3)
    yield calling.crew[0]
    threads.close()


def scaled(vectors, factors):
    """Vectors (n, 4) times factors (n,), by the library."""
    found = np.empty_like(vectors)
    SCALED(vectors=vectors, factors=factors, found=found, least=10)
    return found


def test_a_crew_does_all_of_the_work_once(crew):
    dice = np.random.default_rng(1)
    for size in (20, 21, 1000, 5003) * 5:
        vectors, factors = dice.normal(size=(size, 4)), dice.normal(size=size)
        assert np.array_equal(scaled(vectors, factors), vectors * factors[:, None])
    assert len([one for one in threading.enumerate() if one.name == "artfish"]) == 2
    threads.close()
    assert not [one for one in threading.enumerate() if one.name == "artfish"]


def test_a_crew_serves_whoever_comes_even_at_once(crew):
    vectors, done = np.arange(40_000.0).reshape(-1, 4), []

    def work(factor):
        for _ in range(50):
            done.append(np.array_equal(scaled(vectors, np.full(len(vectors), factor)), factor * vectors))

    both = [threading.Thread(target=work, args=(factor,)) for factor in (2.0, 3.0)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert done == [True] * 100


def test_where_one_of_a_crew_finds_no_memory_it_is_said(crew):
    places, endless = np.random.default_rng(2).normal(size=(1000, 3)), np.array([2**50])
    with pytest.raises(MemoryError, match="found too little memory for nearest"):
        Points(places).search(places, endless, np.zeros(1000), np.empty((1000, 1), dtype=np.int64))


def test_without_a_crew_rows_are_shared_out_among_threads_of_python(declare, monkeypatch):
    call, noted = declare(over="n", points=reads("f8", "n"))
    monkeypatch.setattr(threads, "available", lambda: 3)
    call(points=np.zeros(10), least=3)
    assert sorted(span for _, *span in noted) == [[0, 3], [3, 6], [6, 10]]
    call(points=np.zeros(10), least=6)
    assert noted[-1][1:] == (0, 10)
    threads.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_who_is_forked_off_a_crew_works_on_alone(crew):
    vectors = np.ones((1000, 4))
    scaled(vectors, np.ones(1000))
    child = os.fork()
    if not child:
        os._exit(int(not np.array_equal(scaled(vectors, np.full(1000, 2.0)), 2.0 * vectors)))
    assert os.waitpid(child, 0)[1] == 0


def test_without_a_library_a_line_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(calling, "functions", {})
    with pytest.raises(MissingLibraryError, match="no compiled part of Artfish"):
        SCALED(vectors=np.ones((2, 2)), factors=np.ones(2), found=np.ones((2, 2)))
