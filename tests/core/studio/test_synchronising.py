"""Two things come to happen at the same time, by running ahead and shifting starts."""

from __future__ import annotations

import json

import pytest

from artfish.cli import main
from artfish.core import Scene, SceneError, World
from artfish.core.studio.synchronising import begins, shifted, synchronise

SCHOOL = {
    "species": "sardine",
    "count": 3,
    "at": [1, 4.5, 1.5],
    "heading": [1, 0, 0],
    "spread": 0.4,
    "mind": {"hunger": 0},
}
PAIR = [
    {"species": "clownfish", "type": "pacifist", "sex": sex, "size": size, "at": [3, y, 1.2], "mind": {"hunger": 0}}
    for sex, size, y in (("male", 1.8, 1.0), ("female", 2.2, 1.8))
]
SEA = {
    "duration": 40,
    "tank": {"size": [8, 6, 3]},
    "fishes": [SCHOOL, *PAIR],
    "direction": [{"fishes": 0, "kind": "curve", "points": [[1, 4.5, 1.5], [7, 4.5, 1.5]]}],
    "wants": [{"fishes": row, "want": "libido", "keys": [[1, 0], [1, 1]]} for row in (1, 2)],
}
PASSES = {"kind": "passes", "fishes": 0, "at": [2.5, 4.5, 1.5], "radius": 0.6}
COURTS = {"kind": "event", "event": "courtship", "stage": "looping"}


@pytest.mark.film
def test_a_courtship_comes_to_start_as_a_school_passes():
    cues = {
        "first": {"moment": COURTS, "starts": ["wants[0]", "wants[1]"]},
        "second": {"moment": PASSES, "starts": ["fishes[0].enters"]},
        "tolerance": 0.5,
    }
    found = synchronise(Scene.from_dict({**SEA, "duration": 24}), cues, seed=1, rounds=6)
    before = abs(found.times[0][0] - found.times[0][1])
    assert before > 0.5  # there is something to do
    assert found.done and abs(found.off) <= 0.5, found.summary()
    # What is found holds for whoever runs the scene again.
    told = World(found.scene, seed=1).simulate()
    courts = next(event["frame"] for event in told.events if event.get("stage") == "looping") / 24
    assert courts == pytest.approx(found.times[-1][0])


@pytest.mark.film
def test_what_cannot_begin_earlier_says_how_far_it_got():
    food = [{"kind": "food", "time": 2, "at": [7, 1, 1]}]
    scene = Scene.from_dict({**SEA, "events": food, "fishes": [{**SCHOOL, "enters": 1}, *PAIR]})
    cues = {
        "first": {"moment": {"kind": "event", "event": "food"}},
        "second": {"moment": PASSES, "starts": ["fishes[0].enters"]},
    }
    found = synchronise(scene, cues, seed=1)
    assert not found.done and found.off > 0.25
    assert found.scene.fishes[0].enters == 0.0
    assert "Not synchronised" in found.summary() and "late" in found.summary()


def test_what_never_happens_is_said():
    scene = Scene.from_dict({**SEA, "duration": 1})
    found = synchronise(scene, {"first": {"moment": COURTS}, "second": {"moment": PASSES}})
    assert found.off is None and not found.done and len(found.times) == 1
    assert found.summary() == "After 1 run the first and the second had not happened."


@pytest.mark.film
def test_events_at_a_time_are_synchronised_to_the_frame_and_with_a_lag():
    """Nothing depends on anything here: one run tells what is missing, and the next that it is right."""
    events = [
        {"kind": "food", "time": 2.5, "at": [7, 1, 1]},
        {"kind": "fright", "time": 0.5, "at": [7, 1, 1], "radius": 0.01},
    ]
    scene = Scene.from_dict({**SEA, "duration": 8, "events": events})
    cues = {
        "first": {"moment": {"kind": "event", "event": "food"}, "starts": ["events[0].time"]},
        "second": {"moment": {"kind": "event", "event": "fright"}, "starts": ["events[1].time"]},
        "later": 1.0,
        "tolerance": 0.001,
    }
    found = synchronise(scene, cues)
    assert found.done and found.times == ((2.5, 0.5), (2.5, 3.5))
    assert found.scene.events[1].time == 3.5 and found.scene.events[0].time == 2.5


