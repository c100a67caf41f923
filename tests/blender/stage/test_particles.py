"""Plankton in a .blend: where the recording has it, gone when it was eaten."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.writer import PLANKTON, bake
from artfish.blender_artfish.blender.fcurves import FIRST
from artfish.core import Scene, World


@pytest.fixture(scope="module")
def fed():
    fishes = [{"species": "butterflyfish", "count": 2, "at": [1, 1, 1], "spread": 0.3, "mind": {"hunger": 1.0}}]
    plankton = {"count": 12, "at": [1.6, 1, 1], "spread": 0.3}
    scene = Scene.from_dict({"tank": {"size": [3, 2, 2]}, "fishes": fishes, "plankton": plankton})
    return World(scene, seed=1).simulate(24 * 12)


def test_plankton_is_where_the_recording_has_it_and_vanishes_when_eaten(fed):
    assert any(event["kind"] == "fed" for event in fed.events)
    bake(fed, stage=False)
    particles = [bpy.data.objects[f"Plankton {number + 1:03d}"] for number in range(12)]
    assert len({particle.data for particle in particles}) == 1  # copies of one mesh
    for frame in range(0, fed.frames, 16):
        bpy.context.scene.frame_set(FIRST + frame)
        alive = fed.plankton_alive[frame]
        assert [not particle.hide_render for particle in particles] == alive.tolist()
        places = np.array([particle.location for particle in particles])
        apart = np.abs(places - fed.plankton[frame])[alive]
        assert apart.max() <= PLANKTON * fed.scene.plankton.size + 1e-5


def test_a_scene_without_plankton_has_none():
    recording = World(Scene.from_dict({"fishes": [{"species": "clownfish", "at": [1, 1, 1]}]})).simulate(2)
    collection = bake(recording, stage=False)
    assert not any(child.name.startswith("Plankton") for child in collection.children)
