"""Jobs: digests of all that a result depends on, and the one way in which a job is run."""

import json

import pytest

from artfish.core.farm import jobs
from artfish.core.farm.jobs import FarmJob, OtherVersionError, build, build_of, digest_of, perform, receive
from artfish.tests.core.farm.farm_jobs import JOBS
from artfish.version import ARTFISH_VERSION


def test_a_digest_is_of_all_that_a_result_depends_on_and_of_nothing_else():
    job = FarmJob(f"{JOBS}:square", {"n": 3, "m": 4}, "three")
    assert job.digest == FarmJob(f"{JOBS}:square", {"m": 4, "n": 3}, "another name").digest
    others = [
        FarmJob(f"{JOBS}:square", {"n": 4, "m": 4}),
        FarmJob(f"{JOBS}:slow", {"n": 3, "m": 4}),
        FarmJob(f"{JOBS}:square", {"n": 3, "m": 4}, common=digest_of({"factor": 2})),
        FarmJob(f"{JOBS}:square", {"n": 3, "m": 4}, suffix=".npz"),
    ]
    assert len({job.digest, *(other.digest for other in others)}) == 5


def test_the_build_says_version_and_code(tmp_path, monkeypatch):
    version, _, code = build().partition("-")
    assert version == ARTFISH_VERSION and len(code) == 12
    assert build_of("artfish.core.farm.takes:take") == build()
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "some_job.py").write_text("def one(data): return 1\n")
    before = build_of("some_job:one")
    (tmp_path / "some_job.py").write_text("def one(data): return 2\n")
    build_of.cache_clear()
    assert build_of("some_job:one") != before and before.startswith(build())


def test_results_are_bytes_of_json_whatever_the_order_of_keys():
    one = perform(f"{JOBS}:square", {"n": 3}, None, build())
    assert json.loads(one) == {"n": 3, "square": 9}
    assert one.index(b'"n"') < one.index(b'"square"')


def test_what_jobs_have_in_common_is_given_to_their_function():
    receive({"abc": {"factor": 2.5}})
    assert json.loads(perform(f"{JOBS}:scaled", {"n": 4}, "abc", build())) == 10.0
    receive({})
    with pytest.raises(KeyError):
        perform(f"{JOBS}:scaled", {"n": 4}, "abc", build())


def test_a_worker_of_another_version_refuses():
    with pytest.raises(OtherVersionError, match=build()):
        perform(f"{JOBS}:square", {"n": 3}, None, f"{ARTFISH_VERSION}-0123456789ab")


def test_a_build_is_the_same_whatever_ends_the_lines_of_its_code(tmp_path, monkeypatch):
    """A checkout of Windows may end its lines otherwise; data that are no text count byte by byte."""
    builds = {}
    for name, code, data in (
        ("unix", b"a = 1\n", b"1\n"),
        ("windows", b"a = 1\r\n", b"1\n"),
        ("other", b"a = 1\n", b"1\r\n"),
    ):
        root = tmp_path / name
        (root / "core" / "farm").mkdir(parents=True)
        (root / "presets").mkdir()
        (root / "core" / "farm" / "jobs.py").write_bytes(code)
        (root / "presets" / "reef.npz").write_bytes(data)
        monkeypatch.setattr(jobs, "__file__", str(root / "core" / "farm" / "jobs.py"))
        builds[name] = jobs.build.__wrapped__()
    assert builds["unix"] == builds["windows"] != builds["other"]
