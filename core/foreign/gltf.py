"""A glTF of another maker: checked, and written anew with its geometry, bones, materials and pictures alone."""

from __future__ import annotations

import base64
import binascii
import json
import os
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ..base.codec import SceneError, parse
from ..base.files import read_bytes
from .accessors import Accessors
from .belongings import MOST_MODEL_BYTES, Belongings
from .gltf_faults import ensure_materials, ensure_meshes, ensure_nodes, ensure_skins
from .gltf_items import Items

_MODEL = "a glTF 2.0 model"
_MAGIC, _JSON, _BINARY = b"glTF", b"JSON", b"BIN\0"
_KEPT = {
    "nodes": ("name", "children", "mesh", "skin", "translation", "rotation", "scale", "matrix"),
    "bones": ("name", "children", "translation", "rotation", "scale", "matrix"),
    "scenes": ("name", "nodes"),
    "primitives": ("attributes", "indices", "material", "mode", "extensions"),
    "skins": ("name", "joints", "inverseBindMatrices", "skeleton"),
    "textures": ("name", "source", "sampler", "extensions"),
    "samplers": ("magFilter", "minFilter", "wrapS", "wrapT"),
}
_EXTENSIONS = {
    *("KHR_draco_mesh_compression", "KHR_mesh_quantization", "KHR_texture_transform", "EXT_texture_webp"),
    *("KHR_materials_anisotropy", "KHR_materials_clearcoat", "KHR_materials_emissive_strength", "KHR_materials_ior"),
    *("KHR_materials_pbrSpecularGlossiness", "KHR_materials_sheen", "KHR_materials_specular"),
    *("KHR_materials_transmission", "KHR_materials_unlit", "KHR_materials_volume"),
}
"""Extensions that Blender's importer knows and that concern a model's look."""


def examine_gltf(path: Path, folder: Path, belongings: Belongings) -> Path:
    """Write a copy of a model into a folder, with its buffers and pictures.

    Raises:
        SceneError: If it cannot be read, or something in it cannot be.
    """
    try:
        document, binary = _parts(read_bytes(path, MOST_MODEL_BYTES, _MODEL, os.fspath(path)), path)
        items = Items(document)
        asset = document.get("asset")
        if not isinstance(asset, dict) or asset.get("version") != "2.0":
            raise SceneError("another version", _MODEL, "asset.version")
        _ensure_extensions(items)
        buffers = [_buffer(items, number, binary, belongings) for number in range(items.count("buffers"))]
        accessors = Accessors(items, buffers)
        ensure_nodes(items)
        ensure_meshes(items, accessors)
        ensure_skins(items, accessors)
        ensure_materials(items)
        made = _made(items, accessors, belongings)
    except SceneError as error:
        raise SceneError(error.found, error.allowed, error.key, os.fspath(path)) from None
    for number, content in enumerate(buffers):
        (folder / f"buffer{number}.bin").write_bytes(content)
    copy = folder / "model.gltf"
    copy.write_text(json.dumps(made, allow_nan=False), encoding="utf-8")
    return copy


def _parts(content: bytes, path: Path) -> tuple[dict[str, Any], bytes | None]:
    """The document of a file, and the bytes that come with it."""
    binary = None
    if content.startswith(_MAGIC):
        chunks: dict[bytes, bytes] = {}
        at = 12
        while at + 8 <= len(content):
            size, kind = struct.unpack_from("<I4s", content, at)
            chunks.setdefault(kind, content[at + 8 : at + 8 + size])
            if len(content) < at + 8 + size:
                raise SceneError("a file that is cut off", _MODEL)
            at += 8 + size
        if _JSON not in chunks:
            raise SceneError("a damaged file", _MODEL)
        content, binary = chunks[_JSON], chunks.get(_BINARY)
    try:
        return parse(content.decode("utf-8-sig").rstrip("\0 "), os.fspath(path)), binary
    except UnicodeDecodeError:
        raise SceneError("bytes that are no text", _MODEL) from None


def _ensure_extensions(items: Items) -> None:
    for name in items.strings("extensionsRequired"):
        if name not in _EXTENSIONS:
            raise SceneError(f"a model that needs the extension {name}", "one without it", "extensionsRequired")


