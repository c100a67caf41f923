"""Exports of files as animators have them: fishes are locked, hidden, moved and renamed, and all arrive."""

from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from artfish.blender_artfish.bake.writer import bake  # noqa: E402
from artfish.blender_artfish.export.exporting import export, export_file  # noqa: E402
from artfish.cli import main  # noqa: E402
from artfish.core import Scene, SceneError, World  # noqa: E402
from artfish.core.scene.species import Species  # noqa: E402
from artfish.studies import fuzz_colours  # noqa: E402
from artfish.studies.fuzz_exports import BONELESS, FORMATS, READERS, compared, vertices  # noqa: E402
from artfish.tests.blender.files import new_file  # noqa: E402

pytestmark = pytest.mark.film
CASES = Path(__file__).parent / "cases"
FRAMES = 6
TWO = {
    "duration": 1,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1], "spread": 0.3}],
}


@pytest.fixture(scope="module")
def recording():
    return World(Scene.from_dict(TWO), seed=1).simulate(FRAMES)


@pytest.fixture(autouse=True)
def fresh():
    new_file()
    yield
    new_file()


def bodies() -> list[bpy.types.Object]:
    return [obj for obj in bpy.data.objects if obj.type == "MESH" and len(obj.data.vertices) > 1000]


def shown(frames: range, first: int = 0) -> list[list[np.ndarray]]:
    """Places of the vertices of each fish of the open file, by frame."""
    return [[vertices(body, first + frame) for body in bodies()] for frame in frames]


def layer(top: bpy.types.LayerCollection, name: str) -> bpy.types.LayerCollection:
    return next(one for one in [top, *top.children, *(e for c in top.children for e in c.children)] if one.name == name)


def lock_one():
    for name in ("Clownfish 01", "Clownfish 01 mesh"):
        bpy.data.objects[name].hide_select = True


def lock_shoal():
    bpy.data.collections["Clownfish"].hide_select = True


def exclude():
    layer(bpy.context.view_layer.layer_collection, "Clownfish").exclude = True


def screen_off():
    bpy.data.collections["Clownfish"].hide_viewport = True


HIDDEN = [lock_one, lock_shoal, exclude, screen_off]


def push_down():
    for name in ("Clownfish 01", "Clownfish 01 mesh"):
        data = bpy.data.objects[name].animation_data
        action, slot = data.action, data.action_slot
        strip = data.nla_tracks.new().strips.new("swim", int(action.frame_range[0]), action)
        strip.action_slot, data.action = slot, None


def child_of():
    boat = bpy.data.objects.new("Boat", None)
    bpy.context.scene.collection.objects.link(boat)
    for frame, x in ((1, 0.0), (FRAMES, 1.0)):
        boat.location.x = x
        boat.keyframe_insert("location", frame=frame)
    bpy.data.objects["Offset Clownfish 01"].constraints.new("CHILD_OF").target = boat


def drive():
    offset = bpy.data.objects["Offset Clownfish 01"]
    offset.driver_add("location", 0).driver.expression = f"frame / 24 + {offset.location.x}"


def move_mesh_alone():
    body = bpy.data.objects["Clownfish 02 mesh"]
    for frame in (1, FRAMES):
        body.location.z = float(frame)
        body.keyframe_insert("location", frame=frame)


MOVED = [push_down, child_of, drive, move_mesh_alone]


CHANGED = [
    pytest.param(change, suffix, marks=() if suffix == ".glb" or change in (lock_one, child_of) else pytest.mark.large)
    for change in (*HIDDEN, *MOVED)
    for suffix in FORMATS
]


