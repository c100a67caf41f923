"""A drawn fish on plain ground, and the grid that is found for it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import FishPicture, draw
from artfish.core.photo.snake_grid import fit_grid


@pytest.fixture(scope="session")
def plain() -> FishPicture:
    """A fish that faces right."""
    return draw(2, "plain", 240, facing="right")


@pytest.fixture(scope="session")
def found(plain: FishPicture) -> np.ndarray:
    """Its grid, (9, 21, 2) in pixels."""
    return fit_grid(plain.image)
