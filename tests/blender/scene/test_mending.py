"""Buttons for an open mesh close it, or show where it is open, and leave the original as it was."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.panel import ARTFISH_PT_bake
from artfish.blender_artfish.live.panel import ARTFISH_PT_live
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene.selected_panel import ARTFISH_PT_selected
from artfish.core.geometry.triangles import closed
from artfish.tests.blender.drawing import drawn


def select(obj: bpy.types.Object) -> None:
    for other in bpy.context.view_layer.objects:
        other.select_set(other == obj)
    bpy.context.view_layer.objects.active = obj


@pytest.fixture
def monkey() -> bpy.types.Object:
    """Suzanne, Blender's monkey, whose mesh is open at the eyes."""
    bpy.ops.mesh.primitive_monkey_add(size=1.0, location=(1.0, 0.5, 2.0), rotation=(0.2, 0.0, 1.0))
    bpy.context.object.artfish.kind = "OBSTACLE"
    return bpy.context.object


def corners(obj: bpy.types.Object) -> list[tuple[float, ...]]:
    return [tuple(each.co) for each in obj.data.vertices]


@pytest.mark.parametrize("operator", ["convex_hull", "voxel_remesh"])
def test_a_closed_copy_stands_in_and_follows(scene, monkey, operator):
    before, at = corners(monkey), monkey.matrix_world.copy()
    assert getattr(bpy.ops.artfish, operator)() == {"FINISHED"}
    copy = bpy.context.object
    assert copy != monkey and copy.artfish.kind == "OBSTACLE" and monkey.artfish.kind == "NONE"
    assert corners(monkey) == before and not monkey.modifiers and monkey.matrix_world == at
    (solid,) = scene_reader.read(scene).scene.obstacles
    closed(np.array(solid.vertices), solid.faces)
    origin = scene_reader.read(scene).origin
    assert solid.holds(tuple(at.translation - origin))
    size = np.ptp(solid.placed[0], axis=0)
    monkey.location.x -= 1.0
    monkey.data.vertices[0].co.x += 3.0
    monkey.data.update()
    bpy.context.view_layer.update()
    (moved,) = scene_reader.read(scene).scene.obstacles
    assert np.ptp(moved.placed[0], axis=0).max() > size.max() + 0.5  # what is edited is followed
    assert moved.at[0] == pytest.approx(solid.at[0] - 1.0)


def test_a_tank_keeps_its_place_among_its_kind(scene):
    bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=2, depth=3)
    tank = bpy.context.object
    tank.artfish.kind = "TANK"
    remove_face(tank, 3)
    bpy.context.view_layer.update()
    with pytest.raises(ValueError, match="open mesh"):
        scene_reader.read(scene)
    assert bpy.ops.artfish.convex_hull(name=tank.name) == {"FINISHED"}
    found = scene_reader.read(scene).scene.tank
    assert found.size == pytest.approx((4, 4, 3)) and found.faces is not None


def remove_face(obj: bpy.types.Object, row: int) -> None:
    faces = [tuple(each.vertices) for each in obj.data.polygons if each.index != row]
    made = bpy.data.meshes.new("Open")
    made.from_pydata(corners(obj), [], faces)
    obj.data = made


def chosen(obj: bpy.types.Object) -> int:
    bpy.ops.object.mode_set(mode="OBJECT")
    return sum(each.select for each in obj.data.edges)


def test_open_edges_are_selected_in_edit_mode(scene):
    bpy.ops.mesh.primitive_cube_add(size=1)
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    with pytest.raises(RuntimeError, match="has no open edges of its own: its faces close it"):
        bpy.ops.artfish.select_open_edges()
    remove_face(rock, 2)
    assert bpy.ops.artfish.select_open_edges() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH" and tuple(scene.tool_settings.mesh_select_mode) == (False, True, False)
    assert not bpy.ops.artfish.select_open_edges.poll()
    assert chosen(rock) == 4
    apart = [
        (x, y, z) for face in [(0, 1, 2), (0, 3, 1), (1, 3, 2), (0, 2, 3)] for x, y, z in [PYRAMID[i] for i in face]
    ]
    rock.data = bpy.data.meshes.new("Split")
    rock.data.from_pydata(apart, [], [(3 * i, 3 * i + 1, 3 * i + 2) for i in range(4)])
    with pytest.raises(RuntimeError, match="no open edges"):
        bpy.ops.artfish.select_open_edges()


PYRAMID = (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)


def hidden(obj: bpy.types.Object) -> Any:
    obj.hide_set(True)
    return "is hidden: show it first"


def fish(obj: bpy.types.Object) -> Any:
    obj.artfish.kind = "NONE"
    other = bpy.data.objects.new("Other", bpy.data.meshes.new("Other"))
    bpy.context.scene.collection.objects.link(other)
    other.artfish.kind = "OBSTACLE"
    return "is no mesh that is an obstacle or the tank"


def empty(obj: bpy.types.Object) -> Any:
    obj.data = bpy.data.meshes.new("Nothing")
    return "has no faces: nothing can be made of it"


