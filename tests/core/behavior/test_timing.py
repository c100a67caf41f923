"""Fishes are where they were told to be in time: they set out as late as they can, hurry, and slow down."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World

FPS = 24
LENGTH = 0.18  # of a sardine, in metres
GOAL = np.array([8.0, 4.0, 2.5])


def world(direction: list[dict], seed: int = 1, **group) -> World:
    fishes = {"species": "sardine", "at": [2, 4, 2.5], "heading": [1, 0, 0], "mind": {"hunger": 0}, **group}
    told = {"name": "timing", "duration": 20, "tank": {"size": [14, 8, 5]}, "fishes": [fishes]}
    return World(Scene.from_dict({**told, "direction": [{"fishes": 0, **entry} for entry in direction]}), seed)


def swum(of: World, seconds: float) -> np.ndarray:
    """Places frame after frame in metres, (frames, fish, 3)."""
    places = []
    for _ in range(round(seconds * FPS)):
        of.step()
        places.append(of.parts.bodies.shoal.frames()[0])
    return np.array(places)


def arrivals(of: World) -> list[dict]:
    return [event for event in of.events if event["kind"] == "arrived"]


@pytest.mark.film
@pytest.mark.parametrize("time", [9.0, 18.0])  # 3.7 and 1.9 lengths a second
def test_a_fish_is_there_in_time_however_fast_that_is(time):
    of = world([{"kind": "arrival", "at": GOAL.tolist(), "time": time, "name": "mark"}])
    places = swum(of, time)
    assert np.linalg.norm(places[-1, 0] - GOAL) < LENGTH
    swum(of, 1.0)
    (event,) = arrivals(of)
    assert event["goal"] == "mark" and abs(event["late"]) < 0.25 and event["off"] < 1.0


@pytest.mark.film
def test_it_sets_out_as_late_as_it_can_while_it_cruises_and_not_before_it_may():
    of = world([{"kind": "arrival", "at": [4, 4, 2.5], "time": 16}])
    timing = of.parts.minds.mind.director.timing
    swum(of, 2.0)
    assert not timing.out.any()
    swum(of, 14.5)
    assert timing.out.all() and abs(arrivals(of)[0]["late"]) < 0.25
    late = world([{"kind": "arrival", "at": GOAL.tolist(), "time": 14, "start": 6}])
    swum(late, 5.5)
    assert not late.parts.minds.mind.director.timing.out.any()


@pytest.mark.film
def test_who_stays_stays_and_who_does_not_is_free_again():
    entry = {"kind": "arrival", "at": GOAL.tolist(), "time": 8, "radius": 0.5}
    stays, goes = world([{**entry, "stay": 8}]), world([entry])
    away = [np.linalg.norm(swum(of, 15.0)[9 * FPS :, 0] - GOAL, axis=1) for of in (stays, goes)]
    assert np.median(away[0]) < 0.5 + LENGTH
    assert not goes.parts.minds.mind.director.led(15.0).any() and stays.parts.minds.mind.director.led(15.0).all()


@pytest.mark.film
def test_it_arrives_headed_as_it_is_told():
    of = world([{"kind": "arrival", "at": [7, 4, 2.5], "time": 12, "heading": [0, 1, 0]}])
    swum(of, 12.0)
    ahead = of.parts.bodies.shoal.frames()[1][0, :, 0]
    assert ahead[1] > 0.7
    swum(of, 1.0)
    assert abs(arrivals(of)[0]["late"]) < 0.25


@pytest.mark.film
def test_a_shoal_arrives_as_a_shoal():
    of = world([{"kind": "arrival", "at": GOAL.tolist(), "time": 10}], count=8, spread=0.4)
    places = swum(of, 10.0)[-1]
    assert np.linalg.norm(places.mean(axis=0) - GOAL) < LENGTH
    assert 0.5 * LENGTH < np.linalg.norm(places - GOAL, axis=1).max() < 0.5 + 2 * LENGTH
    swum(of, 2.0)
    assert len(arrivals(of)) == 8


@pytest.mark.film
@pytest.mark.parametrize("said", [{"duration": 8.0}, {"speed": 6.0 / 8.0}])
def test_a_timed_curve_is_followed_at_more_than_a_cruise(said):
    of = world([{"kind": "curve", "points": [[2, 4, 2.5], GOAL.tolist()], "start": 0.5, **said}])
    places = swum(of, 8.5)
    t = np.arange(1, len(places) + 1) / FPS - 0.5
    where = np.array([2, 4, 2.5]) + t[:, None] / 8.0 * (GOAL - [2, 4, 2.5])
    off = np.linalg.norm(places[:, 0] - where, axis=1) / LENGTH
    assert np.median(off[len(off) // 2 :]) < 1.5
    swum(of, 0.5)
    (event,) = arrivals(of)
    assert event["off"] < 1.5 and abs(event["late"]) < 0.5


@pytest.mark.film
def test_a_target_is_made_for_at_the_speed_that_is_said():
    times = {}
    for speed in (None, 0.7):
        entry = {"kind": "target", "at": [12, 4, 2.5], **({} if speed is None else {"speed": speed})}
        places = swum(world([entry]), 8.0)[:, 0, 0]
        times[speed] = (places[6 * FPS] - places[3 * FPS]) / 3.0
    assert times[0.7] == pytest.approx(0.7, abs=0.07) and times[None] < 0.4


def test_a_timed_world_goes_on_from_its_file(tmp_path):
    of = world([{"kind": "arrival", "at": GOAL.tolist(), "time": 6}], count=2, spread=0.3)
    swum(of, 3.0)
    of.save(tmp_path / "world.npz")
    ahead = swum(of, 4.0)
    assert np.array_equal(swum(World.load(tmp_path / "world.npz"), 4.0), ahead)


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            {"kind": "arrival", "at": [1, 1, 1], "time": 5, "start": 6},
            "start: found 6.0 s, allowed a start before the time, 5.0 s",
        ),
        (
            {"kind": "curve", "points": [[1, 1, 1], [2, 1, 1]], "duration": 3, "speed": 1},
            "speed: found a duration and a speed, allowed one of them",
        ),
        (
            {"kind": "arrival", "at": [1, 1, 1], "time": 5, "heading": [0, 0, 0]},
            "heading: found [0.0, 0.0, 0.0], allowed a direction, not all zeros",
        ),
    ],
)
def test_bad_times_are_one_line(entry, line):
    with pytest.raises(SceneError) as error:
        world([entry])
    assert str(error.value).startswith(f"scene: direction[0].{line}")
