"""The snake grid: what it finds, that it does not fold, that lines stay straight, and what comes of it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import FishPicture, draw
from artfish.core.photo.grid_form import folded, lay_out, read_outline
from artfish.core.photo.snake_grid import Elasticity, SnakeGrid, fit_grid
from artfish.core.photo.texture import rectified
from artfish.core.photo.view import look
from artfish.core.scene.species import Species
from artfish.studies.snake_grid import STRAIGHT, TRAPS, deceived, drawn, four_anchors, least, measure, overlap

QUICK = {
    "transparent": (1,),
    "plain": (1001,),
    "plain, grey": (5,),
    "plain, 100 pixels": (3,),
    "cluttered": (1005,),
}


ALWAYS = "plain", "cluttered"


def hold(case: str, seed: int, anchored: bool) -> None:
    got = measure(drawn(case, seed), anchored, lines=4)
    assert got.overlap >= least(case, anchored)
    assert got.folded == 0
    assert got.crooked <= STRAIGHT


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize(
    ("case", "seed"),
    [
        pytest.param(case, seed, marks=() if case in ALWAYS else pytest.mark.large)
        for case, seeds in QUICK.items()
        for seed in seeds
    ],
)
def test_it_finds_a_fish(case: str, seed: int) -> None:
    hold(case, seed, anchored=False)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize("facing", ["left", "right"])
def test_it_tells_which_way_a_fish_faces(facing: str) -> None:
    picture = draw(7, "plain", 160, facing=facing)
    grid = fit_grid(picture.image)
    assert (grid[4, 0, 0] < grid[4, 20, 0]) == (facing == "left")
    assert np.all(grid[0, 1:-1, 1] < grid[8, 1:-1, 1])  # the back is above


@pytest.mark.film
def test_it_faces_as_it_is_given() -> None:
    grid = fit_grid(draw(7, "plain", 160, facing="right").image, facing="right")
    assert grid[4, 0, 0] > grid[4, 20, 0]


@pytest.mark.film
def test_the_same_picture_gives_the_same_grid(plain: FishPicture, found: np.ndarray) -> None:
    np.testing.assert_array_equal(fit_grid(plain.image), found)


@pytest.mark.film
def test_kinds_of_numbers_do_not_matter(plain: FishPicture, found: np.ndarray) -> None:
    """Bytes are rounded, and brightness is told from the picture's own darkest and lightest."""
    length = np.linalg.norm(found[4, 0] - found[4, 20])
    for image in (plain.image.astype(np.float64) * 40.0,):
        assert np.linalg.norm(fit_grid(image) - found, axis=2).max() < 0.03 * length


@pytest.mark.film
@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64, np.uint32])
def test_bytes_are_bytes_in_wide_numbers(kind: type, found: np.ndarray) -> None:
    """Opacity too, of which 255 is all; a grid is found in what the view of a picture holds."""
    picture = draw(1, "transparent", 200)
    image = (picture.image * 255).round().astype(np.uint8)
    bytes_seen, seen = look(image), look(image.astype(kind))
    for field in dataclasses.fields(seen):
        np.testing.assert_array_equal(getattr(seen, field.name), getattr(bytes_seen, field.name))
    grid = lay_out(read_outline(found), Species())
    np.testing.assert_array_equal(rectified(image.astype(kind), grid), rectified(image, grid))


@pytest.mark.film
def test_long_pictures_do_no_harm() -> None:
    grid = fit_grid(np.random.default_rng(0).random((20, 400, 3)))
    assert grid.shape == (9, 21, 2) and np.isfinite(grid).all()


@pytest.mark.film
def test_what_is_no_number_or_no_fish_does_no_harm(plain: FishPicture) -> None:
    holes = plain.image.copy()
    holes[3:6, 4:9] = np.nan
    holes[0, 0] = np.inf
    assert overlap(fit_grid(holes), plain.body) > 0.9
    for image in (
        np.zeros((40, 60, 3)),
        np.zeros((20, 20, 4)),
    ):
        grid = fit_grid(image)
        assert grid.shape == (9, 21, 2) and np.isfinite(grid).all()


def test_what_is_no_picture_is_refused(plain: FishPicture) -> None:
    for image in (np.zeros(5), np.zeros((4, 400, 3)), np.zeros((40, 40, 7))):
        with pytest.raises(ValueError, match="image: found an array"):
            fit_grid(image)
    for image in (np.zeros((8, 2000, 3)), np.zeros((400, 8, 3))):
        with pytest.raises(ValueError, match="at most 20 times as long as broad"):
            fit_grid(image)
    for anchors, said in (
        ([(4, 0, 50, 50), (4, 20, 50, 50)], "root 0 pixels apart, allowed"),
        ([(9, 0, 1, 1)], "rows 0 to 8"),
        ([(0, 1.5, 1, 1)], "columns 0 to 20"),
        ([(0, 0, 1)], "row, column, x, y"),
        ([(0, 0, np.nan, 1)], "finite"),
    ):
        with pytest.raises(ValueError, match=said):
            fit_grid(plain.image, anchors)
    with pytest.raises(ValueError, match='allowed "left", "right" or "auto"'):
        fit_grid(plain.image, facing="up")


