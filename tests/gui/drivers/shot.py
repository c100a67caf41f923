"""Follows docs/manual/shot.md with the real mouse: a step of the page, by its marker, is a function here.

The set is modelled by a script, as a modeller does it; all else is done by mouse and keyboard.
"""

import subprocess
import sys
import time
from contextlib import contextmanager

import bpy
import numpy as np
from driver import (
    OUT,
    box,
    capture,
    centre,
    click,
    click_operator,
    click_part,
    click_tab,
    close_panels,
    drag,
    enter,
    find_button,
    log,
    module,
    move,
    press,
    region,
    result,
    running,
    type_text,
    wait_redraw,
    wait_until,
)
from mathutils import Vector

sys.path.append("/gui/tests/drivers")
from adopt_tutorial import head  # noqa: E402
from tutorial import FIRST_ROW, LONG, fishes, objects_of, on_screen, scene  # noqa: E402

LAST, CUE = 240, 160
ROW = 20  # pixels of a row of the list
WATER, SET = "Water", ("Wall", "Boat", "Jar 1", "Jar 2", "Jar 3")
BAKE = "ARTFISH_OT_bake"


def block(name, at, size):
    """A box."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=at)
    bpy.context.object.name, bpy.context.object.scale = name, size
    return bpy.context.object


def shoal(species):
    """The shoal of a species."""
    return next(obj for obj in objects_of("SHOAL") if obj.artfish.shoal.species == species)


def chosen():
    """Names of what is selected."""
    return sorted(obj.name for obj in bpy.context.selected_objects)


def pick(places, done):
    """Clicks places of the scene, one after another, until what is to be selected is."""
    view = region("WINDOW")
    left, top, width, height = box(view)
    for place in places:
        at = on_screen(place)
        if at is None or not (left < at[0] < left + width and top < at[1] < top + height):
            continue
        yield from click(*at)
        log(f"clicked {at}: {chosen()}")
        until = time.monotonic() + 1.5
        while not done() and time.monotonic() < until:
            yield 0.1
        if done():
            return
    raise AssertionError(f"nothing of {[tuple(place) for place in places]} could be clicked; {chosen()} are selected")


@contextmanager
def shift():
    """The key Shift, down meanwhile."""
    subprocess.run(("xdotool", "keydown", "shift"), check=True)
    try:
        yield
    finally:
        subprocess.run(("xdotool", "keyup", "shift"), check=True)


def corners(obj):
    """Places on an object: its middle, and towards its corners."""
    middle = sum((Vector(corner) for corner in obj.bound_box), Vector()) / 8
    places = [middle, *(middle.lerp(Vector(corner), 0.6) for corner in obj.bound_box)]
    return [obj.matrix_world @ place for place in places]


def over_view():
    """The mouse over the 3D View."""
    yield from move(*centre(region("WINDOW")))


def row(species):
    """A click on the row of a shoal in the list of the panel Scene."""
    obj = shoal(species)
    yield from head("Scene")
    x, y = yield from find_button("artfish.save_scene")
    yield from click(x, y - FIRST_ROW + ROW * objects_of("SHOAL").index(obj))
    yield from wait_until(lambda: chosen() == [obj.name] and bpy.context.object == obj, LONG, f"{obj.name} selected")
    yield from head("Scene")


def moved_by(*along):
    """G, a number for each axis, and Enter."""
    yield from over_view()
    yield from press("g")
    for number, each in enumerate(along):
        if number:
            yield from press("Tab")
        yield from type_text(f"{each:g}")
    yield from press("Return")
    yield from wait_redraw()


def tick(prop):
    """A click on the checkbox of a property."""
    yield from click(*(yield from find_button(prop, across=0.41)))


def add(species, count, place, spread=None, turned=False):
    """Add Fishes, its row, and what they are and where."""
    before = set(objects_of("SHOAL"))
    yield from click_operator("artfish.add_shoal")
    yield from wait_until(lambda: set(objects_of("SHOAL")) > before, LONG, "a shoal")
    (obj,) = set(objects_of("SHOAL")) - before
    yield from row(obj.artfish.shoal.species)
    yield from head("Selected")
    yield from enter("shoal.species", species)
    yield from enter("shoal.count", str(count))
    if spread is not None:
        yield from enter("shoal.spread", str(spread))
    yield from tick("shoal.use_heading")
    yield from head("Selected")
    yield from moved_by(*place)
    if turned:
        yield from press("r", "z")
        yield from type_text("180")
        yield from press("Return")
    group = obj.artfish.shoal
    at = [round(each, 3) for each in (*obj.location, obj.rotation_euler.z)]
    return [group.species, group.count, round(group.spread, 3), group.use_heading, at]


def keys(species):
    """The keys of the baked fishes of a species, as hashes, by the names of what has them."""
    versions, provenance = module("blender_artfish.blender.versions"), module("blender_artfish.identity.provenance")
    found = {}
    for obj in scene().objects:
        if not provenance.of(obj, provenance.BAKE) or species not in obj.name.lower():
            continue
        for one in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
            for bag in versions.channelbags(one) if getattr(one, "animation_data", None) else ():
                for curve in bag.fcurves:
                    points = [0.0] * (2 * len(curve.keyframe_points))
                    curve.keyframe_points.foreach_get("co", points)
                    found[f"{obj.name} {one.name} {curve.data_path} {curve.array_index}"] = hash(tuple(points))
    return found


def baked(operator, **kwargs):
    """Clicks a button that bakes, and waits until it is done."""
    history = module("blender_artfish.bake.history")
    earlier = history.last(scene())
    yield from click(*(yield from find_button(operator)))
    yield from wait_until(
        lambda: not running(BAKE) and history.last(scene()) != earlier and history.last(scene()) is not None,
        2 * LONG,
        "the bake to end",
    )
    yield from wait_redraw(1.0)


# --- the steps ----------------------------------------------------------------------------------------------------


def model():
    """Deletes the cube; the set and the box come of a script."""
    yield from over_view()
    yield from press("Delete")
    result("cubes", [obj.name for obj in scene().objects if obj.name == "Cube"])
    block(SET[0], (3.0, 2.6, 0.6), (3.0, 0.3, 1.2))
    boat = block(SET[1], (-5, 2.6, 3.5), (1.2, 0.5, 0.3))
    boat.keyframe_insert("location", frame=1)
    boat.location.x = 5.0
    boat.keyframe_insert("location", frame=LAST)
    for number, name in enumerate(SET[2:]):
        bpy.ops.mesh.primitive_cylinder_add(radius=0.22, depth=0.6, location=(0.5 + 0.9 * number, -2.9, 0.3))
        bpy.context.object.name = name
    scene().render.fps = 24
    scene().frame_set(1)
    yield from shown()


def shown():
    """Home, with the mouse over the 3D View."""
    yield from over_view()
    yield from press("Home")
    yield from wait_redraw(1.0)


def find_and_click(what, across):
    """A click on the button of a command, at a share of the sidebar's width."""
    yield from click(*(yield from find_button(what, across=across)))
    yield from wait_redraw()


