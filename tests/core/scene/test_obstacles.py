"""Mesh obstacles in scenes: files, vertices and faces, where they stand, and what is refused."""

import json
from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.geometry import cells, triangles
from artfish.core.geometry.mesh_field import MeshField
from artfish.core.geometry.obj import read_obj
from artfish.core.geometry.tuning import SHEET_METRES

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def mesh(**given):
    return {"kind": "mesh", "at": [1.5, 1.0, 0.5], "vertices": CUBE.tolist(), "faces": SIDES} | given


def scene(**given):
    return {"tank": {"size": [4, 3, 2]}, "obstacles": [mesh(**given)]}


def obj(vertices, faces) -> str:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices).tolist()]
    return "\n".join(
        ["# a rock", *lines, "vn 0 0 1", *(f"f {' '.join(f'{c + 1}/1/1' for c in face)}" for face in faces)]
    )


def test_a_file_travels_as_vertices_and_faces(tmp_path):
    (tmp_path / "rocks").mkdir()
    (tmp_path / "rocks" / "cube.obj").write_text(obj(CUBE, SIDES))
    given = scene()
    given["obstacles"] = [{"kind": "mesh", "at": [1.5, 1.0, 0.5], "scale": 0.5, "file": "rocks/cube.obj"}]
    (tmp_path / "scene.json").write_text(json.dumps(given))
    loaded = Scene.load(tmp_path / "scene.json")
    assert loaded == Scene.from_dict(scene(scale=0.5))
    assert "file" not in loaded.to_dict()["obstacles"][0]
    loaded.save(tmp_path / "other.json")
    assert Scene.load(tmp_path / "other.json") == loaded
    absolute = scene()
    absolute["obstacles"] = [given["obstacles"][0] | {"file": str(tmp_path / "rocks" / "cube.obj")}]
    assert Scene.from_dict(absolute) == loaded


def test_faces_may_be_counted_from_the_end_of_the_file(tmp_path):
    text = obj(CUBE, []) + "\n" + "\n".join("f " + " ".join(str(c - 8) for c in face) for face in SIDES)
    (tmp_path / "cube.obj").write_text(text)
    vertices, faces = read_obj(tmp_path / "cube.obj")
    assert np.array_equal(vertices, CUBE) and faces == SIDES


@pytest.mark.parametrize("turned", [False, True])
def test_faces_are_made_to_look_outwards(turned):
    faces = [face[::-1] for face in SIDES] if turned else SIDES
    made = Scene.from_dict(scene(faces=faces)).obstacles[0].placed[1]
    a, b, c = np.unique(CUBE, axis=0)[made].transpose(1, 0, 2)
    assert len(made) == 12
    assert np.einsum("ni,ni", a, np.cross(b, c)) / 6 == pytest.approx(1.0)


def test_a_mesh_stands_where_the_scene_puts_it():
    vertices, _ = Scene.from_dict(scene(scale=0.5)).obstacles[0].placed
    assert np.allclose(vertices.min(axis=0), (1.5, 1.0, 0.5)) and np.allclose(vertices.max(axis=0), (2.0, 1.5, 1.0))
    tall = (CUBE * (1, 2, 1)).tolist()
    vertices, _ = Scene.from_dict(scene(vertices=tall, up="y")).obstacles[0].placed
    assert np.allclose(np.ptp(vertices, axis=0), (1, 1, 2)) and vertices[:, 2].min() == pytest.approx(0.5)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"vertices": None, "faces": None}, "obstacles[0].file: found neither of them, allowed either file or"),
        ({"faces": None}, "obstacles[0].file: found vertices, allowed either file or"),
        ({"faces": [*SIDES[:-1], [1, 5, 7, 8]]}, "obstacles[0].faces[5]: found the corner 8, allowed rows of the 8"),
        ({"faces": [*SIDES[:-1], [1, 5, 7, 2.5]]}, "obstacles[0].faces[5]: found the corner 2.5, allowed rows of"),
        ({"faces": [[0, 1]]}, "obstacles[0].faces[0]: found 2 corners, allowed 3 or more"),
        ({"faces": []}, "obstacles[0].faces: found no face"),
        ({"vertices": [[1, 1, 1]] * 8}, "obstacles[0].vertices: found all of them in a few places"),
        ({"vertices": [[0, 0]] * 8}, "obstacles[0].vertices[0]: found [0, 0], allowed a list of 3 numbers"),
        ({"at": [9, 1, 1]}, "obstacles[0].at: found [9.0, 1.0, 1.0], allowed in the tank"),
        ({"scale": 0}, "obstacles[0].scale: found 0, allowed a number from 0.0001 to 10000"),
    ],
)
def test_bad_meshes_are_refused_in_one_line(change, message):
    given = scene(**change)
    given["obstacles"][0] = {name: value for name, value in given["obstacles"][0].items() if value is not None}
    with pytest.raises(SceneError) as refused:
        Scene.from_dict(given, "reef.json")
    assert str(refused.value).startswith(f"reef.json: {message}") and ", allowed " in str(refused.value)