@pytest.mark.film
def test_a_plane_is_crossed_the_way_it_says():
    there = {"kind": "crosses", "fishes": 0, "at": [1.6, 0, 0], "direction": [1, 0, 0]}
    back = {**there, "direction": [-1, 0, 0]}
    events = [{"kind": "food", "time": 1.0, "at": [7, 1, 1]}]
    scene = Scene.from_dict({**SEA, "duration": 8, "events": events})
    drop = {"moment": {"kind": "event", "event": "food"}, "starts": ["events[0].time"]}
    found = synchronise(scene, {"first": {"moment": there}, "second": drop})
    assert found.done and found.times[0][0] == pytest.approx(found.times[-1][1], abs=0.25)
    assert synchronise(scene, {"first": {"moment": back}, "second": drop}).times[0][0] is None


def test_everything_that_starts_can_be_shifted():
    more = {
        "hook": {"at": [4, 3, 1], "start": 3},
        "events": [{"kind": "food", "time": 2, "at": [7, 1, 1]}],
        "direction": [
            {"fishes": 0, "kind": "target", "path": [[1, 1, 1, 1], [2, 2, 1, 1]], "strength": [[0.5, 0], [2, 1]]},
            {"fishes": 0, "kind": "curve", "points": [[1, 1, 1], [2, 1, 1]], "start": 4, "duration": 3},
            {"fishes": 0, "kind": "target", "at": [1, 1, 1]},
        ],
        "wants": [{"fishes": 0, "want": "fear", "keys": [[1.5, 0], [2, 1]], "until": 3}],
    }
    scene = Scene.from_dict({**SEA, **more})
    for start, begun in (
        ("fishes[1].enters", 0.0),
        ("hook.start", 3.0),
        ("events[0].time", 2.0),
        ("wants[0]", 1.5),
        ("direction[0]", 0.5),
        ("direction[1]", 4.0),
    ):
        assert begins(scene, start) == begun
        later = shifted(scene, start, 2.0)
        assert begins(later, start) == begun + 2.0 and shifted(later, start, -2.0) == scene
    assert shifted(scene, "wants[0]", 1.0).wants[0].until == 4.0
    assert shifted(scene, "direction[0]", 1.0).direction[0].path[1] == (3.0, 2.0, 1.0, 1.0)
    with pytest.raises(SceneError, match="in which nothing has a time"):
        begins(scene, "direction[2]")


@pytest.mark.film
def test_the_command_writes_the_scene(tmp_path, capsys):
    events = [{"kind": "food", "time": 2, "at": [7, 1, 1]}, {"kind": "food", "time": 0.5, "at": [7, 1, 1], "count": 3}]
    Scene.from_dict({**SEA, "duration": 3, "events": events}).save(tmp_path / "scene.json")
    moment = {"moment": {"kind": "event", "event": "food"}, "starts": ["events[1].time"]}
    cross = {"moment": {"kind": "crosses", "fishes": 0, "at": [1.05, 0, 0], "direction": [1, 0, 0]}}
    (tmp_path / "cues.json").write_text(json.dumps({"first": cross, "second": moment}))
    command = [
        "sync",
        *(str(tmp_path / name) for name in ("scene.json", "cues.json")),
        "-o",
        str(tmp_path / "out.json"),
    ]
    assert main(command) == 0
    assert "ynchronised after" in capsys.readouterr().out
    assert Scene.load(tmp_path / "out.json").fishes == Scene.load(tmp_path / "scene.json").fishes
    (tmp_path / "cues.json").write_text(json.dumps({"first": {"moment": COURTS}, "second": moment}))
    assert main(command) == 2
    assert "the first had not happened by the end of the film" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "line"),
    [
        ({"moment": {**COURTS, "event": "war"}}, "first.moment.event: found 'war', allowed one of courtship, spawned"),
        ({"moment": {**PASSES, "fishes": 7}}, "first.moment.fishes: found 7, allowed 0 to 2, a group of the scene"),
        (
            {"moment": PASSES, "starts": ["fishes[9].enters"]},
            "first.starts: found 'fishes[9].enters', allowed fishes[0]",
        ),
        ({"moment": PASSES, "starts": ["hook.start"]}, "first.starts: found 'hook.start', allowed fishes[0].enters"),
        ({"moment": PASSES, "starts": "wants[0]"}, "first.starts: found 'wants[0]', allowed a list of texts"),
        ({"moment": {"kind": "dances"}}, "first.moment.kind: found 'dances', allowed one of event, passes, crosses"),
        ({}, "first.moment: found nothing"),
    ],
)
def test_bad_cues_are_one_line(first, line):
    with pytest.raises(SceneError) as error:
        synchronise(Scene.from_dict(SEA), {"first": first, "second": {"moment": PASSES}})
    assert str(error.value).startswith(f"cues: {line}")
