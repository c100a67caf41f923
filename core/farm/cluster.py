"""Dask as an executor; imported only where it is named, as Dask need not be installed."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import Any

import dask
from distributed import Client, LocalCluster, Worker, WorkerPlugin

from ..base.codec import SceneError
from ..base.threads import THREADS_CHOICE
from . import jobs
from .jobs import build, other_version
from .processes import LIBRARIES, cores

CONNECTING_SECONDS = 10
PLUGIN = "artfish"


class CommonPlugin(WorkerPlugin):
    """Gives each worker what jobs have in common, those that come later, too."""

    name = PLUGIN

    def __init__(self, common: Mapping[str, Any]) -> None:
        """By digests."""
        self.common = dict(common)

    def setup(self, worker: Worker) -> None:
        """Keeps it in the worker's process."""
        jobs.receive(self.common)


class DaskCluster(Executor):
    """A Dask cluster as an executor.

    Attributes:
        workers: Number of threads of its workers when it was reached, at least one.
        dashboard: Address of the page that shows its work; "" without.
    """

    def __init__(self, address: str | None, workers: int | None, common: Mapping[str, Any]) -> None:
        """Begins a cluster of this machine, or reaches one.

        Args:
            address: Address of a scheduler; None for a new cluster of this machine.
            workers: Processes of the new one; as many as processors if left out.
            common: What jobs have in common, by digests.

        Raises:
            SceneError: Nobody answers, or a worker has another version of Artfish.
        """
        self._local: LocalCluster | None = None
        logging.getLogger("distributed").setLevel(logging.ERROR)  # a worker that dies is news of ours
        if address is None:
            self._local = _begun(workers or cores())
        try:
            self._client = Client(self._local or address, timeout=CONNECTING_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            self._end()
            raise SceneError(f"{address}, where no scheduler answers ({error})", "one that runs", key="--on") from None
        try:
            self._refuse_other_versions()
            self._client.register_plugin(CommonPlugin(common))
        except BaseException:
            self._end()
            raise
        self.dashboard = self._client.dashboard_link or ""
        self.workers = max(1, sum(self._client.nthreads().values()))
        self._executor = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future:
        """Has a worker call a function that can be imported."""
        return self._executor.submit(fn, *args, **kwargs)

    def pids(self) -> list[int]:
        """Numbers of the workers' processes."""
        return sorted(self._client.run(_pid).values())

    def kill(self) -> None:
        """Gives up all jobs; a cluster of this machine ends, another goes on without them."""
        with suppress(Exception):
            self._executor.shutdown(wait=False)
        self._end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leaves the cluster after the last job; one of this machine ends."""
        self._executor.shutdown(wait=wait)
        self._end()

    def _refuse_other_versions(self) -> None:
        try:
            builds = self._client.run(_build_there)
        except ImportError as error:
            found = f"workers without Artfish ({error})"
            raise SceneError(found, f"Artfish {build()}, as here, on every machine", key="--on") from None
        for worker, other in sorted(builds.items()):
            if other != build():
                raise other_version(f"Artfish {other} on {worker}", build())

    def _end(self) -> None:
        client = getattr(self, "_client", None)
        for part in (client, self._local):
            if part is not None:
                with suppress(Exception):
                    part.close(timeout=5)


def _begun(workers: int) -> LocalCluster:
    environment = dict.fromkeys((THREADS_CHOICE, *LIBRARIES), "1")
    with dask.config.set({"distributed.nanny.pre-spawn-environ": environment}):
        return LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, silence_logs=logging.CRITICAL)


def _build_there() -> str:
    return jobs.build()


def _pid() -> int:
    return os.getpid()
