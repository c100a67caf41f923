"""Threads that share out compiled work: the same results with one and with many.

Only work that releases the interpreter's lock gains by it, in pieces that do not depend on each other's results.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import TypeVar

THREADS_CHOICE = "ARTFISH_THREADS"
"""The environment variable that sets the number of threads, at least one."""
UNBOUND = "ARTFISH_UNBOUND"
"""The environment variable that allows more threads than processors; for tests."""

_pools: list[ThreadPoolExecutor] = []
_ahead: list[ThreadPoolExecutor] = []
_beginning = threading.Lock()
_crews: list[Crew] = []
_PIECES = 3  # of its work that a crew makes for each thread
_PATIENCE = 400  # times that a helper looks for work before it waits again
_PAUSE_SECONDS = 2e-5  # until a crew asks again whether its helpers are done
_UNFINISHED = 2  # as in crew.c
T = TypeVar("T")


def available() -> int:
    """Threads to use: `ARTFISH_THREADS` if that is set, and no more than processors but for `ARTFISH_UNBOUND`.

    Raises:
        ValueError: `ARTFISH_THREADS` is not a whole number of at least one.
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    choice = os.environ.get(THREADS_CHOICE, "")
    if not choice:
        return here
    if not choice.isdecimal() or int(choice) < 1:
        raise ValueError(f"{THREADS_CHOICE}: found {choice[:40]!r}, allowed whole numbers from 1 on")
    return int(choice) if os.environ.get(UNBOUND) else min(int(choice), here)


def share(work: Callable[[int, int], None], size: int, grain: int, least: int) -> None:
    """Calls `work(from, to)` for pieces that together cover 0 to `size`, in as many threads as is worthwhile.

    Args:
        work: Must do the same for a number whichever piece it is in.
        size: End of the numbers, a multiple of `grain`.
        grain: Size of which pieces are multiples.
        least: Size of the smallest piece, unless there is only one.
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
    """Calls `work()` in as many threads as there are, but in no more than `most`.

    Args:
        work: Takes up one piece after the other until all are taken, whichever thread takes them.
        most: Number of threads that it is worth.
    """
    others = _begun(work, min(available(), most) - 1) if most > 1 else []
    work()
    _ended(others)


def ahead(work: Callable[[], T]) -> Future[T] | None:
    """Starts `work()`, whose result is needed later, in the background; None where only one thread is available.

    The work may itself be shared out.
    """
    if available() == 1:
        return None
    with _beginning:
        if not _ahead:
            _ahead.append(ThreadPoolExecutor(1, thread_name_prefix="artfish ahead"))
    return _ahead[0].submit(work)


def _begun(work: Callable[[], None], others: int) -> list[Future[None]]:
    """Starts `work` in so many other threads, each as soon as it is free."""
    with _beginning:
        if others and not _pools:
            _pools.append(ThreadPoolExecutor(available() - 1, thread_name_prefix="artfish"))
    return [_pools[0].submit(work) for _ in range(others)]


def _ended(others: list[Future[None]]) -> None:
    """Waits for those that have begun, and cancels the others, for which nothing is left to do."""
    for other in others:
        if not other.cancel():
            other.result()


def share_all(work: Callable[[int, int], bool], size: int, least: int) -> bool:
    """Calls `work(from, to)` as `share` does; True if every piece returned True."""
    if size < 2 * least:
        return work(0, size)
    done: list[bool] = []
    share(lambda begin, end: done.append(work(begin, end)), size, 1, least)
    return all(done)


class Crew:
    """Threads among which a compiled function shares out its rows, at less cost than by Python's own means.

    They wait without the interpreter's lock, come when they are called, and find for themselves what there is to do.
    """

    def __init__(
        self,
        share: Callable[..., int],
        settled: Callable[[], int],
        lend: Callable[[int], None],
        alone: Callable[[], None],
    ):
        """Begins with no threads.

        Args:
            share: Runs a function with the help of the threads that come; see crew.c for this and the others.
            settled: Returns how that ended, if it has.
            lend: Helps for a while.
            alone: Forgets the helpers, in a process that was forked.
        """
        self._share, self._settled, self._lend = share, settled, lend
        self._bells: list[threading.Lock] = []
        self._helpers: list[threading.Thread] = []
        self._ends = False
        _crews.append(self)
        if hasattr(os, "register_at_fork"):
            for forget in (alone, self._bells.clear, self._helpers.clear):
                os.register_at_fork(after_in_child=forget)

    def work(self, place: int, packed: bytes, size: int, least: int) -> bool:
        """Runs a function on rows.

        Args:
            place: Address of the function.
            packed: Its arguments.
            size: Number of rows.
            least: Fewest rows that are worth a thread.

        Returns:
            True if it was done for all of them.
        """
        threads = min(available(), size // least)
        if len(self._bells) < threads - 1:
            with _beginning:
                while len(self._bells) < threads - 1:
                    self._begin()
        for bell in self._bells[: threads - 1]:
            if bell.locked():
                with suppress(RuntimeError):  # another has rung it
                    bell.release()
        ended = self._share(place, packed, size, -(-size // (_PIECES * threads)))
        while ended == _UNFINISHED:  # some helper has lost its processor
            time.sleep(_PAUSE_SECONDS)
            ended = self._settled()
        return ended == 0

    def close(self) -> None:
        """Ends the threads."""
        self._ends = True
        for bell in self._bells:
            with suppress(RuntimeError):
                bell.release()
        for helper in self._helpers:
            helper.join()
        self._bells.clear()
        self._helpers.clear()
        self._ends = False

    def _begin(self) -> None:
        bell = threading.Lock()
        bell.acquire()

        def help_out() -> None:
            while True:
                bell.acquire()
                if self._ends:
                    return
                self._lend(_PATIENCE)

        helper = threading.Thread(target=help_out, name="artfish", daemon=True)
        helper.start()  # before others, which may end it, know of it
        self._helpers.append(helper)
        self._bells.append(bell)


def close() -> None:
    """Ends all threads; new ones begin when they are needed."""
    for pools in (_ahead, _pools):
        while pools:
            pools.pop().shutdown()
    for crew in _crews:
        crew.close()
