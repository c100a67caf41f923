"""A scene in centimetres, millimetres or kilometres holds the same fishes, as long as they are in metres."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.identity import units
from artfish.blender_artfish.identity.provenance import ROW
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.tank import size_of
from artfish.blender_artfish.scene.writer import write
from artfish.core.base.codec import SceneError
from artfish.core.scene.scene import Scene

UNITS = 0.01, 0.001, 1000.0


@pytest.fixture(autouse=True)
def registered():
    import artfish

    artfish.register()
    yield
    artfish.unregister()


def in_units(unit: float) -> bpy.types.Scene:
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", unit
    return scene


def close(found, right) -> bool:
    """True if two JSON values are the same but for single precision."""
    if isinstance(right, dict):
        return found.keys() == right.keys() and all(close(found[key], right[key]) for key in right)
    if isinstance(right, list | tuple):
        return len(found) == len(right) and all(map(close, found, right))
    return found == (pytest.approx(right, rel=2e-5, abs=2e-5) if isinstance(right, float) else right)


def test_a_scene_without_a_unit_system_counts_in_metres() -> None:
    scene = in_units(0.01)
    assert units.metres(scene) == 0.01
    scene.unit_settings.system = "NONE"
    assert units.metres(scene) == 1.0


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("preset", ["grotto", pytest.param("reef", marks=pytest.mark.large), "directed"])
def test_a_preset_is_read_as_it_was_written_in_any_unit(preset: str, unit: float) -> None:
    """People who model in centimetres got a clownfish of 0.85 mm beside their props, or props of no size to it."""
    written = Scene.load(preset)
    at_one = in_units(1.0)
    write(at_one, written)
    bpy.context.view_layer.update()
    right = read(at_one).scene.to_dict()
    scene = in_units(unit)
    write(scene, written, Vector((3.0, -2.0, 1.0)))
    bpy.context.view_layer.update()
    found = read(scene)
    assert found.origin[:] == pytest.approx((3.0, -2.0, 1.0), abs=1e-4)
    now = found.scene.to_dict()
    wrong = [key for key in right if not close(now.get(key), right[key])]
    assert not wrong, (wrong, [(now.get(key), right[key]) for key in wrong][:1])


@pytest.mark.parametrize("unit", UNITS)
def test_what_stands_in_the_water_is_as_large_as_blender_shows(unit: float) -> None:
    scene = in_units(unit)
    write(scene, Scene.load("go_fish"))
    bpy.context.view_layer.update()
    low, size = size_of(scene)
    tank = next(obj for obj in scene.objects if obj.artfish.kind == "TANK")
    assert (unit * tank.dimensions)[:] == pytest.approx(size[:], rel=1e-5)
    assert size[:] == pytest.approx(Scene.load("go_fish").tank.size)
    corner = unit * (tank.matrix_world @ Vector(tank.bound_box[0]))
    assert corner[:] == pytest.approx(low[:], abs=1e-5)


@pytest.mark.parametrize("unit", UNITS)
def test_a_mesh_and_a_region_made_by_hand_are_read_in_metres(unit: float) -> None:
    scene = in_units(unit)
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    shoal = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.4 / unit, location=(0.5 / unit, 0.25 / unit, 0.5 / unit))
    rock = bpy.context.object
    rock.name = "Rock by hand"
    bpy.ops.artfish.mark(kind="OBSTACLE")
    scene.cursor.location = Vector((-0.5, 0.5, 1.0)) / unit
    shoal.select_set(True)
    bpy.context.view_layer.objects.active = shoal
    bpy.ops.artfish.add_direction(kind="region")
    region = bpy.context.object
    bpy.context.view_layer.update()
    found = read(scene)
    (obstacle,) = found.scene.obstacles
    places = np.array(obstacle.vertices) + obstacle.at + np.array(found.origin)
    assert places.min(axis=0) == pytest.approx((0.3, 0.05, 0.3), abs=1e-4)
    assert places.max(axis=0) == pytest.approx((0.7, 0.45, 0.7), abs=1e-4)
    (led,) = found.scene.direction
    assert np.add(led.at, found.origin) == pytest.approx((-0.5, 0.5, 1.0), abs=1e-4)
    assert led.radius == pytest.approx(0.5, rel=1e-4)
    assert (unit * region.location)[:] == pytest.approx((-0.5, 0.5, 1.0), abs=1e-5)
    (group,) = found.scene.fishes
    assert group.spread == pytest.approx(0.5, rel=1e-4)
    shoal.artfish.shoal.spread = 1.25
    assert read(scene).scene.fishes[0].spread == pytest.approx(1.25, rel=1e-4)


@pytest.mark.parametrize("unit", UNITS)
def test_a_key_of_a_target_is_read_and_written_in_metres(unit: float) -> None:
    scene = in_units(unit)
    path = [[0.0, 1.0, 1.0, 1.0], [2.0, 2.5, 1.5, 0.5]]
    data = {
        "name": "led",
        "tank": {"size": [4.0, 3.0, 2.0]},
        "fishes": [{"species": "clownfish", "at": [1.0, 1.0, 1.0]}],
        "direction": [{"kind": "target", "fishes": 0, "path": path}],
    }
    write(scene, Scene.from_dict(data))
    bpy.context.view_layer.update()
    (led,) = read(scene).scene.direction
    assert np.array(led.path) == pytest.approx(np.array(path), abs=1e-4)


@pytest.mark.parametrize("unit", UNITS)
def test_a_message_says_places_as_the_sidebar_does(unit: float) -> None:
    """The place of an object out of the tank is named in metres from Blender's origin, as its own panels show it."""
    scene = in_units(unit)
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    shoal = bpy.context.object
    shoal.location = Vector((50.0, 0.0, 1.0)) / unit
    bpy.context.view_layer.update()
    with pytest.raises(SceneError) as caught:
        read(scene)
    assert "50" in str(caught.value.found)
    assert "[50.0, 0.0, 1.0]" in str(caught.value)


