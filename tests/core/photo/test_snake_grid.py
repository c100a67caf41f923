"""The snake grid: what it finds, that it does not fold, that lines stay straight, and what comes of it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, shift

from artfish.benchmarks.fish_pictures import Picture, draw
from artfish.core.base.codec import SceneError
from artfish.core.form.nurbs import basis, greville
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.photo import outline
from artfish.core.photo.snake_grid import (
    GRID_SHAPES,
    Elasticity,
    SnakeGrid,
    at_places,
    fin_grid,
    fit_grid,
    folded,
    lay_out,
    node_stations,
    packed,
    read_outline,
    rectified,
    side_profile,
)
from artfish.core.photo.view import look, look_closer
from artfish.core.scene.species import Species
from artfish.studies.snake_grid import STRAIGHT, crookedness, drawn, four_anchors, least, measure, overlap

QUICK = {
    "transparent": (1,),
    "plain": (2, 1001),
    "plain, grey": (0, 5),
    "plain, 100 pixels": (3,),
    "cluttered": (3, 1005),
}


@pytest.fixture(scope="module")
def plain() -> Picture:
    return draw(2, "plain", 240, facing="right")


@pytest.fixture(scope="module")
def found(plain: Picture) -> np.ndarray:
    return fit_grid(plain.image)


def hold(case: str, seed: int, anchored: bool) -> None:
    got = measure(drawn(case, seed), anchored, lines=4)
    assert got.overlap >= least(case, anchored)
    assert got.folded == 0
    assert got.crooked <= STRAIGHT


@pytest.mark.parametrize(("case", "seed"), [(case, seed) for case, seeds in QUICK.items() for seed in seeds])
def test_it_finds_a_fish(case: str, seed: int) -> None:
    hold(case, seed, anchored=False)


@pytest.mark.parametrize("facing", ["left", "right"])
def test_it_tells_which_way_a_fish_faces(facing: str) -> None:
    picture = draw(7, "plain", 160, facing=facing)
    for told in ("auto", facing):
        grid = fit_grid(picture.image, facing=told)
        assert (grid[4, 0, 0] < grid[4, 20, 0]) == (facing == "left")
        assert np.all(grid[0, 1:-1, 1] < grid[8, 1:-1, 1])  # the back is above


def test_the_same_picture_gives_the_same_grid(plain: Picture, found: np.ndarray) -> None:
    np.testing.assert_array_equal(fit_grid(plain.image), found)


def test_kinds_of_numbers_do_not_matter(plain: Picture, found: np.ndarray) -> None:
    """Bytes are rounded, and brightness is told from the picture's own darkest and lightest."""
    length = np.linalg.norm(found[4, 0] - found[4, 20])
    for image in ((plain.image * 255).round().astype(np.uint8), plain.image * 40.0, plain.image.astype(np.float64)):
        assert np.linalg.norm(fit_grid(image) - found, axis=2).max() < 0.03 * length


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64, np.uint32])
def test_bytes_are_bytes_in_wide_numbers(kind: type) -> None:
    """Opacity too, of which 255 is all."""
    picture = draw(1, "transparent", 200)
    image = (picture.image * 255).round().astype(np.uint8)
    grid = fit_grid(image)
    np.testing.assert_array_equal(fit_grid(image.astype(kind)), grid)
    np.testing.assert_array_equal(rectified(image.astype(kind), grid), rectified(image, grid))


def test_long_pictures_do_no_harm() -> None:
    grid = fit_grid(np.random.default_rng(0).random((20, 400, 3)))
    assert grid.shape == (9, 21, 2) and np.isfinite(grid).all()


def test_what_is_no_number_or_no_fish_does_no_harm(plain: Picture) -> None:
    holes = plain.image.copy()
    holes[3:6, 4:9] = np.nan
    holes[0, 0] = np.inf
    assert overlap(fit_grid(holes), plain.body) > 0.9
    for image in (
        np.zeros((40, 60, 3)),
        np.ones((40, 60)),
        np.zeros((20, 20, 4)),
        np.random.default_rng(1).random((50, 90, 3)),
    ):
        grid = fit_grid(image)
        assert grid.shape == (9, 21, 2) and np.isfinite(grid).all()


