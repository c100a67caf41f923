"""Which species a test of every species is tried on."""

from __future__ import annotations

import pytest

from artfish.core import Species

UNLIKE = ("butterflyfish", "reef_shark", "sardine", "thesis")
"""A deep one, a large one, a slender one and the book's with its short step; the others are like one of these."""


def each(*names: str) -> list:
    """Parameters for each of these species, or for all; those that are like others are marked large."""
    return [pytest.param(name, marks=() if name in UNLIKE else pytest.mark.large) for name in names or Species.names()]
