"""Engines by name: which there are, and the line where one is not."""

import sys

import pytest

from artfish.core import SceneError
from artfish.core.farm.engines import engine, refuse_unknown_engine
from artfish.core.farm.jobs import build, perform
from artfish.core.farm.processes import Processes
from artfish.tests.core.farm.farm_jobs import JOBS, scaled


def test_an_engine_is_local_or_an_address():
    for on in (None, "local", "tcp://127.0.0.1:8786", "tls://farm.example:8786"):
        refuse_unknown_engine(on)
    for on in ("", "slurm", "tcp://", "http://host:80", "tcp://host:1/x"):
        with pytest.raises(SceneError, match="--on: found .*, allowed local, or the address of a Dask scheduler"):
            refuse_unknown_engine(on)


def test_without_dask_a_line_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.delitem(sys.modules, "artfish.core.farm.cluster", raising=False)
    with pytest.raises(SceneError, match=r'--on: found no Dask \(.*\), allowed pip install "artfish\[farm\]"'):
        engine("local").__enter__()


@pytest.mark.film
def test_the_default_is_processes_that_get_what_is_common_once():
    with engine(None, 2, {"abc": {"factor": 3}}) as executor:
        assert isinstance(executor, Processes) and executor.workers == 2
        futures = [executor.submit(perform, f"{JOBS}:scaled", {"n": n}, "abc", build()) for n in range(4)]
        assert [int(future.result(60)) for future in futures] == [0, 3, 6, 9]
    assert scaled({"n": 2}, {"factor": 3}) == 6


def test_a_block_that_fails_ends_its_engine():
    with pytest.raises(KeyboardInterrupt), engine(None, 2) as executor:
        raise KeyboardInterrupt
    with pytest.raises(RuntimeError):
        executor.submit(len, "")
