"""Follows docs/manual/adopt.md with the real mouse: a step of the page, by its marker, is a function here."""

import sys

import bpy
from driver import (
    OUT,
    area,
    box,
    capture,
    centre,
    click,
    click_operator,
    click_part,
    click_tab,
    close_panels,
    enter,
    find_button,
    move,
    panels,
    press,
    region,
    result,
    running,
    search,
    wait_redraw,
    wait_until,
    window,
)

sys.path.append("/gui/tests/drivers")
from adopt import model  # noqa: E402
from tutorial import LONG, scene, session  # noqa: E402

HEAD = 28  # pixels from one closed panel's head to the next one's
TOP = 95  # pixels of what is always at the top
FILE = OUT / "perch.obj"


def swarm():
    """Every fiftieth vertex of the fishes' meshes, in the world."""
    graph = bpy.context.evaluated_depsgraph_get()
    found = []
    for obj in scene().objects:
        if obj.type == "MESH" and ("artfish_row" in obj or (obj.parent and "artfish_row" in obj.parent)):
            seen = obj.evaluated_get(graph)
            found += [seen.matrix_world @ vertex.co for vertex in list(seen.data.vertices)[::50]]
    return found


def heads():
    """The panels at the top of the sidebar, in their order."""
    here = [each for each in panels() if each.bl_space_type == "VIEW_3D" and "HIDE_HEADER" not in each.bl_options]
    return sorted(here, key=lambda each: each.bl_order)


def head(label):
    """A click on the head of a panel, while those above it are closed."""
    shown = [each.bl_label for each in heads() if not hasattr(each, "poll") or each.poll(bpy.context)]
    left, top, _, _ = box(region("UI"))
    yield from click(left + 70, top + TOP + HEAD // 2 + HEAD * shown.index(label))
    yield from wait_redraw()


# --- the steps ----------------------------------------------------------------------------------------------------


def bring():
    """Deletes the cube, and chooses File > Import."""
    yield from move(*centre(region("WINDOW")))
    yield from press("a", "Delete")
    yield from search("wavefront obj import")
    yield from wait_until(lambda: any(each.type == "FILE_BROWSER" for each in window().screen.areas), LONG, "files")
    params = area("FILE_BROWSER").spaces.active.params
    params.directory, params.filename = str(OUT).encode(), FILE.name
    yield from wait_redraw(1.0)
    yield from capture("files")
    yield from move(*centre(region("WINDOW", "FILE_BROWSER")))
    yield from press("Return")
    yield from wait_until(lambda: "Perch" in bpy.data.objects, LONG, "the model")
    yield from wait_redraw(1.0)
    result("brought", [obj.name for obj in scene().objects])


def select():
    """A click beside it, and A."""
    left, top, width, height = box(region("WINDOW"))
    yield from click(left + width // 2, top + height - 60)
    yield from press("a")
    result("selected", [obj.name for obj in bpy.context.selected_objects])


def tab():
    """N, the tab, and the head of the panel."""
    yield from move(*centre(region("WINDOW")))
    yield from click_tab()
    result("tab", region("UI").active_panel_category)
    yield from click_part("MORE")
    yield from head("Adopt a Fish")


def look():
    """A click."""
    yield from click_operator("artfish.adopt_look")
    yield from wait_until(lambda: scene().artfish_adoption.called != "", LONG, "a look at the model")
    result("guessed", [scene().artfish_adoption.ahead, scene().artfish_adoption.up])
    yield from wait_redraw()
    yield from capture("looked")


def correct():
    """Its name and its length; nose and back are right."""
    yield from enter("artfish_adoption.called", "river perch")
    yield from enter("artfish_adoption.length", "0.4")


def adopt():
    """A click."""
    yield from click_operator("artfish.adopt")
    yield from wait_until(lambda: len(scene().artfish.species) == 1, LONG, "a species")
    result("adopted", scene().artfish.species[0].name)
    yield from capture("adopted")
    yield from head("Adopt a Fish")


def add():
    """A click, and the name into the field."""
    yield from click_operator("artfish.add_shoal")
    yield from head("Selected")
    yield from enter("artfish.shoal.species", "river_perch")
    (shoal,) = [obj for obj in scene().objects if obj.artfish.kind == "SHOAL"]
    result("added", [shoal.artfish.shoal.species, shoal.artfish.shoal.count])
    yield from head("Selected")


def play():
    """A click, and they swim as the model."""
    yield from click_operator("artfish.live_play")
    yield from wait_until(lambda: len(swarm()) > 0, LONG, "fishes")
    before = swarm()
    yield from wait_until(lambda: scene().frame_current > 12 or swarm() != before, LONG, "frames")
    yield 2.0
    result("swam", max((b - a).length for a, b in zip(before, swarm(), strict=True)))
    result("live_species", session().recording().species[0])
    yield from capture("playing")


def bake():
    """The form Mesh, and Bake."""
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield from wait_until(lambda: not window().screen.is_animation_playing, LONG, "the pause")
    yield from click_part("DELIVER")
    yield from wait_redraw()
    yield from head("Bake")
    yield from enter("frame_end", "36")
    yield from click(*(yield from find_button("bake.form")))
    yield from press("m")
    yield from wait_redraw()
    result("form", scene().artfish.bake.form)
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running("ARTFISH_OT_bake"), LONG, "the bake to begin")
    yield from wait_until(lambda: not running("ARTFISH_OT_bake"), LONG, "the bake to end")
    yield from wait_redraw(1.0)
    fishes = [obj for obj in scene().objects if "artfish_row" in obj]
    result("baked", [len(fishes), sorted({fish.type for fish in fishes})])
    skins = {obj.data for obj in scene().objects if obj.type == "MESH" and obj.parent in fishes}
    result("worn", [[len(skin.vertices) for skin in skins], sorted(m.name for skin in skins for m in skin.materials)])
    yield from move(*centre(region("WINDOW")))
    if window().screen.is_animation_playing:
        yield from press("space")
    scene().frame_set(2)
    before = swarm()
    yield from press("space")
    yield from wait_until(lambda: scene().frame_current > 8, LONG, "the film to play")
    yield from press("space")
    result("film_swam", max((b - a).length for a, b in zip(before, swarm(), strict=True)))
    yield from wait_redraw()
    yield from capture("film")


STEPS = (bring, select, tab, look, correct, adopt, add, play, bake)


def main():
    """Writes a model to a file, removes it from the scene, and takes the steps of the page."""
    bpy.context.preferences.view.filebrowser_display_type = "SCREEN"
    fish = model()
    bpy.ops.object.select_all(action="DESELECT")
    fish.select_set(True)
    bpy.ops.wm.obj_export(filepath=str(FILE), export_selected_objects=True)
    bpy.data.objects.remove(fish)
    for each in (*bpy.data.meshes, *bpy.data.materials):
        if each.users == 0 or each.name.startswith("Perch"):
            (bpy.data.meshes if isinstance(each, bpy.types.Mesh) else bpy.data.materials).remove(each)
    close_panels()
    done = []
    for step in STEPS:
        yield from step()
        done.append(step.__name__)
        result("steps", done)
