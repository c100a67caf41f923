""".blend files that somebody else has made, or changed: nothing of them runs, writes elsewhere or raises."""

import json
import os
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

from artfish.blender_artfish.bake import history, records  # noqa: E402
from artfish.blender_artfish.bake.order import Order  # noqa: E402
from artfish.blender_artfish.bake.writer import bake, bake_steps  # noqa: E402
from artfish.blender_artfish.identity import provenance, references  # noqa: E402
from artfish.blender_artfish.live import meshes  # noqa: E402
from artfish.blender_artfish.scene import bed as terrain  # noqa: E402
from artfish.blender_artfish.stage.render import render  # noqa: E402
from artfish.core import Scene, SceneError, World  # noqa: E402
from artfish.tests.blender.files import new_file  # noqa: E402

pytestmark = pytest.mark.film
SMALL = {
    "duration": 0.125,
    "tank": {"size": [4, 3, 2]},
    "fishes": [{"species": "clownfish", "count": 1, "at": [2, 1.5, 1]}],
}


@pytest.fixture(scope="module")
def recording():
    return World(Scene.from_dict(SMALL), seed=1).simulate(frames=2)


@pytest.fixture(autouse=True)
def scene():
    new_file()
    yield bpy.context.scene
    new_file()


@pytest.fixture
def film(scene, tmp_path) -> Path:
    """The path for a film of two frames; the open scene has a camera."""
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.frame_start, scene.frame_end = 1, 2
    return tmp_path / "film.blend"


def pictures(film: Path) -> list[str]:
    """Saves the open file as a film and renders a frame of it; returns the names of the files beside it."""
    bpy.ops.wm.save_as_mainfile(filepath=str(film), check_existing=False)
    render(film, film.parent, frames=(2, 2), samples=1, size=(16, 16))
    return sorted(path.name for path in film.parent.iterdir())


def baked_again(recording, scene) -> history.Bake | None:
    """Bakes in the place of the last bake of a scene, if there is one; returns the last bake after that."""
    last = history.last(scene)
    for _ in bake_steps(recording, order=Order(stage=False, instead=last.id if last else "")):
        pass
    return history.last(scene)


def reverts(scene) -> int:
    """Takes back every bake of a scene; returns their number."""
    for count in range(len(bpy.data.collections) + 1):
        if history.last(scene) is None:
            return count
        history.revert(scene)
    raise AssertionError("a revert that changes nothing")


