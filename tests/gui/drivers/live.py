"""Live play with a real mouse and keyboard: first fishes, going back, feeding, steering, undo, other files."""

import sys

import bpy
import driver
from bpy_extras import view3d_utils
from driver import (
    EXTENSION,
    OUT,
    area,
    box,
    capture,
    capture_panel,
    centre,
    click,
    click_operator,
    inside,
    move,
    open_panels,
    open_tab,
    press,
    region,
    registered,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
    window,
)


def room(name: str):
    """A module of the extension."""
    return next(found for full, found in sys.modules.items() if full.endswith(f"artfish.blender_artfish.{name}"))


def session():
    """The session of live play in the window's scene."""
    return room("live.runtime").session_of(window().scene)


def food() -> int:
    """Pieces of food in the water at the frame shown."""
    return int(session().rehearsal[session().shown]["plankton_alive"].sum())


def ours() -> int:
    """Objects that play live."""
    return sum(map(room("identity.references").is_ours, bpy.data.objects))


def key(way: str, name: str) -> None:
    """Holds a key down, or lets it go."""
    driver._run("xdotool", way, name)


def invoke(name: str):
    """Begins an operator with the mouse in the view, as its button does."""
    yield from move(*centre(region("WINDOW")))
    with inside():
        getattr(bpy.ops.artfish, name)("INVOKE_DEFAULT")
    yield from wait_redraw()


def place_of(row: int) -> tuple[int, int]:
    """The place of a fish on the screen."""
    shown, space = region("WINDOW"), area().spaces.active.region_3d
    at = view3d_utils.location_3d_to_region_2d(shown, space, session().fishes[row].root.location)
    left, top, _, height = box(shown)
    return round(left + at.x), round(top + height - at.y)


def alone() -> list[bool]:
    """True for each fish that is drawn by itself."""
    return [len(fish.root.data.vertices) > 2 for fish in session().fishes]


def chosen() -> list:
    """Rows of the fishes that are selected, and that of the active one."""
    layer = window().view_layer
    rows = [row for row, fish in enumerate(session().fishes) if fish.root.select_get(view_layer=layer)]
    active = [row for row, fish in enumerate(session().fishes) if fish.root == layer.objects.active]
    others = [obj.name for obj in layer.objects.selected if "artfish_row" not in obj]
    return [rows, active, others]


def look() -> None:
    """Frames the selected objects in the view."""
    with inside():
        bpy.ops.view3d.view_selected()


