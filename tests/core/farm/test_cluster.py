"""A real cluster of Dask on this machine: two workers, one of which is killed, and the bytes of processes."""

import os
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from artfish.core import SceneError  # noqa: E402
from artfish.core.farm import cluster  # noqa: E402
from artfish.core.farm.cluster import DaskCluster  # noqa: E402
from artfish.core.farm.engines import engine  # noqa: E402
from artfish.core.farm.jobs import FarmJob, digest_of  # noqa: E402
from artfish.core.farm.running import run  # noqa: E402
from artfish.tests.core.farm.farm_jobs import JOBS  # noqa: E402

COMMON = {"factor": 2.5}
KEY = digest_of(COMMON)


def kill_one(executor: DaskCluster, folder: Path, mark: Path) -> None:
    """Kills one of the workers as soon as some results are there."""
    while not folder.exists() or len(list(folder.glob("*.json"))) < 4:
        time.sleep(0.01)
    os.kill(executor.pids()[0], 9)
    mark.touch()


@pytest.mark.film
def test_workers_that_are_killed_change_no_byte(tmp_path, contents):
    jobs = [FarmJob(f"{JOBS}:slow", {"n": n, "seconds": 0.05}) for n in range(40)]
    jobs += [FarmJob(f"{JOBS}:scaled", {"n": n}, common=KEY) for n in range(40)]
    mark = tmp_path / "mark"
    with engine("local", 2, {KEY: COMMON}) as executor:
        assert isinstance(executor, DaskCluster) and executor.workers == 2
        killer = threading.Thread(target=kill_one, args=(executor, tmp_path / "dask", mark))
        killer.start()
        assert run(jobs, executor, tmp_path / "dask") == []
        killer.join()
        failing = FarmJob(
            f"{JOBS}:counted",
            {"n": 1, "file": str(tmp_path / "count"), "failing": 5},
            "failing",
        )
        assert [one.line() for one in run([failing], executor, tmp_path / "other")] == ["failing: ValueError: not yet"]
    assert mark.exists()
    with engine(None, 2, {KEY: COMMON}) as executor:
        assert run(jobs, executor, tmp_path / "processes") == []
    assert contents(tmp_path / "dask") == contents(tmp_path / "processes")
    assert len(contents(tmp_path / "dask")) == 80


def test_where_no_scheduler_is_a_line_says_so(monkeypatch):
    monkeypatch.setattr(cluster, "CONNECTING_SECONDS", 0.2)
    with pytest.raises(SceneError, match="--on: found tcp://127.0.0.1:9, where no scheduler answers"):
        DaskCluster("tcp://127.0.0.1:9", None, {})


@pytest.mark.film
def test_workers_of_another_version_are_refused(monkeypatch):
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as other:
        monkeypatch.setattr(cluster, "build", lambda: "0.1.0-0123456789ab")
        with pytest.raises(SceneError, match="allowed 0.1.0-0123456789ab, as here, on every machine"):
            DaskCluster(other.scheduler_address, None, {})
