"""The Cinematographer with a real mouse: a fish, an event and an edit are filmed, played, and taken back."""

import bpy
from driver import (
    capture,
    capture_panel,
    choose,
    click_operator,
    enter,
    inside,
    open_only,
    open_tab,
    play,
    press,
    result,
    wait_redraw,
    wait_until,
)

FRAMES = 120


def cameras():
    """Names of the cameras that film shots."""
    return sorted(obj.name for obj in bpy.context.scene.objects if "artfish_shot" in obj)


def cuts():
    """Frames of markers, each with the camera that it cuts to."""
    return [[each.frame, each.camera.name] for each in sorted(bpy.context.scene.timeline_markers, key=lambda m: m.frame)
            if each.camera]  # fmt: skip


def main():
    """Films a fish, an event and an edit, removes shots, undoes that, and plays the timeline."""
    scene = bpy.context.scene
    for name in ("Cube", "Light", "Camera"):
        bpy.data.objects.remove(bpy.data.objects[name])
    open_only("ARTFISH_PT_cinematographer")
    yield from open_tab("Artfish")
    yield from capture_panel("nothing_baked", "ARTFISH_PT_cinematographer")
    with inside():
        bpy.ops.artfish.load_preset(preset="feeding")
        scene.frame_end = FRAMES
        scene.artfish.bake.stage = scene.artfish.bake.film = True
        bpy.ops.artfish.bake()
    yield from wait_redraw(1.0)
    scene.frame_set(20)
    choose(next(obj for obj in scene.objects if "artfish_row" in obj and not obj.hide_viewport))
    yield from wait_redraw()
    stage = scene.camera.name
    result("stage", stage)

    yield from enter("artfish_film.seconds_in_frames", "48")
    yield from click_operator("artfish.film_fish")
    yield from wait_until(lambda: len(cameras()) == 1, 30, "a shot")
    result("fish", [cameras(), cuts()])
    yield from click_operator("artfish.film_event")
    yield from wait_until(lambda: len(cameras()) == 2, 30, "a second shot")
    result("event", [cameras(), cuts()])
    yield from click_operator("artfish.remove_shot")  # the wide button, of all
    yield from wait_until(lambda: len(cameras()) < 2, 30, "shots to go")
    result("left", [cameras(), cuts()])
    yield from press("ctrl+z", "ctrl+z", "ctrl+z")
    yield from wait_redraw(1.0)
    scene = bpy.context.scene
    result("undone", [cameras(), cuts(), scene.camera.name])

    scene.artfish_film.seconds = 0.8  # so that the short bake has room for several
    yield from wait_redraw()
    yield from click_operator("artfish.film_edit")
    yield from wait_until(lambda: len(cameras()) > 1, 60, "an edit")
    yield from wait_redraw(1.0)
    result("edit", [cameras(), cuts()])
    result("panels", (yield from capture_panel("cinematographer", "ARTFISH_PT_cinematographer")))
    with inside():
        bpy.ops.artfish.show_shot(camera=cameras()[0])
    yield from wait_redraw(1.0)
    yield from capture("looking")
    seen = []
    bpy.app.handlers.frame_change_post.append(lambda *_: seen.append([scene.frame_current, scene.camera.name]))
    scene.frame_set(max(next(at for at, name in cuts() if name == cameras()[1]) - 2, 1))
    yield from play(12.0)
    bpy.app.handlers.frame_change_post.clear()
    result("played", seen)
