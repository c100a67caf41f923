"""A model by somebody else becomes a species, and swims in its own skin in every form that is one mesh."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.adopt.adopting import UnfitModelError, adopt, adopt_file, look
from artfish.blender_artfish.adopt.reading import opened, picked
from artfish.blender_artfish.bake import bake, recasting
from artfish.blender_artfish.bake.whole_fish import fishes_of
from artfish.blender_artfish.blender.blocks import ids
from artfish.blender_artfish.fish.adopted import MODEL, model_of
from artfish.blender_artfish.species import library
from artfish.cli import main
from artfish.core.adopt.binding import bind
from artfish.core.base.codec import SceneError
from artfish.core.form.mesh import ControlNet
from artfish.core.scene.species import Species
from artfish.core.world.world import World
from artfish.tests.blender.models import DOWN

pytestmark = pytest.mark.film

TOLERANCE = 0.002
ROUNDING = 2e-5
SKIN = 0.02


@pytest.fixture
def salmon(adopted, tmp_path):
    """An adopted fish, whose files lie in the test's folder."""
    for name in ("salmon.json", "salmon.blend"):
        copyfile(adopted / name, tmp_path / name)
    return Species.load(tmp_path / "salmon.json")


def bodies():
    return {obj["id"]: obj for obj in bpy.data.objects if obj.type == "MESH" and "id" in obj}


def shown(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    places = np.empty(3 * len(evaluated.data.vertices), np.float32)
    evaluated.data.vertices.foreach_get("co", places)
    matrix = np.array(evaluated.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def bound(species, folder):
    """The model's vertices as they follow the control points."""
    net = ControlNet(species)
    with opened(Path(folder) / f"{species.model}.blend") as brought:
        return net, bind(net, model_of(brought.body, brought.bones))


def recorded(recording, species, folder, frame):
    net, shape = bound(species, folder)
    look = recording.look([0])
    now = replace(look, **{name: of[[frame]] for name, of in vars(look).items()})
    nodes, fins, mouth = (of[[frame]][:, [0]] for of in (recording.nodes, recording.fins, recording.mouth))
    points, origin, turn = net.poses(nodes, fins, recording.body_length[[0]], mouth, now)
    return shape.vertices(points)[0, 0] * recording.body_length[0] @ turn[0, 0].T + origin[0, 0]


def test_a_model_becomes_two_files_that_hold_all_of_it(salmon, tmp_path):
    assert salmon.model == "salmon" and 0.2 < salmon.length < 0.4
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(tmp_path / "salmon.blend"), assets_only=True) as (source, wish):
        assert source.objects == ["salmon"]
        wish.objects = ["salmon"]
    (body,) = wish.objects
    places = np.array([vertex.co for vertex in body.data.vertices])
    assert body[MODEL] == "salmon" and np.ptp(places[:, 0]) == pytest.approx(1.0, abs=1e-3)
    assert abs(places[:, 1].max() + places[:, 1].min()) < 0.01
    assert [image.size[:] for image in bpy.data.images if image.packed_file] == [(8, 8)]
    preview = np.empty(4 * 128 * 128, np.float32)
    body.preview.image_pixels_float.foreach_get(preview)
    seen = preview.reshape(128, 128, 4)
    assert 0.1 < (seen[..., 3] > 0.5).mean() < 0.8
    red, _, blue = seen[seen[..., 3] > 0.99][:, :3].T
    assert (red > 1.5 * blue).mean() > 0.5  # the picture's orange
    left = np.flatnonzero((seen[..., 3] > 0.5).any(axis=0))
    assert left.max() - left.min() > 110


def test_adopting_leaves_the_open_file_as_it_is(modelled, tmp_path):
    objects = modelled(DOWN, bones=True)
    there, chosen = set(ids()), list(bpy.context.selected_objects)
    places = [obj.matrix_world.copy() for obj in objects]
    adopted = adopt(picked(objects), tmp_path / "koi.json", ahead="-Z", length=0.6)
    assert set(ids()) == there and list(bpy.context.selected_objects) == chosen
    assert [obj.matrix_world for obj in objects] == places
    assert adopted.species.length == 0.6 and adopted.pose.ahead == "-Z"
    assert (tmp_path / "koi.blend").is_file()
    with opened(tmp_path / "koi.blend") as brought:
        again = model_of(brought.body, brought.bones)
        assert [bone.name for bone in again.bones] == [f"Knochen {number}" for number in range(5)]
        assert again.bones[0].head[0] > again.bones[4].head[0] + 0.7
        assert set(np.unique(again.parts)) == {0, 1, 2}


@pytest.mark.parametrize("drive", ["armature", "shapes"])
def test_a_bake_of_the_form_mesh_bends_the_model_itself(drive, salmon, swimming, tmp_path):
    film = swimming("salmon", frames=16, known={"salmon": salmon})
    bake(film, tmp_path / "film.blend", form="mesh", drive=drive, tolerance=TOLERANCE, stage=False, folders=[tmp_path])
    for path in tmp_path.glob("salmon.*"):
        path.unlink()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "film.blend"))
    body = bodies()[0]
    names = {material.name.split(".")[0] for material in body.data.materials}
    assert names == {"Body", "Eye left", "Eye right"} and len(body.data.uv_layers) == 1
    assert [image.packed_file is not None for image in bpy.data.images if image.size[0] == 8] == [True]
    assert not [obj for obj in bpy.data.objects if MODEL in obj]
    assert "dorsal" in body.vertex_groups


