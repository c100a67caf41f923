"""Objects in the water keep their order and places, however an animator copies, hides, saves and opens them."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from mathutils import Euler, Vector

from artfish import blender_artfish
from artfish.blender_artfish.blender.keyframes import unread
from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.live import reading
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import obstacles
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core import SceneError
from artfish.tests.blender.files import new_file, reopened


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def reading_of(scene: bpy.types.Scene) -> scene_reader.Reading:
    """The scene as live play reads it."""
    draft = reading.draft_of(scene, 1)
    return draft.read(draft.form())


def numbers(scene: bpy.types.Scene) -> list[int]:
    return [group.count for group in reading_of(scene).scene.fishes]


def choose(*chosen: bpy.types.Object) -> None:
    bpy.ops.object.select_all(action="DESELECT")
    for obj in chosen:
        obj.select_set(True)
        bpy.context.view_layer.objects.active = obj


def copied(name: str, count: int) -> bpy.types.Object:
    """A duplicate of the active shoal."""
    bpy.ops.object.duplicate()
    made = bpy.context.object
    made.name, made.artfish.shoal.count = name, count
    made.location.x += 0.5
    return made


def test_copies_keep_their_order_when_the_file_is_opened_again(tmp_path):
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    first = bpy.context.object
    copied("A first by name", 2)
    copied("A second by name", 1)
    choose(first)
    copied("Another", 4)
    before = numbers(bpy.context.scene)
    assert before == [3, 2, 1, 4]
    scene = reopened(tmp_path / "copies.blend")
    assert numbers(scene) == before
    orders = [obj.artfish.order for obj in roles.objects_of(scene)]
    assert len(set(orders)) == len(orders)
    assert numbers(reopened(tmp_path / "again.blend")) == before


def _disabled(scene: bpy.types.Scene) -> None:
    for obj in roles.objects_of(scene):
        obj.hide_viewport = True


def _excluded(scene: bpy.types.Scene) -> None:
    collection = scene_objects.collection_of(scene)
    bpy.context.view_layer.layer_collection.children[collection.name].exclude = True


def _disabled_collection(scene: bpy.types.Scene) -> None:
    scene_objects.collection_of(scene).hide_viewport = True


@pytest.mark.parametrize("hide", [_disabled, _excluded, _disabled_collection])
def test_what_is_disabled_or_excluded_stands_where_it_did(hide, tmp_path):
    scene = bpy.context.scene
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    shoal = bpy.context.object
    bpy.ops.artfish.add_pillar()
    bpy.ops.artfish.add_direction(kind="target")
    boat = bpy.data.objects.new("Boat", None)
    boat.location, boat.rotation_euler.z, boat.delta_location.y = (0.5, 0.25, 0.0), 0.3, 0.1
    scene_objects.collection_of(scene).objects.link(boat)
    shoal.parent = boat
    before = reading_of(scene)
    hide(scene)
    after = reading_of(reopened(tmp_path / "hidden.blend"))
    assert after.origin == before.origin
    assert after.scene == before.scene


def test_what_is_disabled_may_be_moved():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    shoal = bpy.context.object
    shoal.hide_viewport = True
    before = reading_of(bpy.context.scene).scene.fishes[0].at
    shoal.location.x += 0.5
    after = reading_of(bpy.context.scene).scene.fishes[0].at
    assert tuple(Vector(after) - Vector(before)) == pytest.approx((0.5, 0, 0), abs=1e-5)


def test_what_blender_does_not_reckon_is_refused_with_a_way_out():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    shoal = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1, 0, 0.5))
    rock = bpy.context.object
    rock.modifiers.new("Rounder", "SUBSURF")
    bpy.ops.artfish.mark(kind="OBSTACLE")
    rock.hide_set(True)
    assert len(reading_of(bpy.context.scene).scene.obstacles[0].vertices) == 26
    rock.hide_set(False)
    rock.hide_viewport = True
    with pytest.raises(SceneError, match="Cube: found modifiers while it is disabled.*allowed hidden by the eye"):
        reading_of(bpy.context.scene)
    rock.modifiers.clear()
    assert len(reading_of(bpy.context.scene).scene.obstacles[0].vertices) == 8
    shoal.constraints.new("COPY_LOCATION").target = rock
    shoal.hide_viewport = True
    with pytest.raises(SceneError, match="Clownfish: found its constraints while it is disabled"):
        reading_of(bpy.context.scene)


def test_what_is_added_where_nobody_sees_it_is_said(capfd):
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    capfd.readouterr()
    _excluded(bpy.context.scene)
    assert bpy.ops.artfish.add_shoal(species="clownfish", count=3) == {"FINISHED"}
    assert "Artfish scene, which is hidden" in "".join(capfd.readouterr())


def test_another_scene_takes_only_what_artfish_made():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene = bpy.context.scene
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1, 0, 0.5))
    statue = bpy.context.object
    statue.name = "Statue"
    own = bpy.data.objects.new("Boat", None)
    for obj in (statue, own):
        scene_objects.collection_of(scene).objects.link(obj)
    bpy.ops.artfish.mark(kind="OBSTACLE")
    choose(own)
    bpy.ops.artfish.mark_direction(kind="target")
    for home in pillar.users_collection:
        home.objects.unlink(pillar)
    scene.collection.objects.link(pillar)
    pillar.name = "Made"
    bpy.ops.artfish.load_preset(preset="feeding")
    assert bpy.data.objects["Statue"].artfish.kind == bpy.data.objects["Boat"].artfish.kind == "NONE"
    assert "Made" not in bpy.data.objects


def test_remove_takes_all_that_is_selected_and_keeps_what_is_own():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene = bpy.context.scene
    for _ in range(3):
        bpy.ops.artfish.add_thing(kind="SEAWEED")
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1, 0, 0.5))
    rock = bpy.context.object
    bpy.ops.artfish.mark(kind="OBSTACLE")
    choose(*roles.objects_of(scene, "SEAWEED"), rock)
    assert bpy.ops.artfish.remove() == {"FINISHED"}
    assert not roles.objects_of(scene, "SEAWEED", "OBSTACLE")
    assert rock.name in scene.objects and len(roles.objects_of(scene, "SHOAL")) == 1


def test_what_is_linked_is_not_marked(tmp_path):
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(1, 0, 0.5))
    bpy.context.object.name = "Far rock"
    path = str(tmp_path / "rocks.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    with bpy.data.libraries.load(path, link=True) as (_, here):
        here.objects = ["Far rock"]
    (rock,) = here.objects
    bpy.context.scene.collection.objects.link(rock)
    choose(rock)
    with pytest.raises(RuntimeError, match="Far rock: linked from another file.*make it local first"):
        bpy.ops.artfish.mark(kind="OBSTACLE")
    assert rock.artfish.kind == "NONE"
    rock.artfish.kind = "OBSTACLE"  # as it is where it comes from
    with pytest.raises(RuntimeError, match="Far rock: linked from another file"):
        bpy.ops.artfish.remove()
    assert rock.artfish.kind == "OBSTACLE"


def test_of_what_only_one_counts_no_other_is_added_and_a_copy_is_named():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene = bpy.context.scene
    for kind in ("PLANKTON", "HOOK"):
        assert bpy.ops.artfish.add_thing(kind=kind) == {"FINISHED"}
        first = bpy.context.object
        with pytest.raises(RuntimeError, match=f"{first.name} is there already, and only one counts"):
            bpy.ops.artfish.add_thing(kind=kind)
        choose(first)
        bpy.ops.object.duplicate()
        assert bpy.context.object in roles.spare(scene) and first not in roles.spare(scene)


def test_the_list_of_shoals_follows_the_active_one_and_a_row_selects_it():
    for name in ("clownfish", "sardine"):
        bpy.ops.artfish.add_shoal(species=name, count=3)
    scene = bpy.context.scene
    one, other = roles.objects_of(scene, "SHOAL")
    assert bpy.data.objects[scene.artfish.shown] == other
    scene.artfish.shown = bpy.data.objects.find(one.name)
    assert bpy.context.object == one and bpy.context.selected_objects == [one]
    assert bpy.data.objects[scene.artfish.shown] == one
    choose(roles.objects_of(scene, "TANK")[0])
    assert scene.artfish.shown == -1


def test_an_obstacle_counts_where_it_is_solid():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene, shoal = bpy.context.scene, bpy.context.object
    roles.objects_of(scene, "TANK")[0].location.x = shoal.location.x = 10.0
    bpy.ops.mesh.primitive_cube_add(size=0.4, location=(11, 0, 0.5))
    rock = bpy.context.object
    bpy.ops.artfish.mark(kind="OBSTACLE")
    expected = reading_of(scene).scene.obstacles[0].placed[0]
    choose(rock)
    bpy.ops.object.transform_apply(location=True)
    read = reading_of(scene).scene.obstacles[0].placed[0]
    assert read.ravel() == pytest.approx(expected.ravel(), abs=1e-5)
    rock.location.x = 30.0
    assert reading_of(scene).scene.obstacles == ()
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    assert reading_of(scene).scene.obstacles[0].kind == "cylinder"
    pillar.location.x = 8.0 - 0.1  # half in the water
    reading = reading_of(scene)
    assert reading.scene.obstacles[0].kind == "mesh" and reading.objects["obstacles"] == [pillar]


def test_a_turned_tank_holds_the_fishes_where_it_is_shown():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    tank = roles.objects_of(bpy.context.scene, "TANK")[0]
    assert reading_of(bpy.context.scene).scene.tank.faces is None
    tank.rotation_euler.z = 0.6
    reading = reading_of(bpy.context.scene)
    turned = reading.scene.tank
    for share, inside in ((0.98, True), (1.02, False)):
        corner = tank.matrix_world @ Vector((0.5 * share, 0.5 * share, 0.0)) - reading.origin
        assert turned.holds(tuple(corner)) == inside
    tank.rotation_euler.z, tank.rotation_euler.x = 0.0, 1.5707963
    assert reading_of(bpy.context.scene).scene.tank.size == pytest.approx((4, 2, 3), abs=1e-4)


def test_what_is_wrong_is_said_in_blenders_places_and_once():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene, shoal = bpy.context.scene, bpy.context.object
    shoal.location.x = -50.0
    with pytest.raises(SceneError, match=r"^Clownfish.at: found \[-50.*allowed in the tank, \[-2.*\] to \[2") as raised:
        reading_of(scene)
    assert "Scene" not in str(raised.value)
    shoal.location = 0.5, 0.25, 1.0
    pillar = bpy.data.objects.new("Post", obstacles.pillar_mesh())
    scene.collection.objects.link(pillar)
    pillar.artfish.kind, pillar.artfish.pillar.upright = "OBSTACLE", True
    pillar.scale.z = 2.0
    with pytest.raises(SceneError, match=r"^Clownfish.at: found \[0.5, 0.25, 1.0\] inside Post, allowed a place clear"):
        reading_of(scene)
    bpy.data.objects.remove(pillar)
    bpy.ops.mesh.primitive_plane_add(size=40.0, location=(0.0, 0.0, 1.25))
    bpy.context.object.artfish.kind = "BED"
    tank = roles.objects_of(scene, "TANK")[0]
    tank.scale.z, tank.location.z = 4.0, 1.75
    shoal.location.z = 1.0
    with pytest.raises(SceneError, match=r"found \[0.5, 0.25, 1.0\] below the bed, allowed z of 1.25 m or more there"):
        reading_of(scene)
    bpy.data.objects.remove(bpy.context.object)
    tank.rotation_euler.z, shoal.location = 0.7, (1.9, 1.9, 1.0)
    with pytest.raises(SceneError, match=r"found \[1.9, 1.9, 1.0\] outside the tank's walls, allowed in the water"):
        reading_of(scene)
    tank.rotation_euler.z, tank.scale.z, tank.location.z = 0.0, 2.0, 1.0
    shoal.location = 0.0, 0.0, 1.0
    shoal.artfish.shoal.species = "clownfish_2"
    with pytest.raises(SceneError, match=r"Clownfish.species: found 'clownfish_2'.*exported there and imported here"):
        reading_of(scene)
    shoal.artfish.shoal.species = "clownfish"
    bpy.ops.artfish.add_direction(kind="curve")
    bpy.context.object.data.splines.clear()
    with pytest.raises(SceneError, match="Way: found a curve without points"):
        reading_of(scene)
    bpy.data.objects.remove(bpy.context.object)
    choose(shoal)
    bed = bpy.data.objects.new("Bed", bpy.data.meshes.new("Bed"))
    scene.collection.objects.link(bed)
    bed.artfish.kind = "BED"
    with pytest.raises(SceneError, match="Bed: found a mesh without faces"):
        reading_of(scene)
    for operator in (bpy.ops.artfish.load_scene, bpy.ops.artfish.save_scene):
        with pytest.raises(RuntimeError, match="No file was chosen"):
            operator(filepath="")


def test_a_direction_says_what_of_it_is_not_read():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    bpy.ops.artfish.add_direction(kind="target")
    target = bpy.context.object
    target.keyframe_insert("location", frame=1)
    assert unread(target) == []
    data = target.animation_data
    data.nla_tracks.new().strips.new("Pushed down", 1, data.action)
    data.action = None
    target.driver_add("artfish.direction.strength")
    assert unread(target) == ["NLA strips", "Drivers"]


@pytest.mark.parametrize("scale", [(3, 3, 3), (3, 1, 2)])
def test_applying_the_scale_keeps_what_it_says(scale):
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene, shoal = bpy.context.scene, bpy.context.object
    for kind in ("PLANKTON", "SEAWEED", "BUBBLES", "HOOK", "HEAT"):
        bpy.ops.artfish.add_thing(kind=kind)
    roles.objects_of(scene, "PLANKTON")[0].artfish.everywhere = False
    for flow in ("uniform", "vortex", "source"):
        bpy.ops.artfish.add_thing(kind="CURRENT", flow=flow)
    bpy.ops.artfish.add_direction(kind="region")
    every = roles.objects_of(scene)
    for obj in every:
        obj.scale = [own * share for own, share in zip(obj.scale, scale, strict=True)]
    before = reading_of(scene).scene
    assert before.tank.size == pytest.approx([4 * scale[0], 3 * scale[1], 2 * scale[2]])
    assert before.fishes[0].spread == pytest.approx(1.5)
    choose(*every)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    assert all(tuple(obj.scale) == (1, 1, 1) for obj in (shoal, *every))
    assert reading_of(scene).scene == before


def test_warmth_is_shown_with_its_unit():
    settings = bpy.context.scene.artfish
    names = [settings.temperature.bl_rna.properties[name].name for name in ("surface", "bottom")]
    assert names == ["Surface (°C)", "Bottom (°C)"]


def test_what_is_keyed_is_read_where_it_stands_when_the_film_begins():
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    scene, shoal = bpy.context.scene, bpy.context.object
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    pillar.parent = carrier
    bpy.ops.mesh.primitive_cube_add(size=0.6, location=(0, 1, 1))
    rock = bpy.context.object
    bpy.ops.artfish.mark(kind="OBSTACLE")
    pillar.artfish.movement.moves = rock.artfish.movement.moves = "STILL"
    tank = roles.objects_of(scene, "TANK")[0]
    first = reading_of(scene)
    for obj, path, value in (
        (shoal, "location", (1.0, 0.5, 0.5)),
        (carrier, "location", (-0.5, 0.5, 0.0)),
        (rock, "rotation_euler", (0.0, 0.0, 1.0)),
        (tank, "scale", (6.0, 4.0, 3.0)),
    ):
        obj.keyframe_insert(path, frame=1)
        setattr(obj, path, value)
        obj.keyframe_insert(path, frame=9)
    scene.frame_set(9)
    assert not np.allclose(
        np.array(pillar.matrix_world.translation), first.origin + Vector(first.scene.obstacles[0].at)
    )
    again, last = reading_of(scene), scene_reader.read(scene, 9)
    assert again.scene.to_dict() == first.scene.to_dict() and again.origin == first.origin
    assert last.scene.tank.size == pytest.approx((6, 4, 3))
    assert last.origin + Vector(last.scene.fishes[0].at) == Vector((1.0, 0.5, 0.5))
    rock.constraints.new("COPY_LOCATION").target = shoal
    assert unread(rock) == ["Constraints"]
    assert reading_of(scene).scene != first.scene  # where it stands now, and the panel says so


def test_an_action_without_a_slot_moves_nothing():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    shoal = bpy.context.object
    shoal.keyframe_insert("location", frame=1)
    before = reading_of(bpy.context.scene).scene
    shoal.animation_data.action_slot = None
    assert reading_of(bpy.context.scene).scene == before


def test_a_turned_tank_whose_rotation_is_applied_holds_the_same_water():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    scene = bpy.context.scene
    tank = roles.objects_of(scene, "TANK")[0]
    tank.rotation_euler.z = 0.5
    before = reading_of(scene).scene.tank
    choose(tank)
    bpy.ops.object.transform_apply(location=False, rotation=True, scale=False)
    after = reading_of(scene).scene.tank
    assert np.allclose(after.vertices, before.vertices, atol=1e-4) and after.faces == before.faces
    # A box of 4 by 3, seen from above as a box about it: 4 cos 0.5 + 3 sin 0.5 long.
    assert after.size[0] == pytest.approx(4 * np.cos(0.5) + 3 * np.sin(0.5), abs=1e-3)


def test_deltas_count_for_what_is_keyed():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    scene = bpy.context.scene
    shoal, tank = bpy.context.object, roles.objects_of(scene, "TANK")[0]
    for mode in ("XYZ", "QUATERNION"):
        tank.rotation_mode = mode
        tank.delta_scale = (1.5, 1.0, 2.0)
        tank.delta_rotation_euler.z = tank.rotation_euler.z = 0.2
        tank.delta_rotation_quaternion = tank.rotation_quaternion = Euler((0.0, 0.0, 0.2)).to_quaternion()
        shoal.delta_location = (0.5, 0.25, 0.0)
        bpy.context.view_layer.update()
        before = reading_of(scene).scene
        for obj in (tank, shoal):
            obj.keyframe_insert("location", frame=1)
        after = reading_of(scene).scene
        assert np.allclose(after.tank.vertices, before.tank.vertices, atol=1e-4)
        assert after.fishes[0].at == pytest.approx(before.fishes[0].at, abs=1e-4)
        for obj in (tank, shoal):
            obj.animation_data_clear()


def test_a_scene_that_is_linked_is_refused_with_a_word(tmp_path):
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "there.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "there.blend"), link=True) as (there, here):
        here.scenes = there.scenes
    linked = next(scene for scene in bpy.data.scenes if scene.library)
    with bpy.context.temp_override(scene=linked):
        for operator in (bpy.ops.artfish.live_play, bpy.ops.artfish.bake, bpy.ops.artfish.add_shoal):
            with pytest.raises(RuntimeError, match="linked from another file"):
                operator()


def test_keyed_numbers_are_those_of_the_first_frame_wherever_the_playhead_is():
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    scene, shoal = bpy.context.scene, bpy.context.object.artfish.shoal
    bpy.ops.artfish.add_thing(kind="CURRENT", flow="uniform")
    current = bpy.context.object.artfish.current
    for group, name, last in (
        (shoal, "count", 7),
        (shoal, "size", 1.5),
        (current, "strength", 0.4),
        (scene.artfish.water, "fluid_viscosity", 0.5),
        (scene.artfish.light, "direction", (0.0, 1.0, -1.0)),
    ):
        group.keyframe_insert(name, frame=1)
        setattr(group, name, last)
        group.keyframe_insert(name, frame=9)
    readings = []
    for frame in (1, 5, 9):
        scene.frame_set(frame)
        readings.append(reading_of(scene).scene)
    assert readings[0] == readings[1] == readings[2]
    assert readings[0].fishes[0].count == 2
    assert scene_reader.read(scene, 9).scene.fishes[0].count == 7
    assert scene_reader.read(scene, 9).scene.current[0].strength == pytest.approx(0.4)


@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_a_sheet_in_the_water_is_an_obstacle(turn):
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    bpy.ops.mesh.primitive_plane_add(size=0.5, location=(1.0, 0.0, 0.5), rotation=(0.0, turn, 0.0))
    bpy.context.object.artfish.kind = "OBSTACLE"
    (sheet,) = reading_of(bpy.context.scene).scene.obstacles
    assert sheet.surface.sheet and sheet.solid.depth(np.array([sheet.at]))[0] < 0.0
    bpy.context.object.location.z = 50.0
    assert reading_of(bpy.context.scene).scene.obstacles == ()


def test_who_is_chosen_is_no_linked_namesake(tmp_path):
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "lent.blend"), copy=True)
    with bpy.data.libraries.load(str(tmp_path / "lent.blend"), link=True) as (_, here):
        here.objects = ["Cube"]
    before = bpy.context.object
    roles.choose(bpy.context, here.objects[0])  # which is in no view layer
    assert bpy.context.object == before
