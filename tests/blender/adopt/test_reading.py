"""Models of other makers come as they were made, and leave nothing behind."""

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from artfish.blender_artfish.adopt.reading import MODEL_SUFFIXES, opened, picked, unsaved_pictures
from artfish.blender_artfish.blender.blocks import ids
from artfish.blender_artfish.fish.adopted import model_of, part_name
from artfish.core.base.codec import SceneError

TURNED = Matrix.Scale(100.0, 4) @ Euler((0.0, np.pi / 2, 0.0)).to_matrix().to_4x4()  # in centimetres, facing down


def places_of(objects):
    return np.array([obj.matrix_world @ vertex.co for obj in objects for vertex in obj.data.vertices])


def distances(places, others):
    """Distance of each of these places from the nearest of the others, in lengths."""
    from scipy.spatial import cKDTree

    return cKDTree(others).query(places)[0] / np.ptp(others, axis=0).max()


@pytest.mark.film
@pytest.mark.parametrize("suffix", [".obj", ".glb", ".fbx", ".blend"])
def test_files_bring_a_model_as_it_was_made(suffix, modelled, written):
    objects = modelled(TURNED, bones=suffix != ".obj")
    places, faces = places_of(objects), sum(len(obj.data.polygons) for obj in objects)
    path = written(suffix)
    there, shown = set(ids()), bpy.context.window.scene
    with opened(path) as brought:
        model = model_of(brought.body, brought.bones)
        names = [slot.name for slot in brought.body.material_slots]
        nodes = [node for slot in brought.body.material_slots for node in slot.material.node_tree.nodes]
        assert {node.image.size[0] for node in nodes if node.type == "TEX_IMAGE"} == {8}
        assert len(brought.body.data.uv_layers) == 1
    assert set(ids()) == there and bpy.context.window.scene == shown
    unit = np.ptp(model.vertices, axis=0).max() / np.ptp(places, axis=0).max()
    assert unit == pytest.approx(1.0, abs=1e-4)
    assert distances(model.vertices, places).max() < 1e-5 and distances(places, model.vertices).max() < 1e-5
    assert set(np.unique(model.parts)) == {0, 1, 2} and len(names) == 3
    assert len(model.starts) - 1 >= faces
    if suffix != ".obj":
        assert [bone.name for bone in model.bones][:5] == [f"Knochen {number}" for number in range(5)]
        assert model.bones[0].parent == -1 and model.bones[3].parent == 2
        np.testing.assert_allclose(np.asarray(model.weights.sum(axis=1)).ravel(), 1.0, atol=1e-3)
        spine = np.array([bone.head for bone in model.bones])
        np.testing.assert_allclose(spine[:5, 2] / 100, -np.linspace(0.25, -0.55, 5), atol=1e-4)


@pytest.mark.film
def test_objects_of_a_scene_are_read_as_they_were_modelled_and_stay_as_they_are(modelled):
    objects = modelled(TURNED, bones=True)
    body = objects[0]
    places = places_of(objects)
    body.shape_key_add(name="Basis")
    puffed = body.shape_key_add(name="Puffed")
    for point in puffed.data:
        point.co *= 1.5
    puffed.value = 1.0
    mirror = body.modifiers.new("Thick", "SUBSURF")
    mirror.levels = 0
    armature = bpy.data.objects["Bones"]
    armature.pose.bones[2].rotation_mode = "XYZ"
    armature.pose.bones[2].rotation_euler = (0.0, 0.0, 0.8)
    bpy.context.view_layer.update()
    there = set(ids())
    with picked(objects) as brought:
        model = model_of(brought.body, brought.bones)
    assert set(ids()) == there
    assert puffed.value == 1.0 and len(body.modifiers) == 2 and armature.data.pose_position == "POSE"
    assert distances(model.vertices, places).max() < 1e-5


def test_a_mirror_modifier_shapes_the_model(modelled):
    half = modelled()[0]
    half.modifiers.new("Mirror", "MIRROR").use_axis = (False, True, False)
    with picked([half]) as brought:
        assert len(model_of(brought.body, brought.bones).vertices) > len(half.data.vertices)


