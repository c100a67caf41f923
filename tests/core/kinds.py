"""Which species a test of every species is tried on, and which scenes one of every scene."""

from __future__ import annotations

import pytest

from artfish.core import Scene, Species

UNLIKE = ("butterflyfish", "reef_shark", "sardine", "thesis")
"""A deep one, a large one, a slender one and the book's with its short step; the others are like one of these."""

MOST_LIVED = 500
"""Fishes of a scene that a test lives through in a second or two."""


def each(*names: str) -> list:
    """Parameters for each of these species, or for all; those that are like others are marked large."""
    return [pytest.param(name, marks=() if name in UNLIKE else pytest.mark.large) for name in names or Species.names()]


def each_scene() -> list:
    """Parameters for each preset scene; those of thousands of fishes are marked large."""
    return [
        pytest.param(name, marks=() if Scene.load(name).count <= MOST_LIVED else pytest.mark.large)
        for name in Scene.names()
    ]
