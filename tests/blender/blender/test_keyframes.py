"""Causes of an object's motion, or of a change of its form, that F-curves do not hold are named."""

import bpy

from artfish.blender_artfish.blender.keyframes import reshaped, unread
from artfish.blender_artfish.blender.versions import channelbags


def test_a_form_that_changes_with_time_is_named():
    bpy.ops.mesh.primitive_cube_add(size=0.6, location=(0, 1, 1))
    rock = bpy.context.object
    rock.shape_key_add(name="Basis")
    key = rock.shape_key_add(name="Wide")
    key.value = 0.5
    rock.keyframe_insert("location", frame=1)
    assert reshaped(rock) == []
    key.keyframe_insert("value", frame=1)
    assert reshaped(rock) == ["Shape keys"]
    bevel = rock.modifiers.new("Bevel", "BEVEL")
    bevel.keyframe_insert("width", frame=1)
    assert reshaped(rock) == ["Shape keys", "Modifiers"] and unread(rock) == []
    for curve in channelbags(rock.data.shape_keys)[0].fcurves:
        curve.mute = True
    assert reshaped(rock) == ["Modifiers"]
    key.driver_add("value").driver.expression = "0.1"
    assert reshaped(rock) == ["Shape keys", "Modifiers"]


def test_what_moves_a_parent_is_named_too():
    parent = bpy.data.objects.new("Crane", None)
    rock = bpy.data.objects.new("Rock", bpy.data.meshes.new("Rock"))
    rock.parent = parent
    assert unread(rock) == []
    parent.constraints.new("COPY_LOCATION")
    assert unread(rock) == ["Constraints"]
    cube = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    cube.data.from_pydata([(0.0, 0.0, 0.0)], [], [])
    rock.parent, rock.parent_type, rock.parent_vertices[0] = cube, "VERTEX", 0
    assert unread(rock) == ["The parent's parts"]
