"""Objects of a Blender scene and scene files say the same; whatever an animator does to the objects is understood."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.scene import conversion as scene_conversion
from artfish.blender_artfish.species import library
from artfish.core import Scene, SceneError, Species
from artfish.core.scene.scene import MeshObstacle

ROUNDING = 2e-5  # of a float32 in a world matrix, over the size of what it places


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def scene() -> bpy.types.Scene:
    return bpy.context.scene


def same(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two JSON values differ; directions may be of another length."""
    if where.endswith(("direction", "heading")) and one and other and isinstance(one[0], float):
        one, other = (list(Vector(value).normalized()) for value in (one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return [word for key in {*one, *other} for word in same(one.get(key), other.get(key), f"{where}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [
            word for row, pair in enumerate(zip(one, other, strict=True)) for word in same(*pair, f"{where}[{row}]")
        ]
    if isinstance(one, float) and isinstance(other, float | int):
        return [] if abs(one - other) <= ROUNDING * max(1.0, abs(one)) else [f"{where}: {one} {other}"]
    return [] if one == other else [f"{where}: {one!r:.60} {other!r:.60}"]


def told(wanted: Scene) -> dict[str, Any]:
    """A scene as JSON; meshes apart, which may be scaled and turned otherwise."""
    data = wanted.to_dict()
    for obstacle in data.get("obstacles", ()):
        for key in ("vertices", "faces", "scale", "up"):
            obstacle.pop(key, None)
    return data


@pytest.mark.parametrize("name", Scene.names())
@pytest.mark.parametrize("origin", [(0.0, 0.0, 0.0), (-5.0, 2.5, 1.0)])
def test_a_scene_file_becomes_objects_that_say_the_same(scene, name, origin):
    wanted = Scene.load(name)
    scene_conversion.write(scene, wanted, origin)
    bpy.context.view_layer.update()
    reading = scene_conversion.read(scene)
    assert same(told(wanted), told(reading.scene)) == []
    for one, other in zip(wanted.obstacles, reading.scene.obstacles, strict=True):
        if isinstance(one, MeshObstacle):
            assert isinstance(other, MeshObstacle)
            assert other.placed[0] == pytest.approx(one.placed[0], abs=ROUNDING)
            assert (other.placed[1] == one.placed[1]).all()
    assert tuple(reading.origin) == pytest.approx(origin, abs=ROUNDING)
    assert len(reading.shoals) == len(wanted.fishes)
    assert set(reading.models) == {group.species for group in wanted.fishes}


@pytest.mark.parametrize("name", Species.names())
def test_declared_groups_hold_every_species(scene, name):
    data = Species.load(name).to_dict()
    held = scene.artfish.species.add()
    for part in ("body", "rhythm", "steering", "pectoral", "form", "looks", "temperament", "mind"):
        declarations.fill(getattr(held, part), data[part])
        assert same(data[part], declarations.json_of(getattr(held, part))) == []
    declarations.fill(held.about, data)
    assert same({key: data[key] for key in declarations.json_of(held.about)}, declarations.json_of(held.about)) == []


def test_what_is_left_out_stays_left_out(scene):
    scene_conversion.add(scene, "SHOAL", (0, 0, 1))
    (shoal,) = scene_conversion.objects_of(scene, "SHOAL")
    group = scene_conversion.read(scene).scene.to_dict()["fishes"][0]
    assert not {"mind", "habits", "heading", "type"} & set(group)
    shoal.artfish.mind.use_p0, shoal.artfish.mind.p0 = True, 0.005
    shoal.artfish.habits.cold = "YES"
    group = scene_conversion.read(scene).scene.to_dict()["fishes"][0]
    assert (group["mind"], group["habits"]) == ({"p0": 0.005}, {"cold": True})


def test_renamed_moved_scaled_and_deleted_objects_are_understood(scene):
    scene_conversion.write(scene, Scene.load("reef"), (1, 2, 3))
    bpy.context.view_layer.update()
    before = scene_conversion.read(scene)
    shoal = before.shoals[0]
    shoal.name, shoal.location = "My fishes", shoal.location + Vector((0.25, 0, 0))
    shoal.scale = (2, 2, 2)
    gone = before.shoals[-1]
    bpy.data.objects.remove(gone)
    scene_conversion.collection_of(scene).name = "Props"
    bpy.context.view_layer.update()
    after = scene_conversion.read(scene)
    assert after.shoals[0].name == "My fishes"
    moved = np.subtract(after.scene.fishes[0].at, before.scene.fishes[0].at)
    assert moved == pytest.approx([0.25, 0, 0], abs=1e-4)
    assert after.scene.fishes[0].spread == pytest.approx(2 * before.scene.fishes[0].spread)
    assert len(after.scene.fishes) == len(before.scene.fishes) - 1


def test_own_meshes_with_modifiers_are_obstacles_and_a_bed(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1, 1, 1))
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    rock.modifiers.new("Rounder", "SUBSURF").levels = 2
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=20, location=(0, 0, 0.5))
    bpy.context.object.artfish.kind = "BED"
    bpy.context.view_layer.update()
    read = scene_conversion.read(scene).scene
    (obstacle,) = read.obstacles
    assert isinstance(obstacle, MeshObstacle)
    assert len(obstacle.placed[0]) == 98  # of a cube subdivided twice
    assert read.terrain is not None and read.terrain.heights is not None
    assert np.array(read.terrain.heights) == pytest.approx(0.5, abs=1e-4)


def test_a_mesh_that_stays_as_it_is_makes_the_same_obstacle_again(scene):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.4, location=(1, 1, 1))
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    bpy.context.view_layer.update()
    before = scene_conversion.read(scene).scene
    scene.artfish.water.fluid_viscosity = 0.5
    assert scene_conversion.read(scene).scene.obstacles[0] is before.obstacles[0]
    rock.data.vertices[0].co.z += 0.01
    rock.data.update()
    bpy.context.view_layer.update()
    after = scene_conversion.read(scene).scene
    assert after.obstacles[0] != before.obstacles[0]
    rock.location.x += 0.5
    bpy.context.view_layer.update()
    assert scene_conversion.read(scene).scene.obstacles[0].at == pytest.approx(
        np.add(after.obstacles[0].at, (0.5, 0, 0))
    )


