"""A glTF is checked before anything opens it, and its copy says no more than is needed."""

import json

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.foreign.examining import examined

VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
CORNERS = np.array([0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2], "<u2")


def document():
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "children": [1], "extras": {"uri": "/etc/passwd"}}, {"name": "tail"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [{"byteLength": 72, "uri": "fish.bin"}],
        "animations": [{"channels": [{"sampler": 7}]}],
    }


def examine(tmp_path, said, vertices=VERTICES):
    (tmp_path / "model").mkdir(exist_ok=True)
    (tmp_path / "copy").mkdir(exist_ok=True)
    (tmp_path / "model" / "fish.bin").write_bytes(vertices.tobytes() + CORNERS.tobytes())
    (tmp_path / "model" / "fish.gltf").write_text(json.dumps(said))
    return examined(tmp_path / "model" / "fish.gltf", tmp_path / "copy")


def test_the_copy_has_the_geometry_and_nothing_else(tmp_path):
    copy, _ = examine(tmp_path, document())
    made = json.loads(copy.read_text())
    assert made["meshes"] == document()["meshes"] and "animations" not in made and "/etc/passwd" not in copy.read_text()
    data = (copy.parent / made["buffers"][0]["uri"]).read_bytes()
    assert np.array_equal(np.frombuffer(data[:48], "<f4").reshape(4, 3), VERTICES)


def wrong(path, value):
    """A document with another value at a place."""
    said = document()
    at = said
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return said


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("nodes", 0, "children"), [0], r"nodes\[0\]\.children: found itself"),
        (("nodes", 1, "children"), [0], "below itself"),
        (("nodes", 1), {"children": [1]}, "nodes"),
        (("nodes", 0, "children"), [5], r"nodes\[0\]\.children\[0\]: found 5"),
        (("nodes", 0, "mesh"), 3, r"nodes\[0\]\.mesh: found 3, allowed the number of one of the 1 meshes"),
        (("nodes", 0, "translation"), [0, 1e300, 0], "translation"),
        (("scenes", 0, "nodes"), [1], "which is a child"),
        (("accessors", 0, "count"), 2**31 - 1, r"accessors\[0\]\.count: found 2147483647, allowed up to 4"),
        (("accessors", 0, "count"), -1, r"accessors\[0\]\.count: found -1"),
        (("accessors", 0, "componentType"), 7, "componentType: found 7"),
        (("accessors", 1, "count"), 13, "count: found 13, allowed up to 12"),
        (("bufferViews", 1, "byteLength"), 25, "byteLength: found 25 bytes, allowed up to 24"),
        (("buffers", 0, "byteLength"), 73, "byteLength: found 73 bytes, allowed up to 72"),
        (("buffers", 0, "uri"), "../other.bin", "other.bin, which"),
        (("meshes", 0, "primitives", 0, "attributes", "POSITION"), 1, "found SCALAR, allowed VEC3"),
        (("meshes", 0, "primitives", 0, "material"), 0, "none, as there are no materials"),
        (("meshes", 0, "primitives"), {}, "a list of primitives"),
        (("asset",), {"version": "1.0"}, r"asset\.version"),
        (("extensionsRequired",), ["EXT_of_somebody"], "EXT_of_somebody"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(path, value, line, tmp_path):
    with pytest.raises(SceneError, match=line) as refused:
        examine(tmp_path, wrong(path, value))
    assert refused.value.file.endswith("fish.gltf") and list((tmp_path / "copy").iterdir()) == []


def test_a_corner_of_a_vertex_that_is_not_there_is_refused(tmp_path):
    said = wrong(("accessors", 0, "count"), 3)
    with pytest.raises(SceneError, match="indices: found the vertex 3, allowed less than 3"):
        examine(tmp_path, said)


def test_a_vertex_without_a_place_is_refused(tmp_path):
    vertices = VERTICES.copy()
    vertices[2, 1] = np.nan
    with pytest.raises(SceneError, match="POSITION: found a vertex without a place"):
        examine(tmp_path, document(), vertices)


def test_nodes_that_go_too_deep_are_refused(tmp_path):
    said = document()
    said["nodes"] = [{"children": [number + 1]} for number in range(900)] + [{"mesh": 0}]
    with pytest.raises(SceneError, match="nodes below each other"):
        examine(tmp_path, said)
