"""An executor of processes of this machine, spawned, with one thread each.

One that dies is replaced, and takes one job with it. Each is fed through a pipe of its own, so that a death is known at
once, and whose job it was.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from ..base.stopping import ENDING
from ..base.threads import THREADS_CHOICE
from . import jobs

LIBRARIES = "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"
"""Environment variables that set the threads of NumPy's libraries."""
_beginning = threading.Lock()
_Entry = tuple[Future, Callable[..., Any], tuple, dict]
_Beginning = Callable[[Mapping[str, Any]], tuple[Any, Any]]


def cores() -> int:
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes(Executor):
    """Processes of this machine as an executor.

    Attributes:
        workers: Their number.
    """

    def __init__(
        self, workers: int | None = None, common: Mapping[str, Any] | None = None, begin: _Beginning | None = None
    ) -> None:
        """Begins no process before there is work for it.

        Args:
            workers: Number of processes; as many as processors if left out.
            common: What jobs have in common, by digests; each process gets it once.
            begin: Given that, begins a process that answers calls, and returns it with its pipe; spawned if left out.
        """
        self.workers = workers or cores()
        self._common = dict(common or {})
        self._waiting: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._processes: dict[int, Any] = {}
        self._closed = self._killed = False
        self._spawned = begin or spawned

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Has the next free process call a function that can be imported.

        Returns:
            Its future, which raises `BrokenProcessPool` where the process died.
        """
        if self._closed:
            raise RuntimeError("found a closed executor, allowed an open one")
        future: Future = Future()
        self._waiting.put((future, fn, args, kwargs))
        if len(self._threads) < self.workers:
            thread = threading.Thread(target=self._lead, name="artfish farm", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def pids(self) -> list[int]:
        """Numbers of the processes that live."""
        return [process.pid for process in list(self._processes.values()) if process.is_alive()]

    def kill(self) -> None:
        """Ends all processes at once, and all that waits with them."""
        self._killed = self._closed = True
        self._drain()
        for process in list(self._processes.values()):
            process.kill()
        self.shutdown(wait=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Lets the processes end after the last job."""
        self._closed = True
        if cancel_futures:
            self._drain()
        for _ in self._threads:
            self._waiting.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _drain(self) -> None:
        with suppress(queue.Empty):
            while True:
                entry = self._waiting.get_nowait()
                if entry is not None and entry[0].cancel():
                    entry[0].set_running_or_notify_cancel()  # which tells those who wait for it

    def _lead(self) -> None:
        """Feeds one process after another with one job after another."""
        process, pipe = None, None
        while (entry := self._waiting.get()) is not None and not self._killed:
            future, function, args, kwargs = entry
            if not future.set_running_or_notify_cancel():
                continue
            try:
                if process is None or not process.is_alive():
                    process, pipe = self._begin()
                assert pipe is not None
                pipe.send((function, args, kwargs))
                done, result = pipe.recv()
            except (EOFError, OSError):
                code = None
                if process is not None:
                    process.join(1.0)
                    code = process.exitcode
                process = None
                future.set_exception(BrokenProcessPool(f"its process ended (exit code {code})"))
            except BaseException as error:  # what cannot be sent or read
                future.set_exception(error)
            else:
                future.set_result(result) if done else future.set_exception(result)
        if process is not None and pipe is not None:
            with suppress(OSError):
                pipe.send(None)
            process.join(5.0)
            process.kill()
        self._processes.pop(threading.get_ident(), None)

    def _begin(self) -> tuple[Any, Any]:
        with _beginning, _one_thread():
            process, ours = self._spawned(self._common)
        self._processes[threading.get_ident()] = process
        if self._killed:
            process.kill()
        return process, ours


def spawned(common: Mapping[str, Any]) -> tuple[Any, Connection]:
    """A process that Python spawns, with its pipe.

    Args:
        common: What jobs have in common, by digests.
    """
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, common), daemon=True, name="artfish worker")
    process.start()
    theirs.close()
    return process, ours


@contextmanager
def _one_thread() -> Iterator[None]:
    """Within this block new processes begin with one thread, unless the environment says otherwise."""
    added = [name for name in (THREADS_CHOICE, *LIBRARIES) if name not in os.environ]
    os.environ.update(dict.fromkeys(added, "1"))
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def serve(pipe: Any, common: Mapping[str, Any]) -> None:
    """The life of a process: calls what comes through the pipe, until nothing more does."""
    for number in ENDING:  # who stops the command ends its processes, too
        if number != getattr(signal, "SIGTERM", None):
            signal.signal(number, signal.SIG_IGN)
    jobs.receive(common)
    while True:
        try:
            call = pipe.recv()
        except (EOFError, OSError):
            return
        if call is None:
            return
        function, args, kwargs = call
        try:
            answer = True, function(*args, **kwargs)
        except BaseException as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:  # whoever waited for it is gone
            return
        except Exception as error:  # it cannot be sent
            pipe.send((False, RuntimeError(f"{type(error).__name__}: {error}")))