@pytest.mark.film
@pytest.mark.parametrize("unit", UNITS)
def test_a_clownfish_plays_and_is_baked_at_its_own_size(unit: float) -> None:
    """It has the same size in metres in every unit, live and baked, and is in the water."""
    scene = in_units(unit)
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    scene.frame_start, scene.frame_end = 1, 6
    bpy.context.view_layer.update()
    low, size = size_of(scene)
    bpy.ops.artfish.live_play()
    (live,) = (obj for obj in scene.objects if obj.get(ROW) is not None and obj.type == "MESH")
    live.select_set(True)  # so that it is drawn by itself
    scene.frame_set(4)
    bpy.context.view_layer.update()
    check_fish(unit, live, unit * max(live.dimensions), low, size)
    at_live = unit * live.matrix_world.translation
    scene.artfish.bake.stage = False
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    scene.frame_set(4)
    bpy.context.view_layer.update()
    assert scene.unit_settings.scale_length == pytest.approx(unit)
    root = next(obj for obj in scene.objects if obj.get(ROW) is not None and obj.type == "EMPTY")
    ends = [part.matrix_world @ Vector(at) for part in root.children if part.type == "SURFACE" for at in part.bound_box]
    length = unit * max(max(at[axis] for at in ends) - min(at[axis] for at in ends) for axis in range(3))
    check_fish(unit, root, length, low, size)
    assert (unit * root.matrix_world.translation)[:] == pytest.approx(at_live[:], abs=1e-3)


def check_fish(unit: float, fish: bpy.types.Object, length: float, low: Vector, size: Vector) -> None:
    assert 0.05 < length < 0.15
    at = unit * fish.matrix_world.translation
    assert all(low[axis] < at[axis] < low[axis] + size[axis] for axis in range(3))