@pytest.mark.sampled
@pytest.mark.parametrize("drive", ["armature", "shapes"])
def test_it_lies_where_it_is_bound(drive, salmon, swimming, tmp_path):
    film = swimming("salmon", frames=16, known={"salmon": salmon})
    bake(film, None, form="mesh", drive=drive, tolerance=TOLERANCE, stage=False, folders=[tmp_path])
    bends = []
    for frame in (0, 5, 15):
        bpy.context.scene.frame_set(1 + frame)
        places = shown(bodies()[0])
        off = np.linalg.norm(places - recorded(film, salmon, tmp_path, frame), axis=1) / film.body_length[0]
        if drive == "shapes":
            assert off.max() < TOLERANCE + ROUNDING / film.body_length[0]
        else:
            assert np.percentile(off, 95) < SKIN
        bends.append(np.linalg.norm(places[None] - places[:, None], axis=-1))
    assert np.abs(bends[0] - bends[1]).max() > 0.02 * film.body_length[0]


def test_a_crowd_is_made_of_the_model(salmon, swimming, tmp_path):
    film = swimming(*["salmon"] * 3, frames=12, known={"salmon": salmon})
    bake(film, None, form="crowd", stage=False, folders=[tmp_path])
    crowds = [obj for obj in bpy.data.objects if obj.name.startswith("Salmon crowd")]
    levels = {name: obj for obj in bpy.data.objects if (name := obj.name).endswith("pose 000")}
    counts = [len(levels[f"Salmon level {level} pose 000"].data.vertices) for level in range(3)]
    assert counts[0] == counts[1] > counts[2] and counts[2] < 700
    for frame in (1, 12):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        fishes = {
            (each.instance_object.original.name.split(" pose")[0], each.matrix_world.translation.copy().freeze())
            for each in graph.object_instances
            if each.is_instance and each.parent.original in crowds
        }
        assert len(fishes) == 3 and all(name.startswith("Salmon level") for name, _ in fishes)
    assert {material.name.split(".")[0] for material in levels["Salmon level 0 pose 000"].data.materials} == {
        "Body",
        "Eye left",
        "Eye right",
    }


