"""A garden is planted where nothing swims or stands, and where it is painted."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.stage.corals import SAND, colonies
from artfish.blender_artfish.stage.garden import Garden
from artfish.blender_artfish.stage.room import Room
from artfish.blender_artfish.stage.view import Framing
from artfish.core.scene.scene import Scene

KINDS = ("Brain coral", "Leaf coral", "Rubble", "Outcrop")
VIEW = Framing(np.array([4.0, -1.0, 1.0]), np.array([4.0, 4.0, 1.0]), 35.0, 0)


@pytest.fixture
def garden(reef):
    """Plants a garden for the recording, with further settings of its stage."""

    def make(**stage) -> Garden:
        scene = Scene.from_dict(reef.scene.to_dict() | {"stage": stage})
        recording, draws = replace(reef, scene=scene), np.random.default_rng(scene.stage.seed)
        into = bpy.data.collections.new("Garden")
        bpy.context.scene.collection.children.link(into)
        return Garden(into, dict(colonies(draws, KINDS)), recording, VIEW, draws, Room.of(recording))

    return make


def test_a_colony_stands_where_it_is_put_and_not_where_fishes_swim(reef, garden):
    here = garden()
    stands, place = here.plant("Brain coral", np.array([0.6, 0.6, 0.0]), 0.2)
    assert stands and place.translation[:2] == pytest.approx((0.6, 0.6))
    fish = reef.nodes[0, 0, 0]
    assert not here.plant("Brain coral", fish - (0, 0, 0.05), 0.3)[0]


def test_a_colony_is_smaller_where_that_makes_room(garden):
    here = garden()
    here.room.taken[:] = False
    here.room.take(np.array([[0.6, 0.6, 0.3]]))
    stands, place = here.plant("Brain coral", np.array([0.6, 0.6, 0.0]), 0.4)
    assert stands and 0.1 < place.to_scale().z < 0.3


def test_nothing_stands_before_the_camera(garden):
    here = garden()
    assert here.hides(np.array([4.0, 1.0, 0.5]), 1.2, 0.3) and here.hides(VIEW.at + 0.2, 1.5, 0.1)
    assert not here.hides(np.array([4.0, 6.0, 0.5]), 1.2, 0.3)  # behind
    assert not here.hides(np.array([4.0, 1.5, 0.0]), 0.2, 0.3)  # below
    assert not here.hides(np.array([0.5, 1.0, 0.5]), 1.2, 0.3)  # beside


def test_it_grows_only_where_it_is_painted(garden):
    here = garden(painted=[[0.0, 1.0], [0.0, 1.0]])
    size = here.recording.scene.tank.size
    assert here.painted(np.array([0.0, 1.0])) == 0.0 and here.painted(np.array([size[0] + 2.0, 1.0])) == 1.0
    assert here.painted(np.array([0.25 * size[0], 1.0])) == pytest.approx(0.25)
    for _ in range(60):
        at = here.draws.uniform(0.0, (size[0], 0.8))
        here.grow(np.append(at, 0.0), SAND)
    places = np.array([obj.matrix_world.translation.x for obj in here.collection.objects])
    assert len(places) > 10 and places.mean() > 0.55 * size[0]


def test_growth_says_how_much(garden):
    assert garden(growth=0.0).many(100) == 0
    assert 150 < garden(growth=2.0).many(100) < 250
