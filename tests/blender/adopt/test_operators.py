"""The panel's buttons: a model is looked at, corrected, adopted, and its faults are shown."""

import bmesh
import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.adopt.arrows import current
from artfish.blender_artfish.adopt.operators import looked
from artfish.blender_artfish.species import library
from artfish.core import Scene
from artfish.tests.blender.models import DOWN

pytestmark = pytest.mark.film


@pytest.fixture(autouse=True)
def scene(fresh_file, tmp_path, monkeypatch):
    """The open scene with the add-on, whose own species lie in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "own")
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


def choose(objects):
    for obj in bpy.context.scene.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[0]


def test_a_look_fills_the_panel_in(scene, modelled):
    objects = modelled(DOWN)
    settings = scene.artfish_adoption
    assert looked(bpy.context) is None
    choose(objects)
    assert bpy.ops.artfish.adopt_look() == {"FINISHED"}
    assert settings.ahead == "-Z" and settings.length == pytest.approx(0.3, rel=0.02) and settings.called == "body"
    there = looked(bpy.context)
    assert there.seen.model.count == sum(len(obj.data.vertices) for obj in objects)
    arrows = current(bpy.context)
    (nose, back), middle = arrows.tips, np.array([obj.matrix_world.translation for obj in objects]).mean(axis=0)
    assert nose[2] < middle[2] - 10 and abs(back[2] - middle[2]) < 15 and not len(arrows.edges)
    settings.ahead = "+Z"
    assert current(bpy.context).tips[0][2] > 10
    settings.up = "-Z"  # along the nose: another way is taken
    assert settings.up[1] != settings.ahead[1]
    choose(objects[:1])
    assert looked(bpy.context) is None and current(bpy.context) is None


def test_adopt_makes_a_species_that_lists_have(scene, modelled, tmp_path):
    choose(modelled(DOWN))
    assert bpy.ops.artfish.adopt(name="Old Salmon", length=0.8) == {"FINISHED"}
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == ["old_salmon.blend", "old_salmon.json"]
    assert "old_salmon" in library.own() and library.load("old_salmon").length == 0.8
    assert library.edited(scene) == ["old_salmon"] and scene.artfish.species[0].about.model == "old_salmon"
    assert bpy.ops.artfish.add_shoal(species="old_salmon", count=2) == {"FINISHED"}
    bpy.context.scene.artfish.bake.form = "mesh"
    scene.frame_end = 4
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    bodies = [obj for obj in scene.objects if obj.type == "MESH" and "id" in obj]
    assert len(bodies) == 2 and {material.name.split(".")[0] for material in bodies[0].data.materials} == {
        "Body",
        "Eye left",
        "Eye right",
    }


@pytest.mark.long
def test_it_is_adopted_anew_under_its_name_but_not_under_those_of_others(scene, modelled):
    choose(modelled(DOWN))
    bpy.ops.artfish.adopt(name="koi", length=0.8)
    bpy.ops.artfish.adopt(name="koi", length=0.4)
    assert library.load("koi").length == 0.4 and library.edited(scene) == ["koi"]
    assert scene.artfish.species[0].about.length == pytest.approx(0.4)
    with pytest.raises(RuntimeError, match="sardine is a preset"):
        bpy.ops.artfish.adopt(name="Sardine")
    bpy.ops.artfish.species_pick(name="clownfish")
    bpy.ops.artfish.species_save_as(name="nemo")
    with pytest.raises(RuntimeError, match="nemo among your species already"):
        bpy.ops.artfish.adopt(name="nemo")
    with pytest.raises(RuntimeError, match="letters or digits"):
        bpy.ops.artfish.adopt(name="...")


def test_a_file_is_adopted_without_its_objects(scene, modelled, written):
    modelled(DOWN)
    path = written(".glb")
    bpy.data.batch_remove(list(scene.objects))
    assert bpy.ops.artfish.adopt_look(file=str(path)) == {"FINISHED"}
    assert scene.artfish_adoption.source == "FILE" and scene.artfish_adoption.called == "model"
    assert len(current(bpy.context).edges) > 100 and not list(scene.objects)
    assert bpy.ops.artfish.adopt(file=str(path)) == {"FINISHED"}
    assert library.load("model").model == "model" and not list(scene.objects)


def test_nothing_to_adopt_is_said(scene):
    with pytest.raises(RuntimeError, match="selected mesh objects, or a file"):
        bpy.ops.artfish.adopt_look()
    scene.artfish_adoption.source = "FILE"
    scene.artfish_adoption.file = "/none.obj"
    with pytest.raises(RuntimeError, match="no such file"):
        bpy.ops.artfish.adopt_look()


def test_open_edges_are_selected_where_they_are(modelled):
    bpy.ops.mesh.primitive_uv_sphere_add()
    ball = bpy.context.object
    assert bpy.ops.artfish.adopt_open_edges() == {"CANCELLED"}
    shape = bmesh.new()
    shape.from_mesh(ball.data)
    shape.faces.ensure_lookup_table()
    gap = max(shape.faces, key=lambda face: len(face.verts))
    corners = {tuple(vertex.co) for vertex in gap.verts}
    bmesh.ops.delete(shape, geom=[gap], context="FACES_ONLY")
    shape.to_mesh(ball.data)
    shape.free()
    assert bpy.ops.artfish.adopt_open_edges() == {"FINISHED"}
    assert bpy.context.mode == "EDIT_MESH"
    bpy.ops.object.mode_set(mode="OBJECT")
    chosen = [edge for edge in ball.data.edges if edge.select]
    assert {tuple(ball.data.vertices[end].co) for edge in chosen for end in edge.vertices} == corners


def test_an_own_species_takes_its_model_along(scene, modelled, tmp_path):
    """Exported, imported into a file that knows nothing of it, saved again, and met in a scene file."""
    choose(modelled(DOWN))
    bpy.ops.artfish.adopt(name="koi")
    other = tmp_path / "other"
    other.mkdir()
    bpy.ops.artfish.species_export(filepath=str(other / "carp.json"))
    assert sorted(path.name for path in other.iterdir()) == ["carp.json", "koi.blend"]
    for path in (tmp_path / "own").iterdir():
        path.unlink()
    bpy.ops.artfish.species_drop()
    bpy.ops.artfish.species_import(filepath=str(other / "carp.json"))
    assert [obj.name for obj in bpy.data.objects if obj.get("artfish_model") == "koi"] == ["koi"]
    assert not [obj for obj in scene.objects if obj.get("artfish_model")]
    bpy.ops.artfish.species_save()
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == ["carp.json", "koi.blend"]
    data = {"name": "pond", "tank": {"size": [2, 2, 1]}, "fishes": [{"species": "koi", "at": [1, 1, 0.5]}]}
    (other / "koi.json").write_text((other / "carp.json").read_text().replace('"carp"', '"koi"'))
    Scene.from_dict(data, species=["koi"]).save(other / "pond.json")
    bpy.ops.artfish.load_scene(filepath=str(other / "pond.json"))
    assert library.edited(scene) == ["carp", "koi"]


def test_what_the_panel_says_counts_where_nothing_else_is_said(scene, modelled):
    choose(modelled(DOWN))
    bpy.ops.artfish.adopt_look()
    scene.artfish_adoption.called, scene.artfish_adoption.length = "Old Trout", 0.9
    assert bpy.ops.artfish.adopt() == {"FINISHED"}
    assert library.load("old_trout").length == pytest.approx(0.9)
    assert bpy.ops.artfish.adopt(name="Young Trout", length=0.2) == {"FINISHED"}
    assert library.load("young_trout").length == pytest.approx(0.2)


@pytest.mark.long
def test_what_the_panel_says_of_another_model_does_not_count(scene, modelled, written):
    objects = modelled(DOWN)
    path = written(".obj")
    choose(objects)
    bpy.ops.artfish.adopt_look()
    scene.artfish_adoption.called, scene.artfish_adoption.length = "Old Trout", 0.9
    assert bpy.ops.artfish.adopt(file=str(path)) == {"FINISHED"}
    assert library.own() == ["model"] and library.load("model").length != pytest.approx(0.9)
