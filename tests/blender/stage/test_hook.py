"""The hook in a .blend: steel, bait and line where the recording has them, and a catch that is gone once landed."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.blender.fcurves import FIRST
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.stage.hook import HOOK_TOLERANCE, bend, upright
from artfish.core import Recording, Scene, World

SIZE = 0.06


@pytest.fixture(scope="module")
def landed() -> Recording:
    fishes = {"species": "clownfish", "count": 2, "size": 1.3, "at": [1.2, 1.5, 1.1], "spread": 0.4}
    fishes |= {"type": "pacifist", "mind": {"hunger": 1.0}}
    hook = {"at": [2.0, 1.5, 1.1], "start": 0.0, "size": SIZE}
    recording = World(Scene.from_dict({"tank": {"size": [4, 3, 2]}, "fishes": [fishes], "hook": hook})).simulate(
        24 * 12
    )
    assert [event["kind"] for event in recording.events] == ["hooked"] and not recording.alive[-1].all()
    return recording


def test_hook_and_line_play_the_recording(tmp_path, landed):
    bake(landed, tmp_path / "hook.blend", stage=False)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hook.blend"))
    hook, line, bait = (bpy.data.objects[name] for name in ("Hook", "Line", "Bait"))
    assert all(channelbags(of) for of in (hook, line.data, bait))
    bitten = landed.events[0]["frame"]
    gone = int(np.flatnonzero(~landed.alive[:, landed.events[0]["fish"]])[0])
    off = HOOK_TOLERANCE * SIZE + 1e-5
    for frame in (*range(0, landed.frames, 7), bitten - 1, bitten, gone - 1, gone):
        bpy.context.scene.frame_set(FIRST + frame)
        expected = landed.hook[frame]
        matrix = np.array(hook.matrix_world)
        assert np.linalg.norm(matrix[:3, 3] - expected[-1]) < off
        assert np.linalg.norm(matrix[:3, :3] @ (0, 0, SIZE) + matrix[:3, 3] - expected[-2]) < 3 * off
        points = np.array([point.co[:3] for point in line.data.splines[0].points])
        assert np.linalg.norm(points - expected[:-1], axis=1).max() < off
        assert points[0, 2] > 2.0  # above the water
        assert bait.hide_render == (bitten <= frame < gone), frame


def test_the_catch_is_gone_once_it_is_landed(landed):
    bake(landed, stage=False)
    fish = landed.events[0]["fish"]
    gone = int(np.flatnonzero(~landed.alive[:, fish])[0])
    body = bpy.data.objects[f"Clownfish {fish + 1:02d} body left"]
    shown = []
    for frame in (gone - 1, gone, landed.frames - 1):
        bpy.context.scene.frame_set(FIRST + frame)
        shown.append(not body.hide_render)
    assert shown == [True, False, False]


def test_the_steel_is_a_hook():
    wire = bend(1.0)
    lowest = np.argmin(np.abs(wire).sum(axis=1))
    assert np.linalg.norm(wire[lowest]) < 1e-12  # the origin is on its bend
    assert wire[0, :2] == pytest.approx(0.0, abs=0.06) and 0.85 < wire[0, 2] < 1.0
    assert np.linalg.norm(wire[-1] - wire[0]) > 0.3 and 0.2 < wire[-1, 2] < wire[0, 2]  # its point turns up again


def test_turns_bring_the_eye_of_the_hook_to_the_line():
    way = np.random.default_rng(2).normal(size=(50, 3)) + (0, 0, 1.5)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    w, x, y, z = upright(way).T
    assert np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1) == pytest.approx(way)


def test_a_scene_without_a_hook_has_none(swimming):
    collection = bake(swimming("clownfish", frames=4), stage=False)
    assert not any(child.name.startswith("Hook") for child in collection.children)
