"""Fixtures of the tests of every operator: slow ones do little."""

from itertools import islice

import pytest

from artfish.blender_artfish.adopt import portrait as model_portrait
from artfish.blender_artfish.export import portrait
from artfish.core.studio import loops


@pytest.fixture(autouse=True)
def one_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make Loops makes the first of its loops, in small pictures; tests/blender/loops has them all."""
    for painter in (portrait, model_portrait):
        monkeypatch.setattr(painter, "PORTRAIT_PIXELS", 32)
    monkeypatch.setattr(portrait, "PORTRAIT_SAMPLES", 1)
    monkeypatch.setattr(loops, "LOOPS", dict(islice(loops.LOOPS.items(), 1)))
