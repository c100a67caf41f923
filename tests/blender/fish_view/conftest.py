"""Fixture of the tests of eyes: the add-on, registered."""

import pytest

from artfish import blender_artfish


@pytest.fixture(autouse=True)
def addon():
    """The add-on, registered."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()
