"""Lives: growth by von Bertalanffy's law, fasting, age, and whose children fishes are."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from artfish.core import Scene, Species
from artfish.core.perception.swimmers import NO_FISH
from artfish.core.world.lives import Lives
from artfish.core.world.tuning import GROWTH_STEP

PACE, FPS = 50.0, 25.0
FISH = {"species": "sardine", "count": 3, "at": [1, 1, 1]}


def lives(**more) -> Lives:
    """The lives of three sardines, and of two more that may be born."""
    told = {"population": 9, "born": 2, "pace": PACE, "variety": 0.0, **more}
    return Lives(Scene.from_dict({"fishes": [FISH], "breeding": told}), seed=1)


def hatched(**more) -> tuple[Lives, np.ndarray]:
    """The same when the first was born, with the mask of those that are there."""
    of = lives(**more)
    of.laid(0, 1, 2)
    models = {"sardine": Species.load("sardine")}
    events, born = of.bear(0, np.array([[1.0, 1.1, 0.9]]), 2.0, models)
    assert [event["fish"] for event in events] == [3] and list(born) == ["sardine_born_1"]
    return of, np.array([True, True, True, True, False])


def passing(of: Lives, alive: np.ndarray, frames: int, fed: bool) -> list[str]:
    """Lets frames pass in which the fry eats or not; the causes of its death."""
    meals = [{"kind": "fed", "fish": 3, "other": 0}] if fed else []
    died = []
    for _ in range(frames):
        died += [event["cause"] for event in of.pass_by(1 / FPS, alive, meals) if event["fish"] == 3]
        of.grow(alive)
    return died


def test_length_follows_the_law_of_von_bertalanffy():
    of = lives(fry=0.25, growing=400.0)
    assert of.law(np.array([0.0, 400.0, 800.0])) == pytest.approx([0.25, 1 - 0.75 / exp(1), 1 - 0.75 / exp(2)])
    assert of.law(np.array([400.0 * np.log(1.5)]))[0] == pytest.approx(0.5)  # half of its full length


def test_a_fed_fish_is_as_long_as_the_law_says_at_its_age():
    of, alive = hatched(fry=0.25, growing=400.0, lifespan=1e6)
    assert of.share[3] == 0.25
    for _ in range(8):
        passing(of, alive, 25, fed=True)
        behind = (1.0 - 0.75 * exp(-of.age[3] / 400.0)) - of.share[3]
        # A frame's fast of 2 s in 900 slows it by a fifth of a percent.
        assert -1e-12 <= behind < GROWTH_STEP + 0.002
    assert of.age[3] == pytest.approx(8 * PACE)


def test_a_fish_that_starves_grows_ever_less():
    of, alive = hatched(starvation=500.0, growing=400.0)
    passing(of, alive, 200, fed=False)  # 400 s of its life
    assert of.grown[3] == pytest.approx(400.0 - 400.0**2 / 1000.0, rel=0.01)  # the integral of 1 - t / S


def test_who_does_not_eat_dies_of_hunger_in_the_declared_time():
    of, alive = hatched(starvation=500.0)
    assert passing(of, alive, 250, fed=False) == []  # 500 s
    assert passing(of, alive, 1, fed=False) == ["hunger"]


def test_who_eats_dies_of_age():
    of, alive = hatched(starvation=500.0, lifespan=600.0)
    assert passing(of, alive, 299, fed=True) == []
    assert passing(of, alive, 2, fed=True)[:1] == ["age"]


def test_lives_differ_within_their_variety():
    of = Lives(Scene.from_dict({"fishes": [{**FISH, "count": 200}], "breeding": {"variety": 0.2, "born": 0}}), seed=4)
    spans, patience = of._span / 2400.0, of._patience / 900.0
    for share in (spans, patience):
        assert 0.8 <= share.min() < 0.83 and 1.17 < share.max() <= 1.2
    assert abs(np.corrcoef(spans, patience)[0, 1]) < 0.3


def test_the_fishes_of_a_scene_are_grown_and_of_various_ages():
    of = lives()
    assert (of.share[:3] == 1.0).all() and (of.law(of.grown[:3]) == 1.0).all() and of.adult[:3].all()
    assert len(set(of.age[:3])) == 3 and (of.age[:3] < 1200.0).all()
    assert not of.born[3:].any() and (of.mother == NO_FISH).all()


def test_a_child_is_of_its_mothers_group_and_its_parents():
    of, _ = hatched()
    scene = of.peopled()
    assert [group.count for group in scene.fishes] == [3, 1, 1] and scene.breeding is None
    child = scene.fishes[1]
    assert (child.species, child.at, child.enters) == ("sardine_born_1", (1.0, 1.1, 0.9), 2.0)
    assert (of.mother[3], of.father[3], of.hatched, of.fresh.tolist()) == (1, 2, 1, [3])
    assert not of.adult[3] and of.room(np.array([True] * 4 + [False])) == 1


def test_there_is_room_for_as_many_as_may_live():
    of = lives(population=4)
    alive = np.array([True, True, True, False, False])
    assert of.room(alive) == 1
    assert of.room(alive | True) == 0
    of.mortal[0] = False  # a predator does not count
    assert of.room(alive) == 2


def test_who_was_eaten_died_of_teeth():
    of, alive = hatched()
    died = of.pass_by(1 / FPS, alive, [{"kind": "eaten", "fish": 0, "other": 3}])
    assert [(event["fish"], event["cause"]) for event in died] == [(3, "teeth")]
    assert of.fasting[0] == 0.0 and of.fasting[1] > 0.0
