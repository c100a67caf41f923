"""Work that threads share: all of it is done once, in pieces of the right size, and failures are not lost."""

from __future__ import annotations

import contextlib
import threading

import numpy as np
import pytest

from artfish.core.base import threads


@pytest.fixture(autouse=True)
def four_processors(monkeypatch):
    """A machine with four processors and no threads begun."""
    threads.close()
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: range(4), raising=False)
    monkeypatch.delenv(threads.THREADS_CHOICE, raising=False)
    yield
    threads.close()


@pytest.mark.parametrize("size", [0, 16, 64, 80, 208, 1024])
@pytest.mark.parametrize("choice", ["", "1", "2", "3", "99"])
def test_every_number_is_worked_at_once(size, choice, monkeypatch):
    monkeypatch.setenv(threads.THREADS_CHOICE, choice)
    seen, spans = np.zeros(size, int), []

    def work(first: int, last: int) -> None:
        seen[first:last] += 1
        spans.append((first, last))

    threads.share(work, size, grain=16, least=64)
    assert (seen == 1).all()
    assert all(first % 16 == last % 16 == 0 and (last - first >= 64 or len(spans) == 1) for first, last in spans)
    assert len(spans) == max(1, min(size // 64, {"": 4, "99": 4}.get(choice) or int(choice)))


def test_threads_are_shared_out_and_end():
    before = threading.active_count()
    names = set()
    threads.share(lambda *_: names.add(threading.current_thread().name), 1024, grain=16, least=64)
    assert threading.current_thread().name in names
    assert before < threading.active_count() <= before + 3
    threads.close()
    assert threading.active_count() == before


def test_a_failure_in_another_thread_is_not_lost():
    def work(first: int, last: int) -> None:
        if first:
            raise RuntimeError("in a piece")

    with pytest.raises(RuntimeError, match="in a piece"):
        threads.share(work, 256, grain=16, least=64)


@pytest.mark.parametrize("choice", ["0", "-1", "many", "1.5"])
def test_a_number_of_threads_that_is_none_is_refused(choice, monkeypatch):
    monkeypatch.setenv(threads.THREADS_CHOICE, choice)
    with pytest.raises(ValueError, match="ARTFISH_THREADS: found .*allowed whole numbers from 1 on"):
        threads.available()


@pytest.mark.parametrize("most", [1, 2, 5])
def test_pieces_that_are_taken_up_together_are_each_done_once(monkeypatch, most):
    monkeypatch.setattr(threads, "available", lambda: 2)
    left, done = list(range(100)), []

    def work():
        while left:
            with contextlib.suppress(IndexError):
                done.append(left.pop())

    threads.together(work, most)
    assert sorted(done) == list(range(100))
    threads.close()


def test_nobody_waits_for_a_thread_that_has_not_begun():
    begun, go_on = threading.Event(), threading.Event()

    def hold_up() -> None:
        begun.set()
        go_on.wait(20.0)

    threads.share(lambda *_: None, 1024, grain=16, least=512)  # so that there are threads
    held_up = [threads._pools[0].submit(hold_up) for _ in range(threads.available() - 1)]
    begun.wait(20.0)
    done = []
    threads.share(lambda *span: done.append(span), 1024, grain=16, least=64)
    assert sorted(done) == [(0, 256), (256, 512), (512, 768), (768, 1024)]
    go_on.set()
    assert all(other.result(20.0) is None for other in held_up)


def test_what_is_needed_later_is_done_beside_all_else(monkeypatch):
    def work() -> str:
        threads.share(lambda *span: done.append(span), 1024, grain=16, least=64)
        return threading.current_thread().name

    done: list[tuple[int, int]] = []
    future = threads.ahead(work)
    assert future is not None and future.result().startswith("artfish ahead")
    assert sum(last - first for first, last in done) == 1024
    monkeypatch.setenv(threads.THREADS_CHOICE, "1")
    assert threads.ahead(work) is None
