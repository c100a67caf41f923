"""Silhouettes: the tail fin alone tells where a cut-out faces."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.benchmarks.fish_pictures import cut_out, draw
from artfish.core.photo.silhouette import tail_fin


@pytest.mark.parametrize("seed", range(6))
def test_a_fish_faces_away_from_its_tail_fin(seed: int) -> None:
    picture = cut_out(draw(seed, "transparent", 240))
    for facing, alpha in ((picture.facing, picture.image[..., 3]), ("mirrored", picture.image[:, ::-1, 3])):
        fin = tail_fin(alpha)
        assert fin is not None
        assert (fin.facing == picture.facing) == (facing != "mirrored")
    fin, root = tail_fin(picture.image[..., 3]), picture.tail.mean(axis=0)
    assert fin is not None
    assert np.hypot(*(fin.root - root)) < 0.12 * np.hypot(*(picture.nose - root))


def test_what_narrows_to_neither_end_has_no_tail_fin() -> None:
    y, x = np.mgrid[-1:1:60j, -1:1:120j]
    assert tail_fin((x**2 + y**2 < 1).astype(float)) is None
    assert tail_fin(np.zeros((40, 60))) is None
