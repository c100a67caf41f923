"""Exports, read back by importers that are not ours: fishes lie where the bake has them, bend, and wear pictures."""

import json
import re
import struct
from dataclasses import replace

import bpy
import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export import pictures
from artfish.blender_artfish.export.exporting import SUFFIXES, WITH_PICTURES, export, export_file
from artfish.cli import FISH_SUFFIXES
from artfish.core.base.codec import SceneError
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.tests.blender.files import CENTIMETRE, bake_in_centimetres, new_file

pytestmark = [pytest.mark.versions, pytest.mark.film]

NEAR = 0.02
"""Distance by which a vertex that is read back may be off the bake, in body lengths."""
FRAMES = 24
READERS = {
    ".abc": lambda path: bpy.ops.wm.alembic_import(filepath=path, as_background_job=False),
    ".usdc": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".usdz": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".usda": lambda path: bpy.ops.wm.usd_import(filepath=path),
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
    ".fbx": lambda path: bpy.ops.import_scene.fbx(filepath=path, anim_offset=0.0),
}


@pytest.fixture
def small_pictures(monkeypatch):
    """Pictures that are painted in a tenth of the time."""
    monkeypatch.setattr(pictures, "SIZES", {"skin": 128, "eye": 128})
    monkeypatch.setattr(pictures, "FIN_SIZE", 128)


@pytest.fixture(scope="module")
def film(swimming):
    return swimming("clownfish", "reef_shark", "clownfish", frames=FRAMES)


@pytest.fixture(scope="module")
def baked(tmp_path_factory, film):
    path = tmp_path_factory.mktemp("baked") / "fishes.blend"
    bake(film, path, form="mesh", stage=False)
    return path


def meshes() -> list[bpy.types.Object]:
    """Objects that were read, without the shapes that importers give to bones."""
    return [obj for obj in bpy.data.objects if obj.type == "MESH" and len(obj.data.vertices) > 1000]


