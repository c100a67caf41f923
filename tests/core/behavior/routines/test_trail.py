"""Fishes follow a smell up the stream, cast across it for one that is lost, and come to what smells."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.routines.trail import trail
from artfish.core.behavior.routines.tuning import CAST_SECONDS, SEARCHING_PACE, TRAIL_PACE, TRAIL_SLOPE
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.perception.swimmers import Swimmers
from artfish.studies.life import staging

EAST, STILL = (0.2, 0.0, 0.0), (0.0, 0.0, 0.0)


def moves(heading=(0, 1, 0), water=EAST, lost=0.0, side=0.0, rise=1.0):
    """The moves of one fish on a trail."""
    nodes, frames = np.zeros((1, NODES, 3)), frame_from(np.array([heading], dtype=float), np.array([[0.0, 0.0, 1.0]]))
    scent = SimpleNamespace(
        plume=SimpleNamespace(water=lambda points: np.array([water])),
        side=np.array([side]),
        lost=np.array([lost]),
        rise=np.array([rise]),
    )
    return trail(np.array([0]), Swimmers(nodes, np.zeros((1, 3)), frames, np.zeros((1, 3))), scent)


@pytest.mark.parametrize("heading", [(1, 0, 0), (0, 1, 0), (-1, 0, 0)])
def test_who_smells_it_goes_up_the_stream(heading):
    wish = moves(heading).wish[0]
    assert wish[:2] / np.hypot(*wish[:2]) == pytest.approx([-1, 0]) and wish[2] == pytest.approx(TRAIL_SLOPE, rel=0.02)
    assert moves(heading).pace.tolist() == [TRAIL_PACE]


def test_and_to_the_side_where_it_smells_more():
    left, right = moves((-1, 0, 0), side=1.0).wish[0], moves((-1, 0, 0), side=-1.0).wish[0]
    assert left[0] < 0 and left[1] < -0.3  # left of who heads west is south
    assert right == pytest.approx(left * [1, -1, 1])


@pytest.mark.parametrize("side", [-0.5, 0.5])
def test_who_has_lost_it_casts_across_the_stream_each_leg_twice_as_long(side):
    def way(lost):
        return np.sign(moves((-1, 0, 0), lost=lost, side=side).wish[0, 1])

    ends = CAST_SECONDS * np.array([0.0, 1.0, 3.0, 7.0, 15.0])
    first = -np.sign(side)  # of who heads west
    for leg, (begin, end) in enumerate(zip(ends, ends[1:], strict=False)):
        assert {way(begin + 1e-6), way(end - 1e-6)} == {first * (-1) ** leg}
    across, along, up = np.abs(moves(lost=1.0).wish[0, [1, 0, 2]])
    assert across > 2 * along > up


def test_in_still_water_it_goes_where_it_smells_more():
    ahead, left = moves((1, 0, 0), STILL), moves((1, 0, 0), STILL, side=1.0)
    assert ahead.wish[0, 0] > 0.9 and ahead.wish[0, 1] == 0.0
    assert left.wish[0, 1] > 0.3 and left.pace.tolist() == [SEARCHING_PACE]


def test_rise_and_fall_turn_about_when_it_is_lost():
    assert moves(rise=-1.0).wish[0, 2] < 0 < moves(rise=-1.0, lost=0.1).wish[0, 2]


@pytest.mark.film
def test_a_shark_finds_bait_forty_lengths_up_the_stream():
    world = staging.baited(11, staging.BAIT_AWAY)
    world.simulate(5 * 24)
    assert world.parts.minds.decision.trails.within_reach(np.array([0])).any()
    assert np.linalg.norm(world.center_of_mass[0] - world.parts.water.hook.place) > 30.0 * world.shoal.length[0]
    for _ in range(85 * 24):
        world.step()
        if world.parts.water.hook.fish == 0:
            break
    assert world.events[-1]["kind"] == "hooked"


@pytest.mark.film
def test_and_none_as_far_down_the_stream():
    world = staging.baited(11, -staging.BAIT_AWAY)
    for _ in range(30 * 24):
        world.step()
        assert not world.parts.minds.decision.trails.scent.trails(np.array([0])).any()


def fed(scent: float, hunger: float = 0.9) -> World:
    """A blue tang with food dropped six metres up the stream, which it smells no farther off than a metre by itself."""
    mind = {"hunger": hunger, "scent": scent, "smell": 4.0}
    tang = {"species": "blue_tang", "at": [12, 4, 3], "heading": [1, 0, 0], "enters": 50.0, "mind": mind}
    stream = [{"kind": "uniform", "direction": [1, 0, 0], "strength": 0.12}]
    scene = {"tank": {"size": [30, 8, 6]}, "current": stream, "fps": 12, "fishes": [tang]}
    world = World(Scene.from_dict(scene), seed=3)
    rows = world.feed([6, 4, 3], 30, 0.1)
    for _ in range(50 * 12):
        world.step()
        world.parts.water.plankton.place[rows] = [6, 4, 3]  # at anchor
    return world


@pytest.mark.film
@pytest.mark.parametrize(("scent", "hunger", "follows"), [(200.0, 0.9, True), (0.01, 0.9, False), (200.0, 0.0, False)])
def test_a_hungry_fish_that_picks_food_follows_that_which_was_dropped(scent, hunger, follows):
    world = fed(scent, hunger)
    goes = 0
    for _ in range(10 * 12):
        world.step()
        goes += int(world.parts.minds.decision.trails.within_reach(np.array([0]))[0, 0])
    assert (goes > 60) if follows else goes == 0
