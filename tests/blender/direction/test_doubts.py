"""Directions that can be read but may not do as an animator expects get a word each, with the object's name."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.direction.doubts import doubts
from artfish.blender_artfish.scene.reader import read
from artfish.core import SceneError


@pytest.fixture(autouse=True)
def scene(request):
    """A tank of 4 metres with two clownfishes, in a scene of another unit if a test says so."""
    blender_artfish.register()
    bpy.context.scene.unit_settings.scale_length = getattr(request, "param", 1.0)
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    yield bpy.context.scene
    blender_artfish.unregister()


def add(kind: str, at: tuple[float, float, float]) -> bpy.types.Object:
    bpy.ops.artfish.add_direction(kind=kind)
    bpy.context.object.location = at
    bpy.context.view_layer.update()
    return bpy.context.object


@pytest.mark.parametrize("scene", [1.0, 0.01], indirect=True)
@pytest.mark.parametrize(
    "kind, said", [("target", "is 48.0 m outside"), ("curve", "m out of"), ("region", "lies outside")]
)
def test_what_leads_far_out_of_the_tank_is_named(scene, kind, said):
    unit = scene.unit_settings.scale_length
    obj = add(kind, (50.0 / unit, 0.0, 2.0 / unit))
    (text,) = doubts(scene)
    assert text.startswith(f"{obj.name} ") and said in text and "tank" in text
    obj.location = 0.0, 0.0, 2.0 / unit
    bpy.context.view_layer.update()
    assert doubts(scene) == []


def test_a_region_to_keep_out_of_and_a_target_right_behind_the_glass_are_as_they_should_be(scene):
    add("region", (50.0, 0.0, 2.0)).artfish.direction.inside = False
    add("target", (2.1, 0.0, 2.0))
    assert doubts(scene) == []


def test_play_and_bake_say_so(scene, capfd):
    obj = add("target", (50.0, 0.0, 2.0))
    scene.frame_end = scene.frame_start + 1
    bpy.ops.artfish.live_play()
    assert f"Warning: {obj.name} is 48.0 m outside the tank" in capfd.readouterr().out
    bpy.ops.artfish.bake()
    assert f"{obj.name} is 48.0 m outside the tank" in capfd.readouterr().out


def test_a_light_is_a_place_to_go_to_and_nobody_to_follow(scene):
    bpy.ops.object.light_add(location=(1.0, 0.0, 2.0))
    lamp = bpy.context.object
    for kind in ("leader", "region"):
        with pytest.raises(RuntimeError, match=f"{lamp.name} is a light"):
            bpy.ops.artfish.mark_direction(kind=kind)
    bpy.ops.artfish.mark_direction(kind="target")
    assert read(scene).scene.direction[0].at[2] == pytest.approx(2.0)
    assert doubts(scene) == []


def test_a_light_that_stands_for_a_leader_is_not_followed_and_that_is_said(scene):
    shoal = bpy.context.object
    sign = add("leader", (0.0, 0.0, 2.0))
    bpy.ops.object.light_add(location=(1.0, 0.0, 2.0))
    lamp = bpy.context.object
    sign.artfish.direction.leader = lamp
    with pytest.raises(SceneError, match=f"{sign.name}.*{lamp.name}, which is a light and no shoal"):
        read(scene)
    bpy.data.objects.remove(sign)
    lamp.artfish.kind, lamp.artfish.direction.kind, lamp.artfish.direction.leader = "DIRECTION", "leader", shoal
    assert doubts(scene) == [
        f"{lamp.name} is a light: fishes follow {shoal.name}, not it. To go to it, they need a target"
    ]
