"""Handles: what is dragged in the view is what is set, and nothing else moves."""

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from artfish.blender_artfish.direction.objects import add as add_direction
from artfish.blender_artfish.identity.roles import objects_of
from artfish.blender_artfish.scene.handles import HANDLE_LENGTH, HANDLE_PLACE, handles_of
from artfish.blender_artfish.scene.objects import add
from artfish.blender_artfish.scene.tank import add_tank, size_of

MIDDLE = (1.0, 2.0, 3.0)


def made(kind):
    scene = bpy.context.scene
    if kind == "TANK":
        obj = add_tank(scene, MIDDLE, (4.0, 3.0, 2.0))
    elif kind.islower():
        obj = add_direction(scene, kind, MIDDLE)
    else:
        obj = add(scene, kind, MIDDLE)
        if kind == "CURRENT":
            obj.artfish.current.kind = "vortex"
    bpy.context.view_layer.update()
    return obj


def drag(obj, handle, value):
    handle.set(obj, value)
    bpy.context.view_layer.update()


@pytest.fixture(params=[1.0, 0.01], ids=["metres", "centimetres"])
def unit(request):
    bpy.context.scene.unit_settings.scale_length = request.param
    yield request.param
    bpy.context.scene.unit_settings.scale_length = 1.0


KINDS = ("ball", "region", "target", "arrival", "leader", "food", "fright", "SHOAL", "CURRENT", "SEAWEED", "TANK")


@pytest.mark.parametrize("kind", KINDS)
def test_a_handle_is_where_it_is_dragged_to(kind, unit):
    obj = made(kind)
    obj.rotation_euler = (0.0, 0.0, 0.4)
    bpy.context.view_layer.update()
    assert handles_of(obj)
    for handle in handles_of(obj):
        before = obj.matrix_world.copy()
        if handle.kind == HANDLE_LENGTH:
            drag(obj, handle, 1.7 * handle.get(obj))
            meant = 1.1 * handle.get(obj)
            drag(obj, handle, meant)
            assert handle.get(obj) == pytest.approx(meant, rel=1e-4)
        else:
            assert handle.kind == HANDLE_PLACE
            drag(obj, handle, Vector((5.0, 6.0, 7.0)))
            assert obj.matrix_world.translation[:] == pytest.approx((5.0, 6.0, 7.0))
            assert (obj.matrix_world.to_3x3() - before.to_3x3()).median_scale < 1e-5


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.6)])
def test_a_side_of_the_tank_leaves_the_others(turn):
    obj = made("TANK")
    obj.rotation_euler = turn
    bpy.context.view_layer.update()
    turned = Euler(turn).to_matrix().to_4x4()
    for at, handle in enumerate(handles_of(obj)):
        axis, side = divmod(at, 2)
        before = [turned.inverted() @ obj.matrix_world @ vertex.co for vertex in obj.data.vertices]
        drag(obj, handle, handle.get(obj) + 0.5)
        after = [turned.inverted() @ obj.matrix_world @ vertex.co for vertex in obj.data.vertices]
        for one, other, vertex in zip(before, after, obj.data.vertices, strict=True):
            meant = one.copy()
            if (vertex.co[axis] > 0.0) == (side == 0):
                meant[axis] += 0.5 if side == 0 else -0.5
            assert other[:] == pytest.approx(meant[:], abs=1e-5)
    assert tuple(size_of(bpy.context.scene)[1]) >= (5.0, 4.0, 3.0)


def test_a_child_s_handles_are_where_its_parent_has_it():
    parent = bpy.data.objects.new("Boat", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = Matrix.Translation((2.0, 0.0, 0.0)) @ Matrix.Scale(2.0, 4)
    obj = made("ball")
    obj.parent = parent
    bpy.context.view_layer.update()
    length = next(handle for handle in handles_of(obj) if handle.name == "Length")
    assert length.get(obj) == pytest.approx(2.0 * obj.empty_display_size)
    drag(obj, length, 3.0)
    assert length.get(obj) == pytest.approx(3.0)
    assert obj.scale.y == pytest.approx(1.0)


def test_what_is_not_in_the_water_has_none():
    obj = bpy.data.objects.new("Lamp", None)
    bpy.context.scene.collection.objects.link(obj)
    assert handles_of(obj) == ()
    assert not objects_of(bpy.context.scene, "DIRECTION")
