"""The gallery with a real mouse: it opens beside the view, is searched, and closes when a scene is chosen."""

import bpy
from driver import (
    capture,
    capture_region,
    click,
    click_operator,
    find_button,
    open_tab,
    press,
    result,
    type_text,
    wait_redraw,
)


def shown():
    """True while the gallery is open."""
    return bpy.context.window_manager.artfish_gallery.shown


def main():
    """Opens the gallery, types a word, and clicks the scene that is left; opens and closes it again."""
    yield from open_tab("Artfish")
    yield from click_operator("artfish.presets")
    yield from wait_redraw(1.0)
    result("opened", [shown(), (yield from capture("gallery"))])
    yield from capture_region("sidebar")
    yield from click(*(yield from find_button("artfish_gallery.search")))
    yield from type_text("kelp")
    yield from wait_redraw(1.0)
    result("searched", (yield from capture("searched")))
    yield from press("Return")
    yield from click_operator("artfish.load_preset")
    yield from wait_redraw(1.0)
    shoals = sorted(obj.artfish.shoal.species for obj in bpy.context.scene.objects if obj.artfish.kind == "SHOAL")
    result("picked", [shown(), shoals, (yield from capture("picked"))])
    for name in ("again", "closed"):
        yield from click_operator("artfish.presets")
        result(name, shown())
