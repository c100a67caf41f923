"""Sun, sky and sea are as bright as the scene says."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.stage.light import SKYLIGHT, SUNLIGHT
from artfish.blender_artfish.stage.water import ABSORPTION_PER_METRE
from artfish.core.scene.scene import Scene
from artfish.tests.blender.files import new_file

pytestmark = pytest.mark.versions

WATER = "Absorption", "Emission"


def lights(build_stage, recording, **light):
    """The sun, the sky's strength, and the water's absorption and glow under this light."""
    new_file()
    scene = build_stage(replace(recording, scene=Scene.from_dict(recording.scene.to_dict() | {"light": light})))
    sky = next(node for node in scene.world.node_tree.nodes if node.type == "BACKGROUND")
    nodes = bpy.data.materials["Water"].node_tree.nodes
    water = next(node for node in nodes if node.bl_idname == "ShaderNodeVolumeCoefficients")
    absorption, glow = (np.array(water.inputs[f"{name} Coefficients"].default_value) for name in WATER)
    return bpy.data.objects["Sun"], sky.inputs["Strength"].default_value, absorption, glow


def test_the_film_has_the_light_that_the_fishes_have(reef, build_stage):
    sun, sky, absorption, glow = lights(build_stage, reef)
    assert (sun.data.energy, sky) == (SUNLIGHT, pytest.approx(SKYLIGHT))
    assert absorption == pytest.approx(ABSORPTION_PER_METRE)
    day, slant = sun.data.energy, sun.matrix_world.copy()
    sun, dim_sky, murk, dim_glow = lights(build_stage, reef, brightness=0.25, attenuation=0.45)
    assert (sun.data.energy, dim_sky) == (pytest.approx(day / 4), pytest.approx(sky / 4))
    assert murk == pytest.approx(3 * absorption, rel=1e-5)
    assert dim_glow / murk == pytest.approx(glow / absorption / 4, rel=1e-5)  # the colour of endless water
    assert sun.matrix_world == slant


def test_the_scene_may_say_where_the_sun_shines(reef, build_stage):
    sun, *_ = lights(build_stage, reef, direction=[1.0, 0.0, -1.0])
    bpy.context.view_layer.update()
    shines = sun.matrix_world.to_3x3() @ Vector((0, 0, -1))
    assert tuple(shines) == pytest.approx((0.5**0.5, 0.0, -(0.5**0.5)), abs=1e-5)
