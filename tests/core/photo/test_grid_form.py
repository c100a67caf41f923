"""The form of grids: a species' own side view, laid out between outlines without a fold."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import FishPicture
from artfish.core.form.nurbs import basis, greville
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.photo.grid_form import GRID_SHAPES, fin_grid, folded, lay_out, node_stations, read_outline
from artfish.core.photo.snake_grid import SnakeGrid
from artfish.core.scene.species import Species
from artfish.studies.snake_grid import STRAIGHT, crookedness
from artfish.tests.core.kinds import each


@pytest.mark.film
@pytest.mark.parametrize("name", each())
def test_of_its_own_profile_a_species_grid_is_its_side_view(name: str) -> None:
    """Grid of a species' outline and surface in side view differ by a turn and a scale, the nose's point apart."""
    species = Species.load(name)
    left = rest_surfaces(species)["body_left"].points
    places = [basis(count, 3, greville(count, 3)) for count in (9, 21)]
    side = np.einsum("mr,nc,rcd->mnd", *places, left)[..., [0, 2]] * (-400.0, -400.0) + (100.0, 300.0)
    stations = node_stations(species)
    grid = lay_out(read_outline(side), species)
    length = np.linalg.norm(side[4, 0] - side[4, 20])
    assert stations[0] == 0.0 and stations[-1] == pytest.approx(1.0) and np.all(np.diff(stations) > 0)
    level = np.abs(side[4, 0, 1] - side[:, 20, 1].mean()) < 0.002 * length
    if level:  # else nose and tail are on different heights and the grid is turned a little
        assert np.linalg.norm(grid - side, axis=2)[:, 1:].max() < 0.02 * length
    assert crookedness(grid, species, lines=4) <= STRAIGHT


def test_fins_have_grids_of_their_own(plain: FishPicture, found: np.ndarray) -> None:
    species = Species()
    grids = {part: fin_grid(part, found, species) for part in GRID_SHAPES if part != "body"}
    for part, grid in grids.items():
        assert grid.shape == (*GRID_SHAPES[part], 2) and np.isfinite(grid).all()
        assert not folded(grid).any()
    # Roots are on the body's edge, and fins reach away from it.
    assert np.all(grids["dorsal"][1, 2:-1, 1] < grids["dorsal"][0, 2:-1, 1])
    assert np.all(grids["ventral"][1, 2:-1, 1] > grids["ventral"][0, 2:-1, 1])
    np.testing.assert_allclose(grids["caudal"][[0, -1], 0], found[[0, -1], -1], atol=3.0)
    fin = SnakeGrid(plain.image, grids["dorsal"], part="dorsal", species=species)
    fin.relax(10)
    assert np.isfinite(fin.points).all()


def test_a_cell_whose_corners_are_swapped_is_folded(found: np.ndarray) -> None:
    assert not folded(found).any() and not folded(found[:, ::-1]).any()
    crossed = found.copy()
    crossed[4, [10, 11]] = found[4, [11, 10]]
    cells = folded(crossed)
    assert cells[3:5, 9:12].any() and cells.sum() == cells[3:5, 9:12].sum()
