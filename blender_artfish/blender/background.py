"""Computation beside Blender: work that does not touch Blender's data runs in a thread, so that its window responds."""

from __future__ import annotations

from collections.abc import Callable, Generator
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.02
"""Between two looks at whether it is done."""


def in_thread(work: Callable[[], T]) -> Generator[None, None, T]:
    """Run something that touches nothing of Blender, in a thread.

    Whoever closes this early lets it run to its end and drops what it finds.

    Yields:
        Nothing, now and then while it lasts.

    Returns:
        What `work` returns; what it raises is raised here.
    """
    found: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # handed on below
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
    """Run something as `in_thread` does, but in this thread and at one go, where nobody waits at a window.

    Yields:
        Never.

    Returns:
        What `work` returns.
    """
    yield from ()
    return work()


def saying(text: str, steps: Generator[None, None, T]) -> Generator[str, None, T]:
    """Run steps that say nothing of themselves.

    Yields:
        What is being done, at the beginning and at each step.

    Returns:
        What the steps return.
    """
    try:
        while True:
            yield text
            next(steps)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()


def at(share: float, steps: Generator[str, None, T]) -> Generator[tuple[float, str], None, T]:
    """Run steps that know what they do but not how far they are.

    Yields:
        The share and what is being done, at each step.

    Returns:
        What the steps return.
    """
    try:
        while True:
            yield share, next(steps)
    except StopIteration as end:
        return end.value
    finally:
        steps.close()
