"""The relief of a body: where its features are, smooth, the same on both flanks, and nothing to the control points."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.form.coupling import Coupling
from artfish.core.form.relief import eyeball, mouth_line, over, relief
from artfish.core.form.surfaces import BODY_COLUMNS, BODY_ROWS, eyes, on_flank, rest_surfaces
from artfish.core.form.tuning import GILL_MIDDLE
from artfish.core.scene.relief import NO_RELIEF, Relief

U, V = np.linspace(0.0, 1.0, 97), np.linspace(0.0, 1.0, 241)


def with_relief(name: str, **numbers: float) -> Species:
    return replace(Species.load(name), relief=replace(NO_RELIEF, **numbers))


@pytest.mark.parametrize("name", ["grouper", "reef_shark"])
def test_no_numbers_no_relief(name):
    field = relief(with_relief(name), U, V)
    assert not field.height.any()


@pytest.mark.parametrize("name", Species.names())
def test_control_points_know_nothing_of_it(name):
    species = Species.load(name)
    flat = replace(species, relief=NO_RELIEF)
    for part, patch in rest_surfaces(species).items():
        assert np.array_equal(patch.points, rest_surfaces(flat)[part].points)
    flat = replace(species, relief=replace(NO_RELIEF, mouth_under=species.relief.mouth_under))
    assert np.array_equal(Coupling(species).jaw_swing, Coupling(flat).jaw_swing)


@pytest.mark.parametrize("name", Species.names())
def test_flanks_are_bare_behind_the_head(name):
    species = Species.load(name)
    species = replace(species, relief=replace(species.relief, back_ridge=0.0, belly_ridge=0.0, tail_keel=0.0))
    field = relief(species, U, V)
    behind = species.looks.gill + 0.06 < V
    assert not field.height[:, behind].any() and not field.crease[:, behind].any() and not field.mouth[:, behind].any()
    assert 0.001 < np.abs(field.height).max() < 0.03
    assert not field.height[:, 0].any()  # all rows meet at the nose


@pytest.mark.sampled
@pytest.mark.parametrize("name", Species.names())
def test_heights_are_smooth(name):
    species = Species.load(name)
    species = replace(species, relief=replace(species.relief, nostril=0.0))  # finer than the places
    u, v = np.linspace(0.05, 0.95, 400), np.linspace(0.01, 0.35, 600)
    coarse, fine = relief(species, u[::2], v[::2]).height, relief(species, u, v).height
    for axis in (0, 1):
        steps = [np.abs(np.diff(of, axis=axis)).max() for of in (coarse, fine)]
        assert steps[1] < 0.75 * steps[0]  # no jump: half as far apart they differ by about half as much


def test_gill_cover_ends_where_the_looks_have_it():
    species = with_relief("grouper", gill_edge=0.006)
    height = relief(species, np.array([1.0 - GILL_MIDDLE]), np.linspace(0.0, 1.0, 2001)).height[0]
    edge = np.linspace(0.0, 1.0, 2001)[height.argmax()]
    assert height.max() == pytest.approx(0.006, rel=0.02) and edge == pytest.approx(species.looks.gill, abs=0.002)
    behind = height[height.argmax() :]
    assert behind.min() < -0.0008  # it falls into a groove


def test_a_shark_has_slits_instead_of_a_cover():
    species = with_relief("reef_shark", gill_edge=0.004, gill_slits=5, gill_height=0.4)
    row = relief(species, np.array([1.0 - GILL_MIDDLE]), np.linspace(0.0, 1.0, 4001)).height[0]
    edges = np.flatnonzero((row[1:-1] > row[:-2]) & (row[1:-1] >= row[2:]) & (row[1:-1] > 0.002))
    assert len(edges) == 5


@pytest.mark.parametrize(("name", "under"), [("grouper", 0.0), ("reef_shark", 0.06)])
def test_lips_line_the_mouth(name, under):
    species = with_relief(name, lips=0.005, mouth_under=under)
    up, along = mouth_line(species)
    middle = len(up) // 2
    field = relief(species, 1.0 - up[middle : middle + 1], along[middle : middle + 1])
    assert field.height[0, 0] < 0.0 and field.mouth[0, 0] > 0.95 and field.crease[0, 0] > 0.8  # the line between them
    all_over = relief(species, np.linspace(0, 1, 300), np.linspace(0, 0.3, 400)).height
    assert all_over.max() > 0.004
    if under:
        assert along[0] == under and up[0] == 0.0  # it begins on the mid-line below, behind the snout
    else:
        assert along[0] == 0.0


def test_eye_socket_is_a_ring_about_the_eye():
    species = with_relief("grouper", eye_rim=0.2)
    points = rest_surfaces(species)["body_left"].points
    v = on_flank(species, points, species.form.eye_station, species.form.eye_height) / [
        BODY_ROWS - 3.0,
        BODY_COLUMNS - 3.0,
    ]
    radius = eyes(species)[1]
    ring = over(species, v[:1] + np.linspace(-0.2, 0.2, 201), v[1:] + np.linspace(-0.1, 0.1, 201))
    assert ring[100, 100] == 0.0 and ring.max() == pytest.approx(0.2 * radius, rel=0.1)


@pytest.mark.parametrize("number", ["cheek", "brow", "nostril", "jaw_bone", "cheek_edge", "tail_keel"])
def test_each_number_stands_out_alone(number):
    height = relief(with_relief("grouper", **{number: 0.005}), np.linspace(0, 1, 200), np.linspace(0, 1, 500)).height
    assert 0.001 < np.abs(height).max() <= 0.0051


@pytest.mark.parametrize(("number", "row"), [("back_ridge", 0), ("belly_ridge", -1)])
def test_ridges_run_along_the_edges(number, row):
    height = relief(with_relief("sardine", **{number: 0.006}), U, V).height
    assert height[row].max() == pytest.approx(0.006) and not height[len(U) // 2].any()


def test_a_belly_is_flattened_by_a_keel_less_than_none():
    height = relief(with_relief("grouper", belly_ridge=-0.003), U, V).height
    assert height[-1].min() == pytest.approx(-0.003) and height.max() == 0.0 and not height[: len(U) // 2].any()


def test_cornea_bulges_out_of_the_ball():
    angle = np.array([0.0, 0.5, 0.94, 1.2, 3.0])
    radius = eyeball(angle)
    assert (np.diff(radius[:3]) < 0).all() and radius[0] > 1.05 and (radius[3:] == 1.0).all()


def test_defaults_are_those_of_a_bony_fish():
    assert Relief().gill_slits == 0 and Relief().mouth_under == 0.0
