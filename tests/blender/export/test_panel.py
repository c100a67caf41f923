"""The Export panel names obstacles to an export, and the Bake panel the purpose of each form."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.panel import FIT_FOR, ARTFISH_PT_bake_how
from artfish.blender_artfish.export.panel import ARTFISH_PT_export
from artfish.tests.blender.drawing import drawn


@pytest.fixture(autouse=True)
def settings():
    blender_artfish.register()
    yield bpy.context.scene.artfish
    blender_artfish.unregister()


def test_it_has_its_button_and_says_that_there_is_nothing_to_export():
    panel = drawn(ARTFISH_PT_export)
    assert panel.buttons == ["artfish.export"]
    assert "no baked fishes" in " ".join(panel.words)


def test_the_bake_panel_says_what_each_form_is_for(settings):
    settings.bake.form = "compact"
    assert FIT_FOR["compact"] in " ".join(drawn(ARTFISH_PT_bake_how).words)
    settings.bake.form, settings.bake.drive = "mesh", "shapes"
    assert FIT_FOR["shapes"] in " ".join(drawn(ARTFISH_PT_bake_how).words)
