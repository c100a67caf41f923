"""Takes are those that a bake would make, the best are found, and what is done is kept when it is given up."""

import threading
import time

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.takes.making import TakesJob
from artfish.blender_artfish.takes.pictures import TakePictures
from artfish.blender_artfish.takes.wishing import wishes_data
from artfish.core import World
from artfish.core.base.codec import SceneError
from artfish.core.farm.running import JobProgress
from artfish.core.farm.scoring import scored
from artfish.core.farm.takes import scene_with
from artfish.core.farm.wishes import wishes_of

pytestmark = pytest.mark.film


def lived(scene: bpy.types.Scene, seed: int, values: dict | None = None):
    """A take by the core alone, in this process: the recording, and its score."""
    reading = read(scene)
    varied = scene_with(reading.scene, values) if values else reading.scene
    recording = World(varied, seed=seed, species=reading.models).simulate(24)
    return recording, scored(recording, wishes_of(wishes_data(scene), reading.scene)).score


def listed(scene: bpy.types.Scene) -> list[tuple]:
    """All that the panel lists of the best takes, with their pictures."""
    folder = runtime.of(TakePictures).folder
    return [
        (
            take.seed,
            take.score,
            take.moment,
            take.key,
            [(one.owner, one.path, one.value) for one in take.numbers],
            (folder / f"{take.seed}.png").read_bytes(),
        )
        for take in scene.artfish_takes.found
    ]


def processes() -> list[threading.Thread]:
    """The threads that lead processes now."""
    return [thread for thread in threading.enumerate() if thread.name == "artfish farm"]


def test_the_best_are_those_of_the_core_and_have_pictures(scene):
    scores = sorted(((lived(scene, seed)[1], seed) for seed in range(3, 7)), key=lambda pair: (-pair[0], pair[1]))
    assert len({score for score, _ in scores}) > 1  # or the order says nothing
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    found = scene.artfish_takes.found
    assert [take.seed for take in found] == [seed for _, seed in scores[:2]]
    assert [take.score for take in found] == pytest.approx([score for score, _ in scores[:2]], abs=1e-6)
    assert all(len(picture) > 500 for *_, picture in listed(scene))
    assert not processes()


def test_the_same_takes_come_out_of_one_process_and_of_several(scene, monkeypatch):
    """To the byte, pictures and all, although numbers are searched, where the second generation learns of the first."""
    monkeypatch.setattr("artfish.core.farm.takes.TAKES_A_GENERATION", 4)
    settings = scene.artfish_takes
    settings.count, settings.best = 8, 8
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.spread")
    bpy.ops.artfish.vary_add(number="Clownfish|shoal.leader")
    found = []
    for count in (1, 2):
        runtime.of(TakePictures)._workshop = None  # so that nothing is there already
        found.append(run_by(scene, count, monkeypatch))
    assert found[0] == found[1] and len(found[0]) == 8
    assert len({str(numbers) for *_, numbers, _ in found[0]}) == 8


def run_by(scene, count, monkeypatch):
    """The list of takes that so many processes make."""
    monkeypatch.setattr("artfish.core.farm.processes.cores", lambda: count)
    scene.artfish_takes.processes = count
    if scene.artfish_takes.processes < count:
        pytest.skip("this machine has one processor")
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    return listed(scene)


def begun(scene) -> TakesJob:
    """A job with two takes done or more, and some to come."""
    scene.artfish_takes.count = 500
    job = TakesJob(scene)
    while job.made < 2:
        job.step()
    assert processes() and 0.0 < job.share < 0.2
    return job


def test_a_run_that_is_ended_keeps_what_is_done_and_ends_at_once(scene):
    job, since = begun(scene), time.monotonic()
    job.enough = True
    while not job.step():
        pass
    assert time.monotonic() - since < 5.0  # where the rest would take minutes
    assert 2 <= job.made < 500 and not processes()
    seeds = {take.seed for take in scene.artfish_takes.found}
    assert len(seeds) == 2 and seeds <= set(range(3, 3 + 500))


def test_a_run_that_is_given_up_leaves_the_list_and_no_processes(scene):
    bpy.ops.artfish.run_takes()
    before = listed(scene)
    job, since = begun(scene), time.monotonic()
    job.cancel()
    while processes():
        assert time.monotonic() - since < 5.0
        time.sleep(0.02)
    assert listed(scene) == before


def test_what_was_made_is_not_made_again(scene):
    bpy.ops.artfish.run_takes()
    folder = runtime.of(TakePictures).workshop() / "jobs"
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    scene.artfish_takes.count = 5
    bpy.ops.artfish.run_takes()
    after = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert len(before) == 4 and len(after) == 5 and before.items() <= after.items()


def test_the_bake_of_a_take_is_that_take_to_the_bit(scene):
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    seed = scene.artfish_takes.found[1].seed
    recording, _ = lived(scene, seed)
    assert bpy.ops.artfish.use_take(row=1) == {"FINISHED"}
    assert scene.artfish.seed == seed
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    assert np.array_equal(history.recording(history.last(scene).id).nodes, recording.nodes)


def test_takes_that_are_as_good_come_by_their_seeds(scene):
    scene.artfish_takes.wishes[0].gap = 0.0  # nobody touches anybody, so all are as good
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    assert [take.seed for take in scene.artfish_takes.found] == [3, 4]


def test_takes_that_cannot_be_are_counted_and_the_others_are_listed(scene, capfd):
    """Hills that rise to the surface are refused."""
    scene.artfish.hills = True
    scene.artfish_takes.count = scene.artfish_takes.best = 8
    bpy.ops.artfish.vary_add(number="|terrain.relief")
    row = scene.artfish_takes.varied[0]
    row.low, row.high = 0.0, 4.0
    bpy.ops.artfish.run_takes()
    said, found = capfd.readouterr().out, scene.artfish_takes.found
    assert 0 < len(found) < 8 and f"{8 - len(found)} take" in said and "could not be made" in said and "hills" in said
    assert max(float(take.numbers[0].value) for take in found) < 1.6  # 0.8 of the tank's depth


def test_progress_is_said_in_takes(scene):
    job = TakesJob(scene)
    job.heed(JobProgress(8, 2))
    job.tell()
    assert job.made == 2 and job.text == "2 of 8 takes" and job.share == pytest.approx(0.245)


def test_a_worker_that_cannot_begin_is_an_error_that_is_said(scene, monkeypatch, capfd):
    monkeypatch.setattr("artfish.blender_artfish.blender.second.command", lambda *_: ["/nowhere/python"])
    assert bpy.ops.artfish.run_takes() == {"CANCELLED"}
    assert "4 takes could not be made" in capfd.readouterr().out
    assert len(scene.artfish_takes.found) == 0


def test_a_wish_that_is_wrong_begins_no_process(scene):
    scene.artfish_takes.wishes[0].kind = "arrival"
    with pytest.raises(SceneError, match="arrival"):
        TakesJob(scene).run()
    assert not processes()
