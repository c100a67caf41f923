"""Follows docs/manual/first_fish.md with the real mouse: a step of the page, by its marker, is a function here."""

import time

import bpy
from bpy_extras import view3d_utils
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
    drag,
    enter,
    find_button,
    module,
    move,
    press,
    region,
    result,
    running,
    search,
    wait_redraw,
    wait_until,
    window,
)
from mathutils import Vector

FIRST_ROW = 83  # pixels from Open Scene up to the first row of the list
LONG = 240  # seconds that a slow machine may take to what a quick one does in two


def scene():
    """The scene of the file."""
    return bpy.context.scene


def session():
    """The session of live play."""
    return module("blender_artfish.live.runtime").session_of(scene())


def notice() -> str:
    """The notice of live play in its panel."""
    texts = module("blender_artfish.live.texts")
    return texts.notice_text(session().notice)


def objects_of(kind):
    """The scene's objects of a kind."""
    return [obj for obj in scene().objects if obj.artfish.kind == kind]


def fishes():
    """Fishes that are live, or baked, by their rows."""
    found = {t["artfish_row"]: t for t in scene().objects if "artfish_row" in t}
    return [found[row] for row in sorted(found)]


def places():
    """Places of the fishes."""
    return [obj.matrix_world.translation.copy() for obj in fishes()]


def farthest(before, after):
    """The longest way of any fish, in metres."""
    return max((b - a).length for a, b in zip(before, after, strict=True))


def frames(count):
    """Waits until the animation has gone on by so many frames; past its end it begins again."""
    shown = []
    note = lambda *_: shown.append(True)  # noqa: E731
    bpy.app.handlers.frame_change_post.append(note)
    yield from wait_until(lambda: len(shown) >= count, LONG, f"{count} frames")
    bpy.app.handlers.frame_change_post.remove(note)


def on_screen(place):
    """A place of the scene on the screen, or None."""
    view = region("WINDOW")
    at = view3d_utils.location_3d_to_region_2d(view, area().spaces.active.region_3d, place)
    return None if at is None else (int(view.x + at.x), int(window().height - view.y - at.y))


# --- the steps ----------------------------------------------------------------------------------------------------


def tab():
    """Deletes the cube, presses N, and clicks the tab."""
    yield from move(*centre(region("WINDOW")))
    yield from press("Delete")
    result("cubes", [obj.name for obj in bpy.data.objects if obj.name == "Cube"])
    yield from click_tab()
    result("tab", region("UI").active_panel_category)


def add():
    """The second click."""
    yield from click_operator("artfish.add_shoal")
    (shoal,) = objects_of("SHOAL")
    result("added", [shoal.artfish.shoal.count, len(objects_of("TANK"))])
    yield from wait_redraw()
    yield from capture("first_fish-add")


def play():
    """The third click."""
    yield from click_operator("artfish.live_play")
    yield from wait_until(lambda: len(fishes()) == 6, LONG, "six fishes")
    before, begun = places(), time.monotonic()
    yield from frames(12)
    result("swam", farthest(before, places()))
    result("frames_a_second", 12 / (time.monotonic() - begun))
    yield from capture("first_fish-play")


def click_row(obj):
    """Clicks the first row of the list of shoals."""
    x, y = yield from find_button("artfish.load_scene")
    yield from click(x, y - FIRST_ROW)
    yield from wait_until(obj.select_get, LONG, "the shoal to be selected")


def shoal():
    """A click on its row, G, the mouse, and a click."""
    (obj,) = objects_of("SHOAL")
    yield from click_row(obj)
    before = obj.location.copy()
    x, y = centre(region("WINDOW"))
    yield from move(x, y)
    yield from press("g")
    for step in range(1, 6):
        yield from move(x - 20 * step, y - 6 * step)
    yield from click(x - 120, y - 36)
    yield from wait_until(lambda: notice().startswith("Began anew"), LONG, "fishes to begin anew")
    result("moved", [(obj.location - before).length, notice()])
    yield from frames(4)


