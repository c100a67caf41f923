"""A fish that is not there yet, or not any more, is not seen in any format, and nothing but fishes goes out."""

import zipfile
from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export.exporting import export
from artfish.blender_artfish.export.visibility import usd_library
from artfish.tests.blender.files import new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

FRAMES = 10
READERS = {
    ".abc": lambda path: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0),
}


@pytest.fixture
def film(swimming):
    """Three fishes: one comes at the fifth frame and one goes after the eighth."""
    whole = swimming("clownfish", "clownfish", "clownfish", frames=FRAMES)
    alive = whole.alive.copy()
    alive[:4, 0] = alive[8:, 1] = False
    return replace(whole, alive=alive)


def seen_in_usd(path, frame) -> set[str]:
    """Names above the meshes of a file that are seen at a frame."""
    library = usd_library()
    stage, geometry = library["Usd"].Stage.Open(str(path)), library["UsdGeom"]
    meshes = [prim for prim in stage.Traverse() if prim.IsA(geometry.Mesh)]
    shown = [prim for prim in meshes if geometry.Imageable(prim).ComputeVisibility(frame) != "invisible"]
    return {prim.GetParent().GetName() for prim in shown}


def width(obj) -> float:
    """The largest extent of an object as it is evaluated."""
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    places = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", places)
    return float(np.ptp(places.reshape(-1, 3) @ np.array(evaluated.matrix_world)[:3, :3].T, axis=0).max())


@pytest.mark.parametrize(
    ("suffix", "drive"), [(".usdc", "armature"), (".usdz", "armature"), (".usda", "armature"), (".usdc", "shapes")]
)
def test_in_usd_visibility_is_keyed(tmp_path, film, suffix, drive):
    bake(film, form="mesh", drive=drive, stage=False)
    path = tmp_path / f"fishes{suffix}"
    assert export(path, textures=False) == 3
    for frame in range(FRAMES):
        there = [f"Clownfish_{row + 1:02d}" for row in np.flatnonzero(film.alive[frame])]
        found = {name.removesuffix("_mesh") for name in seen_in_usd(path, frame + 1)}
        assert found == set(there), frame
    if suffix == ".usdz":
        assert zipfile.ZipFile(path).testzip() is None


@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_in_formats_without_visibility_it_has_no_size(tmp_path, film, suffix):
    bake(film, form="mesh", stage=False)
    export(tmp_path / f"fishes{suffix}", textures=False)
    new_file()
    bpy.context.scene.render.fps = 24
    READERS[suffix](str(tmp_path / f"fishes{suffix}"))
    bodies = sorted((obj for obj in bpy.data.objects if obj.name.endswith(" mesh")), key=lambda obj: obj.name)
    assert len(bodies) == 3
    for frame in range(FRAMES):
        bpy.context.scene.frame_set(frame + (0 if suffix == ".glb" else 1))
        for body, there in zip(bodies, film.alive[frame], strict=True):
            assert (width(body) > 0.02) == there and (there or width(body) < 1e-6), (body.name, frame)


def test_in_alembic_an_empty_above_it_is_hidden_and_its_motion_goes_on(tmp_path, film):
    """A mesh that is hidden would not be written, and all its later moments would come too early."""
    bake(film, form="mesh", stage=False)
    true = {}
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        true[frame] = np.array(bpy.data.objects["Clownfish 01"].evaluated_get(
            bpy.context.evaluated_depsgraph_get()).pose.bones["head"].head)  # fmt: skip
    way = {frame: true[frame] - true[5] for frame in true}
    export(tmp_path / "fishes.abc")
    new_file()
    bpy.context.scene.render.fps = 24
    READERS[".abc"](str(tmp_path / "fishes.abc"))
    assert {name for name in bpy.data.objects.keys() if name.endswith("_there")} == {  # noqa: SIM118
        "Clownfish_01_there",
        "Clownfish_02_there",
    }
    body = bpy.data.objects["Clownfish_01_mesh"]
    first = None
    for frame in (5, 10):
        bpy.context.scene.frame_set(frame)
        evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places = np.array([tuple(evaluated.matrix_world @ vertex.co) for vertex in evaluated.data.vertices])
        first = places if first is None else first
    moved = np.linalg.norm((places - first).mean(axis=0))
    scale = bpy.data.objects["Clownfish_01"].matrix_world.to_scale()[0]
    assert moved == pytest.approx(scale * np.linalg.norm(way[10]), rel=0.3)


@pytest.mark.parametrize("suffix", READERS)
def test_a_fish_that_is_never_absent_is_as_before(tmp_path, swimming, suffix):
    bake(swimming("clownfish", frames=3), form="mesh", stage=False)
    export(tmp_path / f"fishes{suffix}", textures=False)
    new_file()
    READERS[suffix](str(tmp_path / f"fishes{suffix}"))
    assert not [name for name in bpy.data.objects.keys() if "there" in name]  # noqa: SIM118
    if suffix == ".usdc":
        assert len(seen_in_usd(tmp_path / "fishes.usdc", 1)) == 1


@pytest.mark.parametrize("suffix", READERS)
def test_nothing_but_fishes_goes_out(tmp_path, swimming, suffix):
    """The user's world with its picture, lights, cameras and meshes stay."""
    picture = bpy.data.images.new("Sky", 8, 4)
    picture.pack()
    world = bpy.data.worlds.new("Mine")
    world.use_nodes = True
    sky = world.node_tree.nodes.new("ShaderNodeTexEnvironment")
    sky.image = picture
    world.node_tree.links.new(sky.outputs[0], world.node_tree.nodes["Background"].inputs[0])
    bpy.context.scene.world = world
    for kind, data in (("Lamp", bpy.data.lights.new("Lamp", "SUN")), ("Eye", bpy.data.cameras.new("Eye"))):
        bpy.context.scene.collection.objects.link(bpy.data.objects.new(kind, data))
    bpy.ops.mesh.primitive_cube_add()
    bake(swimming("clownfish", frames=3), form="mesh", stage=False)
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    out = tmp_path / "out"
    out.mkdir()
    export(out / f"fishes{suffix}", textures=False)
    assert [path.name for path in out.rglob("*")] == [f"fishes{suffix}"]
    new_file()
    READERS[suffix](str(out / f"fishes{suffix}"))
    assert {obj.type for obj in bpy.data.objects} <= {"MESH", "ARMATURE", "EMPTY"}
    assert not bpy.data.worlds and not bpy.data.lights and not bpy.data.cameras
    assert not [obj.name for obj in bpy.data.objects if "Cube" in obj.name]
