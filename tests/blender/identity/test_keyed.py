"""Keyed brightness and the hour of the day: into Blender, back, and on the stage."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.scene import reader, writer
from artfish.core import Scene

DUSK = {"brightness": [[0.0, 1.0], [1.0, 0.25], [2.0, 0.25]], "daytime": 12.0, "day_length": 240.0}


@pytest.fixture
def written():
    blender_artfish.register()
    scene = bpy.context.scene
    fish = {"species": "clownfish", "at": [2, 2, 1]}
    writer.write(scene, Scene.from_dict({"tank": {"size": [4, 4, 2]}, "duration": 3, "light": DUSK, "fishes": [fish]}))
    yield scene
    blender_artfish.unregister()


def test_keys_of_the_brightness_go_into_an_f_curve_and_come_back(written):
    curves = [curve for bag in channelbags(written) for curve in bag.fcurves]
    (bright,) = (curve for curve in curves if curve.data_path == "artfish.light.brightness")
    assert len(bright.keyframe_points) == 3
    light = reader.read(written).scene.light
    assert light.daytime == 12.0 and light.day_length == 240.0
    assert np.array(light.brightness) == pytest.approx(np.array(DUSK["brightness"]), abs=1e-6)


def test_without_keys_it_is_a_number(written):
    for bag in channelbags(written):
        for curve in list(bag.fcurves):
            bag.fcurves.remove(curve)
    written.artfish.light.brightness = 0.5
    assert reader.read(written).scene.light.brightness == 0.5