def species():
    """Into the field of the species."""
    yield from enter("artfish.shoal.species", "blue_tang")
    (obj,) = objects_of("SHOAL")
    result("species", obj.artfish.shoal.species)
    yield from wait_until(lambda: session().recording().species[0] == "blue_tang", LONG, "blue tangs")
    yield from frames(8)
    yield from capture("first_fish-species")


def pick():
    """Pause, and a click on a fish."""
    yield from click_operator("artfish.live_play")
    yield from wait_redraw(0.5)
    result("paused", not window().screen.is_animation_playing)
    for obj in fishes():
        at = on_screen(obj.matrix_world @ (sum((Vector(c) for c in obj.bound_box), Vector()) / 8))
        left, top, width, height = box(region("WINDOW"))
        if at is None or not (left < at[0] < left + width and top < at[1] < top + height):
            continue
        yield from click(*at)
        if (yield from picked()):
            break
    result("picked", "artfish_row" in bpy.context.object)


def picked(seconds=8):
    """True once the click has found its fish, for which the mouse has to stay where it is meanwhile."""
    until = time.monotonic() + seconds
    while "artfish_row" not in bpy.context.object and time.monotonic() < until:
        yield 0.1
    return "artfish_row" in bpy.context.object


def feelings():
    """Two sliders."""
    settings, felt = scene().artfish_live, []
    for name in ("libido", "hunger"):
        x, y = yield from find_button(f"artfish_live.{name}")
        for _ in range(9):  # a slow machine loses some of the way
            if getattr(settings, name) < 0.8:
                yield from drag(x, y, x + 260, y)
        felt.append(getattr(settings, name))  # now: who is hungrier wants less to court
    result("feels", felt)


def mind():
    """Play, Watch, and look."""
    yield from click_operator("artfish.live_play")
    yield from click_part("WATCH")
    yield from frames(12)


def feed():
    """Feed, a click into the water, Esc."""
    before = list(session().rehearsal.acts)
    yield from click_operator("artfish.feed")
    yield from wait_until(lambda: running("ARTFISH_OT_feed"), LONG, "Feed")
    yield from click(*centre(region("WINDOW")))
    yield from wait_until(lambda: new_acts(before), LONG, "food")
    result("food", len(new_acts(before)))
    yield from press("Escape")
    yield from wait_until(lambda: not running("ARTFISH_OT_feed"), LONG, "Feed to end")
    yield from frames(8)
    yield from capture("first_fish-feed")


def new_acts(before):
    """Acts that were not there before; where the film has begun again meanwhile, those of later frames have gone."""
    return [act for act in session().rehearsal.acts if not any(act is one for one in before)]


def pillar():
    """F3, and the name of an operator."""
    yield from search("pillar")
    result("pillars", [obj.name for obj in objects_of("OBSTACLE")])
    yield from wait_until(lambda: session().world.scene.obstacles, LONG, "the pillar to stand in the water")
    yield from frames(4)


def bake():
    """Pause, length, stage, and Bake."""
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield from wait_until(lambda: not window().screen.is_animation_playing, LONG, "the pause")
    yield from click_part("DELIVER")
    yield from wait_redraw(1.0)
    yield from enter("frame_end", "48")
    result("end", scene().frame_end)
    yield from click(*(yield from find_button("bake.stage")))
    yield from click(*(yield from find_button("bake.film")))
    result("stage", [scene().artfish.bake.stage, scene().artfish.bake.film])
    yield from click_operator("artfish.bake")
    yield from wait_until(lambda: running("ARTFISH_OT_bake"), LONG, "the bake to begin")
    yield from wait_until(lambda: not running("ARTFISH_OT_bake"), LONG, "the bake to end")
    yield from wait_redraw(1.0)
    scene().frame_set(2)
    before = places()
    scene().frame_set(24)
    result("baked", [len(fishes()), farthest(before, places()), session() is None])


