"""Fishes feel visible instances of obstacles where they stand; a line names those that cannot be felt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector
from mathutils.geometry import closest_point_on_tri

from artfish.blender_artfish.scene import instances, movement, remarks
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene.selected_panel import ARTFISH_PT_selected
from artfish.core.base.attitude import matrices
from artfish.core.geometry import triangles
from artfish.core.scene.obstacles import alike_but_for_motion
from artfish.tests.blender.drawing import drawn

SIDE = 0.4
"""Side of the scattered cubes, in metres."""
NEAR = 0.03
"""Distance beside the cubes at which their fields are probed, in metres."""
AWAY = (60.0, 0.0, 0.0)
"""The place where originals are out of the way."""
PLACES = (-1.0, 0.0, 1.0), (1.0, 0.5, 1.0)
"""Places of the instances."""


def cube(name: str = "Rock", at: Any = AWAY, side: float = SIDE) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=side, location=at)
    bpy.context.object.name = name
    return bpy.context.object


def points(name: str = "Ground", at: Any = (0.0, 0.0, 0.0), places: Any = PLACES) -> bpy.types.Object:
    """A mesh with nothing but vertices, on which instances are put."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], [])
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = at
    return obj


def link(tree: bpy.types.NodeTree, kind: str, **sockets: Any) -> bpy.types.Node:
    node = tree.nodes.new(kind)
    for name, value in sockets.items():
        socket = node.inputs[name.replace("_", " ")]
        if isinstance(value, bpy.types.NodeSocket):
            tree.links.new(value, socket)
        else:
            socket.default_value = value
    return node


def scatter(on: bpy.types.Object, source: bpy.types.Object | bpy.types.Collection | None, extra: str = "") -> None:
    """Puts a cube of its own, an object or a collection on every vertex, by Geometry Nodes."""
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    if isinstance(source, bpy.types.Object):
        made = link(tree, "GeometryNodeObjectInfo", Object=source, As_Instance=True).outputs["Geometry"]
    elif source is not None:
        made = link(tree, "GeometryNodeCollectionInfo", Collection=source).outputs[0]
    else:
        made = link(tree, "GeometryNodeMeshCube", Size=(SIDE,) * 3).outputs["Mesh"]
    given = tree.nodes.new("NodeGroupInput").outputs[0]
    found = link(tree, "GeometryNodeInstanceOnPoints", Points=given, Instance=made).outputs[0]
    if extra:
        join = link(tree, "GeometryNodeJoinGeometry", Geometry=found)
        tree.links.new(tree.nodes.new(extra).outputs[0], join.inputs[0])
        found = join.outputs[0]
    link(tree, "NodeGroupOutput", Geometry=found)
    on.modifiers.new("Scatter", "NODES").node_group = tree


def collection(*objects: bpy.types.Object, origin: Any = AWAY) -> bpy.types.Collection:
    """A collection of its own, which is in no scene."""
    home = bpy.data.collections.new("Rocks")
    home.instance_offset = origin
    for obj in objects:
        for other in obj.users_collection:
            other.objects.unlink(obj)
        home.objects.link(obj)
    return home


def put(home: bpy.types.Collection, at: Any) -> bpy.types.Object:
    empty = bpy.data.objects.new("Reef", None)
    bpy.context.scene.collection.objects.link(empty)
    empty.instance_type, empty.instance_collection, empty.location = "COLLECTION", home, at
    return empty


def mark(obj: bpy.types.Object) -> bpy.types.Object:
    obj.artfish.kind = "OBSTACLE"
    return obj


def read() -> scene_reader.Reading:
    bpy.context.view_layer.update()
    return scene_reader.read(bpy.context.scene)


def depth(reading: scene_reader.Reading, at: Any) -> float:
    """Distance of the nearest obstacle from a place in Blender's world, in metres; infinite without any."""
    place = np.array([at]) - np.array(reading.origin[:])
    return min((_exact(each, place) for each in reading.scene.obstacles), default=np.inf)


def _exact(obstacle: Any, place: np.ndarray) -> float:
    """The distance that an obstacle's field approximates, without the seconds that the field takes to sample."""
    vertices, faces = obstacle.placed
    at = Vector(place[0])
    away = min((closest_point_on_tri(at, *map(Vector, corners)) - at).length for corners in vertices[faces])
    return -away if obstacle.holds(tuple(place[0])) else away


