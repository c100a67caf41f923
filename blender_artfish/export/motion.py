"""Motion of fishes as Blender evaluates it at some moments, whatever its source: keys, strips, constraints, drivers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import bpy
import numpy as np

from ..blender.keyframes import PRESENCE, curves_on
from ..blender.versions import action_channelbags

MOVING_PATHS = re.compile(
    r"(delta_)?(location|scale|rotation_(euler|quaternion|axis_angle))|matrix_\w+|pose\.bones.*|constraints\[.*"
)
"""Data paths of an object's transform or its bones'."""
LEAST_SCALE = 1e-3
"""Substitute for a scale of 0, as a share of the largest: importers divide by scales, and bind bones at the first."""
NOT_RENDERED = "hide_render"
"""Data path of an object that is absent while this is on."""
LEAST_FACTOR = 1e-6
"""Smallest factor, over the size of what a matrix moves, that can be inverted."""


@dataclass(frozen=True)
class Motion:
    """Evaluated motion of objects at some moments.

    Attributes:
        world: Matrices of objects, (moments, 4, 4).
        pose: Matrices of the bones of armatures, in the armature's frame, (moments, bones, 4, 4).
        values: Animated numbers of objects and shape keys, by data path, (moments, width).
        absent: True for a mesh object while it is not rendered, if that is animated, (moments,) bool.
    """

    world: dict[bpy.types.Object, np.ndarray]
    pose: dict[bpy.types.Object, np.ndarray]
    values: dict[bpy.types.ID, dict[str, np.ndarray]]
    absent: dict[bpy.types.ID, np.ndarray]

    def scaled(self, factor: float) -> Motion:
        """The motion in a world that is larger by a factor, about its origin."""
        sizes = np.diag([factor] * 3 + [1.0])
        return replace(self, world={obj: sizes @ matrices for obj, matrices in self.world.items()})


def watch(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], times: np.ndarray) -> Motion:
    """Record the motion of objects of a scene, even if they are hidden, locked or excluded.

    Args:
        scene: The scene, whose frame is restored.
        objects: The objects; armatures with their bones, meshes with their shape keys.
        times: Frames, which may be fractional, (moments,).
    """
    keyed = {each: paths for obj in objects for each in _blocks(obj) if (paths := _animated(each))}
    world: dict[bpy.types.Object, Any] = {obj: np.empty((len(times), 4, 4)) for obj in objects}
    pose = {
        obj: np.empty((len(times), len(obj.pose.bones), 4, 4), np.float32) for obj in objects if obj.type == "ARMATURE"
    }
    values: dict[bpy.types.ID, dict[str, Any]] = {each: {path: [] for path in paths} for each, paths in keyed.items()}
    with _seen(scene, objects, keyed) as (own, layer):
        for moment, time in enumerate(times):
            own.frame_set(int(np.floor(time)), subframe=float(time % 1.0))
            graph = layer.depsgraph
            for obj in objects:
                world[obj][moment] = obj.evaluated_get(graph).matrix_world
            for obj, matrices in pose.items():
                flat = np.empty(matrices[moment].size, np.float32)
                obj.evaluated_get(graph).pose.bones.foreach_get("matrix", flat)
                matrices[moment] = flat.reshape(-1, 4, 4).swapaxes(1, 2)  # Blender hands out columns
            for each, found in values.items():
                now = each.evaluated_get(graph)
                for path, some in found.items():
                    some.append(_numbers(now.path_resolve(path)))
    numbers = {each: {path: np.array(some) for path, some in paths.items()} for each, paths in values.items()}
    absent = {each: paths.pop(NOT_RENDERED)[:, 0] > 0.5 for each, paths in numbers.items() if NOT_RENDERED in paths}
    return Motion(world, pose, numbers, absent)


def sizes_of(matrices: np.ndarray) -> np.ndarray:
    """Mean scale factor of each matrix of (..., 4, 4)."""
    return np.cbrt(np.abs(np.linalg.det(matrices[..., :3, :3])))


def has_volume(matrices: np.ndarray) -> np.ndarray:
    """True for each matrix of (..., 4, 4) that does not flatten a body, and so can be inverted."""
    return sizes_of(matrices) > LEAST_FACTOR


def channels(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Locations (n, 3), unit quaternions (n, 4) without needless turns, and scales (n, 3) of matrices."""
    linear = matrices[:, :3, :3].astype(float)
    scale = np.linalg.norm(linear, axis=1)
    axes = np.divide(linear, scale[:, None], out=np.zeros_like(linear), where=scale[:, None] > 0.0)
    scale = np.maximum(scale, LEAST_SCALE * (scale.max(initial=0.0) or 1.0))
    flip = np.where(np.linalg.det(linear) < 0.0, -1.0, 1.0)
    u, _, v = np.linalg.svd(axes * flip[:, None, None])
    hand = np.ones((len(u), 3))
    hand[:, 2] = np.linalg.det(u @ v)
    return matrices[:, :3, 3].astype(float), _quaternions((u * hand[:, None]) @ v), scale * flip[:, None]


