"""The texture that a grid takes from a photograph: the picture of a part, along the surface's own coordinates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter, map_coordinates

from ..form.nurbs import basis, through
from .grid_form import FIN_PARTS
from .view import white

GRID_DEGREES = {"body": (3, 3), "dorsal": (1, 3), "ventral": (1, 3), "caudal": (3, 3), "pectoral": (1, 2)}
"""Degrees of each part's surface across and along, order less one."""


def at_places(points: np.ndarray, part: str, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Pixel positions (m, n, 2) that belong to places of a part's surface.

    The nodes belong to the places where the surface's control points have their say; between them the picture is
    stretched as the surface is.

    Args:
        points: The grid.
        part: "body" or one of `FIN_PARTS`.
        u: Across the rows (m,), from 0 to 1.
        v: Along the columns (n,), from 0 to 1.
    """
    degree_u, degree_v = GRID_DEGREES[part]
    rows, columns = points.shape[:2]
    half_way = through(points.reshape(rows, -1), degree_u).reshape(points.shape)
    control = through(np.swapaxes(half_way, 0, 1).reshape(columns, -1), degree_v).reshape(columns, rows, 2)
    across = basis(rows, degree_u, np.asarray(u) * (rows - degree_u))
    along = basis(columns, degree_v, np.asarray(v) * (columns - degree_v))
    return np.einsum("mr,nc,crd->mnd", across, along, control, optimize=True)


def rectified(
    image: np.ndarray, points: np.ndarray, part: str = "body", size: tuple[int, int] = (512, 1024)
) -> np.ndarray:
    """The picture of a part on a rectangle, its coordinates the surface's: u from the top down, v to the right.

    Args:
        image: Image as of `fit_grid`.
        points: The grid.
        part: "body" or one of `FIN_PARTS`.
        size: Rows and columns of the texture.

    Returns:
        (rows, columns, 4) float32: colour and opacity, 0 to 1, the first row the back's.
    """
    image = np.asarray(image)
    if image.ndim == 2:
        image = image[..., None]
    whole = white(image)
    u, v = ((np.arange(count) + 0.5) / count for count in size)
    at = at_places(np.asarray(points, float), part, u, v)
    # Pixels that fall between two of the texture are averaged first, in the part of the picture that is needed.
    low = np.maximum(np.floor(at.min(axis=(0, 1))).astype(int) - 2, 0)
    high = np.minimum(np.ceil(at.max(axis=(0, 1))).astype(int) + 3, image.shape[1::-1])
    low = np.minimum(low, np.maximum(high - 1, 0))
    cut = image[low[1] : max(high[1], low[1] + 1), low[0] : max(high[0], low[0] + 1)].astype(np.float32) / whole
    skip = np.array([np.abs(np.diff(at, axis=axis)).max(axis=2).mean() for axis in (0, 1)])
    if skip.min() > 1.2:
        blur = 0.4 * float(skip.min())
        cut = gaussian_filter(cut, (blur, blur, 0.0), truncate=2.5)
    spots = (at[..., 1] - low[1], at[..., 0] - low[0])
    bands = [map_coordinates(band, spots, order=1, mode="nearest") for band in np.moveaxis(cut, 2, 0)]
    opacity = np.clip(bands.pop(), 0, 1) if len(bands) in (2, 4) else np.ones(size, dtype=np.float32)
    colour = np.stack(bands * 3 if len(bands) == 1 else bands, axis=-1)
    if opacity.min() < 0.5 < opacity.max():
        nearest = distance_transform_edt(opacity < 0.9 * opacity.max(), return_distances=False, return_indices=True)
        colour = colour[tuple(nearest)]
    return np.dstack([np.clip(np.nan_to_num(colour), 0.0, 1.0), opacity]).astype(np.float32)


def packed(
    image: np.ndarray, grids: Mapping[str, np.ndarray], width: int = 1024
) -> tuple[np.ndarray, dict[str, tuple[float, float, float, float]]]:
    """One texture for the body and the fins that have grids: the body above, fins in a row below.

    Args:
        image: Image as of `fit_grid`.
        grids: Grids by part.
        width: Columns of the texture.

    Returns:
        (rows, width, 4) float32, the first row the highest; and by part the left, lower, right and upper end of its
        rectangle, from 0 to 1, upwards.
    """
    rows = {"body": width // 2, "fins": width // 4}
    fins = [part for part in FIN_PARTS if part in grids]
    height = rows["body"] * ("body" in grids) + rows["fins"] * bool(fins)
    texture = np.zeros((height, width, 4), dtype=np.float32)
    places = {}
    if "body" in grids:
        texture[: rows["body"]] = rectified(image, grids["body"], "body", (rows["body"], width))
        places["body"] = (0.0, 1.0 - rows["body"] / height, 1.0, 1.0)
    for index, part in enumerate(fins):
        left, right = (width * (index + k) // len(fins) for k in (0, 1))
        texture[-rows["fins"] :, left:right] = rectified(image, grids[part], part, (rows["fins"], right - left))
        places[part] = (left / width, 0.0, right / width, rows["fins"] / height)
    return texture, places