def obstacles():
    """N, the tab, a click, four with Shift, and Obstacle."""
    yield from over_view()
    yield from click_tab()
    result("tab", region("UI").active_panel_category)
    yield from head("Selected")
    yield from shown()
    wall, boat, *jars = (bpy.data.objects[name] for name in SET)
    yield from pick(corners(wall), lambda: chosen() == [wall.name])
    with shift():
        yield from pick(corners(boat), lambda: chosen() == sorted([wall.name, boat.name]))
        across, down = zip(*(on_screen(place) for jar in jars for place in corners(jar)), strict=True)
        yield from drag(min(across) - 8, min(down) - 8, max(across) + 8, max(down) + 8)
    result("selected", chosen())
    yield from find_and_click("artfish.mark(kind='OBSTACLE'", 0.2)
    result("obstacles", sorted(obj.name for obj in objects_of("OBSTACLE")))


def water():
    """The box comes of a script; a click on it, Tank, and Home."""
    block(WATER, (0, 0, 2), (14, 9, 4))
    bpy.context.object.select_set(False)
    yield from shown()
    yield from pick(corners(bpy.data.objects[WATER]), lambda: chosen() == [WATER])
    yield from find_and_click("artfish.mark(kind='TANK'", 0.45)
    result("tank", [obj.name for obj in objects_of("TANK")])
    yield from shown()
    yield from capture("set")
    yield from head("Selected")