def vertices(obj: bpy.types.Object, frame: float, first: int = 1) -> np.ndarray:
    """Places of an object's vertices at a frame of the recording that begins at another, (vertices, 3)."""
    bpy.context.scene.frame_set(first + int(frame))
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", places)
    matrix = np.array(evaluated.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def read(path, rate: float = 24.0) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = round(rate)
    bpy.context.scene.render.fps_base = round(rate) / rate
    READERS[path.suffix](str(path))


FIRST = {".glb": 0}
"""Frame at which a read film begins; 1, as in the bake, unless it is another here."""


def assert_swims(film, frames: tuple[int, ...], rows: tuple[int, ...] = (0, 1, 2), first: int = 1) -> None:
    """Asserts that every fish that was read lies on one of these rows, vertex by vertex, and that none is left out."""
    found = set()
    for obj in meshes():
        for frame in frames:
            places = vertices(obj, frame, first)
            row = min(rows, key=lambda row: np.linalg.norm(film.nodes[frame, row].mean(axis=0) - places.mean(axis=0)))
            net = ControlNet(film.species_models[film.species[row]])
            look = film.look([row])
            now = replace(look, **{name: of[[frame]] for name, of in vars(look).items()})
            nodes, fins, mouth = (of[[frame]][:, [row]] for of in (film.nodes, film.fins, film.mouth))
            points, origin, turn = net.poses(nodes, fins, film.body_length[[row]], mouth, now)
            true = FishMesh(net).vertices(points)[0, 0] * film.body_length[row] @ turn[0, 0].T + origin[0, 0]
            off = cKDTree(true).query(places)[0] / film.body_length[row]
            assert np.percentile(off, 95) < NEAR, (obj.name, frame, np.percentile(off, 95))
            found.add(row)
    assert found == set(rows)


def bent(places: np.ndarray, others: np.ndarray) -> float:
    """Distance that 95 of 100 pairs of vertices are within after the rigid motion that brings them nearest."""
    a, b = places - places.mean(axis=0), others - others.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    return float(np.percentile(np.linalg.norm(a @ (u @ v) - b, axis=1), 95))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_read_back_swims_as_it_was_baked(tmp_path, small_pictures, film, baked, suffix):
    out = tmp_path / f"fishes{suffix}"
    assert export_file(baked, out) == 3
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept in ({out.name}, {out.name, "textures"})  # and nothing half written
    read(out)
    assert_swims(film, (0, 9, 23), first=FIRST.get(suffix, 1))
    shark = max(meshes(), key=lambda obj: np.ptp(vertices(obj, 0), axis=0).max())
    assert bent(vertices(shark, 0), vertices(shark, 11)) > 0.01 * film.body_length[1]
    if suffix in WITH_PICTURES:
        worn = {material for obj in meshes() for material in obj.data.materials}
        assert len(worn) == 12  # six parts of two species
        pictures = [
            node.image
            for material in worn
            for node in material.node_tree.nodes
            if node.bl_idname == "ShaderNodeTexImage"
        ]
        assert len({picture.name for picture in pictures}) >= 12 and all(
            min(picture.size) >= 128 for picture in pictures
        )


@pytest.mark.parametrize("suffix", [".abc", ".glb", ".usdc"])
def test_film_rates_keep_time(tmp_path, film, baked, suffix):
    bpy.ops.wm.open_mainfile(filepath=str(baked))
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 24, 1.001
    export(tmp_path / f"fishes{suffix}", select="Clownfish", textures=False)
    read(tmp_path / f"fishes{suffix}", 24 / 1.001)
    assert_swims(film, (0, 23), (0, 2), FIRST.get(suffix, 1))


def test_pictures_show_what_fishes_wear_and_leave_nothing(tmp_path, monkeypatch, baked):
    monkeypatch.setattr(pictures, "SIZES", {"skin": 256, "eye": 128})
    monkeypatch.setattr(pictures, "FIN_SIZE", 256)
    bpy.ops.wm.open_mainfile(filepath=str(baked))
    before = {
        kind: set(getattr(bpy.data, kind).keys()) for kind in ("materials", "images", "meshes", "objects", "scenes")
    }
    worn = {obj.name: [material.name for material in obj.data.materials] for obj in meshes()}
    export(tmp_path / "fishes.glb", select="Clownfish 01")
    assert before == {kind: set(getattr(bpy.data, kind).keys()) for kind in before}
    assert worn == {obj.name: [material.name for material in obj.data.materials] for obj in meshes()}
    read(tmp_path / "fishes.glb")
    skin = next(image for image in bpy.data.images if "skin" in image.name)
    pixels = np.array(skin.pixels[:]).reshape(*skin.size, 4)[25:-25, :, :3]
    orange, white = (
        np.linalg.norm(pixels - colour, axis=-1) < 0.25 for colour in ((1.0, 0.45, 0.05), (0.95, 0.95, 0.97))
    )
    assert orange.mean() > 0.3 and white.mean() > 0.15
    fin = next(image for image in bpy.data.images if "caudal" in image.name)
    alpha = np.array(fin.pixels[:]).reshape(*fin.size, 4)[..., 3]
    assert (
        alpha.min() < 0.05 and alpha.max() > 0.9 and 0.4 < alpha.mean() < 0.98
    )  # frayed at its edge, clear between rays


def test_fishes_of_a_species_share_a_mesh(tmp_path, film, baked):
    export_file(baked, tmp_path / "fishes.glb", textures=False)
    content = (tmp_path / "fishes.glb").read_bytes()
    (size,) = struct.unpack_from("<I", content, 12)
    scene = json.loads(content[20 : 20 + size])
    assert len(scene["meshes"]) == 2 and len(scene["skins"]) == 3 and len(scene["animations"]) == 1
    skinned = [number for number, node in enumerate(scene["nodes"]) if "skin" in node]
    assert len(skinned) == 3 and set(skinned) <= set(scene["scenes"][0]["nodes"])
    animation = scene["animations"][0]
    moved = {channel["target"]["node"] for channel in animation["channels"]}
    assert moved and not moved & set(skinned), "what moves a skinned mesh by itself has no effect"
    assert {channel["sampler"] for channel in animation["channels"]} == set(range(len(animation["samplers"])))
    assert struct.unpack_from("<I", content, 8) == (len(content),)


@pytest.mark.parametrize(
    ("form", "suffix", "said"),
    [
        ("points", ".glb", "found fishes that are surfaces, allowed a bake of the form Mesh"),
        ("shapes", ".glb", "without bones', allowed for .glb a bake of the form Mesh driven by an Armature"),
        ("mesh", ".obj", "allowed a name ending in .abc, .usdc, .usdz, .usda, .glb, .fbx"),
        ("crowd", ".usdc", "found a crowd for .usdc, allowed .usda for a crowd, or a bake of the form Mesh"),
    ],
)
def test_what_cannot_be_exported_is_said_in_a_line(tmp_path, film, form, suffix, said):
    shapes = form == "shapes"
    bake(film.until(3), None, form="mesh" if shapes else form, drive="shapes" if shapes else "armature", stage=False)
    with pytest.raises(SceneError) as error:
        export(tmp_path / f"fishes{suffix}")
    assert said.replace("without bones'", "without bones") in str(error.value) and not list(tmp_path.iterdir())


def test_the_command_knows_the_formats():
    assert FISH_SUFFIXES == SUFFIXES


def test_a_name_of_nobody_is_said(tmp_path, baked):
    with pytest.raises(SceneError, match="found 'Herring', allowed the name of a fish or of a species' collection"):
        export_file(baked, tmp_path / "fishes.abc", select="Herring")
    with pytest.raises(SceneError, match="allowed a .blend made by artfish bake"):
        export_file(__file__, tmp_path / "fishes.abc")


@pytest.mark.parametrize(("suffix", "up"), [(".usdc", "Y"), (".fbx", "Z")])
def test_another_axis_points_up_and_readers_see_the_same(tmp_path, film, baked, suffix, up):
    export_file(baked, tmp_path / f"fishes{suffix}", select="Clownfish 01", up=up, textures=False)
    read(tmp_path / f"fishes{suffix}")
    assert_swims(film, (0, 23), (0,))


def test_lengths_are_scaled_by_a_factor_that_readers_know(tmp_path, film, baked):
    export_file(baked, tmp_path / "fishes.usda", select="Clownfish 01", scale=100.0, textures=False)
    (unit,) = re.findall(r"metersPerUnit = (\S+)", (tmp_path / "fishes.usda").read_text())
    assert float(unit) == pytest.approx(0.01)
    read(tmp_path / "fishes.usda")
    assert_swims(film, (9,), (0,))


@pytest.mark.parametrize("suffix", [suffix for suffix in SUFFIXES if suffix != ".abc"])
def test_fishes_of_a_scene_in_centimetres_are_of_their_true_size_elsewhere(tmp_path, film, suffix):
    bake_in_centimetres(film, "mesh")
    export(tmp_path / f"fishes{suffix}", textures=False)
    read(tmp_path / f"fishes{suffix}")
    assert_swims(film, (0, 23), first=FIRST.get(suffix, 1))
    assert bpy.context.scene.unit_settings.scale_length == 1.0


def test_a_scene_in_centimetres_goes_into_usd_in_metres_or_by_a_factor_of_those(tmp_path, film):
    bake_in_centimetres(film, "mesh")
    for scale, up, unit in ((1.0, "Z", 1.0), (100.0, "Y", 0.01)):
        bpy.context.window.scene = bpy.data.scenes["Scene"]
        export(tmp_path / f"by {scale}.usda", select="Clownfish 01", scale=scale, up=up, textures=False)
        (found,) = re.findall(r"metersPerUnit = (\S+)", (tmp_path / f"by {scale}.usda").read_text())
        assert float(found) == pytest.approx(unit)
    for scale in (1.0, 100.0):
        read(tmp_path / f"by {scale}.usda")
        assert_swims(film, (9,), (0,))


def test_alembic_has_the_units_of_the_scene(tmp_path, film):
    bake_in_centimetres(film, "mesh")
    export(tmp_path / "as it is.abc", textures=False)
    export(tmp_path / "metres.abc", scale=CENTIMETRE, textures=False)
    for name, unit in (("as it is.abc", CENTIMETRE), ("metres.abc", 1.0)):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        bpy.context.scene.render.fps = 24
        bpy.ops.wm.alembic_import(filepath=str(tmp_path / name), scale=unit, as_background_job=False)
        assert_swims(film, (0, 23))
        fish = min(meshes(), key=lambda obj: obj.name)
        moved = (vertices(fish, 10) - vertices(fish, 8)) * film.fps / 2.0
        bpy.context.scene.frame_set(10)
        now = fish.evaluated_get(bpy.context.evaluated_depsgraph_get())
        pace = np.empty(3 * len(now.data.vertices), np.float32)
        now.data.attributes["velocity"].data.foreach_get("vector", pace)
        pace = pace.reshape(-1, 3) @ np.array(now.matrix_world)[:3, :3].T
        assert np.linalg.norm(pace - moved, axis=1).mean() < 0.25 * np.linalg.norm(moved, axis=1).mean()


@pytest.mark.parametrize("suffix", [".usdc", ".usda"])
def test_a_cache_in_a_scene_in_centimetres_shows_and_exports_fishes_of_their_true_size(tmp_path, film, suffix):
    new_file()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    bake_in_centimetres(film, "cache")
    assert len(meshes()) == 3
    for obj in meshes():
        size = np.ptp(vertices(obj, 0), axis=0).max() * CENTIMETRE
        assert min(abs(size / length - 1.0) for length in film.body_length) < 0.2
    export(tmp_path / f"fishes{suffix}", textures=False)
    (cache,) = (tmp_path / "film_fishes").iterdir()
    read(tmp_path / f"fishes{suffix}")
    assert_swims(film, (0, 23))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.render.fps = 24
    bpy.ops.wm.usd_import(filepath=str(cache))
    assert_swims(film, (0, 23))


@pytest.mark.parametrize(
    ("suffix", "choice", "said"),
    [
        (".abc", {"up": "Z"}, "found Z for .abc, allowed Y, the axis that is up in Alembic"),
        (".glb", {"scale": 2.0}, "found 2 for .glb, allowed 1, since lengths in glTF are metres"),
        (".abc", {"frames": (9, 3)}, "found 9-3, allowed a last frame that is not before the first"),
    ],
)
def test_what_a_format_cannot_have_is_said_in_a_line(tmp_path, baked, suffix, choice, said):
    with pytest.raises(SceneError, match=said):
        export_file(baked, tmp_path / f"fishes{suffix}", **choice)


def test_who_has_been_eaten_by_now_is_written_too(tmp_path, swimming):
    alive = np.ones((6, 2), dtype=bool)
    alive[3:, 0] = False
    bake(swimming("clownfish", "clownfish", frames=6, alive=alive), form="mesh", stage=False)
    bpy.context.scene.frame_set(6)
    before = [(obj.name, obj.hide_viewport, obj.select_get()) for obj in bpy.context.scene.objects]
    assert any(hidden for _, hidden, _ in before)
    assert export(tmp_path / "fishes.usdc", textures=False) == 2
    assert before == [(obj.name, obj.hide_viewport, obj.select_get()) for obj in bpy.context.scene.objects]
    read(tmp_path / "fishes.usdc")
    assert len(meshes()) == 2
