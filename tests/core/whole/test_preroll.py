"""Pre-roll: the fishes have lived a while when the film begins, and the film's own time is not shifted by it."""

import json

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import Commands, Recording, Scene, SceneError, World
from artfish.core.recording import ARRAYS

FPS, SEED = 24, 3  # with that seed fishes are eaten in the first second of it, and in the next
HUNTS = {"hunger": 1.0, "handling": 0.0, "confusion": 0.0}  # and loses its aim among none
STILL = {
    "tank": {"size": [5, 4, 2.5]},
    "fishes": [
        *(
            {"species": "grouper", "count": 3, "at": [x, 2, 1.2], "spread": 0.3, "heading": [way, 0, 0], "mind": HUNTS}
            for x, way in ((1.7, 1), (4.1, -1))
        ),
        {"species": "cardinalfish", "count": 24, "at": [2.6, 2, 1.2], "spread": 0.5, "mind": {"D0": 0.0}},
    ],
}
ALIVE = {**STILL, "preroll": 1.0}
CHANGING = [name for name, one in ARRAYS.items() if one.shape[0] == "frames"]


@pytest.fixture(scope="module")
def recording() -> Recording:
    return World(Scene.from_dict(ALIVE), seed=SEED).simulate(20)


@pytest.mark.film
def test_in_still_water_a_film_with_preroll_is_the_later_part_of_one_without(recording):
    longer = World(Scene.from_dict(STILL), seed=SEED).simulate(FPS + 20)
    for name in CHANGING:
        assert np.array_equal(getattr(recording, name), getattr(longer, name)[FPS:]), name
    later = [{**event, "frame": event["frame"] - FPS} for event in longer.events if event["frame"] >= FPS]
    assert recording.events == later
    assert {event["kind"] for event in later} == {"eaten"}


@pytest.mark.film
def test_what_happened_before_the_film_is_seen_in_it_and_not_told():
    longer = World(Scene.from_dict(STILL), seed=SEED).simulate(72)
    first, second, *_ = sorted({event["frame"] for event in longer.events})  # several may be eaten in one frame
    preroll = first + 1
    recording = World(Scene.from_dict({**STILL, "preroll": preroll / FPS}), seed=SEED).simulate(second - preroll + 1)
    eaten = [(event["frame"] - preroll, event["other"]) for event in longer.events if event["frame"] <= second]
    assert np.array_equal(recording.alive[0], longer.alive[preroll])
    assert not recording.alive[0].all()
    assert [(event["frame"], event["other"]) for event in recording.events] == [one for one in eaten if one[0] >= 0]
    assert recording.events


def test_the_water_is_at_the_film_s_time():
    flow = {"kind": "uniform", "direction": [1, 0, 0], "strength": 0.1, "period": 3.0}
    times = {}
    for preroll in (0.0, 2.0):
        world = World(Scene.from_dict({**STILL, "current": [flow], "preroll": preroll}))
        assert world.t == -preroll
        world.simulate(10)
        times[preroll] = world.t
    assert times[0.0] == times[2.0] == pytest.approx(9 / FPS)


def test_a_pilot_is_asked_from_the_beginning_of_the_preroll():
    asked = []

    def pilot(t: float, world: World) -> Commands:
        asked.append(t)
        return Commands.still(30)

    World(Scene.from_dict({**STILL, "preroll": 0.25}), pilot=pilot).simulate(3)
    assert asked == pytest.approx(np.arange(-6, 2) / FPS)


def test_progress_begins_with_the_film():
    run = World(Scene.from_dict({**STILL, "preroll": 0.125})).run(2)
    assert list(run) == [0, 0, 0, 1, 2]


def test_a_world_stops_and_goes_on_within_its_preroll(tmp_path, recording):
    world = World(Scene.from_dict(ALIVE), seed=SEED)
    for _ in range(10):
        world.step()
    world.save(tmp_path / "world.npz")
    again = World.load(tmp_path / "world.npz")
    assert again.frame == 10 - FPS
    first, second = again.simulate(12), again.simulate(8)  # the second run has no pre-roll of its own
    for name in CHANGING:
        joined = np.concatenate([getattr(first, name), getattr(second, name)])
        assert np.array_equal(joined, getattr(recording, name)), name


def test_the_command_prerolls(tmp_path, capsys, recording):
    (tmp_path / "alive.json").write_text(json.dumps(ALIVE))
    paths = [str(tmp_path / name) for name in ("alive.json", "rec.npz")]
    assert main(["simulate", paths[0], "-o", paths[1], "--frames", "20", "--seed", str(SEED)]) == 0
    assert np.array_equal(Recording.load(paths[1]).nodes, recording.nodes)
    assert "simulate 100%" in capsys.readouterr().err


def test_no_time_runs_backwards():
    with pytest.raises(SceneError, match=r"preroll: found -1, allowed"):
        Scene.from_dict({**STILL, "preroll": -1})
