"""Impossible glTF: nodes in circles, corners without vertices, numbers that are not finite."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from .accessors import Accessors
from .gltf_items import Items, ensure_numbers, is_number

DEEPEST_NODES = 500
"""Nodes below each other."""
_SHAPES: dict[str, tuple[str, ...]] = {
    "POSITION": ("VEC3",),
    "NORMAL": ("VEC3",),
    "TANGENT": ("VEC4",),
    "TEXCOORD": ("VEC2",),
}
_SHAPES |= {"TEXCOORD": ("VEC2",), "COLOR": ("VEC3", "VEC4"), "JOINTS": ("VEC4",), "WEIGHTS": ("VEC4",)}
_FLOAT = 5126
_FACTORS = {
    "baseColorFactor": 4,
    "diffuseFactor": 4,
    "emissiveFactor": 3,
    "specularFactor": 3,
    "specularColorFactor": 3,
}
_FACTORS |= {"sheenColorFactor": 3, "attenuationColor": 3, "offset": 2, "scale": 2}


def ensure_nodes(items: Items) -> None:
    """Refuse nodes that are below themselves or below two others, and what no transformation is.

    Raises:
        SceneError: With the key of the fault.
    """
    above: dict[int, int] = {}
    for number, node in enumerate(items.all("nodes")):
        key = f"nodes[{number}]"
        for child in items.rows(node, "children", "nodes", key):
            if child == number:
                raise SceneError("itself", "other nodes", f"{key}.children")
            if child in above:
                raise SceneError(
                    f"the node {child}, which is a child of node {above[child]} already", "each once", f"{key}.children"
                )
            above[child] = number
        items.row(node, "mesh", "meshes", key)
        items.row(node, "skin", "skins", key)
        for name, many in (("translation", 3), ("rotation", 4), ("scale", 3), ("matrix", 16)):
            ensure_numbers(node, name, many, key)
    depths: dict[int, int] = {}
    for number in range(items.count("nodes")):
        way, at = [], number
        while at in above and at not in depths:
            way.append(at)
            at = above[at]
            if len(way) > len(above):
                raise SceneError(f"the node {number}, which is below itself", "a tree", f"nodes[{number}].children")
        depth = depths.setdefault(at, 0)
        for each in reversed(way):
            depth += 1
            depths[each] = depth
        if depth > DEEPEST_NODES:
            raise SceneError(f"{depth} nodes below each other", f"up to {DEEPEST_NODES}", f"nodes[{number}]")
    for number, scene in enumerate(items.all("scenes")):
        for top in items.rows(scene, "nodes", "nodes", f"scenes[{number}]"):
            if top in above:
                raise SceneError(f"the node {top}, which is a child", "nodes that are none", f"scenes[{number}].nodes")


def ensure_meshes(items: Items, accessors: Accessors) -> None:
    """Refuse faces of vertices that are not there, and vertices without a place.

    Raises:
        SceneError: With the key of the fault.
    """
    for number, mesh in enumerate(items.all("meshes")):
        primitives = mesh.get("primitives")
        if not isinstance(primitives, list) or not all(isinstance(each, dict) for each in primitives):
            raise SceneError(shown(primitives), "a list of primitives", f"meshes[{number}].primitives")
        for row, primitive in enumerate(primitives):
            _ensure_primitive(items, accessors, primitive, f"meshes[{number}].primitives[{row}]")


def _ensure_primitive(items: Items, accessors: Accessors, primitive: dict[str, Any], key: str) -> None:
    attributes, packed = primitive.get("attributes"), _is_packed(items, primitive, key)
    if not isinstance(attributes, dict):
        raise SceneError(shown(attributes), "an object of keys and values", f"{key}.attributes")
    vertices = None
    for name in list(attributes):
        of, place = (
            items.row(attributes, name, "accessors", f"{key}.attributes", needed=True),
            f"{key}.attributes.{name}",
        )
        kind, component, count = accessors.kind(of)
        shapes = _SHAPES.get(name.rpartition("_")[0] if name[-1:].isdigit() else name)
        if shapes is None:
            del attributes[name]  # of another program
            continue
        if kind not in shapes:
            raise SceneError(kind, " or ".join(shapes), place)
        if vertices not in (None, count):
            raise SceneError(f"{count} of them", f"{vertices}, one a vertex", place)
        vertices = count
        if component == _FLOAT and not packed:
            values = accessors.values(of)
            if not np.isfinite(values).all():
                if name in ("NORMAL", "TANGENT"):
                    del attributes[name]  # they follow from the faces
                    continue
                found = "a vertex without a place" if name == "POSITION" else "a number that is none"
                raise SceneError(found, "numbers", place)
    items.row(primitive, "material", "materials", key)
    mode = primitive.get("mode", 4)
    if isinstance(mode, bool) or not isinstance(mode, int) or not 0 <= mode <= 6:
        raise SceneError(shown(mode), "0 to 6", f"{key}.mode")
    of = items.row(primitive, "indices", "accessors", key)
    if of is None:
        return
    kind, component, _ = accessors.kind(of)
    if kind != "SCALAR" or component not in (5121, 5123, 5125):
        raise SceneError(f"{kind} of {component}", "SCALAR of 5121, 5123 or 5125", f"{key}.indices")
    if not packed and vertices is not None:
        most = int(accessors.values(of).max(initial=0))
        if most >= vertices:
            raise SceneError(f"the vertex {most}", f"less than {vertices}, as many as there are", f"{key}.indices")


def _is_packed(items: Items, primitive: dict[str, Any], key: str) -> bool:
    """True if the arrays of faces are compressed in another."""
    extensions = primitive.get("extensions")
    if extensions is None:
        return False
    if not isinstance(extensions, dict):
        raise SceneError(shown(extensions), "an object of keys and values", f"{key}.extensions")
    draco = extensions.get("KHR_draco_mesh_compression")
    if draco is None:
        return False
    place = f"{key}.extensions.KHR_draco_mesh_compression"
    if not isinstance(draco, dict) or not isinstance(draco.get("attributes"), dict):
        raise SceneError(shown(draco), "an object of keys and values", place)
    items.row(draco, "bufferView", "bufferViews", place, needed=True)
    for name in draco["attributes"]:
        items.whole(draco["attributes"], name, f"{place}.attributes", 0)
    if items.row(primitive, "indices", "accessors", key) is None:
        raise SceneError("none", "the number of an accessor", f"{key}.indices")
    return True


def ensure_skins(items: Items, accessors: Accessors) -> None:
    """Refuse bones that are not there.

    Raises:
        SceneError: With the key of the fault.
    """
    for number, skin in enumerate(items.all("skins")):
        key = f"skins[{number}]"
        joints = items.rows(skin, "joints", "nodes", key)
        if not joints:
            raise SceneError("no joints", "one or more", f"{key}.joints")
        items.row(skin, "skeleton", "nodes", key)
        of = items.row(skin, "inverseBindMatrices", "accessors", key)
        if of is not None:
            kind, component, count = accessors.kind(of)
            if kind != "MAT4" or component != _FLOAT or count < len(joints):
                found = f"{count} {kind} of {component}"
                raise SceneError(found, f"{len(joints)} MAT4 of {_FLOAT}", f"{key}.inverseBindMatrices")
            if not np.isfinite(accessors.values(of)).all():
                raise SceneError("a number that is none", "numbers", f"{key}.inverseBindMatrices")
    for node in items.all("nodes"):
        if node.get("skin") is None or node.get("mesh") is None:
            continue
        many = len(items.at("skins", node["skin"])["joints"])
        for row, primitive in enumerate(items.at("meshes", node["mesh"])["primitives"]):
            _ensure_joints(accessors, primitive, many, f"meshes[{node['mesh']}].primitives[{row}]")


def _ensure_joints(accessors: Accessors, primitive: dict[str, Any], many: int, key: str) -> None:
    packed = bool((primitive.get("extensions") or {}).get("KHR_draco_mesh_compression"))
    for name, of in primitive["attributes"].items():
        if name.startswith("JOINTS_") and not packed:
            most = accessors.values(of).max(initial=0)
            if not 0 <= most < many:
                raise SceneError(
                    f"the joint {most}", f"less than {many}, as many as the skin has", f"{key}.attributes.{name}"
                )


def ensure_materials(items: Items) -> None:
    """Refuse pictures that are not there, and colours that are none.

    Raises:
        SceneError: With the key of the fault.
    """
    for number, texture in enumerate(items.all("textures")):
        key = f"textures[{number}]"
        items.row(texture, "source", "images", key)
        items.row(texture, "sampler", "samplers", key)
        webp = texture.get("extensions")
        if webp is not None and not isinstance(webp, dict):
            raise SceneError(shown(webp), "an object of keys and values", f"{key}.extensions")
        for name, inner in (webp or {}).items():
            if not isinstance(inner, dict):
                raise SceneError(shown(inner), "an object of keys and values", f"{key}.extensions.{name}")
            items.row(inner, "source", "images", f"{key}.extensions.{name}")
    for number, material in enumerate(items.all("materials")):
        _ensure_shades(items, material, f"materials[{number}]", 0)


def _ensure_shades(items: Items, item: dict[str, Any], key: str, depth: int) -> None:
    """All that a material says, and what is in it."""
    for name, value in list(item.items()):
        place = f"{key}.{name}"
        if name == "extras" or value is None:
            del item[name]
        elif name.endswith("Texture"):
            if not isinstance(value, dict):
                raise SceneError(shown(value), "an object of keys and values", place)
            items.row(value, "index", "textures", place, needed=True)
            items.whole(value, "texCoord", place, 0, 0)
            _ensure_shades(items, value, place, depth + 1)
        elif isinstance(value, dict):
            if depth > 8:
                raise SceneError("more levels", "a material", place)
            _ensure_shades(items, value, place, depth + 1)
        elif name in _FACTORS and isinstance(value, list):
            ensure_numbers(item, name, _FACTORS[name], key)
        elif isinstance(value, list) or name in _FACTORS and not is_number(value):
            raise SceneError(shown(value), "numbers", place)
        elif name in ("alphaMode", "name"):
            if not isinstance(value, str):
                raise SceneError(shown(value), "a word", place)
        elif not isinstance(value, bool) and not is_number(value):
            raise SceneError(shown(value), "a number", place)
