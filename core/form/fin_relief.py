"""The relief of fins: stiff spines in front, rays that fork on their way out behind them, and the skin between.

A fin is a sheet between its root and its outer edge; what is finer than its control points (Tu 1999, §5.1) is a field
over the places across its rays and out along them, computed from the numbers of `scene.relief.Relief`. It stands out
on both sides of the sheet.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.elementary import smooth_step
from ..scene.species import Species
from .nurbs import evaluate
from .surfaces import rest_surfaces
from .tuning import (
    ANAL_SPINE_RAYS,
    JOINT_DEPTH_SHARE,
    JOINT_HEIGHTS,
    RAY_HALF_WIDTH,
    RAY_STRAY,
    RAY_TIP_SHARE,
    ROOT_COVER,
    SHOULDER_SHARE,
    SPINE_TIP_SHARE,
)

FIN_GRID = 640, 64
"""Places across the rays and out along them of the grid on which the relief of a fin is pictured."""
FIN_PATCHES = {"dorsal": "dorsal", "ventral": "ventral", "caudal": "caudal", "pectoral": "pectoral_left"}
"""The surface that stands for each kind of fin."""
EDGE_REACH = 0.1
"""Distance beyond the edge of the skin, over the fin's height, at which places are wholly beyond it."""


@dataclass(frozen=True)
class FinField:
    """The relief of a fin over some places; every array is (m, n), across by out.

    Attributes:
        height: Height of rays and spines above the skin on either side, in body lengths.
        ray: 1 on a ray or a spine, 0 on the skin between.
        beyond: 1 where the skin between two spines has ended, or beside a root that is round; 0 where there is fin.
    """

    height: np.ndarray
    ray: np.ndarray
    beyond: np.ndarray


@dataclass(frozen=True)
class Rays:
    """The places of a fin's rays, from its front to its rear, or from above to below.

    Attributes:
        middles: Place across of each, (n,), rising from 0 to 1.
        spines: Number of spines, which come first.
    """

    middles: np.ndarray
    spines: int


def pictured_fin(species: Species, part: str) -> FinField:
    """The relief of a fin over `FIN_GRID`, at the middles of its cells."""
    across, out = ((np.arange(count) + 0.5) / count for count in FIN_GRID)
    return fin_relief(species, part, across, out)


def rays_of(species: Species, part: str) -> Rays:
    """The spines and rays of a fin: "dorsal", "ventral", "caudal" or "pectoral"."""
    relief, every = species.relief, species.looks.fin_rays
    spines = {"dorsal": relief.dorsal_spines, "ventral": relief.ventral_spines}.get(part, 0)
    # The few spines of an anal fin stand about as close as its rays do.
    share = relief.dorsal_spiny if part == "dorsal" else min(0.5, ANAL_SPINE_RAYS * spines / every)
    share *= spines > 0
    soft = max(2, round(every * (1.0 - share)))
    stiff = share * (np.arange(spines) + 0.35) / max(spines, 1)
    number = np.arange(soft)
    stray = RAY_STRAY * ((number * 0.618034) % 1.0 - 0.5)  # no two gaps alike
    return Rays(np.concatenate([stiff, share + (1.0 - share) * (number + 0.5 + stray) / soft]), spines)


