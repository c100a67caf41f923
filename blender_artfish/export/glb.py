"""Corrections to a file of Blender's glTF exporter.

Fishes of a species share one mesh in the file; and skinned meshes have no parent, as the format requires,
since a parent has no effect on them, and no animated transform, which has none either.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from pathlib import Path
from typing import Any

import numpy as np

GLB_MAGIC, GLB_VERSION = b"glTF", 2
JSON_CHUNK, BINARY_CHUNK = b"JSON", b"BIN\x00"
NEARLY = {"POSITION": 1e-3, "NORMAL": 0.05}
"""Tolerance for vertices of equal meshes: shares of their size, and components of a unit vector."""
WORD = 4
"""Alignment of chunks and views of the buffer, bytes."""


def tidy(path: str | os.PathLike[str], slower: float = 1.0) -> None:
    """Have nodes whose meshes are equal but for their size share one, and drop unused data.

    A skin brings vertices to the bones by its inverse bind matrices; those of another size are made for its mesh by a
    factor there.

    Args:
        path: A .glb file with one buffer, replaced in place.
        slower: Factor on all times, which then begin at 0 in each animation.
    """
    scene, data = _chunks(Path(path).read_bytes())
    sizes = [_size(scene, data, mesh) for mesh in scene.get("meshes", [])]
    skinned = {node["mesh"]: node["skin"] for node in scene.get("nodes", []) if {"mesh", "skin"} <= set(node)}
    same: dict[str, list[int]] = {}
    place = list(range(len(sizes)))
    for number, skin in skinned.items():
        mesh, size = scene["meshes"][number], sizes[number]
        likely = same.setdefault(_print(scene, data, mesh), [])
        others = (
            other for other in likely if _alike(scene, data, (mesh, scene["meshes"][other]), (size, sizes[other]))
        )
        place[number] = next(others, number)
        if place[number] == number:
            likely.append(number)
        data = _scaled(scene, data, skin, sizes[number] / sizes[place[number]])
    data = _timed(scene, data, slower)
    kept = sorted(set(place))
    for node in scene.get("nodes", []):
        if "mesh" in node:
            node["mesh"] = kept.index(place[node["mesh"]])
    scene["meshes"] = [scene["meshes"][number] for number in kept]
    _lift_skins(scene)
    _drop_accessors(scene)
    data = _drop_views(scene, data)
    Path(path).write_bytes(_joined(scene, data))


def _chunks(content: bytes) -> tuple[dict[str, Any], bytes]:
    """The scene and the buffer of a file."""
    found, at = {}, 12
    while at < len(content):
        size, kind = struct.unpack_from("<I4s", content, at)
        found[kind] = content[at + 8 : at + 8 + size]
        at += 8 + size
    return json.loads(found[JSON_CHUNK]), found.get(BINARY_CHUNK, b"")


def _joined(scene: dict[str, Any], data: bytes) -> bytes:
    text = json.dumps(scene, separators=(",", ":")).encode()
    text += b" " * (-len(text) % WORD)
    data += b"\x00" * (-len(data) % WORD)
    chunks = struct.pack("<I4s", len(text), JSON_CHUNK) + text + struct.pack("<I4s", len(data), BINARY_CHUNK) + data
    return struct.pack("<4sII", GLB_MAGIC, GLB_VERSION, 12 + len(chunks)) + chunks


def _view(scene: dict[str, Any], data: bytes, number: int) -> bytes:
    view = scene["bufferViews"][number]
    begin = view.get("byteOffset", 0)
    return data[begin : begin + view["byteLength"]]


def _floats(scene: dict[str, Any], data: bytes, accessor: int) -> np.ndarray:
    return np.frombuffer(_view(scene, data, scene["accessors"][accessor]["bufferView"]), np.float32)


def _size(scene: dict[str, Any], data: bytes, mesh: dict[str, Any]) -> float:
    """Distance of the farthest coordinate of a mesh from its origin."""
    return max(float(np.abs(_floats(scene, data, part["attributes"]["POSITION"])).max()) for part in mesh["primitives"])


def _scaled(scene: dict[str, Any], data: bytes, skin: int, factor: float) -> bytes:
    """The buffer with a skin adapted to a mesh smaller by a factor."""
    view = scene["bufferViews"][scene["accessors"][scene["skins"][skin]["inverseBindMatrices"]]["bufferView"]]
    begin = view.get("byteOffset", 0)
    end = begin + view["byteLength"]
    matrices = np.frombuffer(data[begin:end], np.float32).reshape(-1, 4, 4).copy()  # column by column
    matrices[:, :3] *= factor
    return data[:begin] + matrices.tobytes() + data[end:]


def _timed(scene: dict[str, Any], data: bytes, slower: float) -> bytes:
    """The buffer with times multiplied by a factor and starting at 0 in each animation."""
    found, done = bytearray(data), set()
    for animation in scene.get("animations", []):
        own = {sampler["input"] for sampler in animation["samplers"]}
        begin = min(float(_floats(scene, data, number).min()) for number in own)
        for number in own - done:
            times = ((_floats(scene, data, number).astype(float) - begin) * slower).astype(np.float32)
            accessor = scene["accessors"][number]
            at = scene["bufferViews"][accessor["bufferView"]].get("byteOffset", 0)
            found[at : at + times.nbytes] = times.tobytes()
            accessor["min"], accessor["max"] = [float(times.min())], [float(times.max())]
        done |= own
    return bytes(found)


def _print(scene: dict[str, Any], data: bytes, mesh: dict[str, Any]) -> str:
    """A fingerprint of a mesh without its vertices' positions: faces, bone weights, materials, not its name."""
    found = hashlib.sha256()
    for primitive in mesh["primitives"]:
        rest = {key: value for key, value in primitive.items() if key not in ("attributes", "indices")}
        found.update(json.dumps([rest, sorted(primitive["attributes"])], sort_keys=True).encode())
        for name, accessor in sorted({**primitive["attributes"], "indices": primitive["indices"]}.items()):
            if name not in NEARLY:
                found.update(_view(scene, data, scene["accessors"][accessor]["bufferView"]))
    return found.hexdigest()