def test_many_places_are_moved_and_rounded_to_the_bit_as_one_is():
    dice = np.random.default_rng(4)
    places = (dice.normal(size=(3000, 3)) * 10.0 ** dice.integers(-7, 5, (3000, 3))).astype(np.float32)
    places[:4] = [(0.0, -0.0, 1e-6), (-1e-6, 9.999995, 99999.95), (0.5, 0.0001, 10.0), (0.0000125, 1.000005, 0.1)]
    matrix = Matrix.LocRotScale(Vector((3.0, -70.0, 0.2)), Euler((0.3, 1.0, -2.0)), Vector((1.0, 2.5, 0.01)))
    wanted = [matrix @ Vector(place) for place in places.tolist()]
    assert np.array_equal(scene_conversion._moved(places, matrix), np.array([at[:] for at in wanted], dtype=np.float32))
    origin = Vector((0.1, 0.2, 0.3))
    rounded = [[scene_conversion._short(x) for x in Vector(place) - origin] for place in places.tolist()]
    assert scene_conversion._rounded_all(places, origin) == rounded
    none = [[scene_conversion._short(x) for x in place] for place in places.tolist()]
    assert scene_conversion._rounded_all(places, Vector()) == none


def test_a_tilted_pillar_is_read_as_a_mesh(scene):
    pillar = scene_conversion.add(scene, "OBSTACLE", (0, 0, 0), scene_conversion.pillar_mesh())
    pillar.artfish.pillar.upright, pillar.scale = True, (0.3, 0.3, 2.0)
    bpy.context.view_layer.update()
    assert scene_conversion.read(scene).scene.obstacles[0].kind == "cylinder"
    pillar.rotation_euler.x = 0.3
    bpy.context.view_layer.update()
    assert scene_conversion.read(scene).scene.obstacles[0].kind == "mesh"


