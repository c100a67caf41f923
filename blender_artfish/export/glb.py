"""Corrections to a file of Blender's glTF exporter.

Fishes of a species share one mesh in the file; and skinned meshes have no parent, as the format requires,
since a parent has no effect on them, and no animated transform, which has none either.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

GLB_MAGIC, GLB_VERSION = b"glTF", 2
JSON_CHUNK, BINARY_CHUNK = b"JSON", b"BIN\x00"
SHAPE_GRAIN, NORMAL_GRAIN = 1e-3, 0.05
"""Tolerance for vertices of equal meshes, a share of their size, and for components of their normals."""
WORD = 4
"""Alignment of chunks and views of the buffer, bytes."""


def tidy(path: str | os.PathLike[str], slower: float = 1.0) -> None:
    """Have nodes whose meshes are equal but for their size and place share one, and drop unused data.

    Blender writes the vertices of a fish where it is bound, far from the origin perhaps. Here they lie about the
    origin, and a skin brings them to its bones by its inverse bind matrices, whatever the size and place of its fish.

    Args:
        path: A .glb file with one buffer, replaced in place.
        slower: Factor on all times, which then begin at 0 in each animation.
    """
    scene, data = _chunks(Path(path).read_bytes())
    nodes = [node for node in scene.get("nodes", []) if {"mesh", "skin"} <= set(node)]
    worn, bent = (Counter(node[key] for node in nodes) for key in ("mesh", "skin"))
    buffer = bytearray(data)
    firsts: dict[str, list[tuple[int, _Shape]]] = {}
    place = list(range(len(scene.get("meshes", []))))
    for node in nodes:
        number, skin = node["mesh"], node["skin"]
        if worn[number] > 1 or bent[skin] > 1:  # as Blender writes none
            continue
        mesh = scene["meshes"][number]
        shape = _shape(scene, data, mesh, skin)
        likely = firsts.setdefault(_print(scene, data, mesh), [])
        place[number], first = next((each for each in likely if shape.is_like(each[1])), (number, shape))
        if first is shape:
            likely.append((number, shape))
            _put(scene, buffer, mesh, shape.center)
        _bind(scene, buffer, skin, shape.onto(first))
    data = _timed(scene, bytes(buffer), slower)
    kept = sorted(set(place))
    for node in scene.get("nodes", []):
        if "mesh" in node:
            node["mesh"] = kept.index(place[node["mesh"]])
    scene["meshes"] = [scene["meshes"][number] for number in kept]
    _lift_skins(scene)
    _drop_accessors(scene)
    data = _drop_views(scene, data)
    Path(path).write_bytes(_joined(scene, data))


@dataclass(frozen=True)
class _Shape:
    """The vertices of a mesh, the same wherever, and however turned, its fish is bound.

    Attributes:
        center: The middle of the vertices in the file, (3,).
        turn: Matrix from the file's axes to those of the first bone, (3, 3).
        points: Vertices about their middle in the bone's axes, over their size, (vertices, 3).
        normals: Unit vectors in the bone's axes, (vertices, 3).
        size: Distance of the farthest coordinate from the middle, in units of the bone.
    """

    center: np.ndarray
    turn: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    size: float

    def is_like(self, other: _Shape) -> bool:
        """True if the vertices of two meshes with the same faces coincide, but for their sizes and places."""
        return all(
            one.shape == two.shape and np.abs(one - two).max() <= grain
            for one, two, grain in (
                (self.points, other.points, SHAPE_GRAIN),
                (self.normals, other.normals, NORMAL_GRAIN),
            )
        )

    def onto(self, first: _Shape) -> np.ndarray:
        """Matrix to these vertices from those of another shape about their middle, (4, 4)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.size / first.size * np.linalg.inv(self.turn) @ first.turn
        matrix[:3, 3] = self.center
        return matrix


def _shape(scene: dict[str, Any], data: bytes, mesh: dict[str, Any], skin: int) -> _Shape:
    """The shape of a skinned mesh."""
    places, normals = (
        np.concatenate(
            [_floats(scene, data, part["attributes"][name]).reshape(-1, 3) for part in mesh["primitives"]], dtype=float
        )
        for name in ("POSITION", "NORMAL")
    )
    turn = _matrices(scene, data, skin)[0, :3, :3]
    center = places.mean(axis=0)
    points, normals = (places - center) @ turn.T, normals @ np.linalg.inv(turn)
    size = float(np.abs(points).max())
    return _Shape(center, turn, points / size, normals / np.linalg.norm(normals, axis=1, keepdims=True), size)


def _put(scene: dict[str, Any], buffer: bytearray, mesh: dict[str, Any], center: np.ndarray) -> None:
    """Move the vertices of a mesh such that a point (3,) becomes the origin."""
    for number in {part["attributes"]["POSITION"] for part in mesh["primitives"]}:
        points = (_floats(scene, buffer, number).reshape(-1, 3) - center).astype(np.float32)
        _set(scene, buffer, number, points)
        accessor = scene["accessors"][number]
        accessor["min"], accessor["max"] = points.min(axis=0).tolist(), points.max(axis=0).tolist()


def _matrices(scene: dict[str, Any], data: bytes | bytearray, skin: int) -> np.ndarray:
    """The inverse bind matrices of a skin, (bones, 4, 4)."""
    numbers = _floats(scene, data, scene["skins"][skin]["inverseBindMatrices"])
    return numbers.reshape(-1, 4, 4).swapaxes(1, 2).astype(float)  # column by column there


def _bind(scene: dict[str, Any], buffer: bytearray, skin: int, onto: np.ndarray) -> None:
    """Adapt a skin to another mesh, from whose vertices a matrix (4, 4) leads to its own."""
    matrices = _matrices(scene, buffer, skin) @ onto
    _set(scene, buffer, scene["skins"][skin]["inverseBindMatrices"], matrices.swapaxes(1, 2))


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


def _view(scene: dict[str, Any], data: bytes | bytearray, number: int) -> bytes | bytearray:
    view = scene["bufferViews"][number]
    begin = view.get("byteOffset", 0)
    return data[begin : begin + view["byteLength"]]


def _floats(scene: dict[str, Any], data: bytes | bytearray, accessor: int) -> np.ndarray:
    return np.frombuffer(_view(scene, data, scene["accessors"][accessor]["bufferView"]), np.float32)


def _set(scene: dict[str, Any], buffer: bytearray, accessor: int, values: np.ndarray) -> None:
    """Write the numbers of an accessor, whose size stays."""
    begin = scene["bufferViews"][scene["accessors"][accessor]["bufferView"]].get("byteOffset", 0)
    content = np.ascontiguousarray(values, np.float32).tobytes()
    buffer[begin : begin + len(content)] = content


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
            if name not in ("POSITION", "NORMAL"):
                found.update(_view(scene, data, scene["accessors"][accessor]["bufferView"]))
    return found.hexdigest()


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
