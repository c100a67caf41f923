"""The hull of the ridden submarine, for cameras other than its own."""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np

from ...core.recording import Recording
from ...core.scene.ride import Ride
from ..blender.fcurves import LOCATION, thin, write, write_presence
from ..blender.versions import channelbag
from ..identity.film_time import FIRST
from .objects import add
from .ride import BOW_LENGTHS, BOW_RADIANS, ROTATION
from .scenery import paint_material
from .shapes import Shape, grid, join, mesh

HULL_NAME = "Submarine hull"
YELLOW, DARK = (0.72, 0.36, 0.02), (0.01, 0.014, 0.02)
"""Linear red, green and blue of its paint, and of window, duct and skids."""


def add_hull(into: bpy.types.Collection, recording: Recording, ride: Ride, first: int = FIRST) -> bpy.types.Object:
    """A hull at the submarine's place, while it is in the water.

    The ride's own camera is at its bow and looks ahead: it would see the hull only in a panorama that extends
    behind it. With such a panorama no camera sees the hull; its shadow and reflections remain.

    Args:
        into: Its collection, in metres.
        recording: The recording.
        ride: The ride of its scene.
        first: Frame of the scene that shows the recording's first frame.
    """
    painted, dark = join(painted_parts()), join(dark_parts())
    data = mesh(HULL_NAME, join([painted, dark]), paint_material(YELLOW))
    data.materials.append(paint_material(DARK))
    data.polygons.foreach_set("material_index", np.repeat([0, 1], [len(painted[1]), len(dark[1])]).astype(np.int32))
    hull = add(into, HULL_NAME, data)
    hull.scale, hull.rotation_mode = (ride.length,) * 3, "XYZ"
    hull.visible_camera = ride.camera.picture == "flat" or ride.camera.width <= math.pi
    poses = recording.submarine
    ways = np.stack((*poses[:, :3].T, np.zeros(len(poses)), -poses[:, 4], poses[:, 3]))
    bounds = np.repeat([BOW_LENGTHS * ride.length, BOW_RADIANS], 3)
    bag = channelbag(bpy.data.actions.new(HULL_NAME), hull)
    write(bag, LOCATION + ROTATION, thin(ways, bounds), first)
    seconds = np.arange(len(poses)) / recording.fps
    write_presence(bag, (seconds >= ride.start) & (seconds < (math.inf if ride.end is None else ride.end)), first)
    return hull


def painted_parts() -> list[Shape]:
    """Body, tower and fins of a submarine a metre long, all within the extent that fishes feel."""
    fins = [_fin(turn) for turn in (0.0, 0.5 * np.pi, np.pi, 1.5 * np.pi)]
    return [_turned(*_profile()), _ball((0.04, 0.0, 0.084), (0.11, 0.036, 0.04)), *fins]


def dark_parts() -> list[Shape]:
    """Its window at the bow, a duct around its screw, and skids."""
    x, radius = _profile()
    ahead = x > 0.35
    duct = _turned((-0.495, -0.43, -0.43, -0.495, -0.495), (0.07, 0.076, 0.068, 0.063, 0.07))
    skid = _turned(np.linspace(-0.2, 0.2, 9), 0.012 * np.sin(np.linspace(0.2, np.pi - 0.2, 9)), 10)
    skids = [(skid[0] + (0.0, side, -0.1), skid[1]) for side in (-0.045, 0.045)]
    return [_turned(x[ahead], radius[ahead] + 0.0012), duct, *skids]


def _profile() -> tuple[np.ndarray, np.ndarray]:
    """Positions along its axis from bow to stern, and its radius there."""
    x = 0.496 * np.cos(np.linspace(0.0, np.pi, 33))
    beyond = np.maximum(np.abs(x) - 0.1, 0.0) / 0.396
    slender = np.where(x < 0.0, 1.0 - 0.55 * beyond, 1.0)
    return x, np.maximum(0.1 * slender * np.sqrt(np.maximum(1.0 - beyond * beyond, 0.0)), 1e-4)


def _turned(x: Sequence[float] | np.ndarray, radius: Sequence[float] | np.ndarray, sides: int = 28) -> Shape:
    """A surface of revolution about the axis."""
    along = np.array(x, dtype=float)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    rings = np.array(radius)[:, None, None] * np.stack((0.0 * angle, np.cos(angle), -np.sin(angle)), axis=-1)
    rings[..., 0] += along[:, None]
    return rings.reshape(-1, 3), grid(len(along), sides, closed=True)


def _ball(middle: Sequence[float], half: Sequence[float]) -> Shape:
    """An ellipsoid with three half axes."""
    height = np.linspace(0.0, np.pi, 15)
    points, faces = _turned(np.cos(height), np.sin(height), 24)
    return points * half + middle, faces


def _fin(turn: float) -> Shape:
    """A fin at the stern, turned about the axis."""
    edge = np.array([(-0.47, 0.02), (-0.34, 0.04), (-0.4, 0.118), (-0.46, 0.118)])
    thick = np.array([0.003, 0.006, 0.003, 0.002])
    sides = [np.column_stack((edge[:, 0], side * thick, edge[:, 1])) for side in (1.0, -1.0)]
    x, y, z = np.concatenate(sides).T
    points = np.column_stack((x, np.cos(turn) * y - np.sin(turn) * z, np.sin(turn) * y + np.cos(turn) * z))
    rim = [[k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4] for k in range(4)]
    return points, np.array([[0, 1, 2, 3], [7, 6, 5, 4], *rim])
