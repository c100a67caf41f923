"""The add-on is interrupted at work and leaves nothing behind, and panels and overlays bear missing objects."""

import bpy
from driver import (
    EXTENSION,
    OUT,
    centre,
    inside,
    move,
    open_panels,
    open_tab,
    region,
    registered,
    result,
    running,
    ticks,
    wait_redraw,
    wait_until,
)

LONG = 120
OVERLAYS = ("field", "seen", "focus", "words", "preferences", "currents", "chart")
drawing: list = []
timers: list = []


def watch():
    """Keeps a list of draw handlers and of timers from now on."""
    view, add, remove = bpy.types.SpaceView3D, bpy.types.SpaceView3D.draw_handler_add, None
    remove = view.draw_handler_remove
    register = bpy.app.timers.register

    def count(*arguments):
        drawing.append(add(*arguments))
        return drawing[-1]

    def discount(handle, *arguments):
        drawing.remove(handle)
        remove(handle, *arguments)

    def note(function, *arguments, **options):
        timers.append(function)
        return register(function, *arguments, **options)

    view.draw_handler_add, view.draw_handler_remove = staticmethod(count), staticmethod(discount)
    bpy.app.timers.register = note


def waiting():
    """Timers of the add-on that still run."""
    return sorted({f.__name__ for f in timers if "artfish" in f.__module__ and bpy.app.timers.is_registered(f)})


def everything_of(found):
    """Artfish's own part of `registered`: reloading all scripts doubles handlers of Blender's own add-ons."""
    handlers = {f"{kind}: {name} {names.count(name)}" for kind, names in found["handlers"].items() for name in names}
    every = handlers | {f"{kind} {name}" for kind in ("classes", "names", "properties") for name in found[kind]}
    return {line for line in every if "artfish" in line.lower()}


def choose_fish():
    """Makes a fish the active object."""
    found = next(obj for obj in bpy.context.scene.objects if "artfish_row" in obj)
    bpy.context.view_layer.objects.active = found
    found.select_set(True)


def play(count=3):
    """Plays fishes live with all overlays, and waits until some frames are shown."""
    scene = bpy.context.scene
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=count)
        bpy.ops.artfish.live_play()
    for name in OVERLAYS:
        setattr(scene.artfish_overlays, name, True)
    yield from wait_until(lambda: any("artfish_row" in t for t in bpy.context.scene.objects), LONG, "fishes")
    choose_fish()
    shown = set()  # frames; past the last the animation begins again

    def gone_on():
        shown.add(bpy.context.scene.frame_current)
        return len(shown) > 2

    yield from wait_until(gone_on, LONG, "two frames")


def steer():
    """Plays, and is a fish."""
    yield from play()
    with inside():
        bpy.ops.artfish.steer("INVOKE_DEFAULT")
    yield from wait_until(lambda: running("ARTFISH_OT_steer"), LONG, "steering")
    yield 0.3


def feed():
    """Plays, and holds food."""
    yield from play()
    with inside():
        bpy.ops.artfish.feed("INVOKE_DEFAULT")
    yield from wait_until(lambda: running("ARTFISH_OT_feed"), LONG, "feeding")
    yield 0.3


def bake():
    """Is at a bake that takes a while."""
    bpy.context.scene.frame_end = 1000
    with inside():
        bpy.ops.artfish.add_shoal(species="clownfish", count=3)
        bpy.ops.artfish.bake("INVOKE_DEFAULT")
    yield from wait_until(lambda: running("ARTFISH_OT_bake"), LONG, "the bake")
    yield 0.5


def new():
    with inside():
        bpy.ops.wm.read_homefile()


def opened():
    with inside():
        bpy.ops.wm.open_mainfile(filepath=str(OUT / "saved.blend"))


def reload():
    with inside():
        bpy.ops.script.reload()


def disabled():
    bpy.ops.preferences.addon_disable(module=EXTENSION)


def stop():
    """Stops the animation: the screen goes on to play in a file that was opened meanwhile."""
    with inside():
        bpy.ops.screen.animation_cancel(restore_frame=False)


def main():
    """Interrupts play, steering, feeding and a bake in each way, and notes all that stays behind."""
    with inside():
        bpy.ops.wm.save_as_mainfile(filepath=str(OUT / "saved.blend"))
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    yield 0.5
    plain = registered()
    watch()
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    enabled, draws = registered(), len(drawing)
    result("draws", draws)
    left = {}
    for doing in (play, steer, feed, bake):
        for change in (new, opened, reload, disabled):
            if change is reload and doing is not play:
                continue  # Blender refuses while an operator waits
            yield from doing()
            change()
            yield 0.6
            stop()
            yield from move(*centre(region("WINDOW")))
            yield 0.4
            for _ in range(100):  # what plays on after scripts were reloaded is begun anew, and comes to its end
                if waiting():
                    yield 0.2
            expected, kept = (plain, 0) if change is disabled else (enabled, draws)
            now = registered()
            left[f"{doing.__name__} {change.__name__}"] = {
                "draws": len(drawing) - kept,
                "timers": waiting(),
                "ticks": (yield from ticks(0.6)),
                "registered": sorted(everything_of(expected) ^ everything_of(now)),
                "modal": [name for name in ("steer", "feed", "bake") if running(f"ARTFISH_OT_{name}")],
            }
            result("left", left)
            if change is disabled:
                bpy.ops.preferences.addon_enable(module=EXTENSION)
            new()
            yield 0.3

    yield from gone()


# --- what is gone -------------------------------------------------------------------------------------------------


def objects_of(*kinds):
    return [obj for obj in bpy.context.scene.objects if obj.artfish.kind in kinds]


def delete(found):
    for obj in found:
        bpy.data.objects.remove(obj)


def fishes():
    return [obj for obj in bpy.context.scene.objects if "artfish_row" in obj]


def active_fish():
    delete([bpy.context.view_layer.objects.active])


def parts():
    delete([obj for fish in fishes() for obj in fish.children[::2]])


def renamed():
    for number, obj in enumerate([*bpy.data.objects, *bpy.data.collections, *bpy.data.materials]):
        obj.name = f"mine {number}"


def tank():
    delete(objects_of("TANK"))


def shoals():
    delete(objects_of("SHOAL"))


def collections():
    for collection in list(bpy.data.collections):
        bpy.data.collections.remove(collection)


def species():
    bpy.context.scene.artfish.species.clear()


def everything():
    delete(list(bpy.context.scene.objects))


DAMAGES = (active_fish, parts, renamed, tank, shoals, species, collections, everything)


def gone():
    """Damages at play, and after a bake, each on top of the one before; the log tells of tracebacks."""
    open_panels()
    yield from open_tab("Artfish")
    scene = bpy.context.scene
    scene.frame_end = 4
    done = []
    for state in ("live", "baked"):
        with inside():
            bpy.ops.artfish.species_pick(name="clownfish")
            bpy.ops.artfish.preview()
        yield from play(4)
        if state == "baked":
            stop()
            with inside():
                bpy.ops.artfish.bake()
            choose_fish()
        for damage in DAMAGES:
            damage()
            if damage is not everything and fishes():
                choose_fish()
            scene.frame_set(2)
            yield from wait_redraw(0.5)
            done.append(f"{state} {damage.__name__}")
            result("gone", done)
        stop()
