"""Each test of the preferences has the add-on, in a file of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from artfish import blender_artfish


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()
