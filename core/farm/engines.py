"""Engines: what runs jobs; processes of this machine, Dask on this machine, or a Dask cluster anywhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from ..base.codec import SceneError, shown
from .processes import Processes

LOCAL = "local"
"""The engine that is Dask's own cluster on this machine, with its dashboard."""
MOST_WORKERS = 100_000
ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://[^\s/]+")


def refuse_unknown_engine(on: str | None) -> None:
    """Refuses what names no engine.

    Raises:
        SceneError: It is neither None, `LOCAL` nor an address.
    """
    if on is not None and on != LOCAL and not ADDRESS.fullmatch(on):
        allowed = f"{LOCAL}, or the address of a Dask scheduler such as tcp://HOST:8786; left out for processes here"
        raise SceneError(shown(on), allowed, key="--on")


@contextmanager
def engine(
    on: str | None = None,
    workers: int | None = None,
    common: Mapping[str, Any] | None = None,
    begin: Callable[[Mapping[str, Any]], tuple[Any, Any]] | None = None,
) -> Iterator[Executor]:
    """An executor for jobs; if the block fails or is stopped, what it runs is given up at once.

    Args:
        on: None for processes of this machine, `LOCAL`, or the address of a Dask scheduler.
        workers: Number of processes, of the first two; as many as processors if left out.
        common: What jobs have in common, by digests; it is sent to each worker once.
        begin: Begins a process of this machine, as of `Processes`.

    Raises:
        SceneError: There is no such engine, no Dask, or no scheduler at the address.
    """
    refuse_unknown_engine(on)
    executor: Any = Processes(workers, common, begin) if on is None else _cluster(on, workers, common or {})
    try:
        yield executor
    except BaseException:
        executor.kill()
        raise
    executor.shutdown()


def _cluster(on: str, workers: int | None, common: Mapping[str, Any]) -> Executor:
    try:
        from .cluster import DaskCluster
    except ImportError as error:
        raise SceneError(f"no Dask ({error})", 'pip install "artfish[farm]"', key="--on") from None
    return DaskCluster(None if on == LOCAL else on, workers, common)