@pytest.mark.film
def test_nothing_of_a_file_runs(modelled, written, monkeypatch):
    """A driver of an expression, a text that registers itself, and a script of a shader are all left out."""
    body, caught = modelled()[0], []
    text = bpy.data.texts.new("evil.py")
    text.write("import bpy\nbpy.app.driver_namespace['caught']()")
    text.use_module = True
    node = body.active_material.node_tree.nodes.new("ShaderNodeScript")
    node.script = text
    body.driver_add("location", 2).driver.expression = "caught()"
    path = written(".blend")
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    monkeypatch.setitem(bpy.app.driver_namespace, "caught", lambda: caught.append(1) or 0.0)
    with opened(path) as brought:
        assert brought.body.animation_data is None and not bpy.data.texts
        trees = [material.node_tree for material in brought.body.data.materials]
        scripts = [node for tree in trees for node in tree.nodes if node.type == "SCRIPT"]
        assert scripts and all(node.script is None for node in scripts)
    assert caught == []


@pytest.mark.parametrize("suffix", MODEL_SUFFIXES)
def test_a_file_that_is_none_is_refused_in_a_line(suffix, tmp_path):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(b"\x00not a model\x00" * 20)
    there = set(ids())
    with pytest.raises(SceneError) as refused, opened(path):
        pass
    assert refused.value.file == str(path) and "\n" not in str(refused.value)
    assert set(ids()) == there
    with pytest.raises(SceneError, match="no such file"), opened(tmp_path / f"none{suffix}"):
        pass


def test_other_files_are_no_models(tmp_path):
    with pytest.raises(SceneError, match=r"found \.stl, allowed a model"), opened(tmp_path / "fish.stl"):
        pass


def test_painted_pictures_that_were_not_saved_are_named(modelled):
    body = modelled()[0]
    assert unsaved_pictures([body]) == []
    bpy.data.images["Scales"].pixels[0] = 0.5
    assert unsaved_pictures([body]) == ["Scales"]


@pytest.mark.parametrize(
    ("group", "part"),
    [
        ("Dorsal", "dorsal"),
        ("dorsal fin", "dorsal"),
        ("Anal_Fin", "anal"),
        ("ventral", "anal"),
        ("Tail", "caudal"),
        ("PectoralFin.L", "pectoral.L"),
        ("pectoral_left", "pectoral.L"),
        ("Eye_R", "eye.R"),
        ("eyes", ""),
        ("jaw", "jaw"),
        ("Group", ""),
        ("tail.L", ""),
    ],
)
def test_groups_are_known_by_their_names(group, part):
    assert part_name(group) == part


def test_the_open_file_is_no_file_to_read_from(tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "open.blend"))
    with pytest.raises(SceneError, match="current blend file"), opened(tmp_path / "open.blend"):
        pass


def test_what_a_file_does_not_show_is_no_part_of_the_fish(modelled, tmp_path):
    """Objects of a collection that is off in renders, or of another scene, stay out."""
    body, *_ = modelled()
    scene = bpy.context.scene
    for name, way in (("Off", "hide_render"), ("Unseen", "hide_viewport"), ("Elsewhere", "")):
        other = bpy.data.objects.new(name, bpy.data.meshes.new_from_object(body))
        if way:
            collection = bpy.data.collections.new(name)
            inner = bpy.data.collections.new(f"{name} within")
            collection.children.link(inner)
            inner.objects.link(other)
            scene.collection.children.link(collection)
            setattr(collection, way, True)
        else:
            another = bpy.data.scenes.new("Aside")
            another.collection.objects.link(other)
    path = tmp_path / "fish.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    with opened(path) as brought:
        assert set(np.unique(model_of(brought.body, brought.bones).parts)) == {0, 1, 2}
    bpy.context.window.scene = another
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    with opened(path) as brought:
        assert set(np.unique(model_of(brought.body, brought.bones).parts)) == {0}


def test_the_scene_that_a_gltf_shows_counts(modelled, tmp_path):
    modelled()
    another = bpy.data.scenes.new("Aside")
    bpy.ops.mesh.primitive_uv_sphere_add()
    ball = bpy.context.object
    another.collection.objects.link(ball)
    bpy.context.scene.collection.objects.unlink(ball)
    path = tmp_path / "fish.gltf"
    bpy.ops.export_scene.gltf(filepath=str(path), export_format="GLTF_SEPARATE", use_active_scene=False)
    with opened(path) as brought:
        assert set(np.unique(model_of(brought.body, brought.bones).parts)) == {0, 1, 2}
