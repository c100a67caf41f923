"""The forms of backs and bellies, and what points tell about them."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.lines import (
    CHANCE_LEVELS,
    LINE_STATIONS,
    USUAL_SNOUT_POWER,
    _kinds,
    chances,
    line_forms,
    sizes,
    station_grid,
    unlikeness,
)


def test_forms_begin_at_the_nose_and_are_one_at_the_highest() -> None:
    forms = line_forms()
    assert forms.shape[1] == LINE_STATIONS and np.all(forms[:, 0] == 0.0)
    # The highest place falls between two stations; there a sine is within (pi / 2 * gap / peak)^2 / 2 of 1.
    gap = np.diff(station_grid()).max()
    assert np.all(forms.max(axis=1) <= 1.0)
    assert np.all(forms.max(axis=1) >= 1.0 - 2.7 * (0.5 * np.pi * gap / 0.22) ** 2 / 2)


def test_unlikeness_is_the_mean_square_difference() -> None:
    forms = line_forms()
    assert unlikeness()[3, 200] == pytest.approx(((forms[3] - forms[200]) ** 2).mean())
    assert np.diag(unlikeness()) == pytest.approx(0.0, abs=1e-12)


def test_forms_go_through_a_point_that_is_told() -> None:
    lines = line_forms() * sizes(np.array([0.5]), np.array([0.18]))[:, None]
    assert [np.interp(0.5, station_grid(), line) for line in lines] == pytest.approx(np.full(len(lines), 0.18))


def test_two_points_tell_a_size_between_those_of_each() -> None:
    one, two = (sizes(np.array([at]), np.array([0.2])) for at in (0.3, 0.7))
    both = sizes(np.array([0.3, 0.7]), np.array([0.2, 0.2]))
    assert both == pytest.approx(np.sqrt(one * two))


def test_chances_fall_from_one_to_none_with_height_and_at_a_told_point_at_once() -> None:
    station = 40
    at = station_grid()[station]
    table, gap = chances(np.array([at]), np.array([0.15]))
    assert table.shape == (LINE_STATIONS, CHANCE_LEVELS)
    assert np.all(np.diff(table, axis=1) <= 1e-12)
    assert table[1:, 0] == pytest.approx(1.0) and table[:, -1] == pytest.approx(0.0)
    levels = gap * np.arange(CHANCE_LEVELS)
    assert table[station, levels < 0.15 - 1e-9] == pytest.approx(1.0)
    assert table[station, levels > 0.15 + 1e-9] == pytest.approx(0.0)
    assert ((table > 0.1) & (table < 0.9)).sum(axis=1)[10] > 5  # far from it forms differ


def test_chances_are_those_of_usual_snouts_more_than_of_rare_ones() -> None:
    station = 20
    at, height = float(station_grid()[60]), 0.15
    table, gap = chances(np.array([at]), np.array([height]))
    lines = line_forms() * sizes(np.array([at]), np.array([height]))[:, None]
    mean = gap * (table[station].sum() - 0.5)  # the mean height is the sum of the chances to be above each level
    snouts = np.array([snout for _, snout, *_ in _kinds()])
    usual = np.isclose(snouts, snouts[np.argmin(np.abs(np.log(snouts / USUAL_SNOUT_POWER)))])
    rare = np.isclose(snouts, snouts[np.argmax(np.abs(np.log(snouts / USUAL_SNOUT_POWER)))])
    near, far = lines[usual, station].mean(), lines[rare, station].mean()
    assert abs(mean - near) < 0.5 * abs(mean - far)