def beside(reading: scene_reader.Reading, places: Any = PLACES, half: float = SIDE / 2) -> list[float]:
    return [depth(reading, np.add(at, (half + NEAR, 0.0, 0.0))) for at in places]


def is_felt(reading: scene_reader.Reading, places: Any = PLACES) -> bool:
    return beside(reading, places) == pytest.approx([NEAR] * len(places), abs=0.005)


def by_nodes() -> None:
    scatter(mark(points()), None)


def by_nodes_of_an_object() -> None:
    scatter(mark(points()), cube())


def by_nodes_of_a_marked_object() -> None:
    scatter(points(), mark(cube()))


def by_nodes_of_a_hidden_object() -> None:
    rock = mark(cube(at=(0.0, -2.0, 1.0)))
    scatter(points(), rock)
    rock.hide_viewport = True


def by_nodes_of_a_collection() -> None:
    scatter(mark(points()), collection(cube(at=(0.0, 0.0, 0.0)), origin=(0, 0, 0)))


def by_collections() -> None:
    home = collection(mark(cube()))
    for at in PLACES:
        put(home, at)


def by_marked_collections() -> None:
    home = collection(cube())
    for at in PLACES:
        mark(put(home, at))


def by_collections_in_collections() -> None:
    inner = put(collection(cube()), (0.0, 0.0, 0.0))
    home = collection(inner, origin=(0, 0, 0))
    for at in PLACES:
        mark(put(home, at))


def by_a_scatter_in_a_collection() -> None:
    ground = mark(points(at=AWAY))
    scatter(ground, cube("Stone"))
    put(collection(ground), (0.0, 0.0, 0.0))


def by_vertices() -> None:
    ground = points()
    rock = mark(cube(at=(0.0, 0.0, 0.0)))
    rock.parent, ground.instance_type = ground, "VERTS"


def by_faces() -> None:
    reach = 0.1
    corners = [
        (x + dx, y + dy, z) for x, y, z in PLACES for dx, dy in ((-reach, -reach), (reach, -reach), (0, 2 * reach))
    ]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(corners, [], [(0, 1, 2), (3, 4, 5)])
    ground = mark(bpy.data.objects.new("Ground", mesh))
    bpy.context.scene.collection.objects.link(ground)
    rock = cube(at=(0.0, 0.0, 0.0))
    rock.parent, ground.instance_type, ground.show_instancer_for_viewport = ground, "FACES", False


