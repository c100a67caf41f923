"""Written files can be read again, and no data turns a direction into a number that is none.

A turn of 1e-170 became infinity in a recording, food beyond what a world may hold was saved and not loaded, and a fish
that began straight up was recorded as NaN: all with exit code 0.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from artfish.cli import main
from artfish.core import Recording, Scene, SceneError, World
from artfish.core.base.attitude import NOT_TURNED, matrices, normalised
from artfish.core.base.vectors import norm, unit
from artfish.core.scene.inventory import Camera
from artfish.core.scene.limits import MOST_PARTICLES
from artfish.core.world import persistence
from artfish.core.world.settling import upright

CASES = Path(__file__).parent / "cases"
LENGTHS = [10.0**power for power in (-320, -308, -200, -170, -160, -150, -20, -9, 0, 9)]
FISH = {"species": "clownfish", "at": [2, 2, 1.5]}
POST = {"kind": "cylinder", "at": [1, 1, 0], "motion": [{"time": 0}]}


def scene(**keys) -> Scene:
    return Scene.from_dict({"duration": 0.25, "tank": {"size": [4, 4, 3]}, "fishes": [FISH]} | keys)


def test_a_turn_too_short_to_turn_anything_is_refused(tmp_path, capsys):
    out = tmp_path / "t.npz"
    assert main(["simulate", str(CASES / "scenes" / "turn.json"), "-o", str(out)]) == 2
    assert "obstacles[0].motion[0].turn: found a quaternion of length 1e-170" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("turn", [[1e-170, 0, 0, 0], [0, 0, 0, 0], [1e200, 0, 0, 0]])
def test_an_obstacle_is_not_turned_by_nothing(turn):
    world = World(scene(obstacles=[POST]))
    with pytest.raises(SceneError, match="turn: found a quaternion of length"):
        world.move_obstacle(0, (1, 1, 0), turn)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("length", LENGTHS)
def test_no_vector_comes_out_longer_than_one(length, kind):
    vectors = (length * np.array([[1, 0, 0], [0.6, -0.8, 0], [0.48, 0.6, -0.64], [0, 0, 0]])).astype(kind)
    made = unit(vectors)
    assert made.dtype == kind and np.isfinite(made).all()
    assert (norm(made) < 1.0 + 1e-6).all() and not made[-1].any()
    if length > 1e-15:
        assert norm(made[:-1]) == pytest.approx([1, 1, 1])


@pytest.mark.parametrize("length", LENGTHS)
def test_a_quaternion_of_any_length_is_a_turn(length):
    turns = normalised(length * np.array([[0, 1, 0, 0], [0.5, -0.5, 0.5, 0.5], [0, 0, 0, 0]]))
    assert np.sqrt(np.square(turns).sum(axis=1)) == pytest.approx([1, 1, 1])
    assert turns[-1].tolist() == list(NOT_TURNED)
    assert np.linalg.det(matrices(turns)) == pytest.approx([1, 1, 1])


def test_every_heading_has_a_frame():
    headings = np.array([[0, 0, 1], [0, 0, -1], [1e-9, 0, 1], [0, 1e-12, -1], [1, 0, 0], [0.04, 0, 1]], dtype=float)
    assert np.linalg.det(upright(headings)) == pytest.approx(np.ones(6))


def test_a_camera_looks_somewhere():
    with pytest.raises(SceneError, match="look_at"):
        Camera(at=(1.0, 1.0, 1.0), look_at=(1.0, 1.0, 1.0 + 1e-15))


def test_a_recording_that_would_be_refused_is_not_written(tmp_path):
    made, path = World(scene(obstacles=[POST])).simulate(), tmp_path / "rec.npz"
    nodes, turned = made.nodes.copy(), made.obstacles.copy()
    nodes[1, 0, 3], turned[2, 0, 4] = np.nan, np.inf
    for wrong in (
        {"nodes": nodes},
        {"obstacles": turned},
        {"scene": dataclasses.replace(made.scene, duration=-1.0)},
        {"fps": 0.0},
        {"events": [{"frame": 99, "kind": "fed", "fish": 0, "other": 0}]},
    ):
        with pytest.raises(SceneError, match="rec.npz"):
            dataclasses.replace(made, **wrong).save(path)
        assert not list(tmp_path.iterdir())
    made.save(path)
    assert np.array_equal(Recording.load(path).nodes, made.nodes)


def test_a_world_that_would_be_refused_is_not_written(tmp_path, monkeypatch):
    world = World(scene())
    world.feed((2, 2, 1), 50)
    monkeypatch.setattr(persistence, "MOST_PARTICLES", 40)
    with pytest.raises(SceneError, match=r"plankton/alive: found \d+ particles, allowed up to 40"):
        world.save(tmp_path / "world.npz")
    monkeypatch.undo()
    world.parts.bodies.signs.effort[0] = np.nan
    with pytest.raises(SceneError, match=r"signs/effort\[0\]: found NaN"):
        world.save(tmp_path / "world.npz")
    assert not list(tmp_path.iterdir())


def test_no_more_food_is_dropped_than_a_world_may_hold(monkeypatch, tmp_path):
    from artfish.core.habitat import plankton

    monkeypatch.setattr(plankton, "MOST_PARTICLES", 100)
    world = World(scene())
    world.feed((2, 2, 1), 70)
    with pytest.raises(SceneError, match="count: found 40 particles more of food, allowed up to 30 until"):
        world.feed((2, 2, 1), 40)
    world.feed((2, 2, 1), 30)
    world.save(tmp_path / "world.npz")
    meals = [{"kind": "food", "time": 0.1, "at": [1, 1, 1], "count": 10_000}] * (MOST_PARTICLES // 10_000 + 1)
    with pytest.raises(SceneError, match="events: found 1010000 particles of food beside 0"):
        scene(events=meals)


def test_a_recording_of_what_is_said_in_json_can_be_read_again(tmp_path, capsys):
    """All turns and headings that a scene file may have, at the edges of their ranges."""
    tiny = 1.1e-9
    made = {
        "duration": 0.25,
        "tank": {"size": [4, 4, 3]},
        "fishes": [FISH | {"heading": [0, 0, tiny]}, FISH | {"at": [3, 3, 1], "heading": [tiny, 0, 0]}],
        "obstacles": [POST | {"motion": [{"time": 0, "turn": [0, tiny, 0, 0]}, {"time": 1, "turn": [0, 0, 0, 1]}]}],
        "current": [{"kind": "uniform", "direction": [0, tiny, 0], "strength": 0.2}],
    }
    path, out = tmp_path / "edge.json", tmp_path / "edge.npz"
    path.write_text(json.dumps(made))
    assert main(["simulate", str(path), "-o", str(out)]) == 0, capsys.readouterr().err
    assert np.isfinite(Recording.load(out).nodes).all()