@pytest.mark.sampled
@pytest.mark.parametrize(("change", "suffix"), CHANGED)
def test_all_fishes_arrive_where_blender_shows_them(tmp_path, recording, change, suffix):
    bake(recording, form="mesh", stage=False)
    if change in HIDDEN:
        true = shown(range(1, FRAMES + 1))
        change()
    else:
        change()
        true = shown(range(1, FRAMES + 1))
    assert export(tmp_path / f"fishes{suffix}", textures=False) == 2
    new_file()
    bpy.context.scene.render.fps = 24
    READERS[suffix](str(tmp_path / f"fishes{suffix}"))
    assert len(bodies()) == 2
    assert compared(true, shown(range(FRAMES), 0 if suffix == ".glb" else 1)) == ""


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", FORMATS)
def test_a_bake_that_is_linked_is_exported(tmp_path, recording, suffix):
    bake(recording, tmp_path / "film.blend", form="mesh", stage=False)
    true = shown(range(1, FRAMES + 1))
    new_file()
    with bpy.data.libraries.load(str(tmp_path / "film.blend"), link=True) as (_, into):
        into.collections = ["Artfish"]
    bpy.context.scene.collection.children.link(bpy.data.collections["Artfish"])
    bpy.context.scene.render.fps, bpy.context.scene.frame_end = 24, FRAMES
    assert export(tmp_path / f"fishes{suffix}", textures=False) == 2
    new_file()
    READERS[suffix](str(tmp_path / f"fishes{suffix}"))
    assert compared(true, shown(range(FRAMES), 0 if suffix == ".glb" else 1)) == ""


@pytest.mark.sampled
@pytest.mark.parametrize("suffix", FORMATS)
def test_frames_are_the_requested_ones_and_none_beyond_the_film(tmp_path, recording, suffix):
    bake(recording, form="mesh", stage=False)
    bpy.context.scene.frame_end = FRAMES
    true = shown(range(3, 6))
    export(tmp_path / f"fishes{suffix}", frames=(3, 5), textures=False)
    with pytest.raises(SceneError, match=f"frames: found 3-{FRAMES + 1}, allowed frames of the film, 1-{FRAMES}"):
        export(tmp_path / f"beyond{suffix}", frames=(3, FRAMES + 1), textures=False)
    assert not list(tmp_path.glob("beyond*"))
    new_file()
    bpy.context.scene.render.fps = 24
    READERS[suffix](str(tmp_path / f"fishes{suffix}"))
    first = 0 if suffix == ".glb" else 3
    if suffix in BONELESS:
        assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (3, 5)
    else:
        spans = np.array([action.frame_range for action in bpy.data.actions])
        np.testing.assert_allclose([spans.min(), spans.max()], [first, first + 2], atol=1e-3)
    assert compared(true, shown(range(3), first)) == ""


def test_a_crowd_moves_with_its_boat_and_has_no_frames_beyond_the_film(tmp_path, recording):
    bake(recording, form="crowd", stage=False)
    bpy.context.scene.frame_end = FRAMES
    crowd = next(obj for obj in bpy.data.objects if " crowd " in obj.name)
    for frame in (1, FRAMES):
        crowd.delta_location.x = float(frame)
        crowd.keyframe_insert("delta_location", frame=frame)
    export(tmp_path / "crowd.usda", textures=False)
    text = (tmp_path / "crowd.usda").read_text()
    moved = text[text.index("xformOp:transform.timeSamples") :]
    assert "1.0, 0.0, 0.0, 1.0)" in moved.split(f"{FRAMES}: ")[0] and f"{FRAMES}.0, 0.0, 0.0, 1.0)" in moved
    with pytest.raises(SceneError, match=f"frames: found 1-900, allowed frames of the film, 1-{FRAMES}"):
        export(tmp_path / "beyond.usda", frames=(1, 900))


def test_a_scene_that_was_not_the_active_one_is_named_and_can_be_exported(tmp_path, capsys, recording):
    bake(recording, form="mesh", stage=False)
    film = bpy.context.scene.name
    bpy.context.window.scene = bpy.data.scenes.new("Edit")
    blend, out = tmp_path / "film.blend", tmp_path / "fishes.usdc"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    assert main(["export", str(blend), "-o", str(out), "--no-textures"]) == 2
    said = f"{blend}: scene: found no baked fishes in the scene 'Edit', allowed a scene that has: '{film}'"
    assert capsys.readouterr().err.strip().endswith(said)
    assert main(["export", str(blend), "-o", str(out), "--no-textures", "--scene", "Cut"]) == 2
    assert "scene: found 'Cut', allowed " in capsys.readouterr().err
    assert main(["export", str(blend), "-o", str(out), "--no-textures", "--scene", film]) == 0
    assert capsys.readouterr().out == f"2 fishes in {out}\n"


