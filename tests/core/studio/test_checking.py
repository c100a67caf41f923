"""Checking: demands that cannot be met in time are named beforehand, with times that could."""

from __future__ import annotations

import pytest

from artfish.core import Scene
from artfish.core.studio.checking import doubts, timed_directions

SHOAL = {"species": "sardine", "count": 3, "at": [2, 4, 2.5]}


def scene(*direction: dict, **more) -> Scene:
    told = {"name": "checked", "duration": 20, "tank": {"size": [40, 8, 5]}, "fishes": [SHOAL], **more}
    return Scene.from_dict({**told, "direction": [{"fishes": 0, **entry} for entry in direction]})


def curve(metres: float, **more) -> dict:
    return {"kind": "curve", "name": "Path", "points": [[2, 4, 2.5], [2 + metres, 4, 2.5]], **more}


def test_a_curve_too_fast_is_said_with_a_time_and_a_length_that_do():
    (found,) = timed_directions(scene(curve(9.9, duration=5)))
    assert found.needed == pytest.approx(11.0) and not found.feasible
    assert found.line().startswith("sardines: the curve 'Path' needs 11 lengths/s for 5 s, they can do ")
    for metres, seconds in ((9.9, found.fit_seconds * 1.001), (found.fit_metres * 0.999, 5.0)):
        (better,) = timed_directions(scene(curve(metres, duration=seconds)))
        assert better.feasible


def test_nothing_is_said_of_what_can_be_done():
    asked = [curve(5, duration=15), {"kind": "arrival", "at": [9, 4, 2.5], "time": 19}, curve(4)]
    assert doubts(scene(*asked)) == []
    assert [one.row for one in timed_directions(scene(*asked))] == [0, 1]


def test_an_arrival_counts_from_where_the_one_before_leaves_them():
    first = {"kind": "arrival", "at": [8, 4, 2.5], "time": 8, "stay": 4}
    _, then = timed_directions(scene(first, {"kind": "arrival", "at": [8, 7, 2.5], "time": 15}))
    assert then.metres == pytest.approx(3.0) and then.seconds == pytest.approx(3.0)


def test_who_has_to_swim_to_breathe_cannot_follow_a_slow_curve_but_can_arrive_slowly():
    sharks = {"species": "tuna", "at": [4, 4, 2.5]}
    slow = curve(2, duration=18), {"kind": "arrival", "at": [6, 4, 2.5], "time": 18}
    found = timed_directions(scene(*slow, fishes=[sharks]))
    assert [one.feasible for one in found] == [False, True]
    assert "they swim no slower than" in found[0].line()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"kind": "arrival", "at": [2, 12, 2.5], "time": 15}, "4.00 m out of the water"),
        (curve(6), "leads 1.00 m inside what stands there"),
        ({"kind": "target", "at": [5, 4, 2.5]}, "is 1.00 m inside what stands there"),
        (curve(1, start=25), "begins at 25 s, after the last frame, at 20 s"),
        ({"kind": "arrival", "at": [3, 4, 2.5], "time": 30}, "is due at 30 s, after the last frame"),
        ({"kind": "target", "at": [3, 4, 2.5], "strength": [[22, 0], [24, 1]]}, "after the last frame"),
    ],
)
def test_places_out_of_reach_and_times_after_the_film_are_named(entry, said):
    pillar = {"kind": "cylinder", "at": [5, 4, 0], "radius": 1.0, "height": 5}
    found = doubts(scene(entry, obstacles=[pillar]))
    assert any(said in line for line in found), found


def test_shoals_that_enter_too_late_and_crowds_are_named():
    late = [SHOAL, {**SHOAL, "enters": 21}]
    assert any("fishes[1]" in line and "after the last frame" in line for line in doubts(scene(fishes=late)))
    crowd = scene(curve(4, duration=10), detail={"dynamic": 2}, camera={"at": [2, 1, 2], "look_at": [2, 4, 2]})
    assert any("2 of 3 fishes have bodies" in line for line in doubts(crowd))