def test_what_is_wrong_is_said_with_the_name_of_the_object(scene):
    shoal = scene_conversion.add(scene, "SHOAL", (0, 0, 1))
    shoal.name = "Lost ones"
    shoal.location.x = 99
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Lost ones\.at: found \[99.*allowed in the tank, \[-5") as raised:
        scene_conversion.read(scene)
    assert "\n" not in str(raised.value)
    shoal.location.x = 0
    shoal.artfish.shoal.species = "unicorn"
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"Lost ones\.species: found .unicorn., allowed one of"):
        scene_conversion.read(scene)


def test_what_is_wrong_with_tank_and_bed_is_said_with_their_names(scene):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = scene_conversion.objects_of(scene, "TANK")
    tank.name = "Aquarium"
    tank.scale.z = 0.0
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Aquarium\.size\[2\]: found 0"):
        scene_conversion.read(scene)
    tank.scale.z = 2.0
    tank.modifiers.new("Walls", "SUBSURF")
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Aquarium\.faces: found no face, allowed those of a closed mesh"):
        scene_conversion.read(scene)
    tank.modifiers.clear()
    bpy.ops.mesh.primitive_plane_add(size=20, location=(0, 0, 1.9))
    bpy.context.object.name, bpy.context.object.artfish.kind = "Sand", "BED"
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match=r"^Sand: found hills up to 1\.9 m"):
        scene_conversion.read(scene)


def test_currents_can_be_switched_off_and_water_too(scene):
    scene_conversion.write(scene, Scene.load("reef"))
    bpy.context.view_layer.update()
    scene.artfish.flow, scene.artfish.still_water = False, True
    read = scene_conversion.read(scene).scene
    assert read.current == () and read.fluid_viscosity == 0.0
    bpy.ops.artfish.physics_defaults()
    assert (
        scene_conversion.read(scene).scene.current != () and scene_conversion.read(scene).scene.fluid_viscosity == 1.0
    )


def test_one_click_adds_fishes_and_water(scene):
    assert bpy.ops.artfish.add_shoal("INVOKE_DEFAULT") == {"FINISHED"}
    bpy.context.view_layer.update()
    reading = scene_conversion.read(scene)
    assert reading.scene.count == 6
    assert bpy.context.object == reading.shoals[0]
    assert reading.scene.tank.size == pytest.approx((4, 3, 2))
    for kind in ("PLANKTON", "SEAWEED", "BUBBLES", "HOOK", "HEAT"):
        assert bpy.ops.artfish.add_thing(kind=kind) == {"FINISHED"}
    for flow in ("uniform", "source", "sink", "vortex"):
        assert bpy.ops.artfish.add_thing(kind="CURRENT", flow=flow) == {"FINISHED"}
    assert bpy.ops.artfish.add_pillar() == {"FINISHED"}
    bpy.context.view_layer.update()
    full = scene_conversion.read(scene).scene
    assert [flow.kind for flow in full.current] == ["uniform", "source", "sink", "vortex"]
    assert full.hook is not None and full.plankton.count == 200
    assert len(full.seaweed) == len(full.bubbles) == len(full.temperature.sources) == len(full.obstacles) == 1


def test_scene_files_are_loaded_and_saved(scene, tmp_path):
    path = str(tmp_path / "mine.json")
    assert bpy.ops.artfish.load_preset(preset="mating") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert bpy.ops.artfish.save_scene(filepath=path) == {"FINISHED"}
    assert same(told(Scene.load("mating")), told(Scene.load(path))) == []
    before = len(scene_conversion.objects_of(scene))
    (tmp_path / "bad.json").write_text('{"fishes": 3}')
    with pytest.raises(RuntimeError, match="fishes: found 3"):
        bpy.ops.artfish.load_scene(filepath=str(tmp_path / "bad.json"))
    assert len(scene_conversion.objects_of(scene)) == before


def test_an_own_mesh_is_let_go_not_deleted(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1, 1, 1))
    mine = bpy.context.object
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    assert mine.artfish.kind == "OBSTACLE"
    bpy.ops.artfish.load_preset(preset="mating")
    assert mine.artfish.kind == "NONE" and mine.name in scene.objects


