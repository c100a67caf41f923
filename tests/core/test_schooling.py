"""Fishes of a schooling species come together, head the same way, and keep about a length apart (Tu 1999, §7.9.2)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import cKDTree

from artfish.core import Scene, World
from artfish.core.body.anatomy import MASSES, body_frame

SECONDS = 30


def school(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Polarisation at every frame, (frames,), and each fish's distance to its neighbour at the end in lengths."""
    group = {"species": "sardine", "count": 20, "at": [5, 5, 2.5], "spread": 1.2}
    recording = World(Scene.from_dict({"tank": {"size": [14, 10, 5]}, "fishes": [group]}), seed=seed).simulate(
        SECONDS * 24
    )
    nodes = recording.nodes.astype(float)
    polarisation = np.linalg.norm(body_frame(nodes)[1][..., 0].mean(axis=1), axis=1)
    middle = np.einsum("n,fnc->fc", MASSES / MASSES.sum(), nodes[-1])
    apart = cKDTree(middle).query(middle, k=2)[0][:, 1] / recording.body_length
    return polarisation, apart


seeds = pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])


@seeds
def test_twenty_fishes_become_a_school_in_half_a_minute(seed):
    polarisation, apart = school(seed)
    assert polarisation[0] < 0.6  # they begin every which way
    assert (polarisation > 0.8).any()
    assert 0.7 <= np.median(apart) <= 1.5
