"""Panels in another language: no text that a catalog has is drawn in English."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime, words
from artfish.blender_artfish.languages import following
from artfish.blender_artfish.languages.catalog import CATALOGS, read
from artfish.tests.blender.drawing import drawn

GERMAN = read(CATALOGS / "de.po")
LEFT = {text for (_, text), local in GERMAN.items() if text != local}
"""Messages that are something else in German."""


@pytest.fixture(autouse=True)
def german(fresh_file: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The add-on, in a Blender that speaks German."""
    messages = following.messages(GERMAN)
    look = SimpleNamespace(pgettext_iface=lambda text, context="*": messages.get((context, text), text))
    monkeypatch.setattr(words, "catalogs", look)
    blender_artfish.register()
    yield
    blender_artfish.unregister()
    runtime.drop(following.Spoken)


@pytest.mark.film
def test_no_panel_draws_english():
    bpy.ops.artfish.load_preset(preset="directed")
    bpy.ops.artfish.species_pick(name="clownfish")
    shoal = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")
    bpy.context.view_layer.objects.active = shoal
    shoal.select_set(True)
    panels = [cls for room in blender_artfish.rooms() for cls in room.CLASSES if issubclass(cls, bpy.types.Panel)]
    count, english = 0, []
    for part in ("MAKE", "WATCH", "DELIVER", "MORE"):
        bpy.context.window_manager.artfish_part = part
        for panel in panels:
            if "snake" in panel.__name__ or hasattr(panel, "poll") and not panel.poll(bpy.context):
                continue
            said = {text for text in drawn(panel).words if text} - {*bpy.data.objects.keys()}
            count += len(said)
            english += [f"{panel.__name__}: {text}" for text in sorted(said & LEFT)]
    assert count > 50
    assert english == []
