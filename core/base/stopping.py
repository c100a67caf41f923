"""Being stopped, by Ctrl-C or by a signal that ends processes: as KeyboardInterrupt, and with nothing left behind.

Code that is not ours, such as Cycles, may swallow an exception that comes up while it runs. It is called within
`shielded`, which holds the exception back until it has returned; and a command that `stoppable` runs does not wait for
it but ends at once, if its work may be given up.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

STOPPED = 130
"""Exit code of a command that was stopped."""
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that stop a command; there is no SIGHUP under Windows."""

unfinished: set[Path] = set()
"""Files and folders that are of no use unless what makes them comes to its end."""
new_folders: set[Path] = set()
"""Folders that go again if nothing comes into them."""


class _Shield:
    """State of the shield: its depth, whether the work under way may be given up, and whether it was stopped."""

    def __init__(self) -> None:
        self.depth, self.abandons, self.stopped = 0, False, False


_shield = _Shield()


@contextmanager
def shielded(abandons: bool = False) -> Iterator[None]:
    """Hold back a KeyboardInterrupt until this block has ended, and raise it then.

    Args:
        abandons: Whether a command may end in the middle of this block, as nothing but what is `unfinished` is lost.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # no signal comes here
        return
    before, abandoned = signal.getsignal(signal.SIGINT), _shield.abandons
    own = before is signal.default_int_handler  # a program that is no command of ours
    if own:
        signal.signal(signal.SIGINT, _stop)
    _shield.depth += 1
    _shield.abandons = abandons
    try:
        yield
    finally:
        _shield.depth -= 1
        _shield.abandons = abandoned
        if own:
            signal.signal(signal.SIGINT, before)
        if _shield.stopped and not _shield.depth:
            _shield.stopped = False
            raise KeyboardInterrupt


@contextmanager
def stoppable(farewell: Callable[[], object]) -> Iterator[None]:
    """Within this block whatever stops a process raises KeyboardInterrupt; signals ignored already stay ignored.

    Args:
        farewell: Called before the process ends in the middle of what cannot be interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDING}
    # Python's own handler writes to the socket whatever the main thread does, and this thread reads.
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    wakened = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(reader, farewell), daemon=True).start()
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, _stop)
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # one that was not set from Python cannot be set again from here
                signal.signal(number, handler)
        signal.set_wakeup_fd(wakened)
        writer.close()
        discard_unfinished()


def discard_unfinished() -> None:
    """Remove unfinished files."""
    for path in sorted(unfinished, reverse=True):
        with suppress(OSError):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path in new_folders:
        with suppress(OSError):  # something was made in it
            path.rmdir()
    unfinished.clear()
    new_folders.clear()


def _stop(number: int, frame: FrameType | None) -> None:
    if _shield.depth:
        _shield.stopped = True
        return
    raise KeyboardInterrupt


def _watch(reader: socket.socket, farewell: Callable[[], object]) -> None:
    """Ends the process by a signal that comes while the main thread is not to be interrupted but may be given up."""
    while numbers := reader.recv(64):
        if _shield.abandons and {*numbers} & {*ENDING}:
            discard_unfinished()
            farewell()
            with suppress(OSError, ValueError, AttributeError):
                sys.stderr.flush()
            os._exit(STOPPED)
    reader.close()
