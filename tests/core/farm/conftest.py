"""Folders of results, as tests of the farm compare them."""

from pathlib import Path

import pytest


@pytest.fixture
def contents():
    """A function that reads all files of a folder, by their names."""

    def read(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}

    return read
