"""A file that is dropped into the view becomes what it is: a scene, a species, a baked recording, a model to adopt."""

from __future__ import annotations

import bpy
import pytest

from artfish.core import Scene, Species, World

pytestmark = pytest.mark.usefixtures("scene")


def drop(path):
    return bpy.ops.artfish.drop_file(filepath=str(path))


def test_a_scene_comes_into_the_water(scene, tmp_path):
    Scene.load("hunt").save(tmp_path / "chase.json")
    assert drop(tmp_path / "chase.json") == {"FINISHED"}
    shoals = [obj for obj in scene.objects if obj.artfish.kind == "SHOAL"]
    assert sum(obj.artfish.shoal.count for obj in shoals) == Scene.load("hunt").count


def test_a_species_is_there_to_be_shaped(scene, tmp_path):
    clown = Species.load("clownfish").to_dict()
    mine = Species.from_dict({**clown, "name": "my_clown"})
    mine.save(tmp_path / "my_clown.json")
    assert drop(tmp_path / "my_clown.json") == {"FINISHED"}
    assert bpy.context.window_manager.artfish_part == "MAKE"


def test_a_recording_is_baked_as_it_was(scene, tmp_path):
    made = Scene.from_dict({"fishes": [{"species": "clownfish", "count": 2, "at": [2, 1.5, 1]}], "fps": 24})
    World(made, seed=3).simulate(frames=6).save(tmp_path / "two.npz")
    scene.frame_start, scene.frame_end = 1, 6
    assert drop(tmp_path / "two.npz") == {"FINISHED"}
    assert sum("artfish_row" in obj for obj in scene.objects) == 2


def test_a_model_is_looked_at_for_adoption(scene, tmp_path):
    corners = [(x, y, z) for x in (0, 3) for y in (0, 1) for z in (0, 1)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {face}" for face in faces]
    (tmp_path / "brick.obj").write_text("\n".join(lines) + "\n")
    assert bpy.ops.artfish.drop_model(filepath=str(tmp_path / "brick.obj")) == {"FINISHED"}
    assert scene.artfish_adoption.file.endswith("brick.obj")
    assert bpy.context.window_manager.artfish_part == "MORE"


def test_what_is_no_file_of_ours_is_refused_and_changes_nothing(scene, tmp_path):
    (tmp_path / "notes.json").write_text('{"to do": 1}')
    before = list(scene.objects)
    with pytest.raises(RuntimeError, match="neither fishes nor a body"):
        drop(tmp_path / "notes.json")
    assert list(scene.objects) == before


def test_all_kinds_of_files_are_taken_over_a_view(scene):
    handlers = {each.bl_idname: each for each in bpy.types.FileHandler.__subclasses__() if "ARTFISH" in each.bl_idname}
    imported = {name: each.bl_import_operator for name, each in handlers.items()}
    taken = {"files": "drop_file", "models": "drop_model", "tracks": "drop_tracks"}
    assert imported == {f"ARTFISH_FH_{kind}": f"artfish.{operator}" for kind, operator in taken.items()}
    for each in handlers.values():
        assert bpy.types.FileHandler.bl_rna_get_subclass_py(each.bl_idname) is each