def test_no_script_of_a_file_runs_whatever_the_preference(film, tmp_path):
    """Drivers and registered texts of sent files do not run where it is rendered (BitWrk issue 85, UPBGE issue 682)."""
    text = bpy.data.texts.new("startup.py")
    text.write(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    text.use_module = True
    filepaths = bpy.context.preferences.filepaths
    filepaths.use_scripts_auto_execute = True
    driver = bpy.context.scene.camera.driver_add("location", 0).driver
    driver.expression = f"len(str(open({str(tmp_path / 'drove')!r}, 'w')))"
    bpy.context.view_layer.update()
    (tmp_path / "drove").unlink(missing_ok=True)
    try:
        assert pictures(film) == ["film-0002.png", "film.blend"]
    finally:
        filepaths.use_scripts_auto_execute = False


def writes_files(tree, folder: Path):
    """Adds a File Output node to a compositor's tree, with a picture of its own to write."""
    node = tree.nodes.new("CompositorNodeOutputFile")
    layers = tree.nodes.new("CompositorNodeRLayers")
    if hasattr(node, "base_path"):
        node.base_path = str(folder)
    else:
        node.directory = str(folder)
        node.file_output_items.new("RGBA", "Image")
    tree.links.new(layers.outputs["Image"], node.inputs[0])
    return node


def compositor(scene):
    """A tree for compositing, which Blender 4.5 has in the scene and Blender 5 among the groups."""
    if "compositing_node_group" in bpy.types.Scene.bl_rna.properties:
        scene.compositing_node_group = bpy.data.node_groups.new("Compositing", "CompositorNodeTree")
        return scene.compositing_node_group
    scene.use_nodes = True
    return scene.node_tree


def test_a_compositor_writes_no_files_of_its_own(film, tmp_path, capsys):
    """File Output nodes write where the file says, beside the requested film (BlendNet issue 95)."""
    tree = compositor(bpy.context.scene)
    node = writes_files(tree, tmp_path / "elsewhere")
    node.name = "Passes\x1b[31m"
    assert pictures(film) == ["film-0002.png", "film.blend"]
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "\x1b" not in said
    assert "film.blend: its compositor writes files too (Passes" in said


def test_simulations_write_no_caches_beside_the_film(film):
    """The same reports, for simulations that keep their frames on disk, beside the file or wherever it says."""
    sheet = bpy.data.objects.new("Sheet", bpy.data.meshes.new("Sheet"))
    sheet.data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    bpy.context.scene.collection.objects.link(sheet)
    water = sheet.modifiers.new("Water", "FLUID")
    water.fluid_type, water.show_viewport, water.show_render = "DOMAIN", False, False
    water.domain_settings.cache_directory = str(film.parent / "water")
    bpy.ops.wm.save_as_mainfile(filepath=str(film), check_existing=False)
    film.unlink()
    for kind in ("CLOTH", "SOFT_BODY"):
        sheet.modifiers.new(kind, kind).point_cache.use_disk_cache = True
    assert pictures(film) == ["film-0002.png", "film.blend"]
    domain = bpy.data.objects["Sheet"].modifiers["Water"].domain_settings
    assert Path(domain.cache_directory) == Path(bpy.app.tempdir)


def test_a_film_without_such_nodes_is_rendered_in_silence(film, capsys):
    """The same: nothing is said where nothing is switched off."""
    pictures(film)
    assert capsys.readouterr().err == ""


ODD = [
    "",
    "{",
    "[]",
    "null",
    "[" * 100_000,
    "9" * 5_000,
    json.dumps({"changed": [], "former": [], "objects": "x", "looks": 3, "film": "yes", "key": {}}),
    json.dumps({"changed": {"camera": 1, "world": [], "render.fps": ["x", None], "marker x": [{}, None]}}),
    json.dumps({"changed": {"camera": [[], {}], "world": [1, 2]}, "former": {"a": 1}}),
    json.dumps({"former": "FORMER", "film": True, "changed": {"nowhere.at": [1, None], "marker \x00": [None, None]}}),
]


def test_a_record_that_was_changed_is_as_good_as_lost(recording, scene):
    """An add-on's data in a file may differ from those it wrote: a reference may be gone (blender-dmx issue 1)."""
    for text in ODD:
        assert baked_again(recording, scene) is not None
        top = history.last(scene).top
        top[provenance.RECORD] = text.replace("FORMER", history.last(scene).id)
    reverts(scene)
    assert not [obj for obj in scene.objects if provenance.of(obj, provenance.BAKE)]


def test_settings_that_no_bake_changes_stay_as_they_are(recording, scene, tmp_path):
    """An attack on undo information: a revert sets only what a bake may set, and only to valid values."""
    bake(recording, stage=False)
    before, rate = scene.render.filepath, scene.render.fps
    changed = {
        "render.filepath": [str(tmp_path), before],
        "render.fps": ["many", rate],
        "render.engine": ["NONE SUCH", scene.render.engine],
        "marker gone": [None, None],
        "frame_end": [10**30, scene.frame_end],
    }
    history.last(scene).top[provenance.RECORD] = json.dumps({"changed": changed})
    history.revert(scene)
    assert (scene.render.filepath, scene.render.fps) == (before, rate)
    assert os.listdir(tmp_path) == []


VALUES = [7, -1.5, [1, 2, 3], {"a": 1}, "", "nobody", "x.9" + "9" * 6_000, True, "top", "root"]
MARKS = [
    *(provenance.BAKE, provenance.ROW, provenance.ROLE, provenance.NAME, provenance.RECORD, provenance.SKY),
    *(provenance.LOOKS, provenance.FORMER, references.MARK),
]


def blocks() -> list[bpy.types.ID]:
    """All data-blocks of kinds that bakes write marks on."""
    return [*bpy.data.objects, *bpy.data.collections, *bpy.data.materials, *bpy.data.curves]


@pytest.mark.sampled
@pytest.mark.parametrize("mark", MARKS)
def test_marks_that_were_changed_keep_nobody_from_baking_and_reverting(mark, recording, scene):
    """The same reports, for marks on objects, collections and materials."""
    bake(recording, stage=False)
    baked_again(recording, scene)
    for row, block in enumerate(blocks()):
        block[mark] = VALUES[row % len(VALUES)]
    scene[provenance.MADE] = f"{scene[provenance.MADE]} nobody top x.9"
    assert baked_again(recording, scene) is not None
    reverts(scene)


def test_two_bakes_that_say_they_replace_each_other_are_both_taken_back(recording, scene):
    """An attack on undo information: a chain of former bakes that has no end."""
    bake(recording, stage=False)
    last = baked_again(recording, scene)
    former = last.former
    former[provenance.RECORD] = last.top[provenance.RECORD]
    former.objects.link(bpy.data.objects.new("Rock", None))  # so that it stays
    assert reverts(scene) == 2


def test_a_former_bake_that_passes_for_live_fishes_comes_back(recording, scene):
    """The same attacks: marks of live play on baked fishes, without a like in the bake that replaced them."""
    bake(recording, stage=False)
    last = baked_again(recording, scene)
    for obj in last.former.all_objects:
        obj[references.MARK], obj[provenance.ROLE] = True, f"{obj.name} of old"
    last.former.children[0][provenance.ROLE] = "of old"
    last.top.children.link(last.former.children[0])
    assert reverts(scene) == 2


@pytest.mark.parametrize("value", [*VALUES, [0, 10**9], [-1, -1]], ids=range(len(VALUES) + 2))
def test_marks_of_other_panels_that_were_changed_are_as_good_as_none(value, scene):
    """The same reports, for marks of the sea bed, of live play and of its fishes."""
    bed = bpy.data.objects.new("Bed", None)
    bed[terrain.PLACES_PROPERTY] = value
    assert all(2 <= places <= terrain.MOST_BED_PLACES for places in terrain._places(bed))
    bed[meshes.ABSENT_PROPERTY] = value
    meshes.hide(bed, False)
    assert meshes.ABSENT_PROPERTY not in bed
    bed[provenance.ROW] = value
    assert provenance.row_of(bed) in (provenance.NO_ROW, 7, 1)
    bed[provenance.BAKE] = value
    assert provenance.number_of(provenance.of(bed, provenance.BAKE)) == 0


def test_records_keep_what_a_bake_has_written():
    """The other side of it: a sound record is read as it was written."""
    record = {"objects": 3, "former": "", "film": True, "first": 1, "key": "k", "order": "o", "seed": 0, "source": "s"}
    record |= {"looks": {"clownfish": "l"}, "changed": {"camera": [None, "Camera"], "render.fps": [24, 30]}}
    assert records.read(json.dumps(record)) == record


def test_a_recording_of_no_frame_is_one_line(recording, scene):
    """A film may have no frame to divide by."""
    with pytest.raises(SceneError, match="found no frame, allowed"):
        bake(recording.until(0), stage=False)
    assert not scene.objects
