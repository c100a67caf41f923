"""Processes of this machine as an executor: one thread each, replaced where they die, ended at once."""

import os
import time
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool

import pytest

from artfish.core.base.threads import THREADS_CHOICE
from artfish.core.farm.processes import Processes
from artfish.tests.core.farm.farm_jobs import dies, environment, slow, square


@pytest.fixture
def two():
    """An executor of two processes."""
    executor = Processes(2)
    yield executor
    executor.kill()


@pytest.mark.film
def test_results_and_errors_come_back_and_a_death_takes_one_job(two):
    futures = [two.submit(square, {"n": n}) for n in range(5)]
    broken, wrong = two.submit(dies, {}), two.submit(square, {})
    after = [two.submit(square, {"n": n}) for n in range(5, 9)]
    assert [future.result(60)["square"] for future in (*futures, *after)] == [n * n for n in range(9)]
    with pytest.raises(BrokenProcessPool, match="exit code 9"):
        broken.result(60)
    with pytest.raises(KeyError):
        wrong.result(60)


@pytest.mark.film
def test_processes_have_one_thread_unless_the_environment_says_so(monkeypatch):
    names = [THREADS_CHOICE, "OPENBLAS_NUM_THREADS"]
    monkeypatch.delenv(THREADS_CHOICE, raising=False)
    for choice in ("1", "3"):
        with Processes(1) as executor:
            assert executor.submit(environment, {"names": names}).result(60)[THREADS_CHOICE] == choice
        monkeypatch.setenv(THREADS_CHOICE, "3")
    monkeypatch.delenv(THREADS_CHOICE)
    assert THREADS_CHOICE not in os.environ


@pytest.mark.film
def test_killing_ends_what_would_take_long(two):
    futures = [two.submit(slow, {"n": 1, "seconds": 600}) for _ in range(6)]
    while len(two.pids()) < 2:
        time.sleep(0.05)
    pids = two.pids()
    two.kill()
    over, rest = wait(futures, 60)  # where each alone would take 600 s
    assert len(over) == 6 and not rest
    for pid in pids:
        with pytest.raises(OSError):
            os.kill(pid, 0)
    with pytest.raises(RuntimeError):
        two.submit(square, {"n": 1})
