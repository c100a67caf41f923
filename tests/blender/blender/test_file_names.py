"""A name that a person typed gets an ending, and keeps its dots."""

from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender.file_names import FileSaver, with_ending
from artfish.core.base.files import preset_folder
from artfish.core.scene.species import Species


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("reef", "reef.json"),
        ("reef.json", "reef.json"),
        ("reef.JSON", "reef.JSON"),
        ("sh010.v001", "sh010.v001.json"),
        ("reef.glb", "reef.json"),
        ("sh010.v001.glb", "sh010.v001.json"),
    ],
)
def test_a_dot_in_a_name_begins_no_ending(name, found):
    assert with_ending(f"/shots/{name}", ".json", (".glb",)) == Path("/shots", found)


def test_the_file_browser_keeps_what_was_typed():
    browser = SimpleNamespace(filepath="/shots/sh010.v001", filename_ext=".json")
    assert FileSaver.check(browser, bpy.context) and browser.filepath == str(Path("/shots/sh010.v001.json"))
    assert not FileSaver.check(browser, bpy.context) and browser.filepath == str(Path("/shots/sh010.v001.json"))
    browser.filepath = ""
    assert not FileSaver.check(browser, bpy.context) and browser.filepath == ""


def test_versions_of_scenes_and_species_are_files_of_their_own(tmp_path):
    blender_artfish.register()
    try:
        bpy.ops.artfish.add_shoal(species="clownfish", count=1)
        bpy.ops.artfish.species_import(filepath=str(preset_folder("species") / "clownfish.json"))
        for version in ("v001", "v002"):
            assert bpy.ops.artfish.save_scene(filepath=str(tmp_path / f"reef.{version}")) == {"FINISHED"}
            assert bpy.ops.artfish.species_export(filepath=str(tmp_path / f"perch.{version}")) == {"FINISHED"}
        found = sorted(path.name for path in tmp_path.iterdir())
        assert found == ["perch.v001.json", "perch.v002.json", "reef.v001.json", "reef.v002.json"]
        assert Species.load(tmp_path / "perch.v002.json").name == "perch.v002"
    finally:
        blender_artfish.unregister()