def sardines():
    """Forty, on the left, and Home."""
    result("sardines", (yield from add("sardine", 40, (-3.8, -0.7, -0.5), spread=0.4)))
    yield from shown()


def shark():
    """One, on the right, turned, and a pacifist."""
    result("shark", (yield from add("reef_shark", 1, (6.4, -2.6, -0.4), turned=True)))
    yield from head("Habits")
    yield from click(*(yield from find_button("shoal.type")))
    yield from press("c")  # of Pacifist, as A, P and R are of those above
    yield from wait_redraw()
    result("type", shoal("reef_shark").artfish.shoal.type)
    yield from head("Habits")


def butterflyfish():
    """Six, by the amphorae."""
    result("butterflyfish", (yield from add("butterflyfish", 6, (1.4, -2.7, -1.0))))


def wants():
    """Hunger, ticked, for each."""
    for species in ("sardine", "reef_shark", "butterflyfish"):
        yield from row(species)
        yield from head("Direction")
        yield from tick("wants.use_hunger")
        yield from wait_redraw()
        yield from head("Direction")
    result("names", sorted(obj.name for obj in objects_of("SHOAL")))
    result("hunger", [[obj.artfish.wants.use_hunger, obj.artfish.wants.hunger] for obj in objects_of("SHOAL")])


def direct(kind):
    """A click on a button of the panel Direction."""
    yield from head("Direction")
    yield from find_and_click(f"artfish.add_direction(kind='{kind}'", 0.2)
    yield from head("Direction")


def way():
    """The sardines' row, Curve, and its points."""
    yield from row("sardine")
    yield from direct("curve")
    (curve,) = objects_of("DIRECTION")
    result("led", curve.artfish.direction.fishes.artfish.shoal.species)
    yield from over_view()
    yield from press("Tab", "a", "s")
    yield from type_text("0.4")
    yield from press("Return")
    yield from moved_by(-1.3, 0.0, -0.5)
    yield from over_view()
    yield from press("Tab")
    yield from wait_redraw()
    points = [curve.matrix_world @ point.co for point in curve.data.splines[0].bezier_points]
    result("way", [[round(each, 2) for each in point] for point in points])


def line():
    """The line of the selected direction, and whether it can be done."""
    asks = module("blender_artfish.direction.times").demand(scene(), bpy.context.object)
    return [asks.feasible, asks.line()]


