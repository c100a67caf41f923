"""Motions of obstacles that a scene may have, and those that are refused in one line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from artfish.core import Scene, SceneError

SHEET = {
    "kind": "mesh",
    "at": [2, 2, 1],
    "vertices": [[0, -1, -0.5], [0, 1, -0.5], [0, 1, 0.5], [0, -1, 0.5]],
    "faces": [[0, 1, 2, 3]],
    "thickness": 0.02,
}
PILLAR = {"kind": "cylinder", "at": [2, 2, 0], "radius": 0.2}


def scene(obstacle: dict, folder="") -> Scene:
    return Scene.from_dict({"tank": {"size": [6, 4, 2]}, "obstacles": [obstacle]}, folder=folder)


def key(time: float, **more) -> dict:
    return {"time": time, **more}


SOFT = [key(0, vertices=SHEET["vertices"]), key(1, vertices=[[1, y, z] for _, y, z in SHEET["vertices"]])]


@pytest.mark.parametrize(
    ("obstacle", "line"),
    [
        ({**PILLAR, "motion": [key(1), key(1)]}, "motion[1].time: found 1 s after 1 s, allowed times in order"),
        ({**PILLAR, "motion": [key(1, turn=[0, 0, 0, 0])]}, "motion[0].turn: found a quaternion of length 0"),
        ({**PILLAR, "motion": [{"at": [1, 1, 1]}]}, "motion[0].time: found nothing"),
        ({**PILLAR, "motion": 3}, "motion: found 3, allowed a list of objects"),
        ({**PILLAR, "motion": SOFT}, "motion[0].vertices: found vertices of a pillar"),
        ({**PILLAR, "presence": "shark"}, "presence: found 'shark', allowed one of"),
        ({**SHEET, "motion": [*SOFT, key(2)]}, "motion[2]: found keys with vertices and without"),
        (
            {**SHEET, "motion": [SOFT[0], key(1, vertices=[[0, 0, 0]] * 5)]},
            "motion[1].vertices: found 5 vertices, allowed 4, as the mesh has: it may not change their number",
        ),
    ],
)
def test_what_is_refused_is_one_clear_line(obstacle, line):
    with pytest.raises(SceneError) as error:
        scene(obstacle)
    assert str(error.value).startswith(f"scene: obstacles[0].{line}")


def test_what_moves_may_begin_out_of_the_tank_and_is_written_as_it_is_read():
    made = scene({**SHEET, "at": [9, 2, 1], "motion": SOFT, "name": "net", "presence": "predator"})
    assert Scene.from_dict(made.to_dict()) == made
    with pytest.raises(SceneError):
        scene({**SHEET, "at": [9, 2, 1]})


def write(folder, **arrays) -> None:
    np.savez(folder / "net.npz", **arrays)


def test_a_file_beside_the_scene_holds_times_and_vertices(tmp_path):
    write(tmp_path, times=[0, 1], vertices=np.array([one["vertices"] for one in SOFT], dtype=np.float32))
    (tmp_path / "net.json").write_text(
        json.dumps({"tank": {"size": [6, 4, 2]}, "obstacles": [{**SHEET, "motion": "net.npz"}]})
    )
    assert Scene.load(tmp_path / "net.json").obstacles == scene({**SHEET, "motion": SOFT}).obstacles
    with pytest.raises(SceneError, match=r"motion: found a file elsewhere"):
        scene({**SHEET, "motion": "../net.npz"}, tmp_path)
    with pytest.raises(SceneError, match=r"motion: found the name of a file, allowed a list of keys"):
        scene({**SHEET, "motion": "net.npz"}, None)


@pytest.mark.parametrize(
    ("arrays", "line"),
    [
        ({"times": [0.0]}, "arrays of other names (net.npz)"),
        ({"times": [0.0], "vertices": np.zeros((2, 4, 3))}, "times (1,) and vertices (2, 4, 3)"),
        ({"times": ["a"], "vertices": np.zeros((1, 4, 3))}, "times (1,) and vertices (1, 4, 3)"),
        ({"times": [0.0], "vertices": np.full((1, 4, 3), np.nan)}, "numbers that are none"),
        ({"times": [0.0], "vertices": np.zeros((1, 600_000, 3), dtype=np.float16)}, "1 times 600000 vertices"),
        ({"times": [0.0], "vertices": np.zeros((1, 5, 3))}, "5 vertices"),
        ({"times": np.array([{}]), "vertices": np.zeros((1, 4, 3))}, "a damaged or foreign file (net.npz)"),
    ],
)
def test_a_file_of_anything_else_is_refused_in_one_line(tmp_path, arrays, line):
    write(tmp_path, **arrays)
    with pytest.raises(SceneError) as error:
        scene({**SHEET, "motion": "net.npz"}, tmp_path)
    assert f"found {line}" in str(error.value) and "motion" in str(error.value)


def test_a_file_cut_short_is_refused_in_one_line(tmp_path):
    write(tmp_path, times=[0.0], vertices=np.zeros((1, 4, 3)))
    whole = (tmp_path / "net.npz").read_bytes()
    (tmp_path / "net.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SceneError, match=r"obstacles\[0\].motion: found a damaged or foreign file \(net.npz\)"):
        scene({**SHEET, "motion": "net.npz"}, tmp_path)
