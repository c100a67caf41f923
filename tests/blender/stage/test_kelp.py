"""Kelp sways with the current, from a foot that stays."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.stage.kelp import KELP_PLANTS, MOST_SWAY, heading, kelp, kelp_plants, water_way
from artfish.blender_artfish.stage.objects import Span
from artfish.core.scene.scene import Scene

SPAN = Span(1, 97, 4.0)
TIDE = {"kind": "uniform", "direction": [0, 2, 0], "strength": 0.2, "period": 4.0}


def test_a_plant_reaches_from_the_bed_to_the_surface():
    vertices, faces = kelp(np.random.default_rng(0))
    assert -0.02 < vertices[:, 2].min() < 0.02 and 0.95 < vertices[:, 2].max() < 1.1
    assert faces.max() < len(vertices) < 10_000


def test_plants_lie_over_as_the_water_goes():
    scene = Scene.from_dict({"current": [TIDE]})
    speed, swing = water_way(scene, SPAN)
    assert heading(scene) == pytest.approx(np.pi / 2) and swing.shape == (KELP_PLANTS, 2, 97)
    assert speed is not None and np.corrcoef(speed, swing[0, 0])[0, 1] > 0.95
    assert 0.05 < np.abs(swing).max() <= MOST_SWAY
    calm, still = water_way(Scene.from_dict({}), SPAN)
    assert calm is None and 0.0 < np.abs(still).max() < np.abs(swing).max()


def test_in_a_part_of_a_film_plants_lie_over_as_in_the_whole():
    scene = Scene.from_dict({"current": [TIDE]})
    later = Span(1, 49, 2.0, begins=2.0)
    (_, whole), (_, part) = (water_way(scene, span) for span in (SPAN, later))
    assert part[:, 0] == pytest.approx(whole[:, 0, 48:])


def test_a_plant_is_keyed_and_its_foot_stays():
    plant = next(kelp_plants(np.random.default_rng(0), Scene.from_dict({"current": [TIDE]}), SPAN))
    obj = bpy.data.objects.new("Plant", plant.data)
    bpy.context.scene.collection.objects.link(obj)
    seen = []
    for frame in (1, 25, 49, 73):
        bpy.context.scene.frame_set(frame)
        shown = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
        seen.append([vertex.co[:] for vertex in shown.vertices])
    moved = np.ptp(np.array(seen), axis=0)
    high = np.array(seen)[0, :, 2]
    assert moved[high < 0.02].max() < 0.005 and moved[high > 0.9, 0].min() > 0.05
    places = np.array(seen)
    assert (places.min(axis=(0, 1)) >= plant.low - 1e-4).all() and (places.max(axis=(0, 1)) <= plant.high + 1e-4).all()
