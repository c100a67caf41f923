"""Each task prefers the trajectory that it is named after, and effort prefers what is small and slow."""

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.learning.practice import SensedMotion
from artfish.core.learning.tasks import Task, effort
from artfish.core.learning.tuning import LEARNED_PACE, TURNING_PACE, TURNING_RADIUS
from artfish.core.scene.species import Species

SHARK = Species.load("reef_shark")
UNITS, LOOKS = 160.0, 24


def film(*ways):
    """A film of candidates at these places, (looks, 3) each, level all the time."""
    middle = np.stack(ways, axis=1)
    return SensedMotion(UNITS, middle, middle, np.ones(middle.shape[:2]))


def straight(way):
    return np.linspace(0.0, 1.0, LOOKS + 1)[1:, None] * np.array([way, 0.0, 0.0])


def circle(side, way):
    angle = np.linspace(0.0, way / TURNING_RADIUS, LOOKS + 1)[1:]
    places = np.stack([np.sin(angle), side * (1.0 - np.cos(angle)), 0.0 * angle], axis=-1)
    return TURNING_RADIUS * places


def test_to_swim_is_to_be_where_the_target_is_in_time():
    far = LEARNED_PACE * UNITS
    cost = Task("swim", SHARK).trajectory(film(straight(far), straight(0.5 * far), straight(-1.0)))
    assert cost[0] == pytest.approx(0.0, abs=1e-9) and cost[0] < cost[1] < cost[2]


def test_a_turn_goes_to_its_side():
    way = TURNING_PACE * UNITS
    ways = film(circle(1.0, way), circle(-1.0, way), straight(way))
    for kind, best in (("left", 0), ("right", 1)):
        cost = Task(kind, SHARK).trajectory(ways)
        assert cost[best] == pytest.approx(0.0, abs=1e-9) and cost.argmin() == best


def test_a_speed_is_no_more_and_no_less():
    way = 0.5 * UNITS * SHARK.time_scale
    cost = Task("speed", SHARK, (0.5,)).trajectory(film(straight(0.8 * way), straight(way), straight(1.2 * way)))
    assert cost.argmin() == 1 and cost[1] == pytest.approx(0.0, abs=1e-9)


def test_a_path_is_followed_and_a_target_reached():
    corner = np.concatenate(
        [straight(1.0)[1::2], np.array([1.0, 0.0, 0.0]) + straight(1.0)[1::2] @ np.eye(3)[[1, 0, 2]]]
    )
    assert Task("path", SHARK, (1, 0, 0, 1, 1, 0)).trajectory(film(corner, straight(1.5))).argmin() == 0
    assert Task("target", SHARK, (1, 1, 0)).trajectory(film(corner, straight(1.5)))[0] == pytest.approx(0.0, abs=1e-9)


def test_who_keeps_station_is_where_it_was_though_water_goes_past():
    task = Task("station", SHARK, (0.5,))
    assert task.current == pytest.approx(0.5 * SHARK.time_scale)
    assert task.trajectory(film(straight(0.0), straight(1.0), straight(-1.0))).argmin() == 0


@pytest.mark.parametrize(
    ("kind", "goal"),
    [
        ("swim", (1.0, 2.0)),
        ("swim", (-1.0,)),
        ("target", (1.0,)),
        ("path", (1.0, 2.0)),
        ("speed", (-1.0,)),
        ("left", (0.0,)),
    ],
)
def test_a_goal_that_is_none_is_refused_in_a_line(kind, goal):
    with pytest.raises(SceneError, match=f"--goal: found .* for {kind}, allowed"):
        Task(kind, SHARK, goal)


def test_effort_grows_with_the_size_and_pace_of_changes_alone():
    wave = 0.2 + 0.1 * np.sin(2.0 * np.pi * np.arange(15) / 15)
    samples = np.stack([np.full((12, 15), 0.3), np.tile(wave, (12, 1)), np.tile(2.0 * wave, (12, 1))])
    slow, quick = (effort(samples, np.full(3, duration), UNITS) for duration in (20.0, 10.0))
    assert slow[0] == 0.0 and slow[2] == pytest.approx(4.0 * slow[1])
    assert quick[1] > 4.0 * slow[1]