def _quaternions(turns: np.ndarray) -> np.ndarray:
    """Unit quaternions (n, 4), w first, of rotations (n, 3, 3), each on the side of its predecessor."""
    # Of the four formulas, the one with the largest divisor (Shepperd 1978).
    diagonal = np.einsum("nii->ni", turns)
    trace = diagonal.sum(axis=1, keepdims=True)
    squares = np.concatenate([1.0 + trace, 1.0 - trace + 2.0 * diagonal], axis=1)  # four times those of w, x, y, z
    products = np.empty((len(turns), 4, 4))
    products[:, range(4), range(4)] = squares
    for one, (a, b) in enumerate(((2, 1), (0, 2), (1, 0))):
        products[:, 0, one + 1] = products[:, one + 1, 0] = turns[:, a, b] - turns[:, b, a]
        low, high = sorted((a, b))
        products[:, low + 1, high + 1] = products[:, high + 1, low + 1] = turns[:, a, b] + turns[:, b, a]
    found = np.take_along_axis(products, squares.argmax(axis=1)[:, None, None], axis=1)[:, 0]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    turned = np.sum(found[1:] * found[:-1], axis=1) < 0.0
    found[1:][np.cumsum(turned) % 2 == 1] *= -1.0
    return found


def _blocks(obj: bpy.types.Object) -> Iterator[bpy.types.ID]:
    """The data blocks of a mesh object with numbers that may be animated."""
    if obj.type == "MESH":
        yield obj
        if (keys := getattr(obj.data, "shape_keys", None)) is not None:
            yield keys


def _animated(block: bpy.types.ID) -> list[str]:
    """Data paths that keys, strips and drivers change in an object or its shape keys, but for its transform.

    Of those that hide it, it is whether it is rendered.
    """
    data = block.animation_data
    if data is None:
        return []
    curves = curves_on(block)
    for strip in (strip for track in data.nla_tracks for strip in track.strips):
        if strip.action is not None:
            curves += [curve for bag in action_channelbags(strip.action) for curve in bag.fcurves]
    return [path for path in dict.fromkeys(curve.data_path for curve in curves) if _is_number(block, path)]


def _is_number(block: bpy.types.ID, path: str) -> bool:
    if path == NOT_RENDERED and isinstance(block, bpy.types.Object):
        return True
    if path in PRESENCE or MOVING_PATHS.fullmatch(path):
        return False
    try:
        return bool(len(_numbers(block.path_resolve(path))))
    except (TypeError, ValueError):  # it no longer exists, or is no number
        return False


def _numbers(value: Any) -> np.ndarray:
    return np.atleast_1d(np.array(value, dtype=float)).ravel()


@contextmanager
def _seen(
    scene: bpy.types.Scene, objects: Sequence[bpy.types.Object], keyed: dict[bpy.types.ID, list[str]]
) -> Iterator[tuple[bpy.types.Scene, bpy.types.ViewLayer]]:
    """Have Blender evaluate all these objects at every frame of a scene, by making visible data depend on them.

    Blender does not evaluate what nothing visible depends on. Yields the scene and view layer in which they are
    evaluated; for a linked scene that is a copy, since nothing can be added to it.
    """
    before = scene.frame_current, scene.frame_subframe
    own = scene if scene.library is None else scene.copy()
    mesh = bpy.data.meshes.new("watcher")
    mesh.vertices.add(1)
    watcher = bpy.data.objects.new("watcher", mesh)
    try:
        for obj in objects:
            watcher.constraints.new("COPY_TRANSFORMS").target = obj
            if obj.type == "ARMATURE":
                watcher.modifiers.new("bones", "ARMATURE").object = obj
        for number, (block, path) in enumerate((block, path) for block, paths in keyed.items() for path in paths):
            watcher[f"value {number}"] = 0.0
            driver = watcher.driver_add(f'["value {number}"]').driver
            driver.type = "SUM"
            variable = driver.variables.new()
            variable.type = "SINGLE_PROP"
            target = variable.targets[0]
            target.id_type, target.id = block.id_type, block
            target.data_path = path if len(_numbers(block.path_resolve(path))) == 1 else f"{path}[0]"
        own.collection.objects.link(watcher)
        layer = bpy.context.view_layer if own == bpy.context.scene else own.view_layers[0]
        layer.update()
        yield own, layer
    finally:
        bpy.data.objects.remove(watcher)
        bpy.data.meshes.remove(mesh)
        if own == scene:
            scene.frame_set(before[0], subframe=before[1])
        else:
            bpy.data.scenes.remove(own)
