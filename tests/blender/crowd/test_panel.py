"""The panel of a crowd is there where one is to be baked, its settings are baked, and it says how true a crowd is."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake, plan
from artfish.blender_artfish.crowd.panel import ARTFISH_PT_crowd
from artfish.tests.blender.drawing import drawn


@pytest.fixture
def settings():
    """Settings of a bake that is to make a crowd, with the add-on in a new file."""
    blender_artfish.register()
    yield bpy.context.scene.artfish.bake
    blender_artfish.unregister()


def test_it_is_there_where_a_crowd_is_to_be_baked(settings):
    settings.form = "compact"
    assert not ARTFISH_PT_crowd.poll(bpy.context)
    settings.form = "crowd"
    assert ARTFISH_PT_crowd.poll(bpy.context)


def test_heroes_want_a_camera(settings):
    settings.form, settings.heroes, settings.source, settings.stage = "crowd", 3, "PRESET", False
    assert "camera" in plan.obstacle(bpy.context.scene)
    settings.heroes = 0
    assert plan.obstacle(bpy.context.scene) == ""
    settings.heroes, settings.stage = 3, True
    assert plan.obstacle(bpy.context.scene) == ""


def test_the_selected_crowd_says_how_far_its_poses_are_off(settings, swimming):
    top = bake(swimming("clownfish", frames=4), form="crowd", stage=False)
    (crowd,) = (obj for obj in top.all_objects if obj.modifiers)
    bpy.context.view_layer.objects.active = crowd
    (line,) = [" ".join(drawn(ARTFISH_PT_crowd).words)]
    assert line.startswith("Clownfish crowd 01: bodies are off by no more than 0.0 % of a length")


def test_the_distances_of_the_panel_are_those_of_the_modifier(settings):
    settings.form, settings.near, settings.far, settings.source = "crowd", 20.0, 70.0, "PRESET"
    bpy.context.scene.frame_end = 2
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    crowds = [obj.modifiers["Crowd"] for obj in bpy.data.objects if "Crowd" in obj.modifiers]
    assert [(value_of(crowd, "Near"), value_of(crowd, "Far")) for crowd in crowds] == [(20.0, 70.0)] * len(crowds)
    assert crowds


def value_of(modifier, name):
    """The value of a modifier's input."""
    items = modifier.node_group.interface.items_tree
    (key,) = (item.identifier for item in items if item.name == name)
    inputs = getattr(getattr(modifier, "properties", None), "inputs", None)
    return modifier[key] if inputs is None else getattr(inputs, key).value
