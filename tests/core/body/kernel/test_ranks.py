"""A whole shoal in one call: what it refuses; that blocks by themselves give the same bits is held by their tests."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.body import kernel
from artfish.core.body.kernel.ranks import TARGETS, Ranks
from artfish.core.compiled.library import MissingLibraryError, use


def of_nobody(**other) -> Ranks:
    """A shoal without blocks, of which some arrays are other ones."""
    arrays = {"x": np.zeros((4, 23, 3)), "v": np.zeros((4, 23, 3)), "targets": np.zeros((TARGETS, 4))}
    return kernel.shoal_mover([], **arrays | {"metres": np.ones(4)} | other)


def test_a_shoal_without_fishes_stays_as_it_is():
    x = np.arange(4.0 * 69).reshape(4, 23, 3)
    fish, share, nodes = of_nobody(x=x).move(2, None, [])
    assert len(fish) == len(share) == len(nodes) == 0 and x[3, 22, 2] == 4 * 69 - 1


@pytest.mark.parametrize("name", ["x", "v", "targets", "metres"])
def test_another_layout_is_refused(name):
    with pytest.raises(ValueError, match=f"Shoal: {name}: found float32, allowed float64"):
        of_nobody(**{name: np.zeros((4, 23, 3), np.float32)})


def test_there_are_none_without_a_library(monkeypatch):
    monkeypatch.setattr(use, "loaded", None)
    with pytest.raises(MissingLibraryError, match="found no compiled part of Artfish, without which no fish swims"):
        of_nobody()
