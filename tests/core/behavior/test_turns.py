"""Turns to think: shares of a frame, and thoughts at once of fishes that are startled."""

import numpy as np
import pytest

from artfish.core.base.dice import Dice
from artfish.core.behavior.tuning import GLANCE_SECONDS, THINKING_EASE, THOUGHT_SECONDS, TURN_FISHES
from artfish.core.behavior.turns import CAUSES, Turns
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World

FRAME = 1 / 24
CALM = {
    "tank": {"size": [6, 5, 3]},
    "fishes": [{"species": "sardine", "count": 12, "at": [3, 2.5, 1.5], "spread": 1.5}],
}


class Thinkers:
    """Fishes that think when it is their turn, after the pauses that minds take."""

    def __init__(self, fishes: int, hurried: bool = False):
        self.fishes, self.hurried = fishes, hurried
        self.turns, self.dice = Turns(fishes, Dice(3, np.arange(fishes))), Dice(4, np.arange(fishes))

    def frame(self, near=(), startled=(), cause=1, dt=FRAME) -> np.ndarray:
        alarms = np.zeros((CAUSES, self.fishes), dtype=bool)
        alarms[0, list(near)], alarms[cause, list(startled)] = True, True
        rows = self.turns.thinking(dt, alarms[0], alarms[1:], np.ones(self.fishes, dtype=bool))
        pause = np.full(len(rows), GLANCE_SECONDS) if self.hurried else self.dice.uniform(rows, *THOUGHT_SECONDS)
        self.turns.thought(rows, pause)
        return rows


@pytest.mark.parametrize("hurried", [False, True])
@pytest.mark.parametrize("fps", [24, 25, 30, 60])
def test_no_frame_of_a_large_world_carries_much_more_than_its_share(fps, hurried):
    """Shares are drawn, of some 400 where they are least: that is give or take 20."""
    minds = Thinkers(10_000, hurried)
    count = np.array([len(minds.frame(dt=1.0 / fps)) for _ in range(4 * fps)])[fps:]
    assert count.max() < 1.3 * count.mean()


def test_a_small_world_glances_together():
    minds = Thinkers(TURN_FISHES - 1)
    count = np.array([len(minds.frame()) for _ in range(72)])
    assert (count > 0).mean() == pytest.approx(1.0 / np.ceil(GLANCE_SECONDS / FRAME), abs=0.02)


def test_everyone_has_its_turn():
    minds = Thinkers(1_000)
    last = np.zeros(1_000)
    for _ in range(240):
        last += FRAME
        last[minds.frame()] = 0.0
        # A pause ends with the first glance after it, and that in a frame.
        assert last.max() <= THOUGHT_SECONDS[1] + GLANCE_SECONDS + 2 * FRAME


@pytest.mark.parametrize("cause", range(CAUSES))
def test_whoever_is_startled_thinks_in_that_frame_and_once(cause):
    minds = Thinkers(50)
    while len(minds.frame()) == 0:
        pass
    startled = {"near": [7]} if cause == 0 else {"startled": [7], "cause": cause}
    assert 7 in minds.frame(**startled)
    assert 7 not in minds.frame(**startled)
    minds.frame()
    assert 7 in minds.frame(**startled)  # anew


def test_who_is_far_thinks_less_often_and_in_danger_at_once():
    minds, counts = Thinkers(3_000), np.zeros(3)
    level = np.arange(3_000) % 3
    minds.turns.levels = level.astype(np.int8)
    for _ in range(240):
        counts += np.bincount(level[minds.frame()], minlength=3)
    assert counts / counts[0] == pytest.approx(1.0 / np.array(THINKING_EASE), rel=0.15)
    assert {0, 1, 2} <= set(minds.frame(startled=[0, 1, 2])) and {3, 4, 5} <= set(minds.frame(near=[3, 4, 5]))


def test_in_a_small_world_all_glance_where_one_must_think_and_then_wait_as_long_as_ever():
    minds = Thinkers(50, hurried=True)
    for _ in range(12):
        minds.frame()
    while len(minds.frame()) == 0:
        pass
    thinking = [len(minds.frame(startled=[7] * (frame == 1))) for frame in range(5)]
    assert thinking == [0, 50, 0, 0, 50]


def test_in_a_large_world_nobody_else_does():
    minds = Thinkers(TURN_FISHES, hurried=True)
    calm, startled = Thinkers(TURN_FISHES, hurried=True), []
    for frame in range(5):
        rows = minds.frame(startled=[7] * (frame == 3))
        startled += sorted(set(rows) - set(calm.frame()) - {7})
    assert not startled


def test_who_has_something_close_ahead_thinks_at_every_glance():
    minds = Thinkers(50)
    thought = sum(7 in minds.frame(near=[7]) for _ in range(72))
    assert thought >= 72 / np.ceil(GLANCE_SECONDS / FRAME)


def test_a_fright_is_thought_of_in_the_next_frame():
    """At 24 frames a second that is 42 ms."""
    world = World(Scene.from_dict(CALM), seed=2)
    world.simulate(frames=5)
    turns = world.parts.minds.mind.turns
    while (turns.since == 0.0).any():
        world.step()
    rows = world.frighten(world.center_of_mass[3], 0.5)
    world.step()
    assert 3 in rows
    assert (turns.since[rows] == 0.0).all()


def test_a_touch_is_thought_of_in_the_next_frame():
    world = World(Scene.from_dict(CALM), seed=2)
    world.simulate(frames=5)
    since = world.parts.minds.mind.turns.since
    one, other = np.flatnonzero(world.alive)[:2]
    shoal = world.shoal
    shoal.displace(np.array([one]), (shoal.nodes[other] - shoal.nodes[one])[None], np.zeros((1, 23, 3)))
    world.step()
    assert world.parts.bodies.touched[[one, other]].all()
    world.step()
    assert (since[[one, other]] == 0.0).all()
