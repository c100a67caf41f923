"""The Export operator follows its panel, leaves the scene alone, and names an obstacle in one line."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export.operators import ARTFISH_OT_export, choice_of, obstacle_of, path_of

pytestmark = [pytest.mark.versions, pytest.mark.film]


@pytest.fixture
def panel(tmp_path):
    """Settings of an export, with the add-on in a new file."""
    blender_artfish.register()
    settings = bpy.context.scene.artfish.export
    settings.file, settings.textures = str(tmp_path / "fishes"), False
    yield settings
    blender_artfish.unregister()


def test_it_writes_what_the_panel_says(tmp_path, panel, swimming):
    bake(swimming("clownfish", "blue_tang", frames=4), form="mesh", stage=False)
    before = {obj.name: obj.select_get() for obj in bpy.context.scene.objects}
    panel.format, panel.who, panel.shoal = ".usda", "shoal", bpy.data.collections["Blue tang"]
    panel.own_range, panel.first, panel.last, panel.up = True, 2, 3, "Y"
    assert bpy.ops.artfish.export() == {"FINISHED"}
    text = (tmp_path / "fishes.usda").read_text()
    assert 'upAxis = "Y"' in text and "startTimeCode = 2" in text and "endTimeCode = 3" in text
    assert "Blue_tang_01" in text and "Clownfish" not in text
    assert before == {obj.name: obj.select_get() for obj in bpy.context.scene.objects}
    assert (bpy.context.scene.frame_start, bpy.context.scene.frame_end) == (1, 4)


def test_versions_whose_names_have_dots_are_files_of_their_own(tmp_path, panel, swimming):
    bake(swimming("clownfish", frames=2), form="mesh", stage=False)
    panel.format = ".usda"
    for name in ("sh010.v001", "sh010.v002"):
        panel.file = str(tmp_path / name)
        assert bpy.ops.artfish.export() == {"FINISHED"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sh010.v001.usda", "sh010.v002.usda"]


def test_work_that_is_given_up_leaves_nothing(tmp_path, panel, swimming):
    bake(swimming("clownfish", frames=4), form="mesh", stage=False)
    worn = [material.name for material in bpy.data.objects["Clownfish 01 mesh"].data.materials]
    panel.format, panel.textures = ".glb", True
    job = ARTFISH_OT_export.new_job(None, bpy.context)
    while job.text in ("Beginning", "Painting pictures"):
        assert not job.step()
    assert job.text.startswith("Painting ")
    job.cancel()
    assert worn == [material.name for material in bpy.data.objects["Clownfish 01 mesh"].data.materials]
    assert list(tmp_path.iterdir()) == []


def test_what_is_in_the_way_is_said_as_an_artist_says_it(panel, swimming):
    scene = bpy.context.scene
    assert obstacle_of(scene) == "found no baked fishes, allowed a bake of the form Mesh"
    assert not ARTFISH_OT_export.poll(bpy.context)
    bake(swimming("clownfish", frames=2), form="mesh", drive="shapes", stage=False)
    assert "without bones" in obstacle_of(scene)
    panel.format = ".usdc"
    assert obstacle_of(scene) == "" and ARTFISH_OT_export.poll(bpy.context)
    panel.who = "shoal"
    assert "no collection" in obstacle_of(scene)
    panel.who, panel.file = "all", ""
    assert "no name" in obstacle_of(scene)
    panel.file = "//fishes"
    assert "not saved" in obstacle_of(scene)


def test_the_ending_is_that_of_the_format(tmp_path, panel):
    scene = bpy.context.scene
    for name, suffix, found in (
        ("a", ".fbx", "a.fbx"),
        ("a.glb", ".fbx", "a.fbx"),
        ("a.FBX", ".fbx", "a.FBX"),
        ("sh010.v001", ".usdc", "sh010.v001.usdc"),
        ("sh010.v001.glb", ".usdc", "sh010.v001.usdc"),
    ):
        panel.file, panel.format = str(tmp_path / name), suffix
        assert path_of(scene).name == found
    assert choice_of(scene).up is None and choice_of(scene).frames is None
