"""A library that is made beside Blender: its progress is seen, it is shown at its end, and it can be given up."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from artfish.blender_artfish.assets.registering import is_library
from artfish.blender_artfish.assets.workshop import AssetWorkshop

pytestmark = pytest.mark.film


def waited(shop: AssetWorkshop, seconds: float = 120.0) -> list[tuple[float, str]]:
    """The progress of a workshop until it is done."""
    begun, seen = time.monotonic(), []
    while shop.look():
        seen.append((shop.share, shop.text))
        assert time.monotonic() - begun < seconds, "it does not end"
        time.sleep(0.05)
    return seen


def test_it_is_made_and_seen_to_be(tmp_path):
    shop, made = AssetWorkshop(), []
    folder = tmp_path / "deep" / "assets"
    shop.begin(folder, made.append, kinds=["nodes"], pixels=16)
    assert shop.busy
    seen = waited(shop)
    assert made == [folder] and not shop.busy and shop.failed == ""
    assert is_library(folder)
    assert sorted(path.name for path in folder.iterdir()) == ["blender_assets.cats.txt", "nodes.blend"]
    assert (0.0, "Crowd") in seen


def test_it_can_be_given_up(tmp_path):
    shop, made = AssetWorkshop(), []
    shop.begin(tmp_path, made.append, kinds=["nodes"], pixels=16)
    shop.stop()
    assert not shop.busy and not shop.look() and made == []
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_said(tmp_path):
    shop, made = AssetWorkshop(), []
    shop.begin(tmp_path, made.append, kinds=["fishes"], species=["no such fish"])
    waited(shop)
    assert made == [] and "no such fish" in shop.failed
    assert not is_library(tmp_path)


def test_where_nothing_can_be_written_it_does_not_begin(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        AssetWorkshop().begin(Path(tmp_path / "file"), lambda folder: None)
