"""A side view from a grid: the outline that it draws, within what a species may have."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.photo.grid_form import read_outline
from artfish.core.photo.profile import side_profile
from artfish.core.scene.species import Species


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


def test_eyes_and_pectoral_fins_keep_their_places_between_belly_and_back(found: np.ndarray) -> None:
    old = Species.load("clownfish")
    new = side_profile(old, found)

    def share(species: Species, station: float, height: float) -> float:
        low, high = (float(np.interp(station, *np.array(line).T)) for line in (species.form.belly, species.form.back))
        return (height - low) / (high - low)

    for station, before, after in (
        (old.form.eye_station, old.form.eye_height, new.form.eye_height),
        (old.form.pectoral_station, old.form.pectoral_height, new.form.pectoral_height),
    ):
        assert share(new, station, after) == pytest.approx(share(old, station, before), abs=0.002)


def test_a_profile_out_of_range_is_refused(found: np.ndarray) -> None:
    tall = found.copy()
    tall[..., 1] = (found[..., 1] - found[4, 0, 1]) * 12.0
    with pytest.raises(SceneError, match="form.b"):
        side_profile(Species(), tall)
