"""The number of fishes in an exported file, counted in the file itself."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import bpy

from .doubles import simple

FBX_HEAD, FBX_WIDE = 27, 7500
"""Bytes before the first record, and the first version whose records have eight-byte sizes."""
FBX_PLAIN = {b"Y": 2, b"C": 1, b"I": 4, b"F": 4, b"D": 8, b"L": 8}
"""Bytes of a record's property by its type; other types state their length."""


def count(path: str | Path, bodies: Sequence[bpy.types.Object]) -> int:
    """The number of these fishes in a file.

    Args:
        path: A file in one of the formats that fishes are exported to.
        bodies: Their meshes, by the names under which they were written.
    """
    found = _READERS[Path(path).suffix.lower()](Path(path))
    return sum(any(name in found for name in _names(body)) for body in bodies)


def instanced(path: str | Path) -> int:
    """The number of crowd fishes in a USD layer, which is text."""
    with open(path, encoding="utf-8") as file:
        return sum(len(line.split(",")) for line in file if line.startswith("    int64[] ids = ["))


def _names(body: bpy.types.Object) -> set[str]:
    """Names a fish's mesh may have in a file."""
    return {body.name, f"{simple(body.name)}/{simple(body.data.name)}"}


def _of_gltf(path: Path) -> set[str]:
    """Names of nodes with a mesh."""
    content = path.read_bytes()
    (size,) = struct.unpack_from("<I", content, 12)
    nodes = json.loads(content[20 : 20 + size]).get("nodes", [])
    return {node["name"] for node in nodes if "mesh" in node}


def _of_caches(path: Path) -> set[str]:
    """The last two names of every path in a file that Blender reads as a cache."""
    there = set(bpy.data.cache_files)
    scene, mesh = bpy.data.scenes.new("reader"), bpy.data.meshes.new("reader")
    reader = bpy.data.objects.new("reader", mesh)
    try:
        bpy.ops.cachefile.open(filepath=str(path))
        (cache,) = set(bpy.data.cache_files) - there
        scene.collection.objects.link(reader)
        modifier: Any = reader.modifiers.new("reader", "MESH_SEQUENCE_CACHE")
        modifier.cache_file = cache
        layer = scene.view_layers[0]
        layer.update()
        paths = [each.path for each in cache.evaluated_get(layer.depsgraph).object_paths]
    finally:
        bpy.data.scenes.remove(scene)
        bpy.data.batch_remove([reader, mesh, *(set(bpy.data.cache_files) - there)])
    return {"/".join(map(simple, each.split("/")[-2:])) for each in paths}


def _of_fbx(path: Path) -> set[str]:
    """Names of models that are meshes."""
    content = path.read_bytes()
    (version,) = struct.unpack_from("<I", content, FBX_HEAD - 4)
    objects = next(span for name, _, span in _records(content, FBX_HEAD, len(content), version) if name == b"Objects")
    models = [at for name, at, _ in _records(content, *objects, version) if name == b"Model"]
    found = set()
    for at in models:
        _, name, kind = list(_values(content, at))[:3]
        if kind == b"Mesh":
            found.add(name.split(b"\x00\x01")[0].decode())
    return found


def _records(
    content: bytes, at: int, end: int, version: int
) -> Iterator[tuple[bytes, tuple[int, int], tuple[int, int]]]:
    """Successive records of an FBX file: name, number and start of the properties, and range of the contents."""
    form = "<QQQB" if version >= FBX_WIDE else "<IIIB"
    while at < end:
        after, number, size, letters = struct.unpack_from(form, content, at)
        if not after:
            return
        at += struct.calcsize(form)
        name, begin = content[at : at + letters], at + letters
        yield name, (begin, number), (begin + size, after)
        at = after


def _values(content: bytes, at: tuple[int, int]) -> Iterator[bytes]:
    """String and plain values of a record's properties, up to the first array."""
    begin, number = at
    for _ in range(number):
        kind = content[begin : begin + 1]
        begin += 1
        if kind in (b"S", b"R"):
            (size,) = struct.unpack_from("<I", content, begin)
            begin += 4
        elif kind in FBX_PLAIN:
            size = FBX_PLAIN[kind]
        else:
            return
        yield content[begin : begin + size]
        begin += size


_READERS: dict[str, Callable[[Path], set[str]]] = {
    ".glb": _of_gltf,
    ".fbx": _of_fbx,
    ".abc": _of_caches,
    ".usdc": _of_caches,
    ".usdz": _of_caches,
    ".usda": _of_caches,
}
