"""Dens: where they are, how a fish comes home to its own, and prey that is too high for who keeps to the ground."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import EAT, WANDER
from artfish.core.behavior.plan import Plan
from artfish.core.behavior.routines.den import Dens, dens_of
from artfish.core.body.anatomy import NODES
from artfish.core.habitat.ground import Ground
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.swimmers import Swimmers

ROCK = {"kind": "cylinder", "at": [3.0, 3.0, 0.0], "radius": 0.5, "height": 1.5}
SEA = {"tank": {"size": [8, 8, 3]}, "obstacles": [ROCK], "fishes": []}
LONG = np.array([0.9, 0.9])
HOME = np.array([[4.0, 3.0, 0.5], [4.0, 3.0, 0.5]])


def waters(scene: Scene) -> tuple[WaterBox, Obstacles]:
    return WaterBox.from_scene(scene), Obstacles.from_scene(scene)


def test_a_den_is_at_the_foot_of_the_rock_where_there_is_room_for_the_body():
    scene = Scene.from_dict(SEA)
    tank, obstacles = waters(scene)
    place, out = dens_of(scene, 0, (tank, obstacles), HOME, LONG, np.array([True, False]))
    assert np.isnan(place[1]).all() and np.isnan(out[1]).all()
    body = place[0] + 0.9 * np.linspace(-0.45, 0.45, 7)[:, None] * out[0]
    assert (np.minimum(tank.distance(body)[0], obstacles.distance(body)[0]) > 0.05 * 0.9).all()
    assert obstacles.distance(place[:1])[0] < 0.3 and place[0, 2] < 0.5
    assert out[0, 2] == 0.0 and np.linalg.norm(out[0]) == pytest.approx(1.0)


def test_in_bare_water_it_is_on_the_floor_below_where_the_fish_begins():
    scene = Scene.from_dict(SEA | {"obstacles": []})
    place, _ = dens_of(scene, 0, waters(scene), HOME, LONG, np.array([True, True]))
    assert place == pytest.approx(np.array([[4.0, 3.0, 0.15 * 0.9]] * 2))


def dens() -> Dens:
    scene = Scene.from_dict(SEA)
    place, out = np.array([[4.0, 3.0, 0.1], [np.nan] * 3]), np.array([[1.0, 0, 0], [np.nan] * 3])
    return Dens(place, out, LONG, Ground(*waters(scene)))


def moved(at, ahead, intention=WANDER, hungry=False) -> Plan:
    """The plan of a fish with a den at a place in metres, heading along a vector."""
    nodes = np.repeat(np.array([at, at], dtype=float)[:, None], NODES, axis=1)
    frames = np.tile(np.eye(3), (2, 1, 1))
    frames[:, :, 0] = ahead
    plan = Plan.empty(np.full(2, intention, dtype=np.int8), np.full(2, intention == WANDER))
    dens().act(np.arange(2), plan, Swimmers(nodes, nodes[:, 0], frames, np.zeros((2, 3))), np.array([hungry, hungry]))
    assert not plan.wish[1].any()  # who has none is let alone
    return plan


def test_it_comes_before_its_den_backs_in_and_lies_still():
    far = moved([9.0, 3.0, 1.0], [-1, 0, 0])
    assert far.wish[0, 0] < -0.9 and far.pace[0] > 0.0 and not far.hold[0]
    inside = moved([5.5, 3.0, 0.1], [1, 0, 0])
    assert inside.back[0] == 1.0 and inside.pace[0] == 0.0 and inside.wish[0] == pytest.approx([1, 0, 0])
    home = moved([4.1, 3.0, 0.1], [1, 0, 0])
    assert home.hold[0] and home.back[0] == 0.0 and home.touches[0]


@pytest.mark.parametrize(("intention", "hungry"), [(WANDER, True), (EAT, False)])
def test_who_hungers_or_hunts_stays_away(intention, hungry):
    assert not moved([9.0, 3.0, 1.0], [-1, 0, 0], intention, hungry).wish.any()


def test_prey_in_open_water_is_too_high():
    prey = np.array([[[6.0, 6.0, 0.5], [6.0, 6.0, 2.0]], [[6.0, 6.0, 2.0], [6.0, 6.0, 2.0]]])
    assert dens().out_of_reach(np.arange(2), prey).tolist() == [[False, True], [False, False]]


@pytest.mark.film
def test_a_sated_moray_lies_in_its_hole_head_out():
    eel = {"species": "moray", "at": [4.0, 4.2, 0.4], "heading": [1, 0, 0], "mind": {"hunger": 0.0}}
    world = World(Scene.from_dict(SEA | {"fishes": [eel]}), 1)
    recording = world.simulate(24 * 50)
    home = world.parts.minds.decision.waters.dens
    late = recording.nodes[24 * 30 :, 0].astype(float)
    off = np.linalg.norm(late.mean(axis=1) - home.place[0], axis=-1)
    ahead = late[:, 0] - late[:, 1:5].mean(axis=1)
    ahead /= np.linalg.norm(ahead, axis=-1)[:, None]
    assert (off < 0.6 * 0.9).mean() > 0.8
    assert (ahead @ home.out[0] > 0.7).mean() > 0.8
