"""No operator raises in any of many states of the file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.species import library
from artfish.tests.blender.files import new_file
from artfish.tests.blender.whole import storm
from artfish.tests.blender.whole.storm import baked, choose, delete, lively, prepare

pytestmark = pytest.mark.film

FAR = 1e30
"""Farther than any tank reaches, and still a number in single precision."""


@pytest.fixture(autouse=True)
def registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The add-on is enabled, and species are saved in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "species")
    blender_artfish.register()
    yield
    new_file()
    blender_artfish.unregister()


def shoal() -> bpy.types.Object:
    return next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")


def lend(folder: Path) -> None:
    """A file with everything in it that others can link from, and an empty one in its stead."""
    prepare()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "lent.blend"))
    new_file()


def the_factory_file(folder: Path) -> None:
    new_file(empty=False)


def an_empty_file(folder: Path) -> None:
    pass


def everything_deleted_while_it_plays(folder: Path) -> None:
    lively()
    delete(*bpy.context.scene.objects)


def collections_deleted_while_it_plays(folder: Path) -> None:
    lively()
    bpy.data.batch_remove(list(bpy.data.collections))


def collections_deleted_after_a_bake(folder: Path) -> None:
    baked()
    bpy.data.batch_remove(list(bpy.data.collections))


def all_data_deleted(folder: Path) -> None:
    lively()
    bpy.data.batch_remove([*bpy.data.meshes, *bpy.data.curves, *bpy.data.materials, *bpy.data.actions])


def collections_excluded(folder: Path) -> None:
    baked()
    for child in bpy.context.view_layer.layer_collection.children:
        child.exclude = True


def collections_hidden_while_it_plays(folder: Path) -> None:
    lively()
    for collection in bpy.data.collections:
        collection.hide_viewport = collection.hide_select = collection.hide_render = True


def objects_hidden(folder: Path) -> None:
    baked()
    for obj in bpy.context.scene.objects:
        obj.hide_viewport = obj.hide_select = True
        obj.hide_set(True)


def nothing_active(folder: Path) -> None:
    lively()
    choose(None)


def an_object_of_another_scene_active(folder: Path) -> None:
    lively()
    other = bpy.data.scenes.new("Other")
    other.collection.objects.link(shoal())
    bpy.context.window.scene = other
    choose(other.objects[0])


def a_copied_scene(folder: Path) -> None:
    baked()
    bpy.ops.scene.new(type="FULL_COPY")


def a_scene_whose_collections_are_shared(folder: Path) -> None:
    lively()
    bpy.ops.scene.new(type="LINK_COPY")


def a_second_view_layer(folder: Path) -> None:
    lively()
    bpy.context.scene.view_layers.new("Second")
    bpy.ops.scene.view_layer_remove()


def in_edit_mode(folder: Path) -> None:
    baked()
    choose(next(obj for obj in bpy.context.scene.objects if obj.type == "MESH" and not obj.library))
    bpy.ops.object.mode_set(mode="EDIT")


def in_edit_mode_of_a_fish(folder: Path) -> None:
    lively()
    bpy.ops.object.mode_set(mode="EDIT")


def in_edit_mode_of_a_surface(folder: Path) -> None:
    baked()
    choose(next(obj for obj in bpy.context.scene.objects if obj.type == "SURFACE"))
    bpy.ops.object.mode_set(mode="EDIT")


def in_sculpt_mode(folder: Path) -> None:
    lively()
    bpy.ops.object.mode_set(mode="SCULPT")


def undone_to_the_beginning(folder: Path) -> None:
    bpy.ops.ed.undo_push(message="Empty")
    lively()
    bpy.ops.ed.undo_push(message="Lively")
    bpy.ops.ed.undo()


def undone_while_it_plays(folder: Path) -> None:
    lively()
    bpy.ops.ed.undo_push(message="Lively")
    bpy.context.scene.frame_set(2)
    bpy.ops.artfish.feed(location=storm.fish().location)
    bpy.ops.ed.undo_push(message="Fed")
    bpy.ops.ed.undo()


def undone_and_redone(folder: Path) -> None:
    undone_while_it_plays(folder)
    bpy.ops.ed.redo()


def undone_after_a_bake(folder: Path) -> None:
    prepare()
    bpy.ops.ed.undo_push(message="Prepared")
    bpy.ops.artfish.bake()
    bpy.ops.ed.undo_push(message="Baked")
    bpy.ops.ed.undo()


def linked(folder: Path) -> None:
    lend(folder)
    with bpy.data.libraries.load(str(folder / "lent.blend"), link=True) as (_, here):
        here.collections = [scene_objects.COLLECTION]
    bpy.context.scene.collection.children.link(here.collections[0])
    bpy.context.view_layer.update()
    choose(shoal())


def overridden(folder: Path) -> None:
    linked(folder)
    collection = next(each for each in bpy.data.collections if each.library)
    collection.override_hierarchy_create(bpy.context.scene, bpy.context.view_layer, do_fully_editable=True)
    bpy.context.view_layer.update()
    choose(next(obj for obj in bpy.context.scene.objects if obj.override_library))


def a_linked_scene(folder: Path) -> None:
    lend(folder)
    with bpy.data.libraries.load(str(folder / "lent.blend"), link=True) as (_, here):
        here.scenes = ["Scene"]
    bpy.context.window.scene = here.scenes[0]


def a_bake_that_was_appended(folder: Path) -> None:
    baked()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "baked.blend"))
    new_file()
    with bpy.data.libraries.load(str(folder / "baked.blend"), link=False) as (there, here):
        here.collections = list(there.collections)
    bpy.context.scene.collection.children.link(here.collections[0])


def opened_again(folder: Path) -> None:
    lively()
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "lively.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(folder / "lively.blend"))


def nameless(folder: Path) -> None:
    lively()
    for blocks in (bpy.data.objects, bpy.data.collections, bpy.data.scenes, bpy.data.materials):
        for block in blocks:
            block.name = ""
    for entry in bpy.context.scene.artfish.species:
        entry.name = ""
    shoal().artfish.shoal.species = ""


def far_away(folder: Path) -> None:
    lively()
    for obj in bpy.context.scene.objects:
        obj.location, obj.scale = (FAR, -FAR, FAR), (FAR,) * 3
    bpy.context.view_layer.update()


def flat(folder: Path) -> None:
    baked()
    for obj in bpy.context.scene.objects:
        obj.scale = (0.0, 0.0, 0.0)
    bpy.context.view_layer.update()


def without_frames(folder: Path) -> None:
    lively()
    bake = bpy.context.scene.artfish.bake
    bake.own_range, bake.first, bake.last = True, 100, -100


def far_before_the_film(folder: Path) -> None:
    lively()
    bpy.context.scene.frame_set(-1_000_000)


def with_a_species_out_of_its_mind(folder: Path) -> None:
    lively()
    species = bpy.context.scene.artfish.species[0]
    species.form.back.clear()
    species.form.belly.clear()
    species.pectoral.lever = (0.0,) * len(species.pectoral.lever)
    species.body.stations = (0.5,) * len(species.body.stations)


def with_foreign_marks(folder: Path) -> None:
    baked()
    for blocks in (bpy.data.objects, bpy.data.collections):
        for number, block in enumerate(blocks):
            for name in [key for key in block.keys() if key.startswith("artfish_")]:  # noqa: SIM118
                block[name] = (7, "no id", "", 1e300, [1, 2, 3])[number % 5]


def with_kinds_that_do_not_fit(folder: Path) -> None:
    prepare()
    bpy.ops.object.light_add()
    bpy.ops.object.camera_add()
    bpy.ops.object.text_add()
    bpy.ops.object.armature_add()
    kinds = ("TANK", "SHOAL", "OBSTACLE", "BED", "CAMERA", "HOOK", "DIRECTION", "FOOD", "CURRENT")
    known = {item.identifier for item in shoal().artfish.bl_rna.properties["kind"].enum_items}
    for number, obj in enumerate(bpy.context.scene.objects):
        kind = kinds[number % len(kinds)]
        obj.artfish.kind = kind if kind in known else "OBSTACLE"


OFTEN: tuple[Callable[[Path], None], ...] = (
    an_empty_file,
    everything_deleted_while_it_plays,
    undone_while_it_plays,
    overridden,
    a_linked_scene,
    nameless,
    with_a_species_out_of_its_mind,
    with_foreign_marks,
)
"""States that have found a fault."""
SELDOM: tuple[Callable[[Path], None], ...] = (
    the_factory_file,
    collections_deleted_while_it_plays,
    collections_deleted_after_a_bake,
    all_data_deleted,
    collections_excluded,
    collections_hidden_while_it_plays,
    objects_hidden,
    nothing_active,
    an_object_of_another_scene_active,
    a_copied_scene,
    a_scene_whose_collections_are_shared,
    a_second_view_layer,
    in_edit_mode,
    in_edit_mode_of_a_fish,
    in_edit_mode_of_a_surface,
    in_sculpt_mode,
    undone_to_the_beginning,
    undone_and_redone,
    undone_after_a_bake,
    linked,
    a_bake_that_was_appended,
    opened_again,
    far_away,
    flat,
    without_frames,
    far_before_the_film,
    with_kinds_that_do_not_fit,
)
STATES = (*OFTEN, *(pytest.param(state, marks=pytest.mark.large) for state in SELDOM))


@pytest.mark.sampled
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_no_operator_raises(state, capfd, tmp_path):
    state(tmp_path)
    storm.call_all(tmp_path)
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err, (printed.out + printed.err)[-3000:]
