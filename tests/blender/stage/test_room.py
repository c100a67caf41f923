"""There is no room for scenery where fishes swim in a film, and there is elsewhere."""

from dataclasses import replace

import numpy as np

from artfish.blender_artfish.stage.room import Room
from artfish.core.scene.scene import Scene

BOX = np.full(3, 0.01)


def test_there_is_no_room_where_a_fish_is_at_any_frame(reef):
    room = Room.of(reef)
    places = reef.nodes[reef.alive].reshape(-1, 3)
    assert not any(room.free(place - BOX, place + BOX) for place in places[::97])
    between = 0.5 * (reef.nodes[:, :, 1:5] + reef.nodes[:, :, 5:9]).reshape(-1, 3)
    assert not any(room.free(place - BOX, place + BOX) for place in between[::97])


def test_there_is_room_elsewhere_and_beyond_the_walls(reef):
    room = Room.of(reef)
    low = reef.nodes.reshape(-1, 3).min(axis=0)
    assert room.free(np.array([0.0, 0.0, 0.0]), low - 0.3)
    assert room.free(np.array([-2.0, -2.0, 0.0]), np.array([-1.0, -1.0, 3.0]))
    assert not room.free(np.zeros(3), np.array(reef.scene.tank.size))


def test_only_those_fishes_count_that_are_named(reef):
    nobody = Room.of(reef, np.array([], dtype=int))
    assert not nobody.taken.any()
    one = Room.of(reef, np.array([2]))
    assert 0 < one.taken.sum() < Room.of(reef).taken.sum()


def test_what_moves_takes_its_place_all_along_its_way(reef):
    mast = {
        "kind": "cylinder",
        "at": [1, 1, 0],
        "radius": 0.1,
        "height": 1,
        "motion": [{"time": 0}, {"time": 1, "at": [3, 1, 0]}],
    }
    poses = np.zeros((reef.frames, 1, 7))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 0, 3] = np.linspace(1, 3, reef.frames), 1.0, 1.0
    moved = replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | {"obstacles": [mast]}), obstacles=poses)
    room = Room.of(moved, np.array([], dtype=int))
    for x in (1.0, 2.0, 3.0):
        assert not room.free(np.array([x - 0.12, 0.88, 0.4]), np.array([x + 0.12, 1.12, 0.6]))
    assert room.free(np.array([1.0, 2.0, 0.0]), np.array([3.0, 3.0, 1.0]))
