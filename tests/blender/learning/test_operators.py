"""A shoal is given a learned controller out of a file, and keeps it."""

import json
from types import SimpleNamespace

import bpy
import pytest

from artfish.blender_artfish.learning import practising
from artfish.blender_artfish.learning.course import course
from artfish.blender_artfish.learning.operators import ARTFISH_OT_learn
from artfish.blender_artfish.scene import reader
from artfish.core import Species, World
from artfish.core.learning.learning import learners
from artfish.core.scene.controller import Controller

from ...core.learned_kinds import controller


@pytest.fixture
def shoal(scene):
    bpy.ops.artfish.add_shoal(species="sardine", count=2)
    return bpy.context.object


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "taught.json"
    controller().save(path)
    return path


def test_a_shoal_swims_by_the_controller_of_a_file_and_needs_the_file_no_more(scene, shoal, file):
    assert bpy.ops.artfish.controller_choose(filepath=str(file)) == {"FINISHED"}
    file.unlink()
    group = reader.read(scene).scene.fishes[0]
    assert group.controller == controller()
    bpy.ops.artfish.controller_drop()
    assert reader.read(scene).scene.fishes[0].controller is None
    assert not bpy.ops.artfish.controller_drop.poll()


@pytest.mark.parametrize(
    ("content", "says"), [("{", "no JSON"), ("{}", "species: found nothing"), (None, "no such file")]
)
def test_what_is_no_controller_is_refused_and_changes_nothing(shoal, tmp_path, content, says):
    path = tmp_path / "wrong.json"
    if content:
        path.write_text(content)
    with pytest.raises(RuntimeError, match=says):
        bpy.ops.artfish.controller_choose(filepath=str(path))
    assert shoal.artfish.shoal.controller == ""


def test_a_controller_of_another_body_is_refused(shoal, tmp_path):
    controller("tuna").save(tmp_path / "tuna.json")
    with pytest.raises(RuntimeError, match="that tuna learned with another body"):
        bpy.ops.artfish.controller_choose(filepath=str(tmp_path / "tuna.json"))


def test_one_whose_body_is_shaped_afterwards_is_refused_with_the_name_of_the_shoal(scene, shoal, file):
    bpy.ops.artfish.controller_choose(filepath=str(file))
    shoal.artfish.shoal.species = "tuna"
    with pytest.raises(ValueError, match="learned with another body"):
        read = reader.read(scene)
        World(read.scene, species=read.models)


def test_a_scene_file_takes_it_along(scene, shoal, file, tmp_path):
    bpy.ops.artfish.controller_choose(filepath=str(file))
    bpy.ops.artfish.save_scene(filepath=str(tmp_path / "scene.json"))
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.artfish.load_scene(filepath=str(tmp_path / "scene.json"))
    shoals = [obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL"]
    assert reader.read(bpy.context.scene).scene.fishes[0].controller == Controller.load(file)
    assert shoals[0].artfish.shoal.controller


def test_a_shoal_learns_as_its_species_does_by_the_command(shoal, monkeypatch):
    monkeypatch.setattr(practising, "taught", lambda some: controller())
    assert bpy.ops.artfish.learn(steps=2, seed=3) == {"FINISHED"}
    assert json.loads(shoal.artfish.shoal.controller)["species"] == "sardine"
    noted = course()
    assert noted.shoal == shoal.session_uid and [len(drill) for drill in noted.drills] == [2, 2, 2]
    one = learners(Species.load("sardine"), "all", seed=3)[0]
    for step in (1, 2):
        one.step()
        assert noted.drills[0][step - 1] == (step, one.score, one.latest)


def test_who_gives_up_finds_the_shoal_as_it_was(scene, shoal):
    options = SimpleNamespace(steps=2, method="annealing", seed=0)
    job = ARTFISH_OT_learn.new_job(options, bpy.context)
    job.step()
    assert 0.0 < job.share < 0.5 and job.text == "Swimming: step 1 of 2"
    job.cancel()
    assert shoal.artfish.shoal.controller == "" and len(course().drills) == 1


def test_a_practice_that_is_too_short_is_refused_with_the_advice_to_go_on(shoal):
    with pytest.raises(RuntimeError, match="has not learned to swim and to turn in 1 steps: let it practise longer"):
        bpy.ops.artfish.learn(steps=1, method="annealing")
    assert shoal.artfish.shoal.controller == ""


def test_what_a_shoal_learned_goes_into_a_file_for_others(shoal, file, tmp_path):
    assert not bpy.ops.artfish.controller_save.poll()
    bpy.ops.artfish.controller_choose(filepath=str(file))
    assert bpy.ops.artfish.controller_save(filepath=str(tmp_path / "other.json")) == {"FINISHED"}
    assert Controller.load(tmp_path / "other.json") == controller()
