"""Shapes of the stage as vertices and faces, and their meshes. Only `mesh` and `read` need Blender."""

from __future__ import annotations

from functools import lru_cache

import bpy
import numpy as np

from ...core.base.vectors import cross

Shape = tuple[np.ndarray, np.ndarray]
"""Vertices (n, 3) in metres and faces, quadrilaterals (m, 4)."""
_AXES = np.array([[[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]]])
"""Candidate axes (1, 3) for a tube's first frame: one that is not along the tube."""


def mesh(name: str, shape: Shape, material: bpy.types.Material) -> bpy.types.Mesh:
    """A smooth mesh of a shape."""
    vertices, faces = shape
    made = bpy.data.meshes.new(name)
    made.vertices.add(len(vertices))
    made.vertices.foreach_set("co", np.asarray(vertices, dtype=np.float32).ravel())
    made.loops.add(faces.size)
    made.loops.foreach_set("vertex_index", np.asarray(faces, dtype=np.int32).ravel())
    made.polygons.add(len(faces))
    made.polygons.foreach_set("loop_start", np.arange(0, faces.size, faces.shape[1], dtype=np.int32))
    made.update(calc_edges=True)
    made.shade_smooth()
    made.materials.append(material)
    return made


def read(data: bpy.types.Mesh) -> Shape:
    """The shape of a mesh made by `mesh`."""
    vertices, faces = np.empty(3 * len(data.vertices), np.float32), np.empty(len(data.loops), np.int32)
    data.vertices.foreach_get("co", vertices)
    data.loops.foreach_get("vertex_index", faces)
    return vertices.reshape(-1, 3).astype(float), faces.reshape(len(data.polygons), -1)


def unit(turn: float) -> np.ndarray:
    """The horizontal direction (3,) at an angle in radians."""
    return np.array([np.cos(turn), np.sin(turn), 0.0])


def rough(points: np.ndarray, scale: float, draws: np.random.Generator, waves: int = 24) -> np.ndarray:
    """A smooth random function, about -1 to 1, of points (n, 2 or 3), with features of about `scale` metres."""
    octave = 2.0 ** draws.uniform(0.0, 2.0, waves)
    direction = draws.normal(size=(waves, points.shape[1]))
    direction *= (octave / scale / np.linalg.norm(direction, axis=1))[:, None]
    phase = draws.uniform(0.0, 2 * np.pi, waves)
    return np.sin(2.0 * points @ direction.T + phase) @ (1.0 / octave) / np.sqrt((octave**-2.0).sum() * 1.2)


@lru_cache(maxsize=64)
def grid(rows: int, columns: int, closed: bool = False) -> np.ndarray:
    """Faces (m, 4) of rows x columns vertices, numbered row by row; closed joins the last column to the first.

    The array is read-only.
    """
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns if closed else columns - 1), indexing="ij")
    here, after = row * columns + column, row * columns + (column + 1) % columns
    faces = np.stack([here, after, after + columns, here + columns], axis=-1).reshape(-1, 4)
    faces.flags.writeable = False
    return faces


def join(shapes: list[Shape]) -> Shape:
    """Many shapes as one."""
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in shapes[:-1]])
    faces = [faces + start for (_, faces), start in zip(shapes, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in shapes]), np.concatenate(faces)


def tube(path: np.ndarray, radii: np.ndarray, sides: int = 7) -> Shape:
    """A round tube along a path (k, 3) with radii (k,)."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-12
    reference = np.where(np.abs(along[:, :1]) < 0.9, _AXES[0], _AXES[1])
    first = cross(along, reference)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = cross(along, first)
    cosine, sine = _round(sides)
    ring = cosine * first[:, None] + sine * second[:, None]
    vertices = path[:, None] + radii[:, None, None] * ring
    return vertices.reshape(-1, 3), grid(len(path), sides, closed=True)


@lru_cache(maxsize=16)
def _round(sides: int) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines (1, sides, 1) of evenly spaced angles."""
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)[None, :, None]
    return np.cos(angle), np.sin(angle)


def dome(
    size: tuple, relief: float, scale: float, draws: np.random.Generator, rows: int = 30, columns: int = 48
) -> Shape:
    """A boulder, or a massive coral: somewhat more than the upper half of an uneven ellipsoid with half axes `size`."""
    turns = np.linspace(0, 2 * np.pi, columns, endpoint=False)
    height, turn = np.meshgrid(np.linspace(-0.6, np.pi / 2, rows), turns)
    unit = np.stack([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)], axis=-1)
    points = unit.transpose(1, 0, 2).reshape(-1, 3)
    uneven = rough(points, scale, draws) + 0.4 * rough(points, 0.3 * scale, draws)
    return points * (1.0 + relief * uneven)[:, None] * size, grid(rows, columns, closed=True)