def red_pixels(path, crop):
    """Pixels of a part of a picture that are red, as letters of an alert are."""
    image = bpy.data.images.load(str(path))
    (width, height), pixels = image.size, np.empty(4 * image.size[0] * image.size[1], np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    left, top, wide, high = crop
    seen = pixels.reshape(height, width, 4)[::-1][top : top + high, left : left + wide]
    return int(((seen[..., 0] > 0.6) & (seen[..., 0] > 1.6 * seen[..., 1])).sum())


def fit():
    """Start, Duration, Fit Time, and more time."""
    timing = bpy.context.object.artfish.curve
    yield from head("Selected")
    yield from enter("curve.start_in_frames", "25")
    yield from tick("curve.use_duration")
    yield from enter("curve.duration_in_frames", "30")
    result("too_fast", line())
    yield from capture("shot-way")
    result("red", red_pixels(OUT / "shot-way.png", box(region("UI"))))
    yield from find_and_click("artfish.fit_time", 0.2)
    result("fitted", [*line(), timing.duration_in_frames])
    yield from enter("curve.duration_in_frames", "192")
    result("timed", [*line(), timing.start_in_frames, timing.duration_in_frames])
    yield from head("Selected")


def cue():
    """The shark's row, Arrival, G, and its time."""
    yield from row("reef_shark")
    yield from direct("arrival")
    yield from moved_by(-4.4, -2.3, -0.5)
    mark = bpy.context.object
    yield from head("Selected")
    yield from enter("arrival.time_in_frames", str(CUE))
    yield from capture("cue")
    yield from head("Selected")
    led = mark.artfish.direction.fishes.artfish.shoal.species
    result("cue", [led, mark.artfish.arrival.time_in_frames, [round(each, 2) for each in mark.location]])


def bake():
    """Deliver, To, and Bake."""
    history = module("blender_artfish.bake.history")
    yield from click_part("DELIVER")
    yield from wait_redraw()
    yield from head("Bake")
    yield from enter("frame_end", str(LAST))
    yield from click(*(yield from find_button("bake.form")))
    yield from press("p")
    yield from wait_redraw()
    result("form", scene().artfish.bake.form)
    begun = time.monotonic()
    yield from baked("artfish.bake(")
    result("bake_seconds", round(time.monotonic() - begun, 1))
    recording = history.recording(history.last(scene()).id)
    result("frames", len(recording.nodes))
    arrived = [event for event in recording.events if event["kind"] == "arrived"]
    result("arrived", [[recording.species[event["fish"]], event["late"], event["off"]] for event in arrived])
    yield from capture("baked")
    yield from head("Bake")


def change():
    """Make, the row, Spread, Deliver, and Bake Selected Only."""
    others, own = {**keys("sardine"), **keys("reef shark")}, keys("butterflyfish")
    yield from click_part("MAKE")
    yield from wait_redraw()
    yield from row("butterflyfish")
    yield from head("Selected")
    yield from enter("shoal.spread", "1.2")
    yield from head("Selected")
    yield from click_part("DELIVER")
    yield from wait_redraw()
    yield from head("Bake")
    yield from baked("artfish.bake(scope='SELECTED'")
    yield from head("Bake")
    result("kept", [len(others), {**keys("sardine"), **keys("reef shark")} == others])
    result("changed", [len(own), keys("butterflyfish") != own])
    yield from capture("changed")


def look():
    """A click on a sardine, and Look at Fish."""
    provenance, whole = module("blender_artfish.identity.provenance"), module("blender_artfish.bake.whole_fish")
    scene().frame_set(110)
    yield from over_view()
    yield from press("Home")
    yield from wait_redraw(1.0)
    roots = [obj for obj in fishes() if "sardine" in obj.name.lower()]
    of_fish = lambda: any(provenance.of(obj, provenance.BAKE) for obj in bpy.context.selected_objects)  # noqa: E731
    yield from pick([middle(root) for root in roots], of_fish)
    yield from head("Selected")
    yield from click_operator("artfish.watch_fish")
    yield from wait_redraw()
    looked_at = [each.target for each in scene().camera.constraints if each.type == "TRACK_TO"]
    result("looked_at", [whole.root_of(each).name if whole.root_of(each) else each.name for each in looked_at])
    yield from capture("looked")
    yield from head("Selected")


def middle(root):
    """The middle of a fish's own parts."""
    graph = bpy.context.evaluated_depsgraph_get()
    parts = [obj.evaluated_get(graph) for obj in (root, *root.children) if obj.type in ("MESH", "SURFACE")]
    part = max(parts, key=lambda each: each.dimensions.length)
    return part.matrix_world @ (sum((Vector(corner) for corner in part.bound_box), Vector()) / 8)


def film():
    """A click on the shark, Film This Fish, and Edit."""
    shots = module("blender_artfish.filming.shots")
    (root,) = [obj for obj in fishes() if "shark" in obj.name.lower()]
    own = lambda: any(obj == root or obj.parent == root for obj in bpy.context.selected_objects)  # noqa: E731
    yield from pick([middle(root)], own)
    yield from head("Cinematographer")
    yield from click_operator("artfish.film_fish")
    yield from wait_until(lambda: len(shots.shots_of(scene())) == 1, LONG, "a shot")
    first = shots.shots_of(scene())[0].name
    left, top, width, height = box(region("UI"))
    yield from click(left + width // 2, top + height // 2, button=5, times=12)  # down to Shots
    yield from click_operator("artfish.film_edit")
    yield from wait_until(lambda: len(shots.shots_of(scene())) > 3, LONG, "an edit")
    yield from wait_redraw(1.0)
    names = [camera.name for camera in shots.shots_of(scene())]
    result("shots", [first, first in names, len(names)])
    cuts = [marker.frame for marker in scene().timeline_markers if marker.camera]
    result("cuts", sorted(cuts))
    yield from capture("film")


STEPS = (
    *(model, obstacles, water, sardines, shark, butterflyfish, wants),
    *(way, fit, cue, bake, change, look, film),
)


def main():
    """Takes the steps of the page, one after another."""
    close_panels()
    done = []
    for step in STEPS:
        yield from step()
        done.append(step.__name__)
        result("steps", done)