@pytest.mark.film
@pytest.mark.parametrize(
    "faces",
    [SIDES[:-1], [*SIDES, SIDES[0]], [*SIDES[:-1], SIDES[-1][::-1]], [*SIDES[:-1], [1, 5, 5, 7]], SIDES[2:]],
    ids=["a face missing", "a face twice", "a face turned", "half a face", "a tube"],
)
def test_open_meshes_are_solid(faces):
    taken = Scene.from_dict(scene(faces=faces))
    assert taken.obstacles[0].solid.depth(np.array([(2.0, 1.5, 1.0), (2.0, 1.5, 1.8)])) == pytest.approx([-0.5, 0.3])
    with pytest.raises(SceneError, match=r"inside obstacles\[0\]"):
        Scene.from_dict(scene(faces=faces) | {"fishes": [{"species": "clownfish", "at": [2.0, 1.5, 1.0]}]})


@pytest.mark.film
def test_a_sheet_is_a_shell_as_thick_as_it_is_said_to_be():
    """Without a word it is as thick as any; and a closed mesh that is said to have a thickness is hollow."""
    above = np.array([(2.0, 1.5, 0.8)])
    for thickness, depth in ((None, 0.29), (0.1, 0.25)):
        taken = Scene.from_dict(scene(faces=SIDES[4:5], **({} if thickness is None else {"thickness": thickness})))
        assert taken.obstacles[0].solid.depth(above) == pytest.approx(depth)
    hollow = Scene.from_dict(scene(thickness=0.1) | {"fishes": [{"species": "clownfish", "at": [2.0, 1.5, 1.0]}]})
    assert hollow.obstacles[0].solid.depth(np.array([(2.0, 1.5, 1.0)])) == pytest.approx(0.45)
    assert hollow == Scene.from_dict(hollow.to_dict())


@pytest.mark.film
def test_a_mesh_with_too_much_surface_is_warned_of(monkeypatch):
    scene_ = Scene.from_dict(scene(thickness=0.01) | {"fishes": [{"species": "clownfish", "at": [0.5, 0.5, 0.5]}]})
    assert World(scene_).warnings == ()
    monkeypatch.setattr(cells, "MOST_PIECES", 100)
    scene_ = Scene.from_dict(scene(thickness=0.02) | {"fishes": [{"species": "clownfish", "at": [0.5, 0.5, 0.5]}]})
    (warning,) = World(scene_).warnings
    assert "obstacles[0]: found more and longer triangles" in str(warning)


