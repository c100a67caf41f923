"""The motion a crowd plays, read from its table as its nodes read it, without evaluating any frame in Blender."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ..blender.versions import modifier_value
from ..blender.words import translated
from .nodes import CUT_SHORT, FISH_ROW, GROUP, LENGTH, POSE, TURN


@dataclass(frozen=True)
class Played:
    """The fishes of a crowd at some frames, in the frame of its object.

    Attributes:
        place: Positions, (frames, fish, 3).
        turn: Unit quaternions, (frames, fish, 4), w first.
        pose: Numbers of poses, (frames, fish), `ABSENT` where a fish is not there.
        length: Body lengths, (frames, fish).
        row: Rows of the fishes in their recording, (fish,).
        poses: The meshes of all poses, by number.
    """

    place: np.ndarray
    turn: np.ndarray
    pose: np.ndarray
    length: np.ndarray
    row: np.ndarray
    poses: list[bpy.types.Mesh]


def modifier_of(obj: bpy.types.Object) -> bpy.types.NodesModifier | None:
    """The modifier that has an object play as a crowd; None if it is no crowd."""
    return next((modifier for modifier in obj.modifiers if _is_crowd(modifier)), None)  # type: ignore[return-value]


def _is_crowd(modifier: bpy.types.Modifier) -> bool:
    tree = getattr(modifier, "node_group", None)
    return tree is not None and tree.name.startswith(GROUP)


def goes_round(modifier: Any) -> bool:
    """True if a crowd begins again after its last frame; in files of older versions none does."""
    has = any(item.name == "Loop" for item in modifier.node_group.interface.items_tree)
    return has and bool(modifier_value(modifier, "Loop"))


def poses_of(obj: bpy.types.Object) -> list[bpy.types.Mesh]:
    """The finest meshes of all poses of a crowd, by number.

    Raises:
        SceneError: Some meshes are gone.
    """
    modifier: Any = modifier_of(obj)
    count, collection = modifier_value(modifier, "Pose Count"), modifier_value(modifier, "Poses")
    objects = sorted(collection.objects, key=lambda pose: pose.name)[:count] if collection else []
    if len(objects) < count:
        raise SceneError(
            translated("{count} of {other} poses", count=len(objects), other=count),
            "all that were baked: bake again",
            file=obj.name,
        )
    return [pose.data for pose in objects]


def play(obj: bpy.types.Object, frames: np.ndarray) -> Played:
    """The fishes of a crowd at whole frames of its scene, (n,).

    Raises:
        SceneError: Its table is cut short, or poses are gone.
    """
    modifier: Any = modifier_of(obj)
    mesh: Any = obj.data
    names = "Fishes", "Keys", "Stride", "Frames", "First"
    count, keys, stride, length, first = (int(modifier_value(modifier, name)) for name in names)
    if len(mesh.vertices) < keys * count or len(mesh.edges) < count:
        raise SceneError("a table that lacks fishes or keys", CUT_SHORT, file=obj.name)
    passed = np.asarray(frames) - first
    passed = passed % max(length - 1, 1) if goes_round(modifier) else np.clip(passed, 0, length - 1)
    before = np.minimum(passed // stride, keys - 2)
    share = (passed / stride - before)[:, None, None]
    places, turns = np.empty(3 * len(mesh.vertices), np.float32), _values(mesh, TURN, 4)
    mesh.vertices.foreach_get("co", places)
    places = places[: 3 * keys * count].reshape(keys, count, 3)
    turns = turns[: keys * count].reshape(keys, count, 4)
    growth = _values(mesh, "growth")[: keys * count].reshape(keys, count) if "growth" in mesh.attributes else None
    growth = np.ones((keys, count)) if growth is None else growth  # of a crowd that was baked before any grew
    pose = np.stack([_values(mesh, POSE.format(frame))[: keys * count].reshape(keys, count) for frame in range(stride)])
    return Played(
        places[before] + (places[before + 1] - places[before]) * share,
        _between(turns[before], turns[before + 1], share),
        pose[passed % stride, passed // stride].astype(int),
        _values(mesh, LENGTH)[:count] * (growth[before] + (growth[before + 1] - growth[before]) * share[..., 0]),
        _values(mesh, FISH_ROW)[:count].astype(int),
        poses_of(obj),
    )


def _values(mesh: bpy.types.Mesh, name: str, width: int = 1) -> np.ndarray:
    """Values of an attribute, (n,) or (n, width)."""
    attribute: Any = mesh.attributes[name]
    kind = {"INT": np.int32, "INT8": np.int8}.get(attribute.data_type, np.float32)
    values = np.empty(width * len(attribute.data), kind)
    attribute.data.foreach_get("value", values)
    return values if width == 1 else values.reshape(-1, width)


def _between(one: np.ndarray, other: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Rotations between pairs of quaternions (..., 4), by the shorter way and at even speed."""
    cosine = np.sum(one * other, axis=-1, keepdims=True)
    other, angle = np.where(cosine < 0, -other, other), np.arccos(np.minimum(np.abs(cosine), 1.0))
    sine = np.maximum(np.sin(angle), 1e-9)
    near = angle < 1e-4
    first = np.where(near, 1.0 - share, np.sin((1.0 - share) * angle) / sine)
    found = first * one + np.where(near, share, np.sin(share * angle) / sine) * other
    return found / np.linalg.norm(found, axis=-1, keepdims=True)