def test_a_render_says_which_scene_has_a_camera(tmp_path, capsys):
    film = bpy.context.scene
    name = film.name
    film.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    film.collection.objects.link(film.camera)
    film.frame_end = 1
    bpy.context.window.scene = bpy.data.scenes.new("Edit")
    blend = tmp_path / "film.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    words = ["render", str(blend), "-o", str(tmp_path / "out"), "--samples", "1", "--size", "16x16"]
    assert main(words) == 2
    said = f"{blend}: scene: found no camera in the scene 'Edit', allowed a scene with one: '{name}'"
    assert capsys.readouterr().err.strip().endswith(said)
    assert main([*words, "--scene", name]) == 0
    assert (tmp_path / "out" / "film-0001.png").exists()


def test_a_species_whose_name_has_a_space_is_exported_and_has_loops(tmp_path):
    data = {**Species.load("clownfish").to_dict(), "name": "reef 3 fish", "common_name": "Reef 3 fish"}
    species = Species.from_dict(data)
    species.save(tmp_path / "reef 3 fish.json")
    two = {**TWO, "fishes": [{**TWO["fishes"][0], "species": "reef 3 fish"}]}
    bake(World(Scene.from_dict(two, folder=tmp_path), seed=1).simulate(2), form="mesh", stage=False)
    assert export(tmp_path / "fishes.glb", textures=False) == 2
    loop = ["loop", str(tmp_path / "reef 3 fish.json"), "--gait", "glide", "--fps", "8"]
    assert main([*loop, "-o", str(tmp_path / "loop.abc")]) == 0


@pytest.mark.sampled
@pytest.mark.parametrize("model", ["model", "bare", "nouv"])
def test_a_crowd_of_an_adopted_fish_is_exported_whatever_it_wears(tmp_path, capsys, model):
    """The fish has a packed picture, no material, or no UV map."""
    fish, blend, out = tmp_path / "perch.json", tmp_path / "film.blend", tmp_path / "crowd.usda"
    assert main(["adopt", str(CASES / "adopt" / f"{model}.obj"), "-o", str(fish)]) == 0
    scene = Scene.from_dict({**TWO, "fishes": [{**TWO["fishes"][0], "species": "perch"}]}, folder=tmp_path)
    bake(World(scene, seed=1).simulate(2), blend, form="crowd", stage=False, folders=[tmp_path])
    capsys.readouterr()
    assert export_file(blend, out) == 2
    text = out.read_text()
    pictures = list((tmp_path / "textures").glob("*.png"))
    assert len(pictures) == text.count("inputs:file = @./textures/") == (1 if model == "model" else 0)
    for picture in pictures:
        assert f"@./textures/{picture.name}@" in text
        assert min(bpy.data.images.load(str(picture)).size) > 0
    assert ("primvars:st" in text) == (model != "nouv") and ("material:binding" in text) == (model != "bare")
    new_file()
    bpy.ops.wm.usd_import(filepath=str(out))
    bpy.context.scene.frame_set(1)
    assert sum(each.is_instance for each in bpy.context.evaluated_depsgraph_get().object_instances) >= 2


@pytest.mark.long
def test_colour_management_of_a_studio_will_do(monkeypatch):
    """An ACES configuration knows neither sRGB nor Non-Color, Standard nor Filmic."""
    true, found = fuzz_colours.colours(""), fuzz_colours.colours(str(CASES / "colour" / "aces_without_srgb.ocio"))
    assert isinstance(true, dict) and isinstance(found, dict), (true, found)
    for name, colour in true.items():
        np.testing.assert_allclose(found[name], colour, atol=fuzz_colours.NEAR)
