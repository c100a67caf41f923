"""Threads that share out compiled work: the same results with one and with many.

Only what lets go of the interpreter's lock gains by it, and only pieces that do not see each other's results.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from threading import Lock
from typing import TypeVar

THREADS_CHOICE = "ARTFISH_THREADS"
"""The environment variable that sets how many threads there are, one at the least."""

_pools: list[ThreadPoolExecutor] = []
_ahead: list[ThreadPoolExecutor] = []
_beginning = Lock()
T = TypeVar("T")


def available() -> int:
    """How many threads may work: as many as `ARTFISH_THREADS` says, and never more than this machine has processors.

    Raises:
        ValueError: `ARTFISH_THREADS` is not a whole number from one on.
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    choice = os.environ.get(THREADS_CHOICE, "")
    if not choice:
        return here
    if not choice.isdecimal() or int(choice) < 1:
        raise ValueError(f"{THREADS_CHOICE}: found {choice[:40]!r}, allowed whole numbers from 1 on")
    return min(int(choice), here)


def share(work: Callable[[int, int], None], size: int, grain: int, least: int) -> None:
    """Does `work(from, to)` for pieces that together are 0 to `size`, in as many threads as it is worth.

    Args:
        work: Must do the same for a number whichever piece it is in.
        size: How many numbers, a multiple of `grain`.
        grain: Pieces are multiples of this.
        least: No piece is smaller, but for one that is all.
    """
    most = size // max(least, grain)
    pieces = min(available(), most) if most > 1 else 1
    if pieces == 1:
        return work(0, size)
    bounds = [piece * (size // grain) // pieces * grain for piece in range(pieces)] + [size]
    first, *rest = pairwise(bounds)
    spans = deque(rest)

    def take_up() -> None:
        while True:
            try:
                span = spans.popleft()
            except IndexError:  # none is left
                return
            work(*span)

    others = _begun(take_up, pieces - 1)
    work(*first)
    take_up()
    return _ended(others)


def together(work: Callable[[], None], most: int) -> None:
    """Does `work()` in as many threads as there are, but no more than `most`.

    Args:
        work: Takes up one piece after the other until all are taken, whichever thread takes them.
        most: How many threads it is worth.
    """
    others = _begun(work, min(available(), most) - 1) if most > 1 else []
    work()
    _ended(others)


def ahead(work: Callable[[], T]) -> Future[T] | None:
    """Begins `work()`, whose result is needed later, beside all else; None where no other processor is there for it.

    It may share out work itself.
    """
    if available() == 1:
        return None
    with _beginning:
        if not _ahead:
            _ahead.append(ThreadPoolExecutor(1, thread_name_prefix="artfish ahead"))
    return _ahead[0].submit(work)


def _begun(work: Callable[[], None], others: int) -> list[Future[None]]:
    """So many other threads, which begin to work as soon as they can."""
    with _beginning:
        if others and not _pools:
            _pools.append(ThreadPoolExecutor(available() - 1, thread_name_prefix="artfish"))
    return [_pools[0].submit(work) for _ in range(others)]


def _ended(others: list[Future[None]]) -> None:
    """Waits for those that have begun; who comes later finds nothing left to do, and is sent away."""
    for other in others:
        if not other.cancel():
            other.result()


def share_all(work: Callable[[int, int], bool], size: int, least: int) -> bool:
    """Does `work(from, to)` as `share` does; whether every piece says that it was done."""
    if size < 2 * least:
        return work(0, size)
    done: list[bool] = []
    share(lambda begin, end: done.append(work(begin, end)), size, 1, least)
    return all(done)


def close() -> None:
    """Ends the threads; they begin anew when they are needed."""
    for pools in (_ahead, _pools):
        while pools:
            pools.pop().shutdown()
