"""A dive with a real mouse and keyboard: it obeys, is kept as a camera, undone in one step, and leaves nothing."""

import json
import sys

import bpy
import driver
from driver import (
    EXTENSION,
    capture_panel,
    capture_region,
    centre,
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


def vessel():
    """The submarine."""
    return session().world.submarine


def hold(name: str, frames: int, picture: str = ""):
    """Holds a key down for some frames of the film, and takes a picture of the view then."""
    first = session().shown
    driver._run("xdotool", "keydown", name)
    yield from wait_until(lambda: session().shown >= first + frames, 90, what=f"{name} to be held")
    if picture:
        yield from capture_region(picture, "WINDOW")
    driver._run("xdotool", "keyup", name)
    yield from wait_redraw()


def begin():
    """Dives, with the mouse in the view, as the button does."""
    yield from move(*centre(region("WINDOW")))
    with inside():
        bpy.ops.artfish.dive("INVOKE_DEFAULT")
    yield from wait_redraw()


def main():
    """Dives among the fishes of the reef, keeps the ride, undoes it in one step, and disables the extension."""
    open_panels()
    enabled = registered()
    yield from open_tab("Artfish")
    with inside():
        bpy.ops.artfish.load_preset(preset="reef")
    yield from click_operator("artfish.live_play")
    yield from wait_until(lambda: session() is not None and session().rehearsal.frames > 8, 90, what="fishes to swim")
    yield from capture_panel("dive_panel", "ARTFISH_PT_dive")
    scene = window().scene
    bpy.data.batch_remove([scene.objects[name] for name in ("Cube", "Light")])
    view = next(area for area in window().screen.areas if area.type == "VIEW_3D").spaces.active
    view.overlay.show_extras = view.overlay.show_floor = view.overlay.show_cursor = False
    cameras = set(bpy.data.cameras.keys())

    # It goes into the water, and obeys keys, wheel and mouse.
    yield from begin()
    result("diving", running("ARTFISH_OT_dive"))
    size = session().world.scene.tank.size
    result("in_water", all(0 < x < side for x, side in zip(vessel().place, size, strict=True)))
    yield from hold("w", 14)
    result("speed", vessel().speed)
    azimuth = vessel().azimuth
    driver._run("xdotool", "keydown", "w")
    yield from hold("a", 10, "dive_view")
    driver._run("xdotool", "keyup", "w")
    result("turned", vessel().azimuth - azimuth)
    driver._run("xdotool", "click", "4")
    yield from wait_redraw()
    result("wheel", float(vessel().controls[0]))
    x, y = centre(region("WINDOW"))
    yield from move(x, y)
    driver._run("xdotool", "mousedown", "1")
    yield from move(x + 30, y - 30)
    yield from move(x + 90, y - 90)
    yield from wait_redraw(1.5)
    result("dragged", [float(vessel().controls[2]), float(vessel().controls[3])])
    driver._run("xdotool", "mouseup", "1")
    yield from wait_redraw()
    result("let_go", [float(vessel().controls[2]), float(vessel().controls[3])])
    yield from press("space")
    result("stopped", vessel().controls.tolist())

    # Esc keeps the ride; undo takes all of it back.
    yield from press("Escape")
    yield from wait_until(lambda: not running("ARTFISH_OT_dive"), what="the dive to end")
    yield from wait_redraw()
    result("camera", scene.camera.name)
    bag = scene.camera.animation_data.action.layers[0].strips[0].channelbags[0]
    result("keys", [[curve.data_path, len(curve.keyframe_points)] for curve in bag.fcurves])
    result("orders", [order["order"] for order in json.loads(scene.artfish_dive.ride)["orders"]])
    result("plays", window().screen.is_animation_playing)
    yield from press("ctrl+z")
    yield from wait_until(lambda: not session().lost and not session().dirty and session().goal is None, what="undo")
    scene = window().scene
    result("undone", [set(bpy.data.cameras.keys()) == cameras, scene.artfish_dive.ride])

    # Without the extension while somebody dives, and with it again.
    yield from begin()
    result("diving_again", running("ARTFISH_OT_dive"))
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield from press("space")  # the animation has a timer of its own
    left = [name for names in registered()["handlers"].values() for name in names if "artfish" in name]
    result("left", left)
    result("left_ticks", (yield from ticks()))
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    result("came_back", registered() == enabled)
