"""A fish learns to swim from nothing, by either method, and goes on where it stopped."""

import json

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.learning.learned import Learned
from artfish.core.learning.learning import Learner, go_on, keep, learners
from artfish.core.learning.tasks import Task
from artfish.core.scene.species import Species

TUNA = Species.load("tuna")


def practised(steps, method="cma", task="swim", candidates=16):
    learner = Learner(TUNA, Task(task, TUNA), method, candidates=candidates)
    for _ in range(steps):
        learner.step()
    return learner


def ahead(learner):
    """Distance that the best gets ahead, in lengths."""
    learned, practice = learner.learned(), learner.practice
    samples = np.repeat(np.array(learned.samples)[None], 16, axis=0)
    durations = np.full(16, learned.duration / TUNA.time_scale)
    return practice.film(practice.lengths(samples, durations, "cubic")).middle[-1, 0, 0]


@pytest.mark.film
@pytest.mark.parametrize(("method", "steps", "way"), [("cma", 80, 1.5), ("annealing", 250, 0.7)])
def test_it_learns_to_swim_from_nothing(method, steps, way):
    learner = practised(steps, method)
    scores = [score for _, score in learner.scores]
    assert scores == sorted(scores, reverse=True) and scores[-1] < 0.9 * scores[0]
    assert ahead(learner) > way


def test_who_goes_on_from_a_file_comes_to_the_same(tmp_path):
    path = tmp_path / "learned.json"
    keep([practised(3)], path)
    other = Learner(TUNA, Task("swim", TUNA), candidates=16)
    assert go_on([other], path, 5) and other.steps == 3
    for _ in range(2):
        other.step()
    assert json.dumps(other.to_dict()) == json.dumps(practised(5).to_dict())
    assert Learned.load(path).steps == 3


def test_the_latest_is_never_better_than_the_best():
    learner = practised(0)
    for _ in range(3):
        learner.step()
        assert np.isfinite(learner.latest) and learner.latest >= learner.score


def test_it_begins_anew_where_the_file_is_of_another_search(tmp_path):
    path = tmp_path / "learned.json"
    keep([practised(3)], path)
    for other in (
        Learner(TUNA, Task("left", TUNA), candidates=16),
        Learner(TUNA, Task("swim", TUNA), seed=1, candidates=16),
        Learner(TUNA, Task("swim", TUNA), candidates=24),
        Learner(Species.load("reef_shark"), Task("swim", TUNA), candidates=16),
    ):
        assert not go_on([other], path, 5) and other.steps == 0
    assert not go_on([practised(0)], path, 2)
    path.write_text("{")
    assert not go_on([practised(0)], path, 5)


def test_a_damaged_search_is_one_line(tmp_path):
    path, data = tmp_path / "learned.json", practised(1).to_dict()
    data["search"]["mean"] = "???"
    path.write_text(json.dumps(data))
    with pytest.raises(SceneError, match="search: found what is no state of this search"):
        go_on([practised(0)], path, 5)


def test_all_are_the_drills_that_a_controller_needs():
    assert [one.task.kind for one in learners(TUNA, "all")] == ["swim", "left", "right"]
    with pytest.raises(SceneError, match="--goal"):
        learners(TUNA, "all", (1.0,))