def main():
    """Plays fishes live: picks, goes back, feeds, frightens, steers, changes files, and disables the extension."""
    open_panels()
    enabled = registered()
    path = str(OUT / "saved.blend")

    # Two clicks, after that on the tab.
    yield from open_tab("Artfish")
    yield from click_operator("artfish.add_shoal")
    yield from click_operator("artfish.live_play")
    yield from wait_until(lambda: session() is not None and session().rehearsal.frames > 8, what="fishes to swim")
    result("fishes", len(session().fishes))
    look()
    yield from wait_redraw(1.0)
    yield from capture("first_fish")
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield 0.5
    frames = session().rehearsal.frames
    yield 0.5
    result("pauses", session().rehearsal.frames == frames)
    yield from press("space")
    yield from wait_until(lambda: session().rehearsal.frames > frames + 2, what="fishes to swim on")
    yield from press("space")

    # A click on a fish selects it, another adds one, and undo comes back to the first.
    picked = []
    for row, keys in ((0, ()), (3, ("shift",))):
        place = place_of(row)
        for name in keys:
            key("keydown", name)
        yield from click(*place)
        for name in keys:
            key("keyup", name)
        yield from wait_until(lambda at=row: session().fishes[at].root.select_get(), what="the fish to be selected")
        picked.append(chosen())
    yield from capture("picked")
    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    yield from wait_until(lambda: not session().lost, what="undo")
    yield from wait_redraw(0.5)
    picked.append(chosen())
    result("picked", picked)
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    yield from wait_until(lambda: not any(alone()), what="one mesh to draw them all")
    with inside():
        bpy.ops.object.select_all(action="SELECT")
    yield from wait_until(lambda: all(alone()), what="each to be drawn by itself")
    with inside():
        bpy.ops.object.select_all(action="DESELECT")

    # Back, and far ahead.
    scene, frames = window().scene, session().rehearsal.frames
    scene.frame_set(3)
    result("goes_back", [session().shown, session().rehearsal.frames == frames])
    scene.frame_set(200)
    at_first = session().shown
    result("word", room("live.texts").status_text(session().status()))
    yield from capture_panel("catching_up", "ARTFISH_PT_live")
    yield from wait_until(lambda: session().goal is None, 120, what="frame 200")
    result("ahead", [at_first, session().shown])

    # Food and fright where the mouse is; Ctrl Z takes the fright back.
    scene.frame_set(20)
    yield from wait_redraw()
    yield from invoke("feed")
    result("feeding", running("ARTFISH_OT_feed"))
    yield from click(*centre(region("WINDOW")))
    yield from wait_redraw()
    result("food", food())
    yield from capture("feeding")
    yield from press("Escape")
    result("fed", not running("ARTFISH_OT_feed"))
    yield from invoke("frighten")
    yield from click(*centre(region("WINDOW")))
    afraid = float(session().rehearsal[session().shown]["fear"].max())
    yield from press("Escape")
    yield from press("ctrl+z")
    yield from wait_until(lambda: not session().lost and not session().dirty and session().goal is None, what="undo")
    result("fear", [afraid, float(session().rehearsal[session().shown]["fear"].max())])
    result("food_stays", food())
    scene = window().scene

    # A slider while it plays.
    fish = session().fishes[0].root
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
        fish.select_set(True)
        window().view_layer.objects.active = fish
    yield from wait_redraw()
    scene.artfish_live.libido = 0.8
    yield from wait_redraw()
    yield from capture_panel("live", "ARTFISH_PT_live")
    result("libido", float(session().rehearsal[session().shown]["libido"][0]))

    # Become a fish.
    look()
    yield from invoke("steer")
    result("steering", running("ARTFISH_OT_steer"))
    yield from move(*centre(region("WINDOW")))
    first = session().shown
    key("keydown", "a")
    yield from wait_until(lambda: session().shown > first + 6, 60, what="to be a fish")
    result("steered", session().world.steered.tolist())
    yield from capture("become_a_fish")
    key("keyup", "a")
    yield 0.5
    yield from press("Escape")
    yield 0.5
    result("let_go", [running("ARTFISH_OT_steer"), session().world.steered.tolist()])
    yield from press("Escape")
    yield 0.5

    # The file is saved, another opened and a new one made while it plays.
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=path)
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield 1.0
    with inside():
        bpy.ops.wm.read_homefile()
    yield 0.5
    result("new", {"ticks": (yield from ticks()), "same": registered() == enabled, "ours": ours()})
    with inside():
        bpy.ops.wm.open_mainfile(filepath=path)
    yield 0.5
    result("open", {"playing": session() is not None, "ours": ours()})
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield from wait_until(lambda: session() is not None and session().shown > 0, what="space to begin live play")
    result("again", [len(session().fishes), ours()])

    # Without the extension, while a fish is steered, and with it again.
    yield from invoke("steer")
    result("steering_again", running("ARTFISH_OT_steer"))
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield from press("space")  # the animation has a timer of its own
    disabled = registered()
    result("left", [f for names in disabled["handlers"].values() for f in names if "artfish" in f])
    result("left_ticks", (yield from ticks()))
    result("stays", sum("artfish_live" in obj for obj in bpy.data.objects))
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    result("came_back", registered() == enabled)
    yield from open_tab("Artfish")
    yield from wait_redraw()
    yield from invoke("live_end")
    result("ended", ours())
