"""Fishes that play live, among which one dives."""

import pytest

from artfish.tests.blender.live.conftest import scene, session

__all__ = ["scene", "session"]


@pytest.fixture
def orders() -> str:
    """A few orders, as a script gives them."""
    return '[{"time": 0, "order": "accelerate"}, {"time": 0.5, "order": "left", "amount": 0.5}]'