def test_what_is_no_picture_is_refused(plain: Picture) -> None:
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


def test_anchored_nodes_are_at_their_anchors(plain: Picture, found: np.ndarray) -> None:
    """Where the true outline has them, and two that are drawn 3 % of the length aside."""
    length = np.linalg.norm(found[4, 0] - found[4, 20])
    aside = [(row, column, *(found[row, column] + 0.03 * length)) for row, column in ((0, 6), (8, 14))]
    for anchors in (four_anchors(plain), aside):
        grid = fit_grid(plain.image, anchors)
        assert not folded(grid).any()
        for row, column, x, y in anchors:
            np.testing.assert_allclose(grid[row, column], (x, y), atol=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_anchors_leave_a_blunt_head_as_it_is(seed: int) -> None:
    picture = draw(seed, "transparent", 320, blunt=True)
    grid = fit_grid(picture.image, four_anchors(picture))
    assert overlap(grid, picture.body) >= 0.95 and not folded(grid).any()


@pytest.mark.parametrize("seed", [2, 3])
def test_two_anchors_leave_a_deep_body_deep(seed: int) -> None:
    picture = draw(seed, "transparent", 320, depth=1.6)
    assert overlap(fit_grid(picture.image, four_anchors(picture)[:2]), picture.body) >= 0.95


@pytest.mark.parametrize("seed", [2, 4])
def test_anchors_tell_of_a_back_that_is_not_seen(seed: int) -> None:
    """The upper three tenths of the body have the background's colour; trusting the silhouette gives 0.87 or less."""
    picture = draw(seed, "plain", 240)
    image, body = picture.image.copy(), picture.body
    rows = np.arange(len(body))[:, None]
    unseen = body & (rows < body.argmax(axis=0) + 0.3 * body.sum(axis=0))
    image[unseen] = np.median(image[:3].reshape(-1, 3), axis=0)
    assert overlap(fit_grid(image, four_anchors(picture)), body) >= 0.92


@pytest.mark.parametrize("anchored", [False, True])
def test_a_stripe_is_no_outline(anchored: bool) -> None:
    """On a slender fish with lengthwise stripes the outermost stripe is 3 % of the area or more."""
    picture = draw(0, "plain", 320, pattern="stripes", depth=0.4)
    grid = fit_grid(picture.image, four_anchors(picture) if anchored else ())
    assert overlap(grid, picture.body) >= 0.975


def test_a_closer_look_shows_the_same_places_in_more_pixels() -> None:
    rows, columns = np.mgrid[0:900, 0:1400]
    image = np.stack([columns / 1400, rows / 900, np.full(rows.shape, 0.5)], axis=-1)
    view = look(image)
    near = look_closer(image, view, np.array([301.5, 200.0]), np.array([950.0, 480.2]))
    assert near is not None and near.step < view.step
    place = np.array([700.25, 300.5])
    assert near.to_image(near.to_view(place)) == pytest.approx(place, abs=1e-9)
    # Across the picture, colours rise from one pixel that is looked at to the next as they do in the photograph.
    first, last = near.to_image(np.zeros(2)), near.to_image(np.array(near.colour.shape[1::-1]) - 1.0)
    assert (first <= [303, 202]).all() and (first >= [301, 200]).all()
    assert (last >= [948, 478]).all() and (last <= [952, 482]).all()
    whole = image[:400, :600]
    assert look_closer(whole, look(whole), np.zeros(2), np.array([599.0, 399.0])) is None


def test_a_closer_look_at_few_pixels_looks_between_them() -> None:
    rows, columns = np.mgrid[0:100, 0:150]
    image = np.stack([columns / 150, rows / 100, np.full(rows.shape, 0.5)], axis=-1)
    near = look_closer(image, look(image), np.array([20.0, 30.0]), np.array([109.0, 89.0]))
    assert near is not None and max(near.colour.shape) >= 480 and near.step < look(image).step
    at = near.to_image(np.stack(np.meshgrid(*(np.arange(n) for n in near.colour.shape[1::-1])), axis=-1).astype(float))
    # Lightness and the first difference of colour tell x and y, but for a shift and a scale that are the same for all.
    for band, told in ((near.colour[..., 0], at @ (1 / 450, 1 / 300)), (near.colour[..., 1], at @ (1 / 225, -1 / 150))):
        assert np.abs(np.corrcoef(band.ravel(), told.ravel())[0, 1] - 1.0) < 1e-6


@pytest.mark.parametrize("ground", ["shaded", "cluttered"])
@pytest.mark.parametrize("anchored", [False, True])
def test_a_fish_in_a_large_picture_is_looked_at_once_more(ground: str, anchored: bool) -> None:
    picture = draw(0, ground, 1200)
    grid = SnakeGrid.over(picture.image, four_anchors(picture) if anchored else ())
    assert grid.view.step < look(picture.image).step
    grid.relax()
    assert overlap(grid.points, picture.body) >= 0.975


def test_what_can_be_seen_no_closer_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw(0, "shaded", 600)
    monkeypatch.setattr(outline, "segments", None)  # what looks closer
    grid = SnakeGrid.over(picture.image)
    assert grid.view.step == 1.0 and overlap(grid.points, picture.body) >= 0.9


@pytest.mark.parametrize("seed", range(4))
def test_a_soft_shadow_is_no_fish(seed: int) -> None:
    """The fish lies on paper and throws a shadow a tenth of its length aside that takes up to 0.45 of the light."""
    picture = draw(seed, "transparent", 640)
    opacity, length = picture.image[..., 3], np.hypot(*(picture.nose - picture.tail.mean(axis=0)))
    thrown = shift(opacity, (0.1 * length, 0.04 * length), order=1)
    shade = 0.45 * gaussian_filter(thrown, 0.035 * length)
    paper = np.array([0.86, 0.85, 0.82]) * (1.0 - shade[..., None])
    image = opacity[..., None] * picture.image[..., :3] + (1.0 - opacity[..., None]) * paper
    assert overlap(fit_grid(image), picture.body) >= 0.9


@pytest.mark.parametrize("contrast", [1.0, 0.35])
def test_a_grey_fish_is_found_among_grey_weeds(contrast: float) -> None:
    """Its upper half was left out as long as nothing but colours was gone by."""
    picture = draw(5, "cluttered", grey=True, contrast=contrast)
    assert overlap(fit_grid(picture.image), picture.body) >= 0.8


def test_who_drags_goes_beyond_the_outline_that_was_found(plain: Picture) -> None:
    grid = SnakeGrid.over(plain.image)
    assert grid.view.frontier is not None
    grid.drags[0, 10] = tuple(grid.points[0, 10])
    grid.step()
    assert grid.view.frontier is None


def test_a_grid_that_is_at_rest_stays(plain: Picture) -> None:
    """Equation A.1 without picture, drags and anchors: the form between the outlines feels no force."""
    grid = SnakeGrid.over(plain.image, elasticity=Elasticity(attraction=0.0))
    grid.relax(200)
    before = grid.points
    grid.step()
    assert np.abs(grid.points - before).max() < 0.05
    np.testing.assert_allclose(grid.points[:, 1:], lay_out(read_outline(before), Species())[:, 1:], atol=0.5)


def test_drags_pull_and_the_grid_gives_way_elastically(plain: Picture, found: np.ndarray) -> None:
    grid = SnakeGrid(plain.image, found, elasticity=Elasticity(attraction=0.0))
    grid.drags[0, 10] = tuple(found[0, 10] + (0.0, -12.0))
    for _ in range(30):
        grid.step()
    moved = np.linalg.norm(grid.points - found, axis=2)
    assert 8.0 < moved[0, 10] <= 12.5
    assert moved[0, 10] > moved[0, 12] > moved[0, 16]
    assert not folded(grid.points).any()


def test_edges_draw_the_border(plain: Picture, found: np.ndarray) -> None:
    """A grid that lies a little beside the fish is drawn to it."""
    grid = SnakeGrid(plain.image, found + (0.0, 2.0), elasticity=Elasticity(blur=4.0, attraction=3.0))
    before = overlap(grid.points, plain.body)
    grid.relax(80)
    assert overlap(grid.points, plain.body) > before + 0.01


def test_a_folded_grid_is_laid_out_anew(plain: Picture, found: np.ndarray) -> None:
    crossed = found.copy()
    crossed[3, 8], crossed[4, 12] = found[4, 12], found[3, 8]
    assert folded(crossed).any() and not folded(found).any()
    grid = SnakeGrid(plain.image, crossed)
    grid.unfold()
    assert not folded(grid.points).any()


def test_flipping_turns_the_grid_over(plain: Picture, found: np.ndarray) -> None:
    grid = SnakeGrid(plain.image, found, anchors=[(4, 0, *found[4, 0])])
    grid.flip()
    np.testing.assert_allclose(grid.points, found[:, ::-1], atol=1e-9)
    assert list(grid.anchors) == [(4, 20)]


def test_nodes_belong_to_the_control_points_of_the_surface(found: np.ndarray) -> None:
    u, v = greville(9, 3) / 6.0, greville(21, 3) / 18.0
    np.testing.assert_allclose(at_places(found, "body", u, v), found, atol=1e-8)


@pytest.mark.parametrize("name", Species.names())
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


def test_the_side_profile_is_the_outline(found: np.ndarray) -> None:
    old = Species.load("clownfish")
    new = side_profile(old, found)
    outline, end = read_outline(found), old.body.stations[-1]
    for line, ours in (
        (new.form.back, outline.heights(np.array(new.form.back)[:, 0] / end)[0]),
        (new.form.belly, outline.heights(np.array(new.form.belly)[:, 0] / end)[1]),
    ):
        heights = (np.array(line)[:, 1] - line[0][1]) / end
        np.testing.assert_allclose(heights, ours, atol=0.005)
    assert new.form.half_width == old.form.half_width and new.body == old.body
    assert new.form.back[0] == new.form.belly[0]
    assert Species.from_dict(new.to_dict()) == new


def test_a_profile_out_of_range_is_refused(found: np.ndarray) -> None:
    tall = found.copy()
    tall[..., 1] = (found[..., 1] - found[4, 0, 1]) * 12.0
    with pytest.raises(SceneError, match="form.b"):
        side_profile(Species(), tall)


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


def test_what_is_clear_takes_the_nearest_colour() -> None:
    picture = draw(1, "transparent", 200)
    texture = rectified(picture.image, fit_grid(picture.image), size=(32, 64))
    assert texture[..., :3].max(axis=2).min() > 0.0 or picture.image[..., :3].max() == 0.0


def test_fins_have_grids_of_their_own_and_one_texture_holds_all(plain: Picture, found: np.ndarray) -> None:
    species = Species()
    grids = {"body": found} | {part: fin_grid(part, found, species) for part in GRID_SHAPES if part != "body"}
    for part, grid in grids.items():
        assert grid.shape == (*GRID_SHAPES[part], 2) and np.isfinite(grid).all()
        assert not folded(grid).any()
    # Roots are on the body's edge, and fins reach away from it.
    assert np.all(grids["dorsal"][1, 2:-1, 1] < grids["dorsal"][0, 2:-1, 1])
    assert np.all(grids["ventral"][1, 2:-1, 1] > grids["ventral"][0, 2:-1, 1])
    np.testing.assert_allclose(grids["caudal"][[0, -1], 0], found[[0, -1], -1], atol=3.0)
    texture, places = packed(plain.image, grids, 256)
    assert texture.shape == (192, 256, 4) and set(places) == set(grids)
    area = sum((right - left) * (high - low) for left, low, right, high in places.values())
    assert area == pytest.approx(1.0, abs=0.01)
    fin = SnakeGrid(plain.image, grids["dorsal"], part="dorsal", species=species)
    fin.relax(10)
    assert np.isfinite(fin.points).all()
