"""The Bake operator: both its forms make the same, one undo takes it back, and Esc leaves everything as it was."""

from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.operators import ARTFISH_OT_bake
from artfish.blender_artfish.blender import runtime, status_bar
from artfish.core import SceneError
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def scene():
    """The open scene with the add-on's settings: a short bake."""
    blender_artfish.register()
    choose()
    yield bpy.context.scene
    blender_artfish.unregister()


def choose():
    settings = bpy.context.scene.artfish
    settings.preset, settings.bake.own_range, settings.bake.last = "go_fish", True, 3


class Modal(SimpleNamespace):
    """Stands in for the operator and for the parts of Blender's window that its modal form uses."""

    modal, stop, show, left = (getattr(ARTFISH_OT_bake, name) for name in ("modal", "stop", "show", "left"))
    finish, refuse, new_job = ARTFISH_OT_bake.finish, ARTFISH_OT_bake.refuse, ARTFISH_OT_bake.new_job
    bl_label, scope = "Bake", "ALL"

    def __init__(self):
        super().__init__(reports=[], timers=[], bars=[])
        manager = SimpleNamespace(
            event_timer_add=lambda pause, window: self.timers.append(pause) or pause,
            event_timer_remove=self.timers.remove,
            modal_handler_add=lambda operator: None,
            progress_begin=lambda low, high: self.bars.append(low),
            progress_update=lambda done: None,
            progress_end=self.bars.clear,
        )
        self.context = SimpleNamespace(scene=bpy.context.scene, window=None, window_manager=manager)
        assert ARTFISH_OT_bake.invoke(self, self.context, None) == {"RUNNING_MODAL"}

    def report(self, kind, text):
        self.reports.append((kind, text))

    def send(self, kind):
        return self.modal(self.context, SimpleNamespace(type=kind))

    def leftovers(self):
        return self.timers + self.bars + [*runtime.of(status_bar.Speech).texts.values()]


def names() -> set[str]:
    collections = (bpy.data.objects, bpy.data.curves, bpy.data.collections, bpy.data.actions, bpy.data.materials)
    return {f"{type(block).__name__} {block.name}" for kind in collections for block in kind}


def test_both_forms_make_the_same():
    assert bpy.ops.artfish.bake() == {"FINISHED"}
    direct = names()
    new_file()
    choose()
    operator = Modal()
    while (result := operator.send("TIMER")) == {"RUNNING_MODAL"}:
        assert operator.send("MOUSEMOVE") == {"RUNNING_MODAL"}
    assert result == {"FINISHED"}
    assert names() == direct
    assert not operator.leftovers()


@pytest.mark.parametrize("ticks", [0, 1, 5, 40])
def test_esc_leaves_everything_as_it_was(monkeypatch, ticks):
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.WORK_SECONDS", (1e-5, 1e-5))
    before = names()
    operator = Modal()
    for _ in range(ticks):
        assert operator.send("TIMER") == {"RUNNING_MODAL"}
    assert operator.send("ESC") == {"CANCELLED"}
    assert names() == before
    assert not operator.leftovers()


@pytest.mark.sampled
@pytest.mark.parametrize("again", ["undo", "redo"])
@pytest.mark.parametrize("ticks", [0, 5, 40, 80])
def test_an_undo_while_it_works_gives_it_up_and_nothing_of_it_is_left(monkeypatch, scene, again, ticks):
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.WORK_SECONDS", (1e-5, 1e-5))
    for name in ("Anemone", "Urchin", "Sponge"):
        scene.collection.objects.link(bpy.data.objects.new(name, None))
        bpy.ops.ed.undo_push(message=name)
    bpy.ops.ed.undo()
    before = {"Object Anemone", *(["Object Urchin", "Object Sponge"] if again == "redo" else [])}
    operator = Modal()
    for _ in range(ticks):
        assert operator.send("TIMER") == {"RUNNING_MODAL"}
    getattr(bpy.ops.ed, again)()
    assert names() == before
    assert operator.send("TIMER") == {"CANCELLED"}
    assert names() == before
    assert operator.reports == [({"INFO"}, "Bake given up: something else was undone or redone meanwhile")]
    assert not operator.leftovers()


def test_what_is_deleted_while_it_works_is_said(monkeypatch, scene):
    monkeypatch.setattr("artfish.blender_artfish.blender.jobs.WORK_SECONDS", (1e-5, 1e-5))
    other = bpy.data.scenes.new("Other")
    operator = Modal()
    for _ in range(5):
        operator.send("TIMER")
    before = names()
    bpy.context.window.scene = other
    bpy.data.scenes.remove(scene)
    while (result := operator.send("TIMER")) == {"RUNNING_MODAL"}:
        pass
    assert result == {"CANCELLED"}
    assert names() == before
    assert "given up: something it needs was deleted" in operator.reports[0][1]
    assert not operator.leftovers()


def test_the_bake_goes_into_its_scene_whichever_is_open_when_it_ends(scene):
    operator = Modal()
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    while operator.send("TIMER") == {"RUNNING_MODAL"}:
        pass
    assert "Artfish" in scene.collection.children
    assert not other.collection.children


def test_what_is_there_stays_and_one_undo_takes_the_bake_back(scene):
    scene.collection.objects.link(bpy.data.objects.new("Anemone", None))
    bpy.ops.ed.undo_push(message="Before")
    before = names()
    bpy.ops.artfish.bake("EXEC_DEFAULT", True)
    assert before < names()
    bpy.ops.ed.undo()
    assert names() == before


def test_bad_input_is_reported_in_one_line(monkeypatch):
    def refuse(name, species):
        raise SceneError("nothing", "a scene", file="reef.json")

    monkeypatch.setattr("artfish.core.Scene.load", refuse)
    with pytest.raises(RuntimeError, match="reef.json: found nothing, allowed a scene"):
        bpy.ops.artfish.bake()
    operator = Modal()
    while (result := operator.send("TIMER")) == {"RUNNING_MODAL"}:
        pass
    assert result == {"CANCELLED"}
    assert operator.reports == [({"ERROR"}, "reef.json: found nothing, allowed a scene")]
    assert not operator.leftovers()


def test_asks_for_object_mode(scene):
    obj = bpy.data.objects.new("Text", bpy.data.curves.new("Text", "FONT"))
    scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Go to Object Mode to bake"):
        bpy.ops.artfish.bake()
    bpy.ops.object.mode_set(mode="OBJECT")
