"""The Bake panel: where it cannot bake it says why, beside the button."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.panel import ARTFISH_PT_bake
from artfish.tests.blender.drawing import drawn
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def scene():
    new_file()
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()
    new_file()


def test_what_keeps_it_from_baking_stands_below_the_button(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    assert "saved" not in " ".join(drawn(ARTFISH_PT_bake).words)
    scene.artfish.bake.form = "cache"
    assert "Save this file first" in " ".join(drawn(ARTFISH_PT_bake).words)
