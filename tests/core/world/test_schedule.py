"""Groups enter at their time, food is dropped and frights happen at theirs; the log and the events say so."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World, resimulate
from artfish.core.recording import ARRAYS

CHANGING = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]
PREY = {"species": "sardine", "count": 5, "at": [2, 3, 1.5], "spread": 0.6, "mind": {"hunger": 0}}
SHARK = {"species": "grouper", "at": [5, 3, 1.5], "heading": [-1, 0, 0], "mind": {"hunger": 1}}
SEA = {"tank": {"size": [7, 6, 3]}, "fishes": [PREY, SHARK]}


def simulated(seconds: float, **more) -> Recording:
    return World(Scene.from_dict({**SEA, **more}), seed=1).simulate(round(24 * seconds))


def same(first: Recording, second: Recording) -> bool:
    return first.events == second.events and all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in CHANGING
    )


@pytest.mark.film
def test_who_enters_later_is_not_there_before():
    late = simulated(8, fishes=[PREY, {**SHARK, "enters": 3}])
    assert not late.alive[:72, 5].any() and late.alive[72:, 5].all()
    assert late.alive[:, :5].all() or any(event["kind"] == "eaten" for event in late.events)
    assert late.events[0] == {"frame": 72, "kind": "entered", "fish": 5, "other": 5}
    assert late.log()[0].strip() == "3.00 s  grouper 5 entered"
    # Until then nobody fears it: to the others it is as if it were not in the scene.
    alone = World(Scene.from_dict({**SEA, "fishes": [PREY]}), seed=1).simulate(72)
    assert np.array_equal(late.nodes[:72, :5], alone.nodes)
    assert (late.fear[:72] == 0).all() and late.fear[100:, :5].max() > 0.3


@pytest.mark.film
def test_it_enters_where_and_as_its_group_says():
    late, early = simulated(4, fishes=[PREY, {**SHARK, "enters": 2}]), simulated(2)
    assert np.array_equal(late.nodes[48, 5], early.nodes[0, 5])
    assert (late.nodes[:48, 5] == late.nodes[48, 5]).all()  # or motion blur would show it come from elsewhere
    speed = np.linalg.norm(late.nodes[49, 5].mean(axis=0) - late.nodes[48, 5].mean(axis=0)) * 24
    assert speed == pytest.approx(0.8, rel=0.4)  # a length a second, as all begin
    assert late.hunger[48, 5] == pytest.approx(1.0, abs=0.01)


def test_a_group_enters_as_one_event_and_once():
    told = simulated(3, fishes=[{**PREY, "enters": 1}, SHARK])
    entered = [event for event in told.events if event["kind"] == "entered"]
    assert entered == [{"frame": 24, "kind": "entered", "fish": 0, "other": 4}]
    assert told.log()[0].strip() == "1.00 s  sardine 0 to 4 entered"


def test_times_count_from_the_films_beginning():
    told = simulated(2, preroll=2, fishes=[PREY, {**SHARK, "enters": 1}])
    assert not told.alive[:24, 5].any() and told.alive[24, 5]


def test_food_and_frights_come_at_their_time():
    events = [
        {"kind": "food", "time": 1, "at": [2, 3, 1.5], "count": 9},
        {"kind": "fright", "time": 2, "at": [2, 3, 1.2], "radius": 3},
    ]
    told = simulated(4, fishes=[PREY], events=events)
    assert told.plankton.shape[1] == 9
    assert not told.plankton_alive[:24].any() and told.plankton_alive[24:30].all()
    assert (told.fear[:48] == 0).all() and (told.fear[48:52].max(axis=1) > 0.5).all()
    assert [(event["frame"], event["kind"], event["other"]) for event in told.events[:1]] == [(24, "food", 9)]
    frights = [event for event in told.events if event["kind"] == "fright"]
    assert frights == [{"frame": 48, "kind": "fright", "fish": -1, "other": 5}]
    assert told.log()[0].strip() == "1.00 s  9 particles of food were dropped"
    assert any("5 fishes took fright" in line for line in told.log())


@pytest.mark.film
def test_it_goes_on_from_its_file(tmp_path):
    events = [{"kind": "food", "time": 0.5, "at": [2, 3, 1.5]}, {"kind": "food", "time": 2, "at": [3, 3, 1.5]}]
    world = World(Scene.from_dict({**SEA, "fishes": [PREY, {**SHARK, "enters": 1.5}], "events": events}), seed=1)
    world.simulate(24)
    world.save(tmp_path / "world.npz")
    ahead = world.simulate(48)
    assert [event["kind"] for event in ahead.events if event["kind"] != "fed"] == ["entered", "food"]
    assert same(World.load(tmp_path / "world.npz").simulate(48), ahead)


@pytest.mark.film
def test_one_fish_can_be_simulated_anew_in_such_a_film(tmp_path):
    events = [{"kind": "food", "time": 1, "at": [2, 3, 1.5], "count": 4}]
    scene = Scene.from_dict({**SEA, "fishes": [PREY, {**SHARK, "enters": 2}], "events": events})
    told = World(scene, seed=1).simulate(72)
    assert same(resimulate(told, 1, 30, seed=1), told)
    told.save(tmp_path / "rec.npz")
    assert same(Recording.load(tmp_path / "rec.npz"), told)


def test_what_is_past_does_not_happen_again_when_events_change():
    world = World(Scene.from_dict({**SEA, "fishes": [PREY]}), seed=1)
    world.simulate(48)
    food = {"kind": "food", "at": [2, 3, 1.5]}
    later = Scene.from_dict({**SEA, "fishes": [PREY], "events": [{**food, "time": 1}, {**food, "time": 3}]})
    world.retune(later)
    told = world.simulate(48)
    assert [event["frame"] for event in told.events if event["kind"] == "food"] == [72 - 48]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({"fishes": [{**PREY, "enters": -1}]}, "fishes[0].enters: found -1, allowed a number from 0 to 36000 s"),
        ({"events": [{"kind": "storm", "time": 1}]}, "events[0].kind: found 'storm', allowed one of food, fright"),
        ({"events": [{"kind": "food", "time": 1, "at": [9, 1, 1]}]}, "events[0].at: found [9.0, 1.0, 1.0], allowed"),
        ({"events": [{"kind": "fright", "at": [1, 1, 1]}]}, "events[0].time: found nothing, allowed a number from 0"),
    ],
)  # fmt: skip
def test_bad_events_are_one_line(more, line):
    with pytest.raises(SceneError) as error:
        Scene.from_dict({**SEA, **more})
    assert str(error.value).startswith(f"scene: {line}")