def fin_relief(species: Species, part: str, across: np.ndarray, out: np.ndarray) -> FinField:
    """The relief of a fin.

    Args:
        species: The species.
        part: "dorsal", "ventral", "caudal" or "pectoral".
        across: Places across the rays, (m,), 0 at the front or above to 1.
        out: Places out along them, (n,), 0 at the root to 1 at the outer edge.
    """
    relief, rays = species.relief, rays_of(species, part)
    across, out = np.asarray(across, float), np.asarray(out, float)
    borders = 0.5 * (rays.middles[1:] + rays.middles[:-1])
    nearest = np.searchsorted(borders, across)
    gaps = np.diff(np.concatenate([[-rays.middles[0]], rays.middles, [2.0 - rays.middles[-1]]]))
    gap = 0.5 * (gaps[nearest] + gaps[nearest + 1])
    off = np.abs(across - rays.middles[nearest])
    width = _width(species, part, across, out)  # of the whole fin, in body lengths
    stiff = (nearest < rays.spines)[:, None]
    soft_profile = _soft(off / gap, out, relief.fin_fork) * (relief.fin_ray > 0.0)
    soft_height = relief.fin_ray * (1.0 - (1.0 - RAY_TIP_SHARE) * out)
    soft_height = soft_height * (1.0 - JOINT_DEPTH_SHARE * _joints(out, relief.fin_fork))
    thickness = 0.5 * relief.spine * (1.0 - (1.0 - SPINE_TIP_SHARE) * out)
    spine_profile = _round(off[:, None] * width / np.maximum(thickness, 1e-9))
    ray = np.where(stiff, spine_profile, soft_profile)
    height = np.where(stiff, thickness * spine_profile, soft_height * soft_profile)
    beyond = _beyond(rays, across, out, relief.spine_notch) * (1.0 - np.minimum(3.0 * ray, 1.0))
    if part == "pectoral":
        beyond = np.maximum(beyond, _shoulders(across, out))
    return FinField(height * smooth_step(out / ROOT_COVER), ray, beyond)


def _width(species: Species, part: str, across: np.ndarray, out: np.ndarray) -> np.ndarray:
    """The width of a fin about places, (m, n), in body lengths: the length of a step from 0 to 1 across."""
    patch = rest_surfaces(species)[FIN_PATCHES[part]]
    points, degrees = patch.points, (patch.degree_u, patch.degree_v)
    if part != "caudal":  # its rows alone go across
        points, degrees = points.swapaxes(0, 1), degrees[::-1]
    spans = np.array(points.shape[:2]) - degrees
    slope = evaluate(points, *degrees, across * spans[0], out * spans[1], du=1)
    return np.linalg.norm(slope, axis=-1) * spans[0]


def _soft(off: np.ndarray, out: np.ndarray, fork: float) -> np.ndarray:
    """The profile (m, n) of rays that fork twice, at places (m,) off their middles in gaps, and out (n,)."""
    first = smooth_step((out - fork) / max(1.0 - fork, 1e-6))
    again = smooth_step((out - fork - 0.45 * (1.0 - fork)) / max(0.55 * (1.0 - fork), 1e-6))
    branch = np.abs(off[:, None] - 0.25 * first)
    twig = np.abs(branch - 0.12 * again)
    return _round(twig / (RAY_HALF_WIDTH * (1.0 - 0.35 * first - 0.2 * again)))


def _joints(out: np.ndarray, fork: float) -> np.ndarray:
    """The joints of soft rays, which are bony tubes at the root and a row of short pieces farther out."""
    return np.square(np.sin(np.pi * JOINT_HEIGHTS * out)) ** 4 * smooth_step((out - 0.5 * fork) / 0.2)


def _beyond(rays: Rays, across: np.ndarray, out: np.ndarray, notch: float) -> np.ndarray:
    """The gaps in the skin between spines, (m, n): cut in behind each, and filled again at the tip of the next."""
    if rays.spines == 0:
        return np.zeros((len(across), len(out)))
    spine = np.searchsorted(rays.middles, across) - 1
    ahead = rays.middles[spine.clip(0)]
    behind = rays.middles[(spine + 1).clip(0, len(rays.middles) - 1)]
    way = np.clip((across - ahead) / np.maximum(behind - ahead, 1e-9), 0.0, 1.0)
    cut = notch * smooth_step(way / 0.15) * (1.0 - way) * ((spine >= 0) & (spine < rays.spines))
    return np.clip((out - 1.0 + cut[:, None]) / EDGE_REACH, 0.0, 1.0)


def _shoulders(across: np.ndarray, out: np.ndarray) -> np.ndarray:
    """The corners left out at a pectoral fin's root, (m, n), which is fleshy and round at the hinge."""
    side = np.abs(2.0 * across - 1.0)[:, None]
    return np.clip((np.hypot(side, (1.0 - out / SHOULDER_SHARE).clip(0.0, 1.0)) - 1.0) / EDGE_REACH, 0.0, 1.0)


def _round(x: np.ndarray) -> np.ndarray:
    """The profile of a rounded bar, 1 in its middle and 0 from 1 on, that ends level."""
    return np.maximum(1.0 - np.square(x), 0.0) ** 1.5
