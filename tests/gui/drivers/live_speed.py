"""Sixty fishes play live in the window: the time of a frame, for simulation, surfaces, evaluation and drawing apart."""

import time
from statistics import fmean, median

import bpy
from driver import capture, centre, inside, module, move, press, region, result, wait_redraw, wait_until, window

SPECIES = ("clownfish", "butterflyfish", "sardine", "blue_tang", "cardinalfish")
FISHES, FRAMES = 60, 60


def timed(owner: object, name: str) -> list[float]:
    """Milliseconds of the processor for each call of a method from now on."""
    spent: list[float] = []
    work = getattr(owner, name)

    def clocked(*arguments):
        begun = time.thread_time()
        answer = work(*arguments)
        spent.append(1000 * (time.thread_time() - begun))
        return answer

    setattr(owner, name, clocked)
    return spent


def normals_follow(puppets) -> bool:
    """True if the drawn mesh has the normals of its vertices as they lie now."""
    drawn = next(obj for obj in puppets.collection.objects if len(obj.data.vertices) > 1000)
    seen = drawn.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    fresh = drawn.data.copy()
    fresh.update()
    pairs = list(zip(seen.vertex_normals, fresh.vertex_normals, strict=True))
    bpy.data.meshes.remove(fresh)
    return max((one.vector - other.vector).length for one, other in pairs) < 1e-4


def main():
    """Plays sixty fishes and times simulation, surfaces, frame change and drawing."""
    for species in SPECIES:
        bpy.ops.artfish.add_shoal(species=species, count=FISHES // len(SPECIES))
        bpy.context.object.artfish.shoal.spread = 0.9
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    with inside():
        bpy.ops.screen.screen_full_area(use_hide_panels=True)
    yield from wait_redraw(1.0)
    session = module("blender_artfish.live.timer").begin(window().scene)
    yield from wait_until(lambda: session.shown >= 0, what="the first frame")
    with inside():
        bpy.ops.object.select_all(action="DESELECT")
        for fish in session.fishes:
            fish.root.select_set(True)
        bpy.ops.view3d.view_selected()
        bpy.ops.object.select_all(action="DESELECT")
    yield from wait_redraw(1.0)

    simulate, show = timed(session.rehearsal, "advance"), timed(session.puppets, "show")
    begun, ended = [], []

    # All threads, for evaluation has several: on a machine with nothing else to do it takes no longer than that.
    def before(*_):
        begun.append((time.process_time(), time.perf_counter()))

    def after(*_):
        ended.append((time.process_time(), time.perf_counter()))

    bpy.app.handlers.frame_change_pre.insert(0, before)
    bpy.app.handlers.frame_change_post.append(after)
    yield from move(*centre(region("WINDOW")))
    yield from press("space")
    yield from wait_until(lambda: len(ended) > FRAMES, 400, what="frames")
    yield from press("space")
    bpy.app.handlers.frame_change_pre.remove(before)
    bpy.app.handlers.frame_change_post.remove(after)

    change = [1000 * (end[0] - begin[0]) for begin, end in zip(begun, ended, strict=False)]
    draw = [1000 * (begin[0] - end[0]) for begin, end in zip(begun[1:], ended, strict=False)]
    period = [1000 * (later[1] - earlier[1]) for earlier, later in zip(begun, begun[1:], strict=False)]
    for name, spent in (("simulation", simulate), ("surfaces", show), ("frame change", change), ("drawing", draw)):
        result(name, round(median(spent[-FRAMES:]), 1))
    result("frame change, mean", round(fmean(change[-FRAMES:]), 2))
    result("frame change, worst", round(max(change[-FRAMES:]), 2))
    result("frames", len(change[-FRAMES:]))
    result("milliseconds a frame by the clock", round(median(period), 1))
    result("fishes", len(session.fishes))
    result("normals follow", normals_follow(session.puppets))
    yield from capture("sixty_solid")
