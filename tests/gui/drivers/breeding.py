"""The panel Breeding with a real mouse: nine children at play, bred on, kept, and undone."""

import bpy
from driver import (
    area,
    capture,
    capture_panel,
    choose,
    click_operator,
    inside,
    module,
    open_only,
    open_tab,
    press,
    result,
    wait_redraw,
    wait_until,
)


def brood():
    """Names of the children of the last brood."""
    return [child.name for child in bpy.context.scene.artfish_breeding.brood]


def edited():
    """Names of the species in this file."""
    return [entry.name for entry in bpy.context.scene.artfish.species]


def family():
    """The count of species in this file, whether one is called pearl, and the count of parents that are presets."""
    settings = bpy.context.scene.artfish_breeding
    presets = sum(name in ("blue_tang", "clownfish") for name in (settings.mother, settings.father))
    return [len(edited()), "pearl" in edited(), presets]


def main():
    """Breeds twice while children play, keeps one, and undoes all of it."""
    settings = bpy.context.scene.artfish_breeding
    with inside():
        settings.mother, settings.father = "blue_tang", "clownfish"
        bpy.ops.ed.undo_push(message="Parents")
    open_only("ARTFISH_PT_breeding")
    yield from open_tab("Artfish")
    yield from click_operator("artfish.breed")
    yield from wait_until(lambda: len(brood()) == 9, 60)
    result("first", brood())
    area().spaces.active.shading.type = "MATERIAL"
    with inside():
        bpy.ops.artfish.live_play()
    live = module("blender_artfish.live.runtime")
    yield from wait_until(lambda: live.session_of(bpy.context.scene).shown >= 12, 120, "children to play")
    with inside():
        bpy.ops.artfish.live_play()  # paused
    yield from wait_redraw(2.0)
    yield from capture("children")
    fish = next(obj for obj in bpy.context.scene.objects if obj.get("artfish_row") == 6)
    with inside():
        choose(fish)
        bpy.ops.ed.undo_push(message="Chosen")
    yield from wait_redraw()
    yield from click_operator("artfish.breed_parent")
    settings = bpy.context.scene.artfish_breeding
    result("parents", sorted((settings.mother, settings.father)))
    yield from click_operator("artfish.breed")
    yield from wait_until(lambda: brood()[0] != "blue_tang_clownfish_1", 60)
    result("second", brood())
    with inside():
        choose(bpy.context.scene.artfish_breeding.brood[4].shoal)
        bpy.ops.ed.undo_push(message="Chosen again")
    yield from wait_redraw()
    yield from capture_panel("panel", "ARTFISH_PT_breeding")
    with inside():
        bpy.ops.artfish.breed_keep("EXEC_DEFAULT", True, name="pearl")
    yield from wait_redraw()
    result("kept", "pearl" in edited())
    seen = [family()]
    for _ in range(10):
        yield from press("ctrl+z")
        yield from wait_redraw(1.0)
        if family() != seen[-1]:
            seen.append(family())
        if not edited():
            break
    result("undone", seen)
