"""The panel of data sets says what there is to make and what was made."""

from collections.abc import Iterator

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.dataset.choosing import DatasetPace
from artfish.blender_artfish.dataset.panel import ARTFISH_PT_dataset
from artfish.tests.blender.dataset.film import bake_film
from artfish.tests.blender.drawing import drawn


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    """The add-on is enabled."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()
    history.clear()


def words() -> str:
    """All labels of the panel."""
    return " ".join(drawn(ARTFISH_PT_dataset).words)


def test_the_panel_says_what_is_missing_and_how_many_pictures_there_are(swimming, tmp_path):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 30
    scene.artfish_dataset.folder = str(tmp_path / "set")
    assert "Bake first" in words()
    bake_film(swimming("clownfish", frames=30))
    assert "3 pictures" in words() and "about" not in words()
    scene.artfish_dataset.every = 10
    assert "3 pictures" in words()
    scene.frame_end = 20
    assert "2 pictures" in words()
    runtime.of(DatasetPace).seconds = 90.0
    assert "2 pictures, about 3 min" in words()
    scene.camera.data.type = "PANO"
    bpy.context.view_layer.update()
    assert "panoramic" in words()


def test_what_was_made_can_be_opened(swimming, tmp_path):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 8
    scene.artfish_dataset.folder = str(tmp_path / "set")
    bake_film(swimming("clownfish", frames=8))
    assert "wm.url_open" not in drawn(ARTFISH_PT_dataset).buttons
    bpy.ops.artfish.make_dataset()
    found = drawn(ARTFISH_PT_dataset)
    assert "wm.url_open" in found.buttons and str(tmp_path / "set") in found.words
    assert "1 picture, about" in words()