WAYS = (
    by_nodes,
    by_nodes_of_an_object,
    by_nodes_of_a_marked_object,
    by_nodes_of_a_hidden_object,
    by_nodes_of_a_collection,
    by_collections,
    by_marked_collections,
    by_collections_in_collections,
    by_a_scatter_in_a_collection,
    by_vertices,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_instances_are_felt_where_they_stand(way: Callable[[], None]):
    way()
    reading = read()
    assert is_felt(reading), beside(reading)
    assert remarks.lines_of(bpy.context.scene) == []
    between = np.mean(PLACES, axis=0)
    assert depth(reading, between) > 0.5 and depth(reading, (0.0, -2.0, 1.0)) > 0.5


@pytest.mark.film
def test_the_water_tells_how_far_each_instance_is():
    by_nodes()
    obstacles = (reading := read()).scene.obstacles
    for at in PLACES:
        place = np.add([at], (SIDE / 2 + NEAR, 0, 0)) - np.array(reading.origin[:])
        assert min(each.solid.depth(place)[0] for each in obstacles) == pytest.approx(NEAR, abs=0.01)


def test_instances_on_faces_are_felt():
    by_faces()
    reading = read()
    inside = [depth(reading, at) for at in PLACES]
    assert all(each < -0.1 for each in inside), inside


def test_particles_are_felt_where_they_are():
    bpy.ops.mesh.primitive_plane_add(size=3, location=(0, 0, 1))
    ground = mark(bpy.context.object)
    ground.modifiers.new("Particles", "PARTICLE_SYSTEM")
    settings = ground.particle_systems[0].settings
    settings.type, settings.count, settings.render_type = "HAIR", 3, "OBJECT"
    settings.instance_object, settings.particle_size = cube(), 1.0
    ground.show_instancer_for_viewport = False
    reading = read()
    shown = [
        each.matrix_world.copy()
        for each in bpy.context.evaluated_depsgraph_get().object_instances
        if each.is_instance and each.parent.original == ground
    ]
    assert len(shown) == 3
    for matrix in shown:
        assert depth(reading, matrix.translation) < -0.01
        assert depth(reading, matrix @ Vector((0.5 * SIDE + NEAR / matrix.to_scale().x, 0, 0))) < 2 * NEAR


def test_instances_of_a_linked_library_are_felt(tmp_path: Path):
    rock = mark(cube())
    home = collection(rock)
    bpy.data.libraries.write(str(tmp_path / "rocks.blend"), {home}, fake_user=True)
    bpy.data.batch_remove([rock, home])
    with bpy.data.libraries.load(str(tmp_path / "rocks.blend"), link=True) as (there, here):
        here.collections = list(there.collections)
    (linked,) = here.collections
    empties = [put(linked, at) for at in PLACES]
    assert is_felt(read())
    linked.objects[0].artfish.kind = "NONE"  # until the file is opened again
    for empty in empties:
        mark(empty)
    assert is_felt(read())


def test_an_original_stands_in_the_water_as_long_as_it_is_seen(scene):
    rock = mark(cube(at=(0.0, -2.0, 1.0)))
    assert is_felt(read(), [(0.0, -2.0, 1.0)])
    scatter(points(), rock)
    assert is_felt(read(), [(0.0, -2.0, 1.0), *PLACES])
    rock.hide_set(True)
    reading = read()
    assert is_felt(reading) and depth(reading, (0.0, -2.0, 1.0)) > 1.0
    for each in scene.objects:
        each.modifiers.clear()
    assert is_felt(read(), [(0.0, -2.0, 1.0)])  # hidden and nowhere else, it counts as ever


def test_instances_count_turned_mirrored_and_scaled(scene):
    bpy.ops.mesh.primitive_cone_add(radius1=0.3, depth=0.6, location=AWAY)
    cone = bpy.context.object
    home = collection(cone)
    reef = mark(put(home, (0.0, 0.0, 0.0)))
    reef.matrix_world = (
        Matrix.Translation((1, 1, 1)) @ Matrix.Rotation(1.0, 4, "X") @ Matrix.Diagonal((-2.0, 1.5, 1.0, 1.0))
    )
    scene.unit_settings.scale_length = 0.5
    reading = read()
    for along in (-0.25, 0.0, 0.25):
        at = 0.5 * (reef.matrix_world @ Vector((0.02, 0.0, along)))
        assert depth(reading, at) < 0.0, along
    assert depth(reading, 0.5 * (reef.matrix_world @ Vector((0.28, 0.0, 0.25)))) > 0.05


def test_instances_of_a_keyed_obstacle_count_where_the_film_begins(scene):
    ground = mark(points())
    scatter(ground, cube())
    for frame, x in ((1, 0.0), (50, 3.0)):
        ground.location.x = x
        ground.keyframe_insert("location", index=0, frame=frame)
    scene.frame_set(50)
    assert is_felt(read())


def keyed(obj: bpy.types.Object) -> bpy.types.Object:
    """Goes and turns through a film of five frames."""
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 5
    for frame, place, turn in ((1, (-1.0, 0.0, 1.0), 0.0), (5, (1.0, 0.5, 1.0), 0.8)):
        obj.location, obj.rotation_euler.z = place, turn
        obj.keyframe_insert("location", frame=frame)
        obj.keyframe_insert("rotation_euler", frame=frame)
    return obj


def keyed_collection() -> bpy.types.Object:
    reef = put(collection(cube()), PLACES[0])
    reef.scale = (1.0, 2.0, 0.5)
    return keyed(mark(reef))


def keyed_collection_of_a_marked_object() -> bpy.types.Object:
    return keyed(put(collection(mark(cube())), PLACES[0]))


def keyed_scatter() -> bpy.types.Object:
    ground = mark(points(places=((0.3, 0.0, 0.0), (-0.3, 0.2, 0.0))))
    scatter(ground, None)
    return keyed(ground)


def constrained_collection_of_a_marked_object() -> bpy.types.Object:
    guide = bpy.data.objects.new("Guide", None)
    bpy.context.scene.collection.objects.link(guide)
    reef = put(collection(mark(cube())), PLACES[0])
    reef.constraints.new("COPY_TRANSFORMS").target = keyed(guide)
    return reef


MOVING_WAYS = (
    *(keyed_collection, keyed_collection_of_a_marked_object, keyed_scatter),
    constrained_collection_of_a_marked_object,
)


def shown_at(frame: int) -> np.ndarray:
    """Places of all vertices that instances show at a frame, in order, (n, 3)."""
    bpy.context.scene.frame_set(frame)
    return in_order(
        [
            instance.matrix_world @ vertex.co
            for instance in bpy.context.evaluated_depsgraph_get().object_instances
            if instance.is_instance and instance.object.type == "MESH"
            for vertex in instance.object.data.vertices
        ]
    )


def in_order(places: Any) -> np.ndarray:
    rounded = np.round(np.array(places), 3) + 0.0
    return rounded[np.lexsort(rounded.T)]


@pytest.mark.parametrize("way", MOVING_WAYS)
def test_instances_move_with_what_makes_them(scene, way):
    way().artfish.movement.presence = "PREDATOR"
    scene.frame_set(3)
    with movement.reading(scene):
        movement.sample_at_once(scene)
        reading = read()
    (obstacle,) = reading.scene.obstacles
    assert obstacle.name in ("Reef", "Ground") and not remarks.lines_of(scene)
    assert (obstacle.presence == "predator") == (way in (keyed_collection, keyed_scatter))
    vertices = np.array(obstacle.vertices)
    for frame, key in enumerate(obstacle.motion, start=1):
        moved = vertices @ matrices(np.array(key.turn)).T + key.at + np.array(reading.origin[:])
        assert in_order(moved) == pytest.approx(shown_at(frame), abs=2e-3)
    assert len(obstacle.motion) == 5 and scene.frame_current == 5


def test_an_instance_that_one_moves_by_hand_keeps_its_form_and_the_fishes_go_on(scene):
    reef = mark(put(collection(cube()), PLACES[0]))
    reef.artfish.movement.moves = "HAND"
    first = read().scene.obstacles
    for turn in (0.3, 1.1, 2.3):
        reef.location, reef.rotation_euler.z = (turn, 0.5, 1.0), turn
        now = read().scene.obstacles
        assert alike_but_for_motion(first, now) and now[0].motion != first[0].motion


def test_an_instance_that_is_to_stand_stands(scene):
    reef = keyed_collection()
    reef.artfish.movement.moves = "STILL"
    (obstacle,) = read().scene.obstacles
    assert obstacle.motion is None


def test_what_moves_within_an_instance_is_said_with_its_name(scene):
    reef = mark(put(collection(cube("Diver", at=(0, 0, 0)), origin=(0, 0, 0)), PLACES[0]))
    keyed(bpy.data.objects["Diver"])
    read()
    moves = "moves, which does not count: Make Instances Real, for fishes to see it move"
    assert remarks.lines_of(scene) == [f"Reef: within its instances Diver {moves}"]
    reef.artfish.movement.moves = "STILL"
    read()
    assert not remarks.lines_of(scene)


def test_another_scene_than_the_windows_has_its_own_instances(scene):
    home = collection(mark(cube()))
    other = bpy.data.scenes.new("Other")
    reef = put(home, PLACES[0])
    scene.collection.objects.unlink(reef)
    other.collection.objects.link(reef)
    bpy.context.view_layer.update()
    assert is_felt(scene_reader.read(other), PLACES[:1])
    assert not read().scene.obstacles


def test_what_does_not_count_is_said_with_the_name_of_the_object(scene, monkeypatch):
    ground = mark(points())
    scatter(ground, None, extra="GeometryNodePoints")
    read()
    assert remarks.lines_of(scene) == ["Ground: its points do not count: make a mesh of them, or Realize Instances"]
    bpy.context.view_layer.objects.active = ground
    assert " ".join(drawn(ARTFISH_PT_selected).words).startswith("its points do not count: make a mesh")
    ground.hide_set(True)
    read()
    (line,) = remarks.lines_of(scene)
    assert line.startswith("Ground: hidden, so that Blender makes no instances of it")
    ground.artfish.kind = "NONE"
    empty = mark(put(collection(), (0.0, 0.0, 0.0)))
    read()
    assert remarks.remark_of(scene, empty).startswith("it has no mesh and instances none")
    assert remarks.remark_of(scene, ground) == ""


def test_the_largest_instances_count_where_they_are_too_many(scene, monkeypatch):
    ground = mark(points(places=[(x, 0.0, 1.0) for x in np.linspace(-3, 3, 7)]))
    scatter(ground, None)
    assert len(read().scene.obstacles) == 7 and not remarks.lines_of(scene)
    monkeypatch.setattr(instances, "MOST_COPIED_TRIANGLES", 12 * 5)
    assert len(read().scene.obstacles) == 5
    assert remarks.lines_of(scene)[0].startswith("Ground: 5 of its 7 instances count, up to 10,000 and 60 triangles")


def test_many_instances_are_few_meshes_of_neighbours():
    mesh = instances.Hull(
        np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=np.float32) * 0.1,
        np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)], dtype=np.int32),
    )
    dice = np.random.default_rng(3)
    copies = [instances.Copy(mesh, Matrix.Translation(at)) for at in dice.uniform(0, 10, (900, 3))]
    made, taken, there, shells = instances.heaps(copies, np.zeros(3), np.full(3, 8.0))
    assert not shells
    assert len(made) == instances.MOST_HEAPS and taken == there < 900
    assert sum(len(each.triangles) for each in made) == 4 * taken
    spread = [np.ptp(each.places, axis=0).max() for each in made]
    assert max(spread) < 6.0
    big = instances.Hull(mesh.places, np.tile(mesh.triangles, (triangles.MOST_TRIANGLES // 4 + 1, 1)))
    assert instances.heaps([instances.Copy(big, Matrix())], np.zeros(3), np.ones(3)) == ([], 0, 1, 0)


def test_only_what_can_be_solid_can_be_marked(scene):
    empty = put(collection(cube()), (0.0, 0.0, 1.0))
    for obj in scene.objects:
        obj.select_set(obj == empty)
    bpy.context.view_layer.objects.active = empty
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"} and empty.artfish.kind == "OBSTACLE"
    with pytest.raises(RuntimeError, match="Reef is no mesh: only an obstacle need not be one"):
        bpy.ops.artfish.mark(kind="TANK")
    assert bpy.ops.artfish.mark(kind="NONE") == {"FINISHED"} and empty.artfish.kind == "NONE"
    empty.instance_type = "NONE"
    assert not bpy.ops.artfish.mark.poll()


def without_a_face(rock: bpy.types.Object) -> bpy.types.Object:
    corners = [tuple(each.co) for each in rock.data.vertices]
    faces = [tuple(each.vertices) for each in rock.data.polygons]
    rock.data = bpy.data.meshes.new("Open")
    rock.data.from_pydata(corners, [], faces[1:])
    return rock


def test_what_is_scattered_may_be_open(scene):
    ground = mark(points(places=[(x, y, 1.0) for x in (-3, 0, 3) for y in (-2, 0, 2)] * 4))
    scatter(ground, without_a_face(cube()))
    reading = read()
    assert depth(reading, (0, 0, 1)) == pytest.approx(-SIDE / 2, abs=0.01) and depth(reading, (1.5, 1, 1)) > 0.5
    assert not remarks.lines_of(scene)


def test_scattered_sheets_are_shells_and_a_line_says_so(scene):
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=2, y_subdivisions=2, size=SIDE, location=AWAY)
    ground = mark(points())
    scatter(ground, bpy.context.object)
    read()
    assert remarks.remark_of(scene, ground).startswith("2 of its instances are open and count as thin shells")
    ground.artfish.solid.use_thickness, ground.artfish.solid.thickness = True, 0.2
    assert read().scene.obstacles[0].thickness == pytest.approx(0.2) and not remarks.lines_of(scene)
