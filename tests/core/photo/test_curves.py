"""Back and belly: which edges draw them, and that the path found is the best."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from artfish.core.photo.curves import _best_path, _running
from artfish.core.photo.lines import LINE_STATIONS


def test_edges_that_run_along_a_line_count_for_more_than_stronger_ones_that_do_not() -> None:
    """Texture whose every step is three times that of an edge, up and down at random from station to station."""
    rng = np.random.default_rng(3)
    levels = np.tile(np.arange(60.0), (LINE_STATIONS, 1))
    edge = np.where(levels < 40, 0.0, 1.0)
    texture = np.where(levels < 20, 0.0, 3.0) * rng.choice([-1.0, 1.0], (LINE_STATIONS, 1))
    strength = _running((edge + texture * (levels < 30))[..., None], levels)
    inner = slice(8, -8)
    assert np.all(strength[inner, 38:41].max(axis=1) > 0.9)
    assert np.median(strength[inner, 18:21].max(axis=1)) < np.median(strength[inner, 38:41].max(axis=1))


@pytest.mark.parametrize("stiffness", [0.0, 0.3, 2.0])
def test_the_best_path_is_the_best_of_all(stiffness: float) -> None:
    """Of all paths over a small raster, whose steps and bends are within what is allowed."""
    gain = np.random.default_rng(5).normal(size=(5, 4))

    def worth(path: tuple[int, ...]) -> float:
        bends = np.diff(path, 2)
        if np.abs(bends).max() > 3:
            return -np.inf
        return float(gain[np.arange(5), path].sum() - stiffness * (bends.astype(float) ** 2).sum())

    best = max(itertools.product(range(4), repeat=5), key=worth)
    assert tuple(_best_path(gain, stiffness)) == best