def camera():
    """Numpad 0."""
    yield from move(*centre(region("WINDOW")))
    yield from press("KP_Insert")
    yield from wait_until(lambda: area().spaces.active.region_3d.view_perspective == "CAMERA", LONG, "the camera")
    yield from press("Home")  # the whole of its picture
    yield 1.0
    seen = scene().camera
    result("camera", seen.name)
    corners = [on_screen(seen.matrix_world @ corner) for corner in seen.data.view_frame(scene=scene())]
    (left, right), (top, bottom) = ((min(at), max(at)) for at in zip(*corners, strict=True))
    yield from capture("first_fish-camera", (left, top, right - left, bottom - top))


def render():
    """F12, in small."""
    done = []
    note = lambda *_: done.append(True)  # noqa: E731
    bpy.app.handlers.render_complete.append(note)
    render = scene().render
    render.resolution_percentage = 20
    if render.engine == "CYCLES":
        scene().cycles.samples = 4
    elif hasattr(scene().eevee, "taa_render_samples"):
        scene().eevee.taa_render_samples = 1
    yield from press("F12")
    yield from wait_until(lambda: done, LONG, "the picture")
    bpy.app.handlers.render_complete.remove(note)
    yield 1.0
    bpy.data.images["Render Result"].save_render(str(OUT / "rendered.png"))
    image = bpy.data.images.load(str(OUT / "rendered.png"))
    result("rendered", list(image.size))
    bpy.data.images.remove(image)
    yield from press("Escape")
    for other in bpy.context.window_manager.windows[1:]:  # no window manager is here that would close it
        with bpy.context.temp_override(window=other):
            bpy.ops.wm.window_close()
    yield from wait_redraw(1.0)


def cue():
    """Make, the shoal's row, an arrival, G, and a time."""
    yield from move(*centre(region("WINDOW")))
    yield from press("KP_Insert")
    yield from click_part("MAKE")
    yield from wait_redraw(1.0)
    (obj,) = objects_of("SHOAL")
    yield from click_row(obj)
    yield from search("arrival")
    yield from wait_until(lambda: objects_of("DIRECTION"), LONG, "the arrival")
    (goal,) = objects_of("DIRECTION")
    result("leads", [goal.artfish.direction.kind, goal.artfish.direction.fishes == obj])
    before = goal.location.copy()
    x, y = centre(region("WINDOW"))
    yield from move(x, y)
    yield from press("g")
    for step in range(1, 6):
        yield from move(x + 20 * step, y)
    yield from click(x + 100, y)
    yield from wait_redraw(1.0)
    result("goal", (goal.location - before).length)
    yield from enter("arrival.time_in_frames", "100")
    result("due", goal.artfish.arrival.time_in_frames)


def arrive():
    """Bake, and count who is there."""
    history = module("blender_artfish.bake.history")
    earlier = history.last(scene()).id
    yield from click_part("DELIVER")
    yield from wait_redraw()
    yield from enter("frame_end", "120")
    yield from click_operator("artfish.bake")
    done = lambda: history.last(scene()).id != earlier and not running("ARTFISH_OT_bake")  # noqa: E731
    yield from wait_until(done, LONG, "the bake to end")
    events = [event for event in history.recording(history.last(scene()).id).events if event["kind"] == "arrived"]
    result("arrived", [len({event["fish"] for event in events}), max(event["late"] for event in events)])
    model, radius = history.recording(history.last(scene()).id).species_models["blue_tang"], 0.5  # metres, as declared
    result("off", [max(event["off"] for event in events), radius / model.length + 1.0])


STEPS = (tab, add, play, shoal, species, pick, feelings, mind, feed, pillar, bake, camera, render, cue, arrive)


def main():
    """Takes the steps of the page, one after another."""
    done = []
    for step in STEPS:
        yield from step()
        done.append(step.__name__)
        result("steps", done)
