"""Exporters copy any file that an image names, so that files other than pictures are kept out of their sight."""

import bpy
import pytest

from artfish.blender_artfish.blender.pictures import ensure_picture, pictures_alone
from artfish.core.base.codec import SceneError

SECRET = b"nobody may have this secret"


@pytest.fixture
def images(fresh_file, tmp_path):
    """An image of a picture, and one of a secret, on a mesh."""
    (tmp_path / "key").write_bytes(SECRET)
    skin = bpy.data.images.new("Skin", 8, 8)
    skin.filepath_raw, skin.file_format = str(tmp_path / "skin.png"), "PNG"
    skin.save()
    skin.source = "FILE"
    key = bpy.data.images.new("Key", 8, 8)
    key.source, key.filepath_raw = "FILE", str(tmp_path / "key")
    bpy.ops.mesh.primitive_cube_add()
    for image in (skin, key):
        material = bpy.data.materials.new(image.name)
        material.use_nodes = True
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = image
        shader = next(each for each in material.node_tree.nodes if each.type == "BSDF_PRINCIPLED")
        material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
        bpy.context.object.data.materials.append(material)
    for face in bpy.context.object.data.polygons:
        face.material_index = face.index % 2
    return skin, key


def test_a_picture_is_distinguished_from_a_secret(images):
    skin, key = images
    ensure_picture(skin)
    with pytest.raises(SceneError, match="a file that is none"):
        ensure_picture(key)


@pytest.mark.parametrize("suffix", [".usdc", ".fbx", ".glb"])
def test_an_export_copies_pictures_alone(suffix, images, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    path = str(out / f"cube{suffix}")
    with pictures_alone():
        if suffix == ".usdc":
            bpy.ops.wm.usd_export(filepath=path, export_textures_mode="NEW")
        elif suffix == ".fbx":
            bpy.ops.export_scene.fbx(filepath=path, path_mode="COPY", embed_textures=True)
        else:
            bpy.ops.export_scene.gltf(filepath=path)
    assert SECRET not in b"".join(each.read_bytes() for each in out.rglob("*") if each.is_file())
    assert images[1].filepath_raw == str(tmp_path / "key")
