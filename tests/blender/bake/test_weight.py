"""Earlier bakes do not pile up in a file: one is kept, and it can be dropped for as much room as is said."""

import os
import re

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import history
from artfish.blender_artfish.bake.weight import megabytes, weight, weight_of
from artfish.tests.blender.files import new_file

pytestmark = pytest.mark.film


@pytest.fixture(autouse=True)
def water():
    new_file()
    blender_artfish.register()
    bpy.context.scene.frame_end = 48
    bpy.ops.artfish.add_shoal(species="clownfish", count=6)
    yield
    blender_artfish.unregister()
    history.clear()
    new_file()


def bake(form):
    bpy.context.scene.artfish.bake.form = form
    bpy.context.scene.artfish.seed += 1
    bpy.ops.artfish.bake()


def saved(tmp_path) -> int:
    """Bytes of the file, as saved without compression."""
    path = str(tmp_path / "film.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, compress=False)
    return os.path.getsize(path)


@pytest.mark.parametrize("form", ["mesh", "compact", "points"])
def test_a_button_drops_the_earlier_bake_and_says_how_much_it_frees(form, tmp_path, capfd):
    scene = bpy.context.scene
    bake(form)
    assert history.earlier(scene) == []
    with pytest.raises(RuntimeError, match="No earlier bake is kept"):
        bpy.ops.artfish.drop_earlier_bakes()
    bake(form)
    (top,) = history.earlier(scene)
    said, before = weight_of([top]), saved(tmp_path)
    last = sorted(obj.name for obj in history.last(scene).objects)
    assert bpy.ops.artfish.drop_earlier_bakes() == {"FINISHED"}
    freed = before - saved(tmp_path)
    assert said == pytest.approx(freed, rel=0.2)
    assert re.search(r"Dropped 1 earlier bake: some [\d.]+ MB", capfd.readouterr().out)
    assert history.earlier(scene) == [] and sorted(obj.name for obj in history.last(scene).objects) == last
    assert not [collection for collection in bpy.data.collections if collection.name.startswith("Artfish before")]
    bpy.ops.artfish.revert_bake()
    assert history.last(scene) is None  # there is nothing to bring back


def test_three_bakes_are_no_more_than_two(tmp_path):
    sizes = []
    for _ in range(4):
        bake("mesh")
        sizes.append(saved(tmp_path))
        assert len(history.earlier(bpy.context.scene)) == (len(sizes) > 1)
    one = sizes[1] - sizes[0]
    assert one > 1_000_000  # one is kept
    assert max(sizes[2:]) < sizes[1] + 0.15 * one


def test_what_others_have_put_into_it_stays():
    bake("mesh")
    bake("mesh")
    (top,) = history.earlier(bpy.context.scene)
    mine = bpy.data.objects.new("Mine", None)
    top.objects.link(mine)
    bpy.ops.artfish.drop_earlier_bakes()
    assert bpy.data.objects["Mine"] == mine and history.earlier(bpy.context.scene) == []


def test_room_is_said_in_megabytes():
    assert (megabytes(1_234_567), megabytes(35_800_000)) == ("1.2 MB", "36 MB")
    assert weight([]) == 0
