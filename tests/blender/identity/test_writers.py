"""A file that a newer Artfish has saved says so; one of this or an older version, or of none, says nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.writer import bake
from artfish.blender_artfish.identity.writers import WRITER, newer_writer
from artfish.core import Scene, Species
from artfish.tests.blender.drawing import drawn
from artfish.tests.blender.files import reopened
from artfish.version import ARTFISH_VERSION

NEWER = "999.1.0"


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def line() -> str:
    """The words at the top of the sidebar."""
    return " ".join(drawn(bpy.types.ARTFISH_PT_top).words)


def test_a_scene_with_fishes_is_saved_with_this_version(tmp_path):
    bpy.ops.artfish.add_shoal(species="clownfish")
    scene = reopened(tmp_path / "reef.blend")
    assert scene[WRITER] == ARTFISH_VERSION and newer_writer(scene) == "" and line() == ""


def test_a_scene_in_which_artfish_has_made_nothing_has_no_mark(tmp_path):
    assert WRITER not in reopened(tmp_path / "cube.blend")


def test_the_sidebar_says_that_a_newer_artfish_saved_the_file_and_what_to_do(tmp_path):
    bpy.ops.artfish.add_shoal(species="clownfish")
    bpy.context.scene[WRITER] = NEWER
    scene = reopened(tmp_path / "reef.blend")
    assert newer_writer(scene) == NEWER
    assert line().startswith(f"Saved with Artfish {NEWER}, this is {ARTFISH_VERSION}:")
    assert line().endswith("Update Artfish")


def test_saving_it_again_leaves_the_newer_version_there(tmp_path):
    bpy.ops.artfish.add_shoal(species="clownfish")
    bpy.context.scene[WRITER] = NEWER
    reopened(tmp_path / "reef.blend")
    assert newer_writer(reopened(tmp_path / "again.blend")) == NEWER


def test_a_bake_is_marked_even_where_no_add_on_is(swimming):
    blender_artfish.unregister()
    try:
        bake(swimming("clownfish", frames=2), stage=False)
        assert bpy.context.scene[WRITER] == ARTFISH_VERSION
    finally:
        blender_artfish.register()


@pytest.mark.parametrize(
    ("said", "newer"),
    [
        ("0.1.0", False),
        (ARTFISH_VERSION, False),
        (".".join(ARTFISH_VERSION.split(".")[:2]), False),
        (f"{ARTFISH_VERSION}0", ARTFISH_VERSION[-1] != "0"),
        ("10.0.0", True),
        ("9.12", True),
        ("9.x", False),
        ("", False),
        (7, False),
        ("9" * 5_000, False),
    ],
    ids=range(10),
)
def test_versions_are_compared_by_their_numbers(said, newer):
    bpy.context.scene[WRITER] = said
    assert bool(newer_writer(bpy.context.scene)) == newer


def newer_file(kind: str, folder: Path) -> Path:
    """A file of a kind as a newer Artfish may write it."""
    path = folder / "clownfish.json"
    shoal = {"species": "clownfish", "at": [1, 1, 1]}
    (Scene.from_dict({"fishes": [shoal]}) if kind == "scene" else Species.load("clownfish")).save(path)
    news = {"format": f"artfish {kind} 999", "written_by": NEWER, "unheard_of": 1}
    path.write_text(json.dumps({**json.loads(path.read_text()), **news}))
    return path


@pytest.mark.parametrize(
    ("kind", "operator"),
    [("scene", "load_scene"), ("scene", "drop_file"), ("species", "species_import"), ("species", "drop_file")],
)
def test_files_of_a_newer_artfish_are_refused_with_what_to_do(kind, operator, tmp_path):
    with pytest.raises(RuntimeError, match=rf"{kind} made by a newer Artfish \(999\.1\).*update Artfish"):
        getattr(bpy.ops.artfish, operator)(filepath=str(newer_file(kind, tmp_path)))
    assert len(bpy.context.scene.objects) == 0


def test_a_recording_of_a_newer_artfish_is_refused_with_what_to_do(tmp_path, monkeypatch, swimming):
    from artfish.core.base import formats

    with monkeypatch.context() as later:
        later.setitem(formats.FORMATS, "recording", 999)
        later.setattr(formats, "ARTFISH_VERSION", NEWER)
        swimming("clownfish", frames=2).save(tmp_path / "swim.npz")
    settings = bpy.context.scene.artfish.bake
    settings.source, settings.file = "FILE", str(tmp_path / "swim.npz")
    with pytest.raises(RuntimeError, match=r"recording made by a newer Artfish \(999\.1\).*update Artfish"):
        bpy.ops.artfish.bake()
