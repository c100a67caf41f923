"""Debris about a wreck lies on the sand."""

import numpy as np
import pytest

from artfish.blender_artfish.stage.debris import DEBRIS


@pytest.mark.parametrize("name", DEBRIS)
def test_it_lies_on_the_sand_and_is_about_a_metre_long(name):
    shape, sizes, often = DEBRIS[name]
    vertices, faces = shape(np.random.default_rng(3))
    assert faces.max() < len(vertices) and np.isfinite(vertices).all()
    assert -0.3 < vertices[:, 2].min() < 0.1 and 0.8 < np.ptp(vertices, axis=0).max() < 1.4
    assert 0.0 < sizes[0] < sizes[1] and often >= 0.0