def _buffer(items: Items, number: int, binary: bytes | None, belongings: Belongings) -> bytes:
    """The bytes of a buffer, as many as it says."""
    buffer, key = items.at("buffers", number), f"buffers[{number}]"
    uri, size = buffer.get("uri"), items.whole(buffer, "byteLength", key, 0)
    if uri is None:
        content = binary if number == 0 and binary is not None else b""
    elif not isinstance(uri, str):
        raise SceneError("no name of a file", "a file beside the model or below, or its bytes", f"{key}.uri")
    elif uri.startswith("data:"):
        content = _from_data(uri, f"{key}.uri")
    else:
        content = belongings.file(
            unquote(uri), (".bin", ".glbin"), "a .bin beside the model or below, with its vertices", f"{key}.uri"
        )
    if size > len(content):
        raise SceneError(f"{size} bytes", f"up to {len(content)}, as many as there are", f"{key}.byteLength")
    return content[:size]


def _from_data(uri: str, key: str) -> bytes:
    head, _, body = uri.partition(",")
    try:
        if not head.endswith(";base64"):
            raise ValueError
        return base64.b64decode(body)
    except (binascii.Error, ValueError):
        raise SceneError("bytes that make no sense", "bytes in base64", key) from None


def _made(items: Items, accessors: Accessors, belongings: Belongings) -> dict[str, Any]:
    """The document anew, with nothing in it that is not needed."""
    made: dict[str, Any] = {"asset": {"version": "2.0"}}
    for kind in ("nodes", "scenes", "skins", "textures", "samplers"):
        made[kind] = [_only(each, _KEPT[kind]) for each in items.all(kind)]
    made["meshes"] = [
        {
            **_only(mesh, ("name",)),
            "primitives": [_only(each, _KEPT["primitives"]) for each in mesh["primitives"]],
        }
        for mesh in items.all("meshes")
    ]
    made["materials"] = [
        {key: value for key, value in each.items() if key != "extras"} for each in items.all("materials")
    ]
    for each in (*made["materials"], *made["textures"], *(one for of in made["meshes"] for one in of["primitives"])):
        extensions = each.get("extensions")
        if extensions is not None:
            kept = {name: value for name, value in extensions.items() if name in _EXTENSIONS}
            each["extensions"] = kept if isinstance(extensions, dict) else {}
    made["accessors"] = accessors.documents
    made["bufferViews"] = accessors.view_documents
    made["buffers"] = [
        {"byteLength": len(content), "uri": f"buffer{number}.bin"} for number, content in enumerate(accessors.buffers)
    ]
    made["images"] = [_image(items, number, accessors, belongings) for number in range(items.count("images"))]
    for each in (of for texture in made["textures"] for of in (texture, *texture.get("extensions", {}).values())):
        copy = made["images"][each["source"]]["uri"] if each.get("source") is not None else ""
        if copy in belongings.left_out:
            belongings.notes.append(belongings.left_out[copy])
            del each["source"]
    if items.count("scenes"):
        made["scenes"] = [made["scenes"][items.row(items.document, "scene", "scenes", "") or 0]]
        made["scene"] = 0
        seen = _reached(made["scenes"][0].get("nodes", []), made["nodes"])
        for number in set(range(len(made["nodes"]))) - seen:  # of another scene; bones may be of any
            made["nodes"][number] = _only(made["nodes"][number], _KEPT["bones"])
    used = [name for name in items.strings("extensionsUsed") if name in _EXTENSIONS]
    if used:
        made["extensionsUsed"] = used
    return {key: value for key, value in made.items() if value != []}


def _reached(nodes: list[int], every: list[dict[str, Any]]) -> set[int]:
    """The numbers of nodes and of all below them."""
    found, waiting = set[int](), list(nodes)
    while waiting:
        number = waiting.pop()
        found.add(number)
        waiting += every[number].get("children", [])
    return found


def _image(items: Items, number: int, accessors: Accessors, belongings: Belongings) -> dict[str, Any]:
    """A picture, which is a file of ours from now on."""
    image, key = items.at("images", number), f"images[{number}]"
    name, uri = image.get("name"), image.get("uri")
    called = name if isinstance(name, str) and name else f"picture {number}"
    if isinstance(uri, str) and uri.startswith("data:"):
        copy = belongings.keep(_from_data(uri, f"{key}.uri"), called)
    elif isinstance(uri, str):
        copy = belongings.picture(unquote(uri))
    elif image.get("bufferView") is not None:
        copy = belongings.keep(accessors.view(items.row(image, "bufferView", "bufferViews", key)), called)
    else:
        copy = belongings.keep(b"", called)
    return {"name": copy, "uri": copy}


def _only(item: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {
        key: item[key] for key in keys if item.get(key) is not None and (key != "name" or isinstance(item[key], str))
    }
