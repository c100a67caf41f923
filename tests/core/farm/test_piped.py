"""Processes that a command begins: the same executor, the same answers, the same end."""

import os
import sys
import time
from concurrent.futures.process import BrokenProcessPool

import pytest

from artfish.core.farm.jobs import build, perform
from artfish.core.farm.piped import piped
from artfish.core.farm.processes import Processes
from artfish.tests.core.farm.farm_jobs import dies, environment, slow, square

pytestmark = pytest.mark.film
LINES = """
import os, sys
sys.path[:] = {path!r}
print("a banner of some program")
print("artfish worker of another kind")
sys.stdout.flush()
from artfish.core.farm.piped import serve_piped
print("and what is printed later", flush=True)
serve_piped()
"""
SCALE = "artfish.tests.core.farm.farm_jobs:scaled"


def command(lines: str = LINES) -> list[str]:
    """A program that prints, and then serves."""
    return [sys.executable, "-c", lines.format(path=sys.path)]


@pytest.fixture
def two():
    """An executor of two such processes."""
    executor = Processes(2, {"abc": {"factor": 3}}, piped(command()))
    yield executor
    executor.kill()


def test_results_and_errors_come_back_and_a_death_takes_one_job(two):
    futures = [two.submit(square, {"n": n}) for n in range(5)]
    broken, wrong = two.submit(dies, {}), two.submit(square, {})
    after = [two.submit(square, {"n": n}) for n in range(5, 9)]
    assert [future.result(60)["square"] for future in (*futures, *after)] == [n * n for n in range(9)]
    with pytest.raises(BrokenProcessPool, match="exit code 9"):
        broken.result(60)
    with pytest.raises(KeyError):
        wrong.result(60)


def test_what_is_printed_in_a_job_is_no_answer(two):
    assert two.submit(print, "not an answer").result(60) is None
    assert two.submit(square, {"n": 3}).result(60)["square"] == 9


def test_jobs_have_what_is_common_and_one_thread(two, monkeypatch):
    monkeypatch.delenv("ARTFISH_THREADS", raising=False)
    found = two.submit(environment, {"names": ["ARTFISH_THREADS"]}).result(60)
    assert found == {"ARTFISH_THREADS": "1"}
    assert float(two.submit(perform, SCALE, {"n": 2}, "abc", build()).result(60)) == 6


def test_killing_ends_them_at_once_and_shutting_down_when_they_are_done(two):
    futures = [two.submit(slow, {"n": 1, "seconds": 600}) for _ in range(3)]
    while len(two.pids()) < 2:
        time.sleep(0.05)
    pids, since = two.pids(), time.monotonic()
    two.kill()
    assert all(future.done() for future in futures) and time.monotonic() - since < 300  # each alone would take 600 s
    for pid in pids:
        with pytest.raises(OSError):
            os.kill(pid, 0)
    with Processes(1, None, piped(command())) as executor:
        assert executor.submit(square, {"n": 4}).result(60)["square"] == 16
        (pid,) = executor.pids()
    with pytest.raises(OSError):
        os.kill(pid, 0)


@pytest.mark.parametrize("lines", ["print('only a banner')", "raise SystemExit(3)", "import nothing_of_this_name"])
def test_a_program_that_does_not_serve_fails_its_job(lines):
    with Processes(1, None, piped([sys.executable, "-c", lines])) as executor, pytest.raises(BrokenProcessPool):
        executor.submit(square, {"n": 1}).result(60)


def test_a_program_that_is_not_there_fails_its_job():
    with Processes(1, None, piped(["/nowhere/program"])) as executor, pytest.raises(BrokenProcessPool):
        executor.submit(square, {"n": 1}).result(60)


def test_a_process_ends_when_who_began_it_is_gone():
    begin = piped(command())
    process, pipe = begin({})
    pipe.send((square, ({"n": 2},), {}))
    assert pipe.recv() == (True, {"n": 2, "square": 4}) and process.is_alive()
    process._process.stdin.close()
    process.join(60)
    assert not process.is_alive()
