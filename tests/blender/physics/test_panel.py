"""The panel of the simulation says how long a step of it is, whatever the rate of the film."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.physics.panel import ARTFISH_PT_physics
from artfish.tests.blender.drawing import drawn


@pytest.mark.parametrize(("fps", "base", "substeps", "said"), [(24, 1.0, 2, "20.8 ms"), (30, 1.001, 4, "8.34 ms")])
def test_the_length_of_a_step_follows_from_the_rate(fps, base, substeps, said):
    blender_artfish.register()
    try:
        render = bpy.context.scene.render
        render.fps, render.fps_base = fps, base
        bpy.context.scene.artfish.water.substeps = substeps
        assert f"a step is {said}" in drawn(ARTFISH_PT_physics).words
    finally:
        render.fps, render.fps_base = 24, 1.0
        blender_artfish.unregister()
