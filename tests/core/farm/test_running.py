"""Running jobs: results are kept as they come, nothing is done twice, and what fails is listed."""

import os
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from artfish.core import SceneError
from artfish.core.farm import running
from artfish.core.farm.jobs import FarmJob, build
from artfish.core.farm.processes import Processes
from artfish.core.farm.running import JobProgress, clock, only, path_of, result_of, run
from artfish.tests.core.farm.farm_jobs import JOBS


class Direct(Executor):
    """Runs each job at once, and counts those that nobody has taken back."""

    def __init__(self, workers: int = 2) -> None:
        """An executor that says how many workers it has."""
        self.workers, self.calls, self.most = workers, 0, 0
        self.futures: list[Future] = []

    def submit(self, fn, /, *args, **kwargs):
        """Calls it."""
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        self.calls += 1
        return future


def squares(count: int) -> list[FarmJob]:
    """So many jobs."""
    return [FarmJob(f"{JOBS}:square", {"n": n}, f"square {n}") for n in range(count)]


def test_results_are_files_and_nothing_is_done_twice(tmp_path):
    jobs, first, second = squares(6), Direct(), Direct()
    assert run(jobs[:4], first, tmp_path) == [] and first.calls == 4
    seen = []
    assert run(jobs, second, tmp_path, lambda state: seen.append((state.done, state.found))) == []
    assert second.calls == 2 and seen[-1] == (6, 4)
    assert [result_of(job, tmp_path)["square"] for job in jobs] == [n * n for n in range(6)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{job.digest}.json" for job in jobs)


def test_a_job_that_is_listed_twice_is_done_once(tmp_path):
    executor = Direct()
    assert run([*squares(2), *squares(2)], executor, tmp_path) == []
    assert executor.calls == 2


def test_what_fails_is_tried_once_more_and_then_listed(tmp_path):
    once = FarmJob(f"{JOBS}:counted", {"n": 1, "file": str(tmp_path / "once"), "failing": 1}, "once")
    ever = FarmJob(f"{JOBS}:counted", {"n": 2, "file": str(tmp_path / "ever"), "failing": 9}, "ever")
    with ThreadPoolExecutor(2) as pool:
        failed = run([ever, once, *squares(3)], pool, tmp_path / "jobs")
    assert [one.line() for one in failed] == ["ever: ValueError: not yet"]
    assert (tmp_path / "once").read_text() == (tmp_path / "ever").read_text() == "xx"
    assert result_of(once, tmp_path / "jobs") == 1
    assert len(list((tmp_path / "jobs").iterdir())) == 4


def test_jobs_are_handed_out_as_they_are_taken(tmp_path):
    class Counting(Direct):
        def submit(self, fn, /, *args, **kwargs):
            self.futures.append(super().submit(fn, *args, **kwargs))
            self.most = max(self.most, self.calls - len(list(tmp_path.iterdir())))
            return self.futures[-1]

    executor = Counting(workers=3)
    run(squares(40), executor, tmp_path)
    assert executor.calls == 40 and executor.most <= running.JOBS_AHEAD * 3


def test_one_job_of_a_list_is_a_task():
    assert only(squares(3), 2) == squares(3)[2:]
    with pytest.raises(SceneError, match="--task: found 3, allowed 0 to 2"):
        only(squares(3), 3)


def test_who_stops_a_run_keeps_what_was_done(tmp_path):
    jobs = squares(12)

    def stop(state: JobProgress) -> None:
        if state.done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(jobs, Direct(), tmp_path, stop)
    kept = len(list(tmp_path.iterdir()))
    assert 5 <= kept < 12
    executor = Direct()
    run(jobs, executor, tmp_path)
    assert executor.calls == 12 - kept


def test_a_worker_of_another_version_is_refused_by_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "build", lambda: "0.1.0-0123456789ab")
    with pytest.raises(SceneError) as caught:
        run(squares(1), Direct(), tmp_path)
    line = f"--on: found a worker with Artfish {build()}, allowed 0.1.0-0123456789ab, as here, on every machine"
    assert str(caught.value) == line


def test_progress_says_when_it_will_end(monkeypatch):
    state = JobProgress(10, done=6, found=2, begun=0.0)
    monkeypatch.setattr(running, "monotonic", lambda: 100.0)
    assert state.seconds_left == pytest.approx(100.0)  # 25 s for each of the four that are left
    assert state.text() == "6 of 10, 1:40 left" and state.share == 0.6
    assert JobProgress(3).text() == "0 of 3"
    assert clock(3723) == "1:02:03"


@pytest.mark.film
def test_the_same_bytes_from_one_two_and_eight_workers_of_which_one_is_killed(tmp_path, contents):
    found = []
    for workers in (1, 2, 8):
        folder, mark = tmp_path / str(workers), tmp_path / f"mark {workers}"
        jobs = [FarmJob(f"{JOBS}:slow", {"n": n, "seconds": 0.02}) for n in range(24)]
        executor = Processes(workers)
        killer = threading.Thread(target=kill_one, args=(executor, folder, mark))
        killer.start()
        assert run(jobs, executor, folder) == []
        executor.shutdown()
        killer.join()
        assert mark.exists()
        found.append(contents(folder))
    assert found[0] == found[1] == found[2] and len(found[0]) == 24


def kill_one(executor: Processes, folder: Path, mark: Path) -> None:
    """Kills one of the processes as soon as some results are there."""
    while not folder.exists() or len(list(folder.glob("*.json"))) < 3:
        time.sleep(0.005)
    os.kill(executor.pids()[0], 9)
    mark.touch()


@pytest.mark.film
def test_a_job_whose_process_dies_is_done_by_another(tmp_path):
    jobs = [FarmJob(f"{JOBS}:dies_once", {"n": 5, "file": str(tmp_path / "mark")}, "once")]
    jobs += [FarmJob(f"{JOBS}:dies", {}, "ever"), *squares(3)]
    with Processes(2) as executor:
        failed = run(jobs, executor, tmp_path / "jobs")
    assert [one.line() for one in failed] == ["ever: BrokenProcessPool: its process ended (exit code 9)"]
    assert result_of(jobs[0], tmp_path / "jobs") == {"n": 5, "square": 25}
    assert path_of(jobs[-1], tmp_path / "jobs").exists()