@pytest.mark.parametrize("state", [hidden, fish, empty])
def test_what_cannot_be_mended_is_said(monkey, state):
    word = state(monkey)
    for operator in ("select_open_edges", "convex_hull", "voxel_remesh"):
        if state is hidden and operator != "select_open_edges":
            continue
        with pytest.raises(RuntimeError, match=word):
            getattr(bpy.ops.artfish, operator)(name=monkey.name)
    with pytest.raises(RuntimeError, match="There is no Nobody any more"):
        bpy.ops.artfish.convex_hull(name="Nobody")


def test_one_step_of_undo_takes_it_back(scene, monkey):
    name = monkey.name
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.convex_hull()
    bpy.ops.ed.undo_push(message="Hull")
    bpy.ops.ed.undo()
    scene = bpy.context.scene
    assert [obj.name for obj in scene.objects if obj.artfish.kind == "OBSTACLE"] == [name]


def test_the_button_the_panels_and_the_report_offer_what_helps(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=1, depth=2, location=(0, 0, 1))
    tub = bpy.context.object
    tub.name = "Tub.001"
    remove_face(tub, 3)
    assert bpy.ops.artfish.mark(kind="TANK") == {"FINISHED"}
    with pytest.raises(RuntimeError, match=r"Tub\.001 is the tank, which must be closed"):
        bpy.ops.artfish.shell()
    bpy.context.view_layer.update()
    for panel in (ARTFISH_PT_selected, ARTFISH_PT_live, ARTFISH_PT_bake):
        layout = drawn(panel)
        assert " ".join(layout.words).find("Tub.001: found an open mesh") >= 0
        assert layout.buttons[-3:] == ["artfish.select_open_edges", "artfish.convex_hull", "artfish.voxel_remesh"]
    scene.objects["Tank"].artfish.kind = "NONE"
    with pytest.raises(RuntimeError, match=r"Tub\.001: found .*Voxel Remesh in the tab Artfish help") as raised:
        bpy.ops.artfish.live_play()
    assert "faces:" not in str(raised.value)
    tub.data.update()
    bpy.context.view_layer.update()
    assert drawn(ARTFISH_PT_live).words  # nothing has changed
    tub.data.vertices[0].co.x += 0.01
    tub.data.update()
    bpy.context.view_layer.update()
    assert not drawn(ARTFISH_PT_live).words  # what was changed has no line until it is read again
    with pytest.raises(RuntimeError):
        bpy.ops.artfish.live_play()
    assert drawn(ARTFISH_PT_live).words
    bpy.ops.artfish.convex_hull(name="Tub.001")
    scene_reader.read(scene)
    for panel in (ARTFISH_PT_selected, ARTFISH_PT_live, ARTFISH_PT_bake):
        assert not any("Tub" in word for word in drawn(panel).words)


def test_a_sheet_is_doubted_until_it_is_said_to_be_a_shell(scene):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=2, location=(0.5, 0.5, 1.0))
    board = bpy.context.object
    board.name = "Board"
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    offered = ["artfish.select_open_edges", "artfish.convex_hull", "artfish.voxel_remesh", "artfish.shell"]
    layout = drawn(ARTFISH_PT_selected)
    assert layout.buttons[-4:] == offered and " ".join(layout.words).find("Board: it is a sheet") >= 0
    thin = scene_reader.read(scene)
    assert drawn(ARTFISH_PT_bake).buttons[-4:] != offered  # there are no fishes: a preset would be baked
    assert drawn(ARTFISH_PT_live).buttons[-4:] == offered
    assert bpy.ops.artfish.shell(thickness=0.4) == {"FINISHED"}
    assert not drawn(ARTFISH_PT_live).words
    thick = scene_reader.read(scene)
    assert not drawn(ARTFISH_PT_live).words
    at = np.array([(0.5, 0.5, 1.1)]) - np.array(thick.origin[:])
    assert thin.scene.obstacles[0].solid.depth(at)[0] > 0.08
    assert thick.scene.obstacles[0].solid.depth(at)[0] == pytest.approx(-0.1, abs=0.02)
    assert thick.scene.obstacles[0].thickness == pytest.approx(0.4)
    board.artfish.solid.use_thickness = False
    scene_reader.read(scene)
    assert drawn(ARTFISH_PT_live).buttons[-4:] == offered


def test_a_rock_that_is_open_at_its_foot_is_no_matter_of_doubt(scene):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.5, location=(0.0, 0.0, 1.0))
    rock = bpy.context.object
    faces = [tuple(each.vertices) for each in rock.data.polygons if each.center.z > -0.3]
    made = bpy.data.meshes.new("Boulder")
    made.from_pydata(corners(rock), [], faces)
    rock.data = made
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    assert not drawn(ARTFISH_PT_live).words
    reading = scene_reader.read(scene)
    assert reading.scene.obstacles[0].holds(tuple((0.0, 0.0, 1.0) - np.array(reading.origin[:])))
