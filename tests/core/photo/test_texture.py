"""The texture of a grid: the picture along the surface, with the body and its fins on one sheet."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import FishPicture, draw
from artfish.core.form.nurbs import greville
from artfish.core.photo.grid_form import GRID_SHAPES, fin_grid
from artfish.core.photo.snake_grid import fit_grid
from artfish.core.photo.texture import at_places, packed, rectified
from artfish.core.scene.species import Species


def test_nodes_belong_to_the_control_points_of_the_surface(found: np.ndarray) -> None:
    u, v = greville(9, 3) / 6.0, greville(21, 3) / 18.0
    np.testing.assert_allclose(at_places(found, "body", u, v), found, atol=1e-8)


def test_the_rectified_texture_is_the_picture_along_the_surface() -> None:
    """A picture whose red is x and whose green is y: each pixel of the texture tells where it was taken."""
    y, x = np.mgrid[0:200, 0:300]
    image = np.stack([x / 300.0, y / 200.0, 0 * x], axis=-1).astype(np.float32)
    rows, columns = np.meshgrid(np.linspace(40, 160, 9), np.linspace(30, 270, 21), indexing="ij")
    grid = np.stack([columns, rows], axis=-1)
    texture = rectified(image, grid, size=(64, 128))
    u, v = (np.arange(64) + 0.5) / 64, (np.arange(128) + 0.5) / 128
    at = at_places(grid, "body", u, v)
    np.testing.assert_allclose(texture[..., 0] * 300, at[..., 0], atol=1.0)
    np.testing.assert_allclose(texture[..., 1] * 200, at[..., 1], atol=1.0)
    assert texture.shape == (64, 128, 4) and np.all(texture[..., 3] == 1.0)


@pytest.mark.film
def test_what_is_clear_takes_the_nearest_colour() -> None:
    picture = draw(1, "transparent", 200)
    texture = rectified(picture.image, fit_grid(picture.image), size=(32, 64))
    assert texture[..., :3].max(axis=2).min() > 0.0 or picture.image[..., :3].max() == 0.0


def test_one_texture_holds_the_body_and_all_fins(plain: FishPicture, found: np.ndarray) -> None:
    grids = {"body": found} | {part: fin_grid(part, found, Species()) for part in GRID_SHAPES if part != "body"}
    texture, places = packed(plain.image, grids, 256)
    assert texture.shape == (192, 256, 4) and set(places) == set(grids)
    area = sum((right - left) * (high - low) for left, low, right, high in places.values())
    assert area == pytest.approx(1.0, abs=0.01)