@pytest.mark.sampled
@pytest.mark.parametrize("there", [False, True])
def test_the_look_of_a_model_is_that_of_another_with_as_many_materials(there, salmon, swimming, tmp_path, monkeypatch):
    """And a preset's fish wears the colours that were painted for the model."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path)
    trout = replace(salmon, name="trout")
    names = ("salmon", "clownfish", *(["trout"] if there else []))
    film = swimming(*names, frames=2, known={"salmon": salmon, "trout": trout})
    bake(film, None, form="mesh", stage=False, folders=[tmp_path])
    scene, meshes = bpy.context.scene, len(bpy.data.meshes)
    black = bpy.data.materials.new("Black")
    for slot in swum("salmon").body[-1].material_slots:
        slot.material = black
    recasting.paint(swum("salmon"), trout, scene)
    worn = [slot.material.name.split(".")[0] for slot in swum("salmon").body[-1].material_slots]
    assert sorted(worn) == ["Body", "Eye left", "Eye right"] and len(bpy.data.meshes) == meshes
    with pytest.raises(SceneError, match="an adopted species with as many"):
        recasting.paint(swum("salmon"), Species.load("clownfish"), scene)
    recasting.paint(swum("clownfish"), salmon, scene)
    assert {slot.material.name.split()[0] for slot in swum("clownfish").body[-1].material_slots} == {"salmon"}


def swum(species):
    """The baked fish of a species."""
    return next(each for each in fishes_of(bpy.context.scene, bpy.context.scene.objects) if each.species == species)


def test_a_model_that_is_nowhere_is_named(salmon, swimming, tmp_path):
    film = swimming("salmon", frames=2, known={"salmon": salmon})
    with pytest.raises(ValueError, match=r"model: found no salmon\.blend"):
        bake(film, None, form="mesh", stage=False)


@pytest.mark.parametrize("form", ["mesh", "crowd"])
def test_it_is_named_before_anything_is_simulated(form, salmon, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(World, "run", lambda *_, **__: pytest.fail("it was simulated"))
    (tmp_path / "salmon.blend").unlink()
    (tmp_path / "one.json").write_text(json.dumps({"fishes": [{"species": "salmon", "at": [5.0, 5.0, 2.0]}]}))
    assert main(["bake", str(tmp_path / "one.json"), "-o", str(tmp_path / "one.blend"), "--form", form]) == 2
    assert "model: found no salmon.blend" in capsys.readouterr().err
    assert not (tmp_path / "one.blend").exists()


def test_what_is_wrong_is_said_of_the_file(tmp_path):
    bpy.ops.mesh.primitive_plane_add()
    bpy.ops.wm.obj_export(filepath=str(tmp_path / "plane.obj"))
    with pytest.raises(UnfitModelError) as refused:
        adopt_file(tmp_path / "plane.obj", tmp_path / "flat.json")
    assert str(refused.value).startswith(f"{tmp_path / 'plane.obj'}: it has 4 vertices")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plane.mtl", "plane.obj"]


def test_a_look_tells_how_a_model_lies(modelled):
    seen = look(picked(modelled(DOWN)))
    assert (seen.pose.ahead, seen.pose.up[1]) == ("-Z", "X") and seen.pose.length == pytest.approx(30.0, rel=0.02)


def test_the_command_makes_a_species_for_the_scenes_of_its_folder(modelled, written, tmp_path, capsys, monkeypatch):
    modelled(DOWN)
    path = written(".obj")
    monkeypatch.chdir(tmp_path)
    assert main(["adopt", str(path), "-o", "trout.json", "--axis", "+Y", "--length", "0.4"]) == 0
    assert "trout: nose +Y" in capsys.readouterr().out
    assert Species.load("trout.json").length == 0.4 and Path("trout.blend").is_file()
    for words, line in [
        (["adopt", "fish.stl", "-o", "a.json"], "a name ending in .obj"),
        (["adopt", "fish.obj", "-o", "a.json"], "no such file"),
        (["adopt", str(path), "-o", "sardine.json"], "which is a preset"),
    ]:
        assert main(words) == 2 and line in capsys.readouterr().err
