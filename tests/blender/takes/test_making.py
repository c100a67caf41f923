"""Takes are those that a bake would make, the best are found, and what is done is kept when it is given up."""

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
from artfish.core.farm.scoring import scored
from artfish.core.farm.wishes import wishes_of

pytestmark = pytest.mark.film


def expected(scene: bpy.types.Scene) -> list[tuple[float, int]]:
    """Scores and seeds of all takes, by the core alone, the best first."""
    reading, settings = read(scene), scene.artfish_takes
    wishes = wishes_of(wishes_data(scene), reading.scene)
    found = []
    for seed in range(settings.seed, settings.seed + settings.count):
        recording = World(reading.scene, seed=seed, species=reading.models).simulate(24)
        found.append((scored(recording, wishes).score, seed))
    return sorted(found, key=lambda pair: (-pair[0], pair[1]))


def test_the_best_are_those_of_the_core_and_have_pictures(scene):
    scores = expected(scene)
    assert len({score for score, _ in scores}) > 1  # or the order says nothing
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    found = scene.artfish_takes.found
    assert [take.seed for take in found] == [seed for _, seed in scores[:2]]
    assert [take.score for take in found] == pytest.approx([score for score, _ in scores[:2]], abs=1e-6)
    assert all((runtime.of(TakePictures).folder / f"{take.seed}.png").stat().st_size > 500 for take in found)


def test_a_take_that_is_given_up_leaves_those_that_are_done(scene):
    job = TakesJob(scene)
    while job.made < 2:
        job.step()
    job.enough = True
    while not job.step():
        pass
    assert job.made == 2 and sorted(take.seed for take in scene.artfish_takes.found) == [3, 4]
    job = TakesJob(scene)
    job.step()
    job.cancel()
    assert len(scene.artfish_takes.found) == 2


def test_the_bake_of_a_take_is_that_take_to_the_bit(scene):
    job = TakesJob(scene)
    job.run()
    best = job.best[1]
    assert bpy.ops.artfish.use_take(row=1) == {"FINISHED"}
    assert scene.artfish.seed == best.seed
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    baked = history.recording(history.last(scene).id)
    assert np.array_equal(baked.nodes[: best.recording.frames], best.recording.nodes)


def test_takes_that_are_as_good_come_by_their_seeds(scene):
    scene.artfish_takes.wishes[0].gap = 0.0  # nobody touches anybody, so all are as good
    assert bpy.ops.artfish.run_takes() == {"FINISHED"}
    assert [take.seed for take in scene.artfish_takes.found] == [3, 4]
