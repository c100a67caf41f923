"""A thousand fishes play live in the window, at most sixty of them dynamic, by the view that is turned."""

import time
from math import pi
from statistics import fmean, median

import bpy
from driver import capture, centre, inside, module, move, press, region, result, wait_redraw, wait_until, window
from mathutils import Quaternion, Vector

SPECIES = ("sardine", "cardinalfish")
FISHES, DYNAMIC = 1000, 60
FRAMES, WARM, SEEN = 72, 48, 12
"""Frames that are measured, frames before them, and frames played in the 3D View, which is drawn in software here."""


def timed(owner: object, name: str) -> list[float]:
    """Milliseconds of the processor for each call of a method from now on, in its own thread."""
    spent: list[float] = []
    work = getattr(owner, name)

    def clocked(*arguments):
        begun = time.thread_time()
        answer = work(*arguments)
        spent.append(1000 * (time.thread_time() - begun))
        return answer

    setattr(owner, name, clocked)
    return spent


def levels(session) -> list[int]:
    """The numbers of fishes that are dynamic, replicas and frames only."""
    level = session.filled[session.shown]["level"].tolist()
    return [level.count(one) for one in (0, 1, 2)]


def main():
    """Plays a thousand fishes, times their frames, and turns the view away from them."""
    scene = bpy.context.scene
    scene.artfish.detail.on = scene.artfish.detail.follow_camera = True
    scene.artfish.detail.dynamic, scene.artfish.detail.near = DYNAMIC, 0.0
    for species in SPECIES:
        bpy.ops.artfish.add_shoal(species=species, count=FISHES // len(SPECIES))
        bpy.context.object.artfish.shoal.spread = 2.0
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    tank = next(obj for obj in bpy.data.objects if obj.artfish.kind == "TANK")
    tank.scale = [3.0 * size for size in tank.scale]
    with inside():
        bpy.ops.screen.screen_full_area(use_hide_panels=True)
    yield from wait_redraw(1.0)
    session = module("blender_artfish.live.timer").begin(window().scene)
    yield from wait_until(lambda: session.shown >= 0, 400, what="the first frame")
    with inside():
        bpy.ops.object.select_all(action="SELECT")
        bpy.ops.view3d.view_selected()
        bpy.ops.object.select_all(action="DESELECT")
    yield from wait_redraw(1.0)

    show, step = timed(session.puppets, "show"), timed(module("core.world.world").World, "step")
    picture = timed(session.puppets, "picture")
    begun, ended = [], []

    def before(*_):
        begun.append((time.process_time(), time.perf_counter()))

    def after(*_):
        ended.append((time.process_time(), time.perf_counter()))

    bpy.app.handlers.frame_change_pre.insert(0, before)
    bpy.app.handlers.frame_change_post.append(after)
    yield from move(*centre(region("WINDOW")))
    area = next(area for area in window().screen.areas if area.type == "VIEW_3D")
    area.type = "CONSOLE"  # with nothing to draw
    yield from wait_redraw(1.0)
    with inside("CONSOLE"):
        bpy.ops.screen.animation_play()
    yield from wait_until(lambda: len(ended) > WARM + FRAMES, 400, what="frames")
    with inside("CONSOLE"):
        bpy.ops.screen.animation_cancel(restore_frame=False)
    change = [1000 * (end[1] - begin[1]) for begin, end in zip(begun, ended, strict=False)][-FRAMES:]
    period = [1000 * (later[1] - earlier[1]) for earlier, later in zip(begun, begun[1:], strict=False)][-FRAMES:]
    work = [1000 * (later[0] - earlier[0]) for earlier, later in zip(begun, begun[1:], strict=False)][-FRAMES:]
    for name, spent in (("simulation", step), ("vertices", picture), ("objects and meshes", show), ("processor", work)):
        result(name, round(median(spent[-FRAMES:]), 1))
    result("frame change, mean", round(fmean(change), 2))
    result("frame change, worst", round(max(change), 2))
    result("milliseconds a frame by the clock", round(median(period), 1))
    result("frames", len(change))
    result("fishes", len(session.fishes))
    result("levels", levels(session))

    area.type = "VIEW_3D"
    yield from wait_redraw(2.0)
    yield from capture("a_thousand")
    result("rested", sum(len(fish.root.data.vertices) == 0 for fish in session.fishes))
    count = len(ended)
    yield from move(*centre(region("WINDOW")))
    view = next(area for area in window().screen.areas if area.type == "VIEW_3D").spaces.active.region_3d
    eye = view.view_matrix.inverted().translation
    view.view_rotation = view.view_rotation @ Quaternion((0.0, 1.0, 0.0), pi)  # it turns its back on them
    view.view_location = eye - view.view_rotation @ Vector((0.0, 0.0, view.view_distance))
    yield from wait_redraw(1.0)
    yield from press("space")
    yield from wait_until(lambda: len(ended) > count + SEEN, 400, what="frames in the 3D View")
    yield from press("space")
    bpy.app.handlers.frame_change_pre.remove(before)
    bpy.app.handlers.frame_change_post.remove(after)
    result("levels seen otherwise", levels(session))
