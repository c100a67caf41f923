"""Handles: what is dragged in the view is what is set, and nothing else moves."""

import bpy
import pytest
from mathutils import Euler, Matrix, Vector

from artfish.blender_artfish.direction.objects import add as add_direction
from artfish.blender_artfish.identity.roles import objects_of
from artfish.blender_artfish.identity.units import extent_of
from artfish.blender_artfish.scene.handles import HANDLE_LENGTH, HANDLE_PLACE, extent_about, handles_of
from artfish.blender_artfish.scene.objects import add
from artfish.blender_artfish.scene.tank import add_tank, size_of
from artfish.core.scene.species import Species

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


def test_a_hunter_that_lies_in_wait_has_the_reach_of_its_attack(unit):
    obj = made("SHOAL")
    obj.artfish.shoal.species, obj.artfish.shoal.size = "grouper", 2.0
    assert "Attack" not in [handle.name for handle in handles_of(obj)]
    obj.artfish.mind.use_strike, obj.artfish.mind.strike = True, 1.5
    attack = next(handle for handle in handles_of(obj) if handle.name == "Attack")
    length = 2.0 * Species.load("grouper").length / unit
    assert attack.get(obj) == pytest.approx(1.5 * length)
    drag(obj, attack, 0.8 * length)
    assert obj.artfish.mind.strike == pytest.approx(0.8)
    ends = [handle.base(obj) @ Vector((0.0, 0.0, 1.0)) for handle in handles_of(obj) if handle.kind == HANDLE_LENGTH]
    assert (ends[0] - ends[1]).length > 1.0  # beside the spread, whose knob it would hide
    obj.artfish.shoal.species = "nobody"
    assert "Attack" not in [handle.name for handle in handles_of(obj)]


def test_a_child_s_handles_are_where_its_parent_has_it():
    parent = bpy.data.objects.new("Boat", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = Matrix.Translation((2.0, 0.0, 0.0)) @ Matrix.Scale(2.0, 4)
    obj = made("ball")
    obj.parent = parent
    bpy.context.view_layer.update()
    length = next(handle for handle in handles_of(obj) if handle.name == "Length")
    assert length.get(obj) == pytest.approx(2.0 * 0.5)
    drag(obj, length, 3.0)
    assert length.get(obj) == pytest.approx(3.0)
    assert obj.scale.y == pytest.approx(1.0)


def test_what_is_not_in_the_water_has_none():
    obj = bpy.data.objects.new("Lamp", None)
    bpy.context.scene.collection.objects.link(obj)
    assert handles_of(obj) == ()
    assert not objects_of(bpy.context.scene, "DIRECTION")


@pytest.mark.parametrize("kind", ("ball", "region", "target", "arrival", "leader", "food", "fright", "SHOAL", "SPOT"))
def test_an_extent_is_drawn_as_far_as_the_handle_lies(kind, unit):
    obj = made(kind)
    obj.scale = (2.0, 3.0, 0.5)
    bpy.context.view_layer.update()
    extent, lengths = extent_about(obj), [each for each in handles_of(obj) if each.kind == HANDLE_LENGTH]
    assert not extent.box
    for axis, handle in enumerate(lengths):
        assert extent.place.col[axis].xyz.length == pytest.approx(handle.get(obj), rel=1e-5)
    assert extent.place.translation[:] == pytest.approx([place / unit for place in MIDDLE])


@pytest.mark.parametrize("kind", ("ball", "region", "PLANKTON"))
def test_what_is_not_selected_is_a_dot(kind, unit):
    obj = made(kind)
    reach = extent_about(obj).place.to_scale().x
    assert obj.empty_display_size == pytest.approx(reach / 16.0)


def test_a_dot_is_seen_however_small_its_shoal_and_grows_with_a_large_one(unit):
    obj = made("SHOAL")
    for spread, size in ((0.0, 0.025), (0.1, 0.025), (8.0, 0.5)):
        obj.artfish.shoal.spread = spread
        assert obj.empty_display_size == pytest.approx(size / unit)
        assert extent_about(obj).place.to_scale().x == pytest.approx(spread / unit)


def test_a_radius_is_shown_and_set_whether_it_is_drawn_as_a_dot_or_not():
    obj = made("ball")
    for obj.artfish.dot in (True, False):
        obj.artfish.extent = 2.0
        assert obj.artfish.extent == extent_of(obj) == pytest.approx(2.0)
    assert obj.empty_display_size == pytest.approx(2.0)  # as in files of before


def test_a_box_is_drawn_as_one_and_a_tank_is_drawn_already():
    region = made("region")
    region.empty_display_type = "CUBE"
    assert extent_about(region).box
    assert extent_about(made("TANK")) is None


def test_a_current_is_a_dot_only_where_it_is_a_ball():
    obj = made("CURRENT")
    for kind, dot in (("source", True), ("vortex", False), ("sink", True), ("uniform", False)):
        obj.artfish.current.kind, obj.artfish.current.radius = kind, 2.0
        assert obj.artfish.dot == dot
        assert obj.empty_display_size == pytest.approx(2.0 / 16.0 if dot else 2.0)
