"""The surfaces at rest: what makes a fish look like one fish of its kind, whole and without a seam."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.form.nurbs import basis, evaluate
from artfish.core.form.surfaces import (
    BACK_ROW,
    BELLY_ROW,
    MIRROR,
    Patch,
    column_stations,
    eyes,
    pectoral,
    rest_surfaces,
)
from artfish.core.form.tuning import ROOT_DEPTH_LENGTHS
from artfish.core.scene.species import Form, Species

ALONG = np.linspace(0.0, 18.0, 361)
AROUND = np.linspace(0.0, 6.0, 61)


@pytest.fixture(params=Species.names(), scope="module")
def species(request: pytest.FixtureRequest) -> Species:
    return Species.load(request.param)


@pytest.fixture(scope="module")
def surfaces(species: Species) -> dict[str, Patch]:
    return rest_surfaces(species)


def at(patch: Patch, u: np.ndarray, v: np.ndarray, du: int = 0, dv: int = 0) -> np.ndarray:
    return evaluate(patch.points, patch.degree_u, patch.degree_v, u, v, du, dv)


def edge(patch: Patch, row: int) -> np.ndarray:
    """Station-wise dense points (n, 2) of the back's or belly's edge: x falling, z."""
    return (basis(21, 3, np.linspace(0.0, 18.0, 8001)) @ patch.points[row])[:, [0, 2]]


def test_the_surfaces_have_the_books_control_points_and_orders(surfaces: dict[str, Patch]) -> None:
    shapes = {name: patch.points.shape[:2] for name, patch in surfaces.items()}
    orders = {name: (patch.degree_u + 1, patch.degree_v + 1) for name, patch in surfaces.items()}
    body = ("body_left", "body_right", "dorsal", "ventral")
    assert sum(np.prod(shapes[name]) for name in body) == 426
    assert shapes["body_left"] == shapes["body_right"] == (9, 21)
    assert shapes["dorsal"] == shapes["ventral"] == (2, 12)
    assert shapes["pectoral_left"] == shapes["pectoral_right"] == (2, 4)
    assert orders["body_left"] == orders["body_right"] == (4, 4)
    assert orders["dorsal"] == orders["ventral"] == (2, 4)
    assert orders["pectoral_left"] == orders["pectoral_right"] == (2, 3)
    assert all(np.isfinite(patch.points).all() for patch in surfaces.values())


def test_left_and_right_mirror_each_other(surfaces: dict[str, Patch]) -> None:
    for part in ("body", "pectoral"):
        np.testing.assert_array_equal(surfaces[f"{part}_left"].points * MIRROR, surfaces[f"{part}_right"].points)
    for name in ("dorsal", "ventral", "caudal"):
        np.testing.assert_allclose(surfaces[name].points[..., 1], 0.0, atol=1e-15)


def test_the_halves_close_upon_each_other(surfaces: dict[str, Patch]) -> None:
    left, right = surfaces["body_left"].points, surfaces["body_right"].points
    for border in (np.s_[0], np.s_[-1], np.s_[:, 0], np.s_[:, -1]):
        np.testing.assert_array_equal(left[border], right[border])
    np.testing.assert_allclose(left[:, 0], left[:1, 0].repeat(9, axis=0), atol=1e-15)


def test_no_seam_shows_where_the_halves_meet(surfaces: dict[str, Patch]) -> None:
    """On the mid-plane the normal lies in it, so that both halves have one normal there."""
    inner = ALONG[1:-1]
    for name in ("body_left", "body_right"):
        for u in (0.0, 6.0):
            place = np.array([u])
            normal = np.cross(at(surfaces[name], place, inner, du=1), at(surfaces[name], place, inner, dv=1))[0]
            normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
            np.testing.assert_allclose(normal[:, 1], 0.0, atol=1e-9)
            assert np.all(normal[5:-5, 2] * surfaces[name].outward * (1 if u == 0.0 else -1) > 0)


def test_normals_point_outwards(species: Species, surfaces: dict[str, Patch]) -> None:
    for name, side in (("body_left", 1), ("body_right", -1)):
        u, v = AROUND[1:-1], ALONG[1:-1]
        normal = surfaces[name].outward * np.cross(at(surfaces[name], u, v, du=1), at(surfaces[name], u, v, dv=1))
        assert np.all(side * normal[..., 1] > 0)
    for name in ("dorsal", "ventral", "pectoral_left", "caudal"):
        patch = surfaces[name]
        rows, columns = patch.points.shape[:2]
        middle = np.array([(rows - patch.degree_u) / 2]), np.array([(columns - patch.degree_v) / 3])
        normal = patch.outward * np.cross(at(patch, *middle, du=1), at(patch, *middle, dv=1))[0, 0]
        assert normal @ (pectoral(species).normal if name == "pectoral_left" else (0.0, 1.0, 0.0)) > 0, name


def test_the_body_is_as_long_as_it_says(species: Species, surfaces: dict[str, Patch]) -> None:
    nose = surfaces["body_left"].points[0, 0, 0]
    assert nose == pytest.approx(species.body.stations[1])
    assert nose - surfaces["caudal"].points[..., 0].min() == pytest.approx(1.0, abs=0.03)
    assert np.all(np.diff(column_stations(species)) >= 0)


def test_the_silhouette_is_the_outline_that_was_drawn(species: Species, surfaces: dict[str, Patch]) -> None:
    for row, outline in ((BACK_ROW, species.form.back), (BELLY_ROW, species.form.belly)):
        station, height = np.array(outline).T
        seen = edge(surfaces["body_left"], row)
        inside = station <= species.body.stations[-1]
        x = species.body.stations[1] - station[inside]
        z = np.interp(-x, -seen[:, 0], seen[:, 1]) + species.body.rise[1]
        np.testing.assert_allclose(z, height[inside], atol=0.008)


def test_median_fins_stand_on_the_edge_of_the_body(surfaces: dict[str, Patch]) -> None:
    """Nowhere above the skin, where light would fall between, and nowhere deep under it."""
    for name, row, up in (("dorsal", BACK_ROW, 1.0), ("ventral", BELLY_ROW, -1.0)):
        root = at(surfaces[name], np.zeros(1), np.linspace(0.0, 9.0, 200))[0]
        skin = edge(surfaces["body_left"], row)
        slope = np.interp(-root[:, 0], -skin[:, 0], np.gradient(skin[:, 1], skin[:, 0]))
        depth = up * (np.interp(-root[:, 0], -skin[:, 0], skin[:, 1]) - root[:, 2]) / np.hypot(1.0, slope)
        assert -1e-4 < depth.min() and depth.max() < 2 * ROOT_DEPTH_LENGTHS


def test_the_caudal_fin_grows_out_of_the_bodys_end(surfaces: dict[str, Patch]) -> None:
    end = at(surfaces["body_left"], np.linspace(0.0, 6.0, 50), np.array([18.0]))[:, 0]
    root = at(surfaces["caudal"], np.linspace(0.0, 4.0, 50), np.zeros(1))[:, 0]
    np.testing.assert_allclose(root[:, :2], end[:, :2], atol=1e-12)
    np.testing.assert_allclose(root[[0, -1], 2], end[[0, -1], 2], atol=1e-12)
    assert np.all(np.diff(root[:, 2]) < 0)


def test_pectoral_roots_lie_on_the_flank(species: Species, surfaces: dict[str, Patch]) -> None:
    flank = at(surfaces["body_left"], np.linspace(0.0, 6.0, 241), np.linspace(0.0, 18.0, 721)).reshape(-1, 3)
    for point in surfaces["pectoral_left"].points[0]:
        assert np.linalg.norm(flank - point, axis=-1).min() < 0.004
    root = surfaces["pectoral_left"].points[0].mean(axis=0)
    assert species.body.stations[1] - root[0] == pytest.approx(species.form.pectoral_station, abs=0.02)


def test_eyes_sit_in_the_head_and_look_out_of_it(species: Species, surfaces: dict[str, Patch]) -> None:
    centres, radius, outward = eyes(species)
    np.testing.assert_array_equal(centres[0] * MIRROR, centres[1])
    np.testing.assert_allclose(np.linalg.norm(outward, axis=-1), 1.0)
    assert outward[0, 1] > 0
    skin = at(surfaces["body_left"], np.linspace(0.0, 6.0, 241), np.linspace(0.0, 9.0, 361)).reshape(-1, 3)
    near = skin[np.linalg.norm(skin - centres[0], axis=-1).argmin()]
    distance = np.linalg.norm(near - centres[0])
    assert centres[0, 1] > 0 and (near - centres[0]) @ outward[0] > 0, "the middle of the eye lies under the skin"
    assert 0.4 * radius < distance < 0.9 * radius, "and a part of it stands out"


def test_the_body_is_as_wide_as_drawn(species: Species, surfaces: dict[str, Patch]) -> None:
    points = at(surfaces["body_left"], AROUND, ALONG)
    assert points[..., 1].max() == pytest.approx(max(width for _, width in species.form.half_width), rel=0.05)


def test_a_round_snout_starts_level_and_a_pointed_one_does_not() -> None:
    for bluntness, level in ((1.0, True), (0.0, False)):
        left = rest_surfaces(Species(form=Form(bluntness=bluntness)))["body_left"]
        ahead = evaluate(left.points, 3, 3, np.array([0.0]), np.array([0.0]), dv=1)[0, 0]
        assert (abs(ahead[0]) < 1e-12) == level


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"back": ((0.0, 0.0), (0.5, 0.1), (0.4, 0.1))}, "back"),
        ({"belly": ((0.0, 0.2), (0.5, -0.1), (0.8, -0.1))}, "belly"),
        ({"half_width": ((0.1, 0.0), (0.5, 0.1), (0.8, 0.1))}, "half_width"),
        ({"dorsal": ((0.3, 0.1, 0.0),)}, "dorsal"),
        ({"caudal": ((1.0, 0.1), (1.0, -0.1))}, "caudal"),
    ],
)
def test_outlines_that_make_no_fish_are_refused(change: dict, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Form(**change)


def test_a_keeled_belly_is_narrower_below_than_an_ellipse() -> None:
    ring = at(rest_surfaces(Species.load("sardine"))["body_left"], np.linspace(0.0, 6.0, 401), np.array([8.1]))[:, 0]
    below = ring[ring[:, 1].argmax() :]
    deep = (below[0, 2] - below[:, 2]) / (below[0, 2] - below[-1, 2])
    # An ellipse is 0.71 of its half width wide where it has come 0.71 of its way down.
    assert np.interp(0.5**0.5, deep, below[:, 1]) / below[0, 1] < 0.66
