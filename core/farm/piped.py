"""A process that a command begins, for jobs where processes of our own cannot be spawned, as within Blender.

Its standard input and output are the pipe: calls go in and answers come out as pickles, one after another. What else it
prints before it serves, such as a banner, ends with a line of ours.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import IO, Any

from .processes import serve

READY = b"artfish worker\n"
"""The line after which a process answers."""


class PipedProcess:
    """A process that was begun by a command and that runs `serve_piped`: both the process and its pipe.

    Attributes:
        exitcode: Its exit code; None while it lives.
    """

    def __init__(self, command: Sequence[str], common: Mapping[str, Any]) -> None:
        """Begins it.

        Args:
            command: The program and its arguments.
            common: What jobs have in common, by digests.

        Raises:
            OSError: It cannot be begun.
        """
        hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=nowhere, creationflags=hidden)
        self._common, self._ready = common, False

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    @property
    def exitcode(self) -> int | None:
        """See the class."""
        return self._process.poll()

    def is_alive(self) -> bool:
        """True while it runs."""
        return self._process.poll() is None

    def join(self, seconds: float | None = None) -> None:
        """Waits for its end, but no longer than this."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()
        self._process.wait()

    def send(self, what: Any) -> None:
        """Sends what can be pickled.

        Raises:
            OSError: It is gone.
        """
        stream = self._process.stdin
        assert stream is not None
        if not self._ready:
            self._begin()
        _put(stream, what)

    def recv(self) -> Any:
        """The next answer.

        Raises:
            EOFError: It is gone.
        """
        assert self._process.stdout is not None
        return _got(self._process.stdout)

    def _begin(self) -> None:
        """Waits until it answers, and sends what jobs have in common."""
        assert self._process.stdin is not None and self._process.stdout is not None
        while (line := self._process.stdout.readline()) != READY:
            if not line:
                raise EOFError
        self._ready = True
        _put(self._process.stdin, self._common)


class _Pipe:
    """The end of the pipe within the process."""

    def __init__(self, inward: IO[bytes], outward: IO[bytes]) -> None:
        self._inward, self._outward = inward, outward

    def send(self, what: Any) -> None:
        _put(self._outward, what)

    def recv(self) -> Any:
        return _got(self._inward)


def serve_piped() -> None:
    """Serves calls from standard input until it ends; whatever else is printed goes nowhere."""
    inward, outward = (os.fdopen(os.dup(stream), mode) for stream, mode in ((0, "rb"), (1, "wb")))
    if sys.platform == "win32":  # no bytes are changed on their way
        import msvcrt

        for stream in (inward, outward):
            msvcrt.setmode(stream.fileno(), os.O_BINARY)
    os.dup2(2, 1)
    outward.write(b"\n" + READY)
    outward.flush()
    pipe = _Pipe(inward, outward)
    with suppress(EOFError, OSError):
        serve(pipe, pipe.recv())


def piped(command: Sequence[str]) -> Callable[[Mapping[str, Any]], tuple[Any, Any]]:
    """Begins processes by a command, as `Processes` takes it.

    Args:
        command: The program and its arguments.
    """

    def begin(common: Mapping[str, Any]) -> tuple[Any, Any]:
        process = PipedProcess(command, common)
        return process, process

    return begin


def _put(stream: Any, what: Any) -> None:
    stream.write(pickle.dumps(what, pickle.HIGHEST_PROTOCOL))
    stream.flush()


def _got(stream: Any) -> Any:
    try:
        return pickle.load(stream)
    except pickle.UnpicklingError as error:  # cut off within
        raise EOFError from error
