"""Plankton, bubbles, eggs and milt in a .blend: where the recording has them, gone when they are."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.bake.writer import PARTICLE_ERROR, bake
from artfish.blender_artfish.blender.fcurves import FIRST
from artfish.core import Scene, World
from artfish.core.habitat.spawn import EGG, LAID, MILT
from artfish.core.world.spawning import spawn


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
        assert apart.max() <= PARTICLE_ERROR * fed.scene.plankton.size + 1e-5


def test_a_scene_without_plankton_has_none():
    recording = World(Scene.from_dict({"fishes": [{"species": "clownfish", "at": [1, 1, 1]}]})).simulate(2)
    collection = bake(recording, stage=False)
    assert not any(child.name.startswith("Plankton") for child in collection.children)


def test_bubbles_rise_as_in_the_recording_and_are_seen_only_while_they_are_there(weedy):
    bake(weedy, stage=False)
    rows = np.flatnonzero(weedy.bubbles_alive.any(axis=0))
    bubbles = [bpy.data.objects[f"Bubble {row + 1:03d}"] for row in rows]
    assert len({bubble.data for bubble in bubbles}) == 1
    assert len([obj for obj in bpy.data.objects if obj.name.startswith("Bubble ")]) == len(rows)
    for row, bubble in zip(rows, bubbles, strict=True):
        volume = np.prod(bubble.scale)
        assert volume == pytest.approx(weedy.bubbles_size[row] ** 3, rel=1e-5)
    for frame in range(0, weedy.frames, 5):
        bpy.context.scene.frame_set(FIRST + frame)
        alive = weedy.bubbles_alive[frame, rows]
        assert [not bubble.hide_render for bubble in bubbles] == alive.tolist()
        apart = np.linalg.norm(np.array([bubble.location for bubble in bubbles]) - weedy.bubbles[frame, rows], axis=1)
        assert (apart <= 3**0.5 * PARTICLE_ERROR * weedy.bubbles_size[rows] + 1e-5)[alive].all()


def test_no_picture_between_frames_shows_a_bubble_fly_back_to_its_vent(weedy):
    """Motion blur opens the shutter for a quarter of a frame before and after."""
    bake(weedy, stage=False)
    alive = weedy.bubbles_alive
    for row in np.flatnonzero((alive[1:] & ~alive[:-1]).any(axis=0)):
        bubble = bpy.data.objects[f"Bubble {row + 1:03d}"]
        there = np.concatenate([[False], alive[:, row], [False]])
        first_or_last = there[1:-1] & ~(there[:-2] & there[2:])
        for frame in np.flatnonzero(first_or_last).tolist():
            for part in (-0.25, 0.25):
                bpy.context.scene.frame_set(FIRST + frame + int(part // 1), subframe=part % 1)
                assert np.linalg.norm(np.array(bubble.location) - weedy.bubbles[frame, row]) < 0.02


def test_a_scene_without_bubbles_has_none(swimming):
    top = bake(swimming("clownfish", frames=2), stage=False)
    assert "Bubbles" not in {child.name for child in top.children}


def spawned(ascent):
    fishes = [
        {"species": "clownfish", "type": "pacifist", "sex": sex, "at": [1, y, 0.3], "mind": {"ascent": ascent}}
        for sex, y in (("male", 1.0), ("female", 1.2))
    ]
    world = World(Scene.from_dict({"tank": {"size": [3, 3, 2]}, "fishes": fishes}), 1)
    spawn(world.parts, [{"kind": "spawned", "fish": 0, "other": 1}], world.nodes)
    return world.simulate(24 * 8)


@pytest.mark.parametrize(("ascent", "kind", "name"), [(3.0, EGG, "Egg"), (0.0, LAID, "Laid Egg")])
def test_eggs_and_milt_are_where_the_recording_has_them(ascent, kind, name):
    recording = spawned(ascent)
    top = bake(recording, stage=False)
    assert len(top.children["Milt"].objects) == (recording.spawn_kind == MILT).any(axis=0).sum()
    rows = np.flatnonzero((recording.spawn_kind == kind).any(axis=0))
    eggs = [bpy.data.objects[f"{name} {row + 1:03d}"] for row in rows]
    assert len({egg.data for egg in eggs}) == 1 and len(top.children[f"{name}s"].objects) == len(eggs)
    for frame in range(0, recording.frames, 24):
        bpy.context.scene.frame_set(FIRST + frame)
        places = np.array([egg.location for egg in eggs])
        assert np.abs(places - recording.spawn[frame, rows]).max() <= PARTICLE_ERROR * max(eggs[0].scale) + 1e-5
        milt = recording.spawn_kind[frame] == MILT
        assert sum(not puff.hide_render for puff in top.children["Milt"].objects) == milt.sum()
    if kind == LAID:  # upright on the floor
        ups = np.array([egg.matrix_world.to_quaternion() @ Vector((0, 0, 1)) for egg in eggs])
        assert ups == pytest.approx(np.tile([0, 0, 1], (len(eggs), 1)), abs=1e-5)


def test_where_nobody_spawns_there_are_no_eggs(swimming):
    top = bake(swimming("clownfish", frames=2), stage=False)
    assert not {"Eggs", "Milt", "Laid Eggs"} & {child.name for child in top.children}