def _alike(scene: dict[str, Any], data: bytes, meshes: tuple[Any, Any], sizes: tuple[float, float]) -> bool:
    """True if the vertices of two meshes with the same faces coincide, but for their sizes."""
    for one, other in zip(*(mesh["primitives"] for mesh in meshes), strict=True):
        for name, grain in NEARLY.items():
            pair = [_floats(scene, data, part["attributes"][name]) for part in (one, other)]
            if name == "POSITION":
                pair = [values / size for values, size in zip(pair, sizes, strict=True)]
            if pair[0].shape != pair[1].shape or np.abs(pair[0] - pair[1]).max() > grain:
                return False
    return True


def _lift_skins(scene: dict[str, Any]) -> None:
    """Detach skinned meshes from their parents, and drop their own transforms and the channels that animate these."""
    skinned = {number for number, node in enumerate(scene.get("nodes", [])) if "skin" in node}
    for node in scene.get("nodes", []):
        if "children" in node:
            node["children"] = [child for child in node["children"] if child not in skinned]
            if not node["children"]:
                del node["children"]
    for number in skinned:
        for key in ("translation", "rotation", "scale", "matrix"):
            scene["nodes"][number].pop(key, None)
    for animation in scene.get("animations", []):
        kept = [
            channel
            for channel in animation["channels"]
            if channel["target"]["path"] == "weights" or channel["target"].get("node") not in skinned
        ]
        animation["channels"] = kept
        animation["samplers"] = _renumbered(animation["samplers"], [(channel, "sampler") for channel in kept])
    for root in scene.get("scenes", []):
        root["nodes"] = root.get("nodes", []) + sorted(skinned - set(root.get("nodes", [])))


def _drop_accessors(scene: dict[str, Any]) -> None:
    """Drop unreferenced accessors."""
    holders: list[tuple[dict[str, Any], str]] = []
    for mesh in scene["meshes"]:
        for primitive in mesh["primitives"]:
            holders += [(primitive["attributes"], name) for name in primitive["attributes"]]
            holders += [(primitive, "indices")] if "indices" in primitive else []
            holders += [(target, name) for target in primitive.get("targets", []) for name in target]
    holders += [(skin, "inverseBindMatrices") for skin in scene.get("skins", []) if "inverseBindMatrices" in skin]
    samplers = [sampler for animation in scene.get("animations", []) for sampler in animation["samplers"]]
    holders += [(sampler, way) for sampler in samplers for way in ("input", "output")]
    scene["accessors"] = _renumbered(scene["accessors"], holders)


def _drop_views(scene: dict[str, Any], data: bytes) -> bytes:
    """Drop unreferenced views of the buffer; returns the buffer without them."""
    holders = [(accessor, "bufferView") for accessor in scene["accessors"] if "bufferView" in accessor]
    holders += [(image, "bufferView") for image in scene.get("images", []) if "bufferView" in image]
    views = list(scene["bufferViews"])
    parts = [_view(scene, data, number) for number in range(len(views))]
    numbers = sorted({holder[key] for holder, key in holders})
    scene["bufferViews"] = _renumbered(views, holders)
    rest = bytearray()
    for view, number in zip(scene["bufferViews"], numbers, strict=True):
        view["byteOffset"] = len(rest)
        rest += parts[number] + b"\x00" * (-len(parts[number]) % WORD)
    scene["buffers"] = [{"byteLength": len(rest)}]
    return bytes(rest)


def _renumbered(items: list[Any], holders: list[tuple[dict[str, Any], str]]) -> list[Any]:
    """The referenced items, with the holders' numbers updated."""
    numbers = sorted({holder[key] for holder, key in holders})
    new = {number: place for place, number in enumerate(numbers)}
    for holder, key in holders:
        holder[key] = new[holder[key]]
    return [items[number] for number in numbers]