@pytest.mark.film
def test_every_obstacle_answers_for_itself():
    """A pillar and a mesh of its form give the same answers, near and far, as far as a polygon is round."""
    turn = 2 * np.pi * np.arange(96) / 96
    ring = np.stack((0.4 * np.cos(turn), 0.4 * np.sin(turn), np.zeros(96)), axis=1)
    vertices = np.concatenate((ring, ring + (0, 0, 1.2)))
    faces = [list(range(95, -1, -1)), list(range(96, 192))]
    faces += [[k, (k + 1) % 96, 96 + (k + 1) % 96, 96 + k] for k in range(96)]
    pillar = {"kind": "cylinder", "at": [2.0, 1.5, 0.2], "radius": 0.4, "height": 1.2}
    other = {"kind": "mesh", "at": pillar["at"], "vertices": vertices.tolist(), "faces": faces}
    one, two = (
        each.solid for each in Scene.from_dict({"tank": {"size": [4, 3, 2]}, "obstacles": [pillar, other]}).obstacles
    )
    draws = np.random.default_rng(3)
    points = draws.uniform((1.4, 0.9, 0), (2.6, 2.1, 1.8), (400, 3))
    round_ = 0.4 * (1 - np.cos(np.pi / 96))
    assert np.abs(one.depth(points) - two.depth(points)).max() < round_ + two.cell / 2
    start, end = draws.uniform((0, 0, 0), (4, 3, 2), (2, 400, 3))
    assert np.mean(one.blocks(start, end) == two.blocks(start, end)) > 0.99
    way = (end - start) / np.linalg.norm(end - start, axis=1)[:, None]
    paths = [each.free_path(start, way, 0.1) for each in (one, two)]
    assert np.mean(np.isclose(*paths, atol=4 * two.grain)) > 0.95 and np.isinf(paths[0]).any()


@pytest.mark.parametrize(
    "text, message",
    [
        (None, "found 'rock.obj' (no such file), allowed a Wavefront .obj"),
        ("v 0 0\n", "found no sense in line 1 of 'rock.obj', allowed"),
        ("v 0 0 0\nf 1 b 2", "found no sense in line 2 of 'rock.obj', allowed"),
        (obj(CUBE[:7], SIDES), "found the corner 7 (rock.obj, faces[1]), allowed rows of the 7 vertices"),
        ("hello", "found no face (rock.obj, faces), allowed"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path, text, message):
    if text is not None:
        (tmp_path / "rock.obj").write_text(text)
    (tmp_path / "scene.json").write_text(
        json.dumps({"obstacles": [{"kind": "mesh", "at": [1, 1, 1], "file": "rock.obj"}]})
    )
    with pytest.raises(SceneError) as refused:
        Scene.load(tmp_path / "scene.json")
    assert str(refused.value).startswith(f"{tmp_path / 'scene.json'}: obstacles[0].file: {message}")
    assert len(str(refused.value).splitlines()) == 1


def test_too_many_faces_are_refused():
    fans = [list(range(3)) for _ in range(triangles.MOST_TRIANGLES + 1)]
    with pytest.raises(ValueError, match="found 100001 triangles, allowed up to 100000"):
        triangles.closed(CUBE, fans)


@pytest.mark.film
def test_a_mesh_is_sampled_once_however_many_there_are(monkeypatch):
    counts = [0]
    sample = MeshField.__init__

    def count(*given, **more):
        counts[0] += 1
        sample(*given, **more)

    monkeypatch.setattr(MeshField, "__init__", count)
    vertices = [(x, y, z) for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    rocks = [{"kind": "mesh", "at": [0.2 * row, 1, 1], "vertices": vertices, "faces": faces} for row in range(5)]
    scene = Scene.from_dict({"obstacles": rocks, "fishes": [{"species": "clownfish", "at": [5, 4, 2]}]})
    world = World(scene)
    world.retune(scene, fluid_viscosity=0.5)
    World(replace(scene, fps=30.0))
    assert counts == [5]


def test_fishes_may_not_begin_inside():
    given = scene() | {"fishes": [{"species": "clownfish", "at": [2.0, 1.5, 1.0]}]}
    with pytest.raises(SceneError, match=r"fishes\[0\].at: found \[2.0, 1.5, 1.0\] inside obstacles\[0\]"):
        Scene.from_dict(given)
    given["fishes"][0]["at"] = [2.0, 2.2, 1.0]
    assert Scene.from_dict(given).count == 1


@pytest.mark.parametrize("thickness", [None, 0.4])
def test_the_sphere_around_a_mesh_holds_it_with_its_thickness_and_no_more(thickness):
    given = {} if thickness is None else {"thickness": thickness}
    (cube,) = Scene.from_dict(scene(scale=2.0, **given)).obstacles
    middle, radius = cube.sphere
    away = np.linalg.norm(cube.upright(cube.surface.vertices) - middle, axis=1)
    shell = 0.5 * (cube.shell or SHEET_METRES)
    assert away.max() + shell == pytest.approx(radius)
