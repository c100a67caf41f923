"""The Mind and Fish View panels with a baked film: photographs, steps through intentions, and a fish's eyes."""

import bpy
import numpy as np
from driver import (
    area,
    capture_panel,
    capture_region,
    centre,
    click,
    click_operator,
    find_button,
    inside,
    leave_only,
    module,
    move,
    open_panels,
    open_tab,
    press,
    region,
    result,
    wait_redraw,
)
from mathutils import Euler, Vector

FRAMES = 100
SWITCHES = ("field", "seen", "focus", "words", "preferences", "currents", "chart")
SCENE = {
    "name": "minds",
    "fps": 24,
    "duration": 10.0,
    "tank": {"size": [7.0, 5.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [4.6, 3.2, 0.0], "radius": 0.35, "height": 3.0}],
    "current": [{"kind": "vortex", "at": [3.5, 2.5, 0.0], "direction": [0, 0, 1], "strength": 0.08, "radius": 1.0}],
    "fishes": [
        {"species": "cardinalfish", "count": 12, "at": [3.3, 2.5, 1.5], "spread": 0.8},
        {"species": "grouper", "count": 1, "at": [2.0, 2.0, 1.5], "mind": {"hunger": 1.0}},
    ],
}


def baked(scene, frames):
    """Simulates and bakes, and offers the recording; returns it and the fishes' empties."""
    core, known = module("core"), module("blender_artfish.mind.source")
    recording = core.World(core.Scene.from_dict(scene), seed=3).simulate(frames=frames)
    there = set(bpy.data.objects)
    module("blender_artfish.bake").bake(recording, form="compact", stage=False)
    made = [obj for obj in bpy.data.objects if obj not in there and known.root_of(obj) == obj]
    left, roots = list(made), {}
    for row, species in enumerate(recording.species):
        name = recording.species_models[species].common_name
        roots[row] = next(obj for obj in left if obj.name.startswith(name))
        left.remove(roots[row])
    names = {row: root.name for row, root in roots.items()}

    def source(context):
        there = {row: bpy.data.objects[name] for row, name in names.items() if name in bpy.data.objects}
        return known.of_recording(context, recording, there)

    known.offer(source)
    return recording, roots, source


def choose(obj):
    """Makes an object the active one."""
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)


def look(at, distance, turn=(65, 0, 25)):
    """Points the view at a place."""
    view = area().spaces.active.region_3d
    view.view_perspective = "PERSP"
    view.view_location, view.view_distance = at, distance
    view.view_rotation = Euler([angle * 3.14159 / 180 for angle in turn]).to_quaternion()


def switch(*names):
    """Switches these overlays on and all others off."""
    for name in SWITCHES:
        setattr(bpy.context.scene.artfish_overlays, name, name in names)


def main():
    """Photographs panels and overlays of a fish that flees, goes to its next intention, and looks through its eyes."""
    open_panels()
    others = leave_only("ARTFISH_PT_mind", "ARTFISH_PT_fish_view")
    yield from open_tab("Artfish")
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    recording, roots, source = baked(SCENE, FRAMES)
    scene = bpy.context.scene
    escapes = recording.intention[:, :12] == 1
    ends = np.flip(np.maximum.accumulate(np.flip(~escapes, axis=0)), axis=0)  # it does something else later on
    prey = int((escapes & ends).sum(axis=0).argmax())
    flees = (escapes & ends)[:, prey].nonzero()[0].tolist()
    moment = flees[len(flees) // 2] if flees else FRAMES // 2
    scene.frame_set(moment + 1)
    yield from wait_redraw(0.5)
    yield from capture_panel("mind-none", "ARTFISH_PT_mind")
    choose(roots[prey])
    yield from wait_redraw(0.5)
    switch("chart")
    yield from capture_panel("mind", "ARTFISH_PT_mind")
    switch()
    yield from capture_panel("fish_view-new", "ARTFISH_PT_fish_view")
    length = recording.body_length[prey]
    where = Vector(recording.nodes[moment, prey].mean(axis=0).tolist())
    result("fish", [roots[prey].name, moment, float(length)])
    pictures = {"field": ("field",), "all": SWITCHES, "mind": ("seen", "focus", "words", "chart")}
    for name, names in pictures.items():
        look(where, 4.5 if name == "field" else 1.6)
        switch(*names)
        yield from capture_region(f"overlay-{name}", "WINDOW")
    scene.frame_set(moment + 1)
    bpy.ops.ed.undo_push(message="Before")
    before = scene.frame_current
    yield from open_tab("Artfish")
    place = yield from find_button("artfish.next_intention")
    yield from click(*place)
    result("went", [before, scene.frame_current])
    yield from move(*centre(region("WINDOW")))
    yield from press("ctrl+z")
    scene = bpy.context.scene  # undoing makes it another
    result("went_back", scene.frame_current)

    scene.frame_set(moment + 1)
    yield from move(*centre(region("WINDOW")))
    result("perspective_before", area().spaces.active.region_3d.view_perspective)
    yield from click_operator("artfish.look_through")
    yield from wait_redraw(0.5)
    result("looks", [scene.camera.name, area().spaces.active.region_3d.view_perspective])
    switch("words", "seen", "focus")
    yield from capture_region("fish_view-through", "WINDOW")
    scene.camera.artfish_eye.which = "LEFT"
    yield from capture_panel("fish_view", "ARTFISH_PT_fish_view")
    scene.camera.artfish_eye.wide = True
    yield from capture_panel("fish_view-wide", "ARTFISH_PT_fish_view")
    scene.camera.artfish_eye.wide = False
    yield from click_operator("artfish.look_back")
    result("back", [scene.camera is None, area().spaces.active.region_3d.view_perspective])
    yield from press("ctrl+z")
    result("undone", bpy.context.scene.camera is not None)

    known = module("blender_artfish.mind.source")
    known.withdraw(source)
    bpy.data.batch_remove(list(bpy.data.objects))  # so that the overlays alone are drawn
    crowd = {**SCENE, "fishes": [{**SCENE["fishes"][0], "count": 59, "spread": 1.5}, SCENE["fishes"][1]]}
    core = module("core")
    recording = core.World(core.Scene.from_dict(crowd), seed=3).simulate(frames=40)

    def crowded(context):
        frame = min(max(context.scene.frame_current - 1, 0), recording.frames - 1)
        return known.Observation(recording, 59, frame, {})

    known.offer(crowded)
    look(Vector((3.5, 2.5, 1.5)), 9.0)
    yield from wait_redraw(0.5)
    for each in others:
        bpy.utils.register_class(each)