@pytest.mark.film
def test_anchored_nodes_are_at_their_anchors(plain: FishPicture, found: np.ndarray) -> None:
    """Where the true outline has them, and two that are drawn 3 % of the length aside."""
    length = np.linalg.norm(found[4, 0] - found[4, 20])
    aside = [(row, column, *(found[row, column] + 0.03 * length)) for row, column in ((0, 6), (8, 14))]
    for anchors in (four_anchors(plain), aside):
        grid = fit_grid(plain.image, anchors)
        assert not folded(grid).any()
        for row, column, x, y in anchors:
            np.testing.assert_allclose(grid[row, column], (x, y), atol=1e-6)


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize(
    "trap", [pytest.param(trap, marks=() if row < 2 else pytest.mark.large) for row, trap in enumerate(TRAPS)]
)
def test_it_is_not_deceived(trap: str) -> None:
    """By a blunt head, a deep body, a hidden back, a shadow and grey weeds; more seeds in studies/snake_grid.py."""
    asked, seed = TRAPS[trap]
    assert deceived(trap, seed) >= asked


@pytest.mark.film
@pytest.mark.parametrize("anchored", [False, pytest.param(True, marks=pytest.mark.large)])
def test_a_stripe_is_no_outline(anchored: bool) -> None:
    """On a slender fish with lengthwise stripes the outermost stripe is 3 % of the area or more."""
    picture = draw(0, "plain", 320, pattern="stripes", depth=0.4)
    grid = fit_grid(picture.image, four_anchors(picture) if anchored else ())
    assert overlap(grid, picture.body) >= 0.975


@pytest.mark.sampled
@pytest.mark.film
@pytest.mark.parametrize(
    ("case", "seed", "asked"),
    [
        ("small and barred, cluttered", 1004, 0.9),
        ("small and barred, plain", 1001, 0.9),
        *(
            pytest.param(*one, marks=pytest.mark.large)
            for one in (
                ("small and barred, cluttered", 1009, 0.9),
                ("small and barred, plain", 1003, 0.9),
                ("barred clownfish of 110 pixels, cluttered", 1003, 0.76),
            )
        ),
    ],
)
def test_bold_bars_are_no_outline(case: str, seed: int, asked: float) -> None:
    """Fishes in small pictures that were lost, cut at a bar, or taken together with their fins."""
    assert measure(drawn(case, seed), anchored=False, lines=0).overlap >= asked


@pytest.mark.film
def test_who_drags_goes_beyond_the_outline_that_was_found(plain: FishPicture) -> None:
    grid = SnakeGrid.over(plain.image)
    assert grid.view.frontier is not None
    grid.drags[0, 10] = tuple(grid.points[0, 10])
    grid.step()
    assert grid.view.frontier is None


@pytest.mark.film
def test_a_grid_that_is_at_rest_stays(plain: FishPicture) -> None:
    """Equation A.1 without picture, drags and anchors: the form between the outlines feels no force."""
    grid = SnakeGrid.over(plain.image, elasticity=Elasticity(attraction=0.0))
    grid.relax(200)
    before = grid.points
    grid.step()
    assert np.abs(grid.points - before).max() < 0.05
    np.testing.assert_allclose(grid.points[:, 1:], lay_out(read_outline(before), Species())[:, 1:], atol=0.5)


def test_drags_pull_and_the_grid_gives_way_elastically(plain: FishPicture, found: np.ndarray) -> None:
    grid = SnakeGrid(plain.image, found, elasticity=Elasticity(attraction=0.0))
    grid.drags[0, 10] = tuple(found[0, 10] + (0.0, -12.0))
    for _ in range(30):
        grid.step()
    moved = np.linalg.norm(grid.points - found, axis=2)
    assert 8.0 < moved[0, 10] <= 12.5
    assert moved[0, 10] > moved[0, 12] > moved[0, 16]
    assert not folded(grid.points).any()


def test_edges_draw_the_border(plain: FishPicture, found: np.ndarray) -> None:
    """A grid that lies a little beside the fish is drawn to it."""
    grid = SnakeGrid(plain.image, found + (0.0, 2.0), elasticity=Elasticity(blur=4.0, attraction=3.0))
    before = overlap(grid.points, plain.body)
    grid.relax(80)
    assert overlap(grid.points, plain.body) > before + 0.01


def test_a_folded_grid_is_laid_out_anew(plain: FishPicture, found: np.ndarray) -> None:
    crossed = found.copy()
    crossed[3, 8], crossed[4, 12] = found[4, 12], found[3, 8]
    assert folded(crossed).any() and not folded(found).any()
    grid = SnakeGrid(plain.image, crossed)
    grid.unfold()
    assert not folded(grid.points).any()


def test_flipping_turns_the_grid_over(plain: FishPicture, found: np.ndarray) -> None:
    grid = SnakeGrid(plain.image, found, anchors=[(4, 0, *found[4, 0])])
    grid.flip()
    np.testing.assert_allclose(grid.points, found[:, ::-1], atol=1e-9)
    assert list(grid.anchors) == [(4, 20)]
