"""The time that each panel takes to be polls for and drawn, with sixty baked fishes and two hundred that play live."""

import time
from statistics import median

import bpy
from driver import (
    choose,
    family,
    inside,
    log,
    module,
    open_panels,
    open_tab,
    panels,
    region,
    result,
    show_part,
    wait_redraw,
    wait_until,
)

SPECIES = ("clownfish", "butterflyfish", "sardine", "blue_tang", "cardinalfish")
BAKED, LIVE, FRAMES, DRAWS = 60, 200, 12, 12
SPENT = {}
"""Milliseconds of the processor at each redraw, by panel."""


def clock(panel):
    """Notes the time of a panel's poll and drawing from now on."""
    draw, poll = panel.draw, panel.__dict__.get("poll") or getattr(panel, "poll", None)
    spent = SPENT.setdefault(panel.__name__, [])

    def drawn(self, context):
        begun = time.thread_time()
        draw(self, context)
        spent.append(1000 * (time.thread_time() - begun))

    panel.draw = drawn
    if poll is not None:
        polls = SPENT.setdefault(f"{panel.__name__}, poll", [])

        def polled(cls, context):
            begun = time.thread_time()
            answer = panel.polls(context)
            polls.append(1000 * (time.thread_time() - begun))
            return answer

        panel.polls = poll if not hasattr(poll, "__func__") else poll.__func__.__get__(panel)
        panel.poll = classmethod(polled)


def main():
    """Bakes some, plays others, and draws every part of the sidebar with each kind of thing selected."""
    for species in SPECIES:
        bpy.ops.artfish.add_shoal(species=species, count=BAKED // len(SPECIES))
        bpy.context.object.artfish.shoal.spread = 0.9
    scene = bpy.context.scene
    scene.frame_end = FRAMES
    with inside():
        bpy.ops.artfish.bake()
    shoals = [obj for obj in scene.objects if obj.artfish.kind == "SHOAL"]
    fish = next(obj for obj in scene.objects if "artfish_row" in obj)
    choose(fish)
    with inside():
        bpy.ops.artfish.film_fish(seconds=0.2)
    choose(shoals[0])
    with inside():
        for kind in ("target", "food", "ball"):
            bpy.ops.artfish.add_direction(kind=kind)
        bpy.ops.artfish.add_instruction()
    for shoal in shoals:
        shoal.artfish.shoal.count = LIVE // len(shoals)
    with inside():
        bpy.ops.artfish.live_play()
    session = module("blender_artfish.live.runtime").session_of(scene)
    yield from wait_until(lambda: session.shown >= 5, 240, "fishes to play")
    with inside():
        bpy.ops.artfish.live_play()
    open_panels()
    yield from open_tab("Artfish")
    for top in panels():
        for panel in family(top):
            clock(panel)
    target = next(obj for obj in scene.objects if obj.artfish.kind == "DIRECTION")
    live = next(obj for obj in scene.objects if obj.get("artfish_live") and "artfish_row" in obj)
    slowest = {}
    for name, obj in (("shoal", shoals[0]), ("direction", target), ("baked", fish), ("live", live)):
        choose(obj)
        for part in ("MAKE", "WATCH", "DELIVER", "MORE"):
            show_part(part)
            yield from wait_redraw(0.4)
            for spent in SPENT.values():
                spent.clear()
            for _ in range(DRAWS):
                region("UI").tag_redraw()
                yield 0.1
            for panel, spent in SPENT.items():
                if spent:
                    slowest[f"{panel}, {name}"] = round(median(spent), 3)
    every = sorted(slowest.items(), key=lambda each: -each[1])
    for panel, spent in every[:25]:
        log(f"{spent:7.3f} ms  {panel}")
    result("fishes", [sum("artfish_row" in obj for obj in scene.objects), len(scene.objects)])
    result("slowest", every[:25])
