"""Long work as a job: it reports its progress, and nothing stays of one that is given up."""

import pytest

from artfish.blender_artfish.blender.background import in_thread
from artfish.blender_artfish.blender.jobs import Job


def test_phases_are_parts_of_the_work_around_them():
    def prepare(job):
        with job.phase("first", 0.5):
            job.advance(0.5)
            yield
            with job.phase("its rest"):
                job.advance(0.5, "half of it")
                yield
        with job.phase("second", counted=False):
            yield
            yield
        return lambda: "done"

    job, seen = Job(prepare), []
    while not job.step():
        seen.append((job.share, job.text))
    assert seen[:2] == [(0.25, "first"), (0.375, "half of it")]
    assert [text for _, text in seen[2:]] == ["second", "second"]
    assert 0.5 <= seen[2][0] < seen[3][0] < job.share == 1.0
    assert job.outcome == "done"


def test_only_the_commit_changes_anything_and_it_comes_last():
    made, closed = [], []

    def prepare(job):
        try:
            yield
            found = yield from in_thread(lambda: 7)
        except GeneratorExit:
            closed.append(True)
            raise
        return lambda: made.append(found)

    job = Job(prepare)
    assert not job.step()
    job.cancel()
    assert job.cancelled and closed and not made
    Job(prepare).run()
    assert made == [7]


def test_what_fails_in_a_thread_is_raised_in_the_job():
    def prepare(job):
        yield from in_thread(lambda: 1 / 0)
        return lambda: None

    with pytest.raises(ZeroDivisionError):
        Job(prepare).run()


def test_what_is_announced_is_said_before_it_is_done():
    def prepare(job):
        job.announce(0.5, "a long step")
        yield
        job.advance(0.6)
        yield
        return lambda: None

    job = Job(prepare)
    assert not job.step() and (job.announced, job.text, job.share) == (True, "a long step", 0.5)
    assert not job.step() and not job.announced
    assert job.step() and not job.announced
