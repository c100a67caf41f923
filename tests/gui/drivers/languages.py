"""The sidebar in German and in Japanese, back in English, and English beside a German Blender."""

import subprocess

import bpy
from driver import (
    EXTENSION,
    OUT,
    capture_region,
    choose,
    inside,
    module,
    open_tab,
    result,
    wait_redraw,
    wait_until,
)

LANGUAGES = {"de": "de_DE", "ja": "ja_JP"}
PARTS = "MAKE", "WATCH", "DELIVER"
ADD, SPECIES, HELP = "Add Fishes", "Species", "Which fishes"


def words():
    """A button, a property, a tool tip, a sentence put together, and one of the simulation."""
    words, sentences = module("blender_artfish.blender.words"), module("blender_artfish.languages.sentences")
    look = bpy.app.translations.pgettext_iface
    return [
        look(ADD, words.BUTTONS),
        look(SPECIES, words.WORDS),
        bpy.app.translations.pgettext_tip(HELP),
        words.counted(3, "{count} fish", "{count} fishes"),
        look("Set Speed (m/s)", words.WORDS),
        sentences.understood("Fear 0.31, flees above 0.25"),
    ]


def main():
    """Shows the three parts in each language, with a shoal that is selected."""
    view, following = bpy.context.preferences.view, module("blender_artfish.languages.following")
    result("english", words())
    with inside():
        bpy.ops.artfish.load_preset(preset="reef")
    choose(next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL"))
    for name, language in LANGUAGES.items():
        view.language = language
        yield from wait_until(lambda name=name: spoken(following) == name, 10, "the language to be followed")
        result(name, words())
        for part in PARTS:
            yield from open_tab("Artfish")
            bpy.context.window_manager.artfish_part = part
            yield from wait_redraw(1.0)
            yield from capture_region(f"{name}-{part.lower()}", "UI", "VIEW_3D")
        pictures = [OUT / f"{name}-{part.lower()}.png" for part in PARTS]
        subprocess.run(["convert", *pictures, "+append", OUT / f"{name}.png"], check=True)  # side by side
    view.language = LANGUAGES["de"]
    yield from wait_until(lambda: spoken(following) == "de", 10, "German")
    own = bpy.context.preferences.addons[EXTENSION].preferences
    own.language = "ENGLISH"
    result("kept", words())
    own.language = "BLENDER"
    result("again", words())
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    look = bpy.app.translations.pgettext_iface
    result("gone", [look(ADD, "Artfish Operator"), look(SPECIES, "Artfish")])
    view.language = "en_US"
    yield 0.5


def spoken(following):
    """The language that Artfish speaks."""
    return module("blender_artfish.blender.runtime").of(following.Spoken).language
