"""Followers of a smell: the hungry of food, and those in love of mates of their own kind."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import MATE
from artfish.core.habitat.plume import MATES
from artfish.core.perception.scent import KIN

STREAM = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.1}]


def apart(her: dict, scent: float = 200.0, libido: float = 1.0, seconds: int = 110) -> World:
    """A male clownfish that comes into the stream four metres below another fish, too far off to see it."""
    mind = {"type": "pacifist", "mind": {"hunger": 0.0, "libido": libido, "scent": scent, "sight": 5.0}}
    female = {"species": "clownfish", "sex": "female", "at": [3, 2, 1], "heading": [1, 0, 0], **mind, **her}
    male = {"species": "clownfish", "sex": "male", "at": [7, 2, 1], "enters": float(seconds), **mind}
    scene = {"tank": {"size": [12, 4, 2]}, "fps": 12, "fishes": [female, male], "current": STREAM}
    world = World(Scene.from_dict(scene), seed=4)
    nodes = world.nodes[:1]
    for _ in range(seconds * 12):
        world.step()
        world.parts.bodies.shoal.pose(np.array([0]), nodes, np.zeros((1, 23, 3)))  # at anchor
    return world


@pytest.mark.film
def test_who_is_in_love_and_sees_no_mate_goes_where_it_smells_one():
    world, male = apart({}), np.array([1])
    plume = world.parts.water.plume
    assert plume.kind[plume.strength > 0].tolist().count(MATES) > 50  # of the females
    follows, gap = 0, []
    for _ in range(12 * 12):
        world.step()
        follows += int(world.parts.minds.decision.trails.within_reach(male)[0, 1])
        gap.append(np.linalg.norm(world.center_of_mass[1] - world.center_of_mass[0]))
    assert follows > 60 and world.parts.minds.decision.trails.scent.quarry[1] == KIN
    assert world.parts.minds.decision.generator.intention[1] == MATE and gap[-1] < 0.9 * gap[0]


@pytest.mark.film
@pytest.mark.parametrize(
    ("her", "scent", "libido"),
    [({"sex": "male"}, 200.0, 1.0), ({"species": "blue_tang"}, 200.0, 1.0), ({}, 200.0, 0.0)],
)
def test_nobody_follows_its_own_sex_another_kind_or_without_desire(her, scent, libido):
    world = apart(her, scent, libido, 60)
    for _ in range(5 * 12):
        world.step()
        assert not world.parts.minds.decision.trails.scent.trails(np.array([1])).any()


def test_nobody_smells_whose_mates_follow_no_smell():
    sexes = [{"species": "clownfish", "type": "pacifist", "sex": sex, "at": [2, 2, 1]} for sex in ("female", "male")]
    sexes[0]["mind"], sexes[1]["mind"] = {"libido": 1.0}, {"libido": 1.0, "scent": 100.0}
    world = World(Scene.from_dict({"tank": {"size": [4, 4, 2]}, "fishes": sexes}), seed=1)
    world.simulate(60)
    plume = world.parts.water.plume
    assert set(plume.kind[plume.strength > 0].tolist()) == {MATES}
