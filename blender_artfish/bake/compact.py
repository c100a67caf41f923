"""The compact form: a few shape keys per surface that span the motion of its control points.

A fish's principal modes are found over all its frames, and as many are kept as the tolerance asks for. Surfaces
that meet share the values of their modes, so that no seam opens between them.
"""

from __future__ import annotations

import bpy
import numpy as np

from ..blender.fcurves import Keys, thin, write
from ..blender.versions import channelbag
from ..fish import surfaces as objects
from ..identity.film_time import FIRST

LEAST_BOUND_LENGTHS = 1e-6
"""Smallest bound for shape keys, in body lengths, used for a tolerance of 0: single precision's rounding."""
ROUNDING = 1e-9
"""Share by which a sum of double precision may be off."""
SINGLE_ROUNDING = 1e-7
"""Rounding of a value of about 1 in single precision."""


def key_modes(
    surfaces: dict[str, bpy.types.Object],
    action: bpy.types.Action,
    local: dict[str, np.ndarray],
    length: float,
    bound: float,
    first: int = FIRST,
    times: np.ndarray | None = None,
) -> None:
    """Give surfaces that meet their shape keys, and key them with shared values.

    Args:
        surfaces: The surfaces of one fish by name.
        action: Its action.
        local: Control points of the surfaces that meet, by name, in the fish's own frame as it plays,
            (3 points, moments) metres.
        length: Body length, metres.
        bound: Largest error of a point at any moment, metres.
        first: Frame of the scene at which the keys begin.
        times: Times of the moments in frames after `first`, (moments,); one every frame if left out.
    """
    bound = max(bound, LEAST_BOUND_LENGTHS * length)
    motion = np.concatenate(list(local.values())).T.astype(float)
    rest = motion.mean(axis=0)
    motion -= rest
    values, shapes = principal_modes(motion, bound / 2)
    keys = thin_together(values, shapes, motion, bound, times)
    begin = 0
    for part, curves in local.items():
        own = slice(begin, begin + len(curves))
        begin = own.stop
        shape_keys(surfaces[part], rest[own], shapes[:, own])
        if len(shapes):
            write(channelbag(action, surfaces[part].data.shape_keys), mode_channels(len(shapes)), keys, first)


def mode_channels(count: int) -> list[tuple[str, int]]:
    """RNA path and index of each of so many modes' values."""
    return [(f'key_blocks["Mode {mode}"].value', 0) for mode in range(1, count + 1)]


def principal_modes(motion: np.ndarray, bound: float) -> tuple[np.ndarray, np.ndarray]:
    """The fewest principal modes that keep the bound, the strongest first.

    Args:
        motion: Offsets of points from their mean, (frames, 3 points).
        bound: Largest distance of a point from the sum of the modes at any frame.

    Returns:
        Values (modes, frames), each within -1 and 1 and reaching one of them, and shapes (modes, 3 points).
    """
    wide = motion.shape[0] < motion.shape[1]
    strengths, vectors = np.linalg.eigh(motion @ motion.T if wide else motion.T @ motion)
    vectors = vectors[:, ::-1].T
    # The other side of each pair of singular vectors; either way their product is the mode's share of the motion.
    values, shapes = (vectors, vectors @ motion) if wide else (vectors @ motion.T, vectors)
    # The greatest length in the rest is no less than the mean one, which the strengths of its modes give.
    left = np.append(np.cumsum(strengths)[::-1], 0.0) / (motion.size / 3)
    count = int(np.argmax(left <= (1.0 + ROUNDING) * bound**2))
    rest = values[count:].T @ shapes[count:]
    while count < len(values) and _error(rest) > bound:
        rest -= np.outer(values[count], shapes[count])
        count += 1
    peaks = np.abs(values[:count]).max(axis=1, initial=0.0)[:, None]
    return values[:count] / peaks, shapes[:count] * peaks


def thin_together(
    values: np.ndarray, shapes: np.ndarray, motion: np.ndarray, bound: float, times: np.ndarray | None
) -> Keys:
    """Thin the values of all modes so that the points they form together stay within the bound."""
    share = bound / (2 * np.array([len(shapes) ** 0.5 * _error(shape[None]) for shape in shapes]))
    while True:
        keys = thin(values, share, times=times)
        if _error(keys.played().T @ shapes - motion) <= bound or share.max(initial=0.0) < SINGLE_ROUNDING:
            return keys
        share = share / 2


def _error(offsets: np.ndarray) -> float:
    """The greatest length among the vectors in (frames, 3 points)."""
    squares = np.square(offsets)
    return float(np.sqrt((squares[:, ::3] + squares[:, 1::3] + squares[:, 2::3]).max()))


def shape_keys(surface: bpy.types.Object, rest: np.ndarray, shapes: np.ndarray) -> None:
    """Add shape keys to a surface or mesh: its rest, (3 points,), and the offsets of each mode, (modes, 3 points)."""
    if surface.type == "MESH":
        surface.data.vertices.foreach_set("co", rest.astype(np.float32))
    else:
        rest, shapes = objects.unclamp(surface, rest, shapes)
        objects.place_points(surface, rest)
    surface.shape_key_add(name="Rest", from_mix=False)
    for mode, shape in enumerate(shapes, 1):
        key = surface.shape_key_add(name=f"Mode {mode}", from_mix=False)
        key.data.foreach_set("co", (rest + shape).astype(np.float32))
        key.slider_min, key.slider_max = -2.0, 2.0  # between two keys a value may overshoot 1
    surface.data.shape_keys.name = surface.name