def test_the_first_tank_stands_clear_of_what_is_there(scene):
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    bpy.ops.artfish.add_shoal(species="clownfish")
    bpy.context.view_layer.update()
    low, size = scene_conversion.size_of(scene)
    assert low.y >= 1.0 and tuple(size) == pytest.approx((4, 3, 2))
    assert tuple(bpy.context.object.location) == pytest.approx(tuple(low + 0.5 * size), abs=1e-6)


def test_the_tank_may_be_a_box_or_any_closed_mesh(scene):
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(3, 0, 1))
    bpy.ops.artfish.mark(kind="TANK")
    assert scene_conversion.read(scene).scene.tank.faces is None
    assert scene_conversion.read(scene).scene.tank.size == pytest.approx((2, 2, 2))
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.5, location=(0, 0, 2))
    ball = bpy.context.object
    bpy.ops.artfish.mark(kind="TANK")
    bpy.context.view_layer.update()
    reading = scene_conversion.read(scene)
    assert [thing.name for thing in scene_conversion.objects_of(scene, "TANK")] == [ball.name]
    assert reading.scene.tank.faces is not None and reading.scene.tank.holds((1.5, 1.5, 1.5))
    assert not reading.scene.tank.holds((0.1, 0.1, 0.1))
    scene_conversion.write(scene, reading.scene, reading.origin)
    bpy.context.view_layer.update()
    again = scene_conversion.read(scene).scene
    assert again.tank.faces == reading.scene.tank.faces
    assert np.array(again.tank.vertices) == pytest.approx(np.array(reading.scene.tank.vertices), abs=ROUNDING)


def wires(tank: bpy.types.Object, change: str) -> None:
    """Changes the edges of a tank as in Edit Mode."""
    made = bmesh.new()
    made.from_mesh(tank.data)
    made.verts.ensure_lookup_table(), made.edges.ensure_lookup_table()
    if change == "cut":
        made.edges.remove(made.edges[0])
    elif change == "stray":
        made.verts.new((5.0, 0.0, 0.0))
    elif change == "stray within":
        made.verts.new((0.0, 0.0, 0.0))
    elif change == "nothing":
        made.clear()
    elif change == "divided":
        bmesh.ops.subdivide_edges(made, edges=made.edges, cuts=2)
    made.to_mesh(tank.data)
    made.free()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("change", ["cut", "stray", "stray within", "nothing"])
def test_a_tank_of_edges_that_is_no_whole_box_is_refused(scene, change):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = scene_conversion.objects_of(scene, "TANK")
    tank.name = "Aquarium"
    wires(tank, change)
    with pytest.raises(SceneError, match=r"^Aquarium: found edges without faces that are no whole box"):
        scene_conversion.read(scene)


@pytest.mark.parametrize("change", ["divided", "of a cube"])
def test_a_tank_of_the_edges_of_a_box_is_one_however_they_were_made(scene, change):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = scene_conversion.objects_of(scene, "TANK")
    if change == "divided":
        wires(tank, change)
    else:
        bpy.ops.mesh.primitive_cube_add(size=1.0)
        cube = bmesh.new()
        cube.from_mesh(bpy.context.object.data)
        bmesh.ops.delete(cube, geom=cube.faces, context="FACES_ONLY")
        cube.to_mesh(tank.data)
        bpy.data.objects.remove(bpy.context.object)
        bpy.context.view_layer.update()
    read = scene_conversion.read(scene).scene
    assert read.tank.faces is None and read.tank.size == pytest.approx((4, 3, 2))


def test_a_species_edited_in_this_file_is_the_one_that_swims(scene):
    scene_conversion.add(scene, "SHOAL", (0, 0, 1))
    entry = scene.artfish.species.add()
    library.fill(entry, Species.load("clownfish"))
    entry.name = "clownfish"
    entry.mind.p0 = 0.5
    bpy.context.view_layer.update()
    assert scene_conversion.read(scene).models["clownfish"].mind.p0 == 0.5
