"""Good manners of every operator: it says why it declines; renamed, linked or deleted objects are no traceback."""

from collections.abc import Iterator
from typing import Any

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.species import preview
from artfish.tests.blender.files import new_file
from artfish.tests.blender.whole.storm import (
    FRAMES,
    OPERATORS,
    baked,
    call,
    choose,
    delete,
    go_through_frames,
    lively,
    prepare,
)


@pytest.fixture(autouse=True)
def registered(tmp_path) -> Iterator[None]:
    """The add-on is enabled, and keeps the animator's own species elsewhere."""
    blender_artfish.register()
    yield
    new_file()
    blender_artfish.unregister()


# --- why it declines ----------------------------------------------------------------------------------------------


def in_edit_mode() -> None:
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode="EDIT")


def with_fishes() -> None:
    bpy.ops.artfish.add_shoal()


def with_nothing_chosen() -> None:
    bpy.ops.artfish.add_shoal()
    choose(None)


STATES = (lambda: None, in_edit_mode, with_fishes, with_nothing_chosen)


@pytest.mark.parametrize("state", STATES, ids=["empty", "in edit mode", "with fishes", "with nothing chosen"])
def test_who_declines_says_why(state, monkeypatch):
    state()
    for cls in OPERATORS:
        said: list[str] = []
        monkeypatch.setattr(cls, "poll_message_set", lambda text, *rest, said=said: said.append(text), raising=False)
        if not cls.poll(bpy.context):
            assert said and said[-1].strip(), f"{cls.__name__} declines and does not say why"


# --- what a person may do to our objects --------------------------------------------------------------------------


def the_tank() -> None:
    delete(*roles.objects_of(bpy.context.scene, "TANK"))


def all_shoals() -> None:
    delete(*roles.objects_of(bpy.context.scene, "SHOAL"))


def everything() -> None:
    delete(*bpy.context.scene.objects)


def the_preview() -> None:
    delete(preview.find(bpy.context.scene))


def half_of_the_preview() -> None:
    root = preview.find(bpy.context.scene)
    delete(*(root.children[:1] if root else ()))


def collections() -> None:
    for collection in list(bpy.data.collections):
        bpy.data.collections.remove(collection)


def names() -> None:
    for blocks in (bpy.data.objects, bpy.data.collections, bpy.data.materials, bpy.data.meshes, bpy.data.actions):
        for number, block in enumerate(blocks):
            if block.library is None:
                block.name = f"mine {number}"


def materials() -> None:
    for material in list(bpy.data.materials):
        bpy.data.materials.remove(material)


def a_fish() -> None:
    delete(next((obj for obj in bpy.context.scene.objects if "artfish_row" in obj), None))


def parts_of_fishes() -> None:
    delete(*[obj for obj in bpy.context.scene.objects if obj.parent and "artfish_row" in obj.parent][::2])


def all_kinds() -> None:
    for number, obj in enumerate(bpy.data.objects):
        if obj.artfish.kind != "NONE":
            obj.artfish.kind = ("TANK", "SHOAL", "BED")[number % 3]


def all_scales() -> None:
    for obj in bpy.data.objects:
        obj.scale = (0.0, 0.0, 0.0)


def parents() -> None:
    above = bpy.data.objects.get("Above") or bpy.data.objects.new("Above", None)
    above.scale = (2.0, -1.0, 0.5)
    for obj in bpy.data.objects:
        if obj.artfish.kind != "NONE" and obj.parent is None:
            obj.parent = above


def species() -> None:
    bpy.context.scene.artfish.species.clear()


CASES = [
    *((lively, damage) for damage in (the_tank, all_shoals, everything, collections, names, a_fish, parents, species)),
    *((baked, damage) for damage in (everything, collections, names, materials, a_fish, parts_of_fishes)),
    *((baked, damage) for damage in (the_preview, half_of_the_preview, all_kinds, all_scales)),
]
ELSE = {"artfish.load_preset", "artfish.bake"}
"""Operators that replace damaged objects."""


@pytest.mark.sampled
@pytest.mark.parametrize(("state", "damage"), CASES, ids=[f"{s.__name__} {d.__name__}" for s, d in CASES])
def test_what_is_gone_or_otherwise_gets_a_word_and_no_traceback(state, damage, capfd, tmp_path):
    state()
    damage()
    go_through_frames()
    if state is baked:
        call(bpy.types.ARTFISH_OT_bake)
        damage()
    for cls in OPERATORS:
        options = {"filepath": str(tmp_path / "file.json")} if hasattr(cls, "filename_ext") else {}
        if cls.bl_idname not in ELSE:
            call(cls, **options)
            damage()
            bpy.context.scene.frame_set(2)
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err, (printed.out + printed.err)[-3000:]


def test_linked_objects_get_a_word_and_no_traceback(capfd, tmp_path):
    prepare()
    path = str(tmp_path / "lent.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    new_file()
    with bpy.data.libraries.load(path, link=True) as (there, here):
        here.collections = [scene_objects.COLLECTION]
    bpy.context.scene.collection.children.link(here.collections[0])
    bpy.context.view_layer.update()
    assert len(scene_reader.read(bpy.context.scene).scene.fishes) == 1
    choose(roles.objects_of(bpy.context.scene, "SHOAL")[0])
    for cls in OPERATORS:
        call(cls, **({"filepath": str(tmp_path / "file.json")} if hasattr(cls, "filename_ext") else {}))
        go_through_frames()
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err, (printed.out + printed.err)[-3000:]


# --- files with and without the add-on ----------------------------------------------------------------------------


def looks() -> dict[str, Any]:
    """The looks of the file at its last frame: places, vertices and materials of every evaluated object."""
    bpy.context.scene.frame_set(FRAMES)
    graph = bpy.context.evaluated_depsgraph_get()
    seen = {}
    for obj in bpy.context.scene.objects:
        if obj.type not in ("MESH", "SURFACE"):
            continue
        shown = obj.evaluated_get(graph)
        mesh = shown.to_mesh()
        places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", places)
        seen[obj.name] = [
            tuple(obj.matrix_world.row[0]),
            places.tobytes(),
            [slot.name for slot in obj.material_slots],
        ]
        shown.to_mesh_clear()
    return seen


@pytest.mark.parametrize("state", [lively, baked], ids=lambda state: state.__name__)
def test_a_file_keeps_its_look_without_the_add_on(state, tmp_path, capfd):
    state()
    bpy.context.scene.frame_set(FRAMES)
    path = str(tmp_path / "saved.blend")
    before = looks()
    assert any(len(places) > 100 for _, places, _ in before.values())
    bpy.ops.wm.save_as_mainfile(filepath=path)
    blender_artfish.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        assert looks() == before
        bpy.ops.wm.save_as_mainfile(filepath=path)
    finally:
        blender_artfish.register()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert looks() == before
    assert len(roles.objects_of(bpy.context.scene, "SHOAL")) == 1
    assert bpy.context.scene.artfish.species[0].name == "clownfish"
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err


def test_a_file_made_without_the_add_on_opens_with_it(tmp_path):
    blender_artfish.unregister()
    try:
        bpy.ops.mesh.primitive_cube_add()
        path = str(tmp_path / "plain.blend")
        bpy.ops.wm.save_as_mainfile(filepath=path)
    finally:
        blender_artfish.register()
    bpy.ops.wm.open_mainfile(filepath=path)
    scene = bpy.context.scene
    assert scene.artfish.seed == 0 and all(obj.artfish.kind == "NONE" for obj in scene.objects)
    lively()
    assert session_of(scene) is not None
