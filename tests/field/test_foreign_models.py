"""Models that name files of yours, or of a network, as pictures: nothing else than their own pictures is adopted."""

import base64
import json
import os
from pathlib import Path

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.adopt.adopting import adopt_file
from artfish.blender_artfish.blender.blocks import passing, unzstd
from artfish.cli import main
from artfish.core.base.codec import SceneError
from artfish.core.foreign.examining import examined
from artfish.tests.blender.models import put_model

CASES = Path(__file__).parent / "cases" / "models"
SECRET = b"-----BEGIN PRIVATE KEY----- nobody may have this"
HOST = "share.example.invalid"


@pytest.fixture
def home(tmp_path):
    """A folder with secrets, and in it one with a model's pictures, of which some lead out of it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    folder = tmp_path / "model"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "key.pem").write_bytes(SECRET)
    (folder / "notes.png").write_bytes(SECRET)
    for path, colour in ((folder / "sub" / "skin.png", 0.25), (tmp_path / "private.png", 0.75)):
        image = bpy.data.images.new(path.stem, 8, 8)
        image.pixels.foreach_set(np.full(256, colour, np.float32))
        image.filepath_raw, image.file_format = str(path), "PNG"
        image.save()
        bpy.data.images.remove(image)
    if os.name != "nt":
        (folder / "link.png").symlink_to(tmp_path / "private.png")
        (folder / "linked").symlink_to(tmp_path)
    return folder


def strays(home):
    """Paths that a hostile model gives for pictures."""
    return [
        str(home.parent / "key.pem"),
        str(home.parent / "private.png"),
        "../private.png",
        "sub/../../private.png",
        "notes.png",
        "link.png",
        "linked/private.png",
        f"//{HOST}/share/skin.bmp",
        f"\\\\{HOST}\\share\\skin.bmp",
        f"http://{HOST}/skin.bmp",
        f"file://{HOST}/skin.bmp",
        "C:\\Users\\me\\skin.bmp",
        "/dev/zero",
        "CON",
    ]


def painted(home, names):
    """The objects of a fish in the scene, with a material for each of these pictures."""
    objects = put_model(home / "sub")
    (home / "sub" / "scales.png").unlink()
    body = objects[0]
    body.data.materials.clear()
    for number, name in enumerate(names):
        image = bpy.data.images.new(f"Picture {number}", 8, 8)
        image.source, image.filepath_raw = "FILE", name
        material = bpy.data.materials.new(f"Material {number}")
        material.use_nodes = True
        tree = material.node_tree
        node = tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        shader = next(each for each in tree.nodes if each.type == "BSDF_PRINCIPLED")
        tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        body.data.materials.append(material)
    for number, face in enumerate(body.data.polygons):
        face.material_index = number % len(names)
    return objects


def write_obj(home, names):
    painted(home, ["x"] * len(names))
    bpy.ops.wm.obj_export(filepath=str(home / "fish.obj"), path_mode="STRIP")
    lines = []
    for number, name in enumerate(names):
        lines += [f"newmtl Material_{number}", f"{'map_Bump -bm 0.5' if number % 2 else 'map_Kd'} {name}"]
    (home / "fish.mtl").write_text("\n".join(lines))
    return home / "fish.obj"


def write_gltf(home, names):
    painted(home, [str(home / "sub" / "skin.png")] * len(names))
    bpy.ops.export_scene.gltf(filepath=str(home / "fish.gltf"), export_format="GLTF_SEPARATE")
    document = json.loads((home / "fish.gltf").read_text())
    document["images"] = [{"uri": name, "name": f"Picture {number}"} for number, name in enumerate(names)]
    document["textures"] = [{"source": number} for number in range(len(names))]
    for number, material in enumerate(document["materials"]):
        material["pbrMetallicRoughness"] = {"baseColorTexture": {"index": min(number, len(names) - 1)}}
    (home / "fish.gltf").write_text(json.dumps(document))
    return home / "fish.gltf"


def write_fbx(home, names):
    painted(home, names)
    bpy.ops.export_scene.fbx(filepath=str(home / "fish.fbx"), path_mode="ABSOLUTE")
    return home / "fish.fbx"


def write_blend(home, names):
    painted(home, [f"//{name}" if name == "sub/skin.png" else name for name in names])
    bpy.ops.wm.save_as_mainfile(filepath=str(home / "fish.blend"), copy=True, compress=True, relative_remap=False)
    return home / "fish.blend"


WRITERS = {".obj": write_obj, ".gltf": write_gltf, ".fbx": write_fbx, ".blend": write_blend}


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("suffix", WRITERS)
def test_a_hostile_model_brings_its_own_pictures_alone(suffix, home, tmp_path):
    with passing():
        path = WRITERS[suffix](home, ["sub/skin.png", *strays(home)])
    made = tmp_path / "made"
    made.mkdir()
    adopted = adopt_file(path, made / "hostile.json")
    notes = [note for note in adopted.notes if note.startswith("its picture")]
    assert {"key.pem", "private.png", "notes.png", "link.png"} <= {note.split()[2] for note in notes}
    bpy.ops.wm.open_mainfile(filepath=str(made / "hostile.blend"))
    pictures = [image for image in bpy.data.images if image.source in ("FILE", "TILED")]
    assert [image.packed_file is not None for image in pictures] == [True]
    assert 0.02 < pictures[0].pixels[0] < 0.3  # that of its own, in any colour space
    bpy.ops.wm.save_as_mainfile(filepath=str(made / "plain.blend"), compress=False)
    plain = (made / "plain.blend").read_bytes()
    assert SECRET not in plain and HOST.encode() not in plain


@pytest.mark.film
@pytest.mark.parametrize("suffix", WRITERS)
def test_the_copy_that_blender_opens_leads_nowhere(suffix, home, tmp_path):
    with passing():
        path = WRITERS[suffix](home, ["sub/skin.png", *strays(home)])
    to = tmp_path / "copy"
    to.mkdir()
    copy, _ = examined(path, to, unzstd)
    whole = b"".join(each.read_bytes() for each in to.iterdir())
    for word in (f"/{HOST}", f"\\{HOST}", "../private", "/dev/zero", "C:\\Users", str(home.parent)):
        assert word.encode() not in whole
    assert SECRET not in whole and copy.parent == to
    assert sum(each.suffix == ".png" for each in to.iterdir()) >= 1


@pytest.mark.film
def test_a_library_of_a_blend_is_not_opened(home, tmp_path):
    """An object of another .blend stays behind, wherever that lies, with a note of its name."""
    with passing():
        put_model(home / "sub")
        bpy.ops.wm.save_as_mainfile(filepath=str(home / "library.blend"), copy=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    put_model(home / "sub")
    with bpy.data.libraries.load(str(home / "library.blend"), link=True) as (there, here):
        here.objects = ["Body"]
    linked = here.objects[0]
    bpy.context.scene.collection.objects.link(linked)
    linked.library.filepath = str(home / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(home / "fish.blend"), relative_remap=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    adopted = adopt_file(home / "fish.blend", tmp_path / "hostile.json")
    assert [note for note in adopted.notes if "library.blend" in note]
    assert not [library for library in bpy.data.libraries if "library.blend" in library.filepath]


@pytest.mark.film
def test_bytes_that_are_no_picture_are_not_packed_from_a_buffer(home, tmp_path):
    """A glTF may call any part of a buffer a picture, and a buffer may be any file of its folder."""
    with passing():
        path = write_gltf(home, ["sub/skin.png"])
    document = json.loads(path.read_text())
    key = base64.b64encode(SECRET).decode()
    document["buffers"].append(
        {"byteLength": len(SECRET), "uri": f"data:application/octet-stream;base64,{key}"},
    )
    document["bufferViews"].append({"buffer": len(document["buffers"]) - 1, "byteLength": len(SECRET)})
    document["images"] = [{"bufferView": len(document["bufferViews"]) - 1, "mimeType": "image/png", "name": "key"}]
    path.write_text(json.dumps(document))
    adopted = adopt_file(path, tmp_path / "hostile.json")
    assert "its picture key is no picture, so it comes without it" in adopted.notes
    (home / "notes.txt").write_bytes(SECRET)
    document["buffers"][-1]["uri"] = "notes.txt"
    path.write_text(json.dumps(document))
    with pytest.raises(SceneError, match=r"notes\.txt, which ends in none of \.bin"):
        adopt_file(path, tmp_path / "hostile.json")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("badidx", "meshes[0].primitives[0].indices: found the vertex 1000639, allowed less than 640"),
        ("bigcount", "accessors[0].count: found 2147483647, allowed up to 640"),
        ("cycle", "nodes[0].children: found the node 0, which is below itself, allowed a tree"),
        ("self", "nodes[0].children: found itself, allowed other nodes"),
    ],
)
def test_a_damaged_gltf_is_one_line_with_its_cause(name, line, tmp_path, capsys):
    path = CASES / f"{name}.gltf"
    assert main(["adopt", str(path), "-o", str(tmp_path / "x.json"), "--length", "0.3"]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith(f"artfish: {path}: {line}") and not list(tmp_path.iterdir())
