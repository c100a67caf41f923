"""Computation beside Blender: work that does not touch Blender's data runs in a thread, so that its window responds."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.02
"""Interval between checks whether it is done."""


class GivenUp(Exception):
    """The answer is no longer needed."""


def in_thread(work: Callable[[], T]) -> Generator[None, None, T]:
    """Run work that touches none of Blender's data in a thread.

    If this is closed early, the thread runs to its end and its result is dropped.

    Yields:
        Nothing, now and then while it lasts.

    Returns:
        The result of `work`; its exceptions are raised here.
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # raised again below
            failed.append(error)

    thread = Thread(target=run, name="Artfish", daemon=True)
    thread.start()
    thread.join(LOOK_SECONDS)
    while thread.is_alive():
        yield
        thread.join(LOOK_SECONDS)
    if failed:
        raise failed[0]
    return found[0]


def at_once(work: Callable[[], T]) -> Generator[None, None, T]:
    """Run work as `in_thread` does, but in this thread and in one go, for sessions without a window.

    Yields:
        Never.

    Returns:
        The result of `work`.
    """
    yield from ()
    return work()
