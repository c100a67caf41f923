"""Leads a Blender with its window as an animator does: mouse and keys go in, pictures come out.

Runs inside Blender. A driver is a file with a generator `main()` that acts and yields the seconds that Blender shall
go on by itself before the next act; a function that has to wait is a generator too, for `yield from`:

    from driver import capture, click_operator, open_tab, press, result

    def main():
        yield from open_tab("Artfish")
        yield from capture("bake")
        yield from click_operator("artfish.bake")
        yield from press("Escape")
        result("fishes", 0)

Places on the screen are pixels, x to the right and y down. The whole library is listed in README.md beside this file.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Generator
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import bpy

OUT = Path("/gui/work/out")
EXTENSION = "bl_ext.user_default.artfish"
SETTLE = 0.3  # seconds that Blender gets to see an event and redraw; software OpenGL takes 0.05 to 0.2 a redraw
HOVER = 0.05  # seconds until a button knows that the mouse is over it
ROW = 8  # pixels between two looks for a button; a row of buttons is 20 high
TABS = 24  # pixels of the strip of tabs at the right of a sidebar
EDGE = 4  # pixels at the edge of a region that are rounded off
BEGUN = time.monotonic()

T = TypeVar("T")
Wait = Generator[float, None, T]

_results: dict[str, Any] = {"finished": False}
_buttons: dict[tuple[str, str, str], dict[tuple[int, int], str]] = {}
"""Buttons that were under the mouse, by place, at which one was looked for; by type of region and area, and part."""
PARTS = "MAKE", "WATCH", "DELIVER", "MORE"


# --- running ------------------------------------------------------------------------------------------------------


def start(path: str) -> None:
    """Begin to run the driver in `path`; Blender ends when it is done. Called while Blender starts."""
    preferences = bpy.context.preferences
    preferences.view.show_splash = False  # must be set before the first redraw, or it eats the first click
    preferences.view.use_save_prompt = False
    preferences.view.show_tooltips = False  # each that opens has everything under it drawn anew
    preferences.system.viewport_aa = "FXAA"  # otherwise a still view is drawn eight times over
    preferences.system.use_region_overlap = False  # a sidebar on a plain ground, not on the scene
    preferences.filepaths.use_auto_save_temporary_files = False
    spec = importlib.util.spec_from_file_location("script", path)
    script = importlib.util.module_from_spec(spec)
    log(f"Blender {bpy.app.version_string}, Python {sys.version.split()[0]}")
    try:
        spec.loader.exec_module(script)
        steps = script.main()
    except BaseException:
        _die()

    def tick() -> float | None:
        try:
            return next(steps)
        except StopIteration:
            _results["finished"] = True
            _save()
            log("finished")
            bpy.ops.wm.quit_blender()
            return None
        except BaseException:
            _die()

    bpy.app.timers.register(tick, first_interval=1.0, persistent=True)


def _die() -> None:
    """End the process: after an exception in a timer Blender would stand there for ever."""
    traceback.print_exc()
    try:
        _shoot(OUT / "failed.png")
    except subprocess.CalledProcessError as error:
        log(f"no picture of the failure: {error}")
    _save()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


def log(*words: Any) -> None:
    """A line in blender.log."""
    print(f"[{time.monotonic() - BEGUN:5.1f} s]", *words, flush=True)


def result(name: str, value: Any) -> None:
    """Something for the test to look at, written to results.json at once; anything that JSON can hold."""
    json.dumps(value)
    _results[name] = value
    log(f"{name} = {value}")
    _save()


def _save() -> None:
    (OUT / "results.json").write_text(json.dumps(_results, indent=1))


def module(name: str) -> ModuleType:
    """The module of the extension at this place in the tree, such as "core.world.world"."""
    return importlib.import_module(f"{EXTENSION}.{name}")


# --- where things are ---------------------------------------------------------------------------------------------


def window() -> bpy.types.Window:
    """The window; a reference to one does not outlive the opening of a file, so ask again."""
    return bpy.context.window_manager.windows[0]


def area(kind: str = "VIEW_3D") -> bpy.types.Area:
    """The largest area of a type."""
    found = [area for area in window().screen.areas if area.type == kind]
    assert found, f"no {kind} among {[area.type for area in window().screen.areas]}"
    return max(found, key=lambda area: area.width * area.height)


def region(kind: str = "UI", where: str = "VIEW_3D") -> bpy.types.Region:
    """A region of the largest area of a type."""
    return next(region for region in area(where).regions if region.type == kind)


def box(of: bpy.types.Region | bpy.types.Area) -> tuple[int, int, int, int]:
    """Left, top, width and height of an area or region on the screen."""
    return of.x, window().height - of.y - of.height, of.width, of.height


def centre(of: bpy.types.Region | bpy.types.Area) -> tuple[int, int]:
    """The middle of an area or region on the screen."""
    left, top, width, height = box(of)
    return left + width // 2, top + height // 2


def inside(where: str = "VIEW_3D", kind: str = "WINDOW") -> Any:
    """The context of an area, to call operators in it by `with`."""
    return bpy.context.temp_override(window=window(), area=area(where), region=region(kind, where))


def choose(obj: bpy.types.Object) -> None:
    """Make an object the only selected and the active one."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    bpy.context.view_layer.objects.active = obj
    obj.select_set(True)


# --- waiting ------------------------------------------------------------------------------------------------------


def wait_redraw(seconds: float = SETTLE) -> Wait[None]:
    """Let Blender handle pending events and draw everything anew."""
    for each in window().screen.areas:
        each.tag_redraw()
    yield seconds


def wait_until(condition: Callable[[], bool], seconds: float = 30.0, what: str = "") -> Wait[float]:
    """Wait until something is so.

    Returns:
        The seconds that it took.

    Raises:
        AssertionError: It did not become so in time.
    """
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < seconds, f"waited {seconds:g} s in vain for {what or condition}"
        yield 0.05
    return time.monotonic() - begun


# --- mouse and keys -----------------------------------------------------------------------------------------------


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def move(x: float, y: float, seconds: float = HOVER) -> Wait[None]:
    """Move the mouse, by way of a pixel beside: a button notices a mouse that moves on it."""
    _run("xdotool", "mousemove", str(int(x) - 1), str(int(y)), "mousemove", str(int(x)), str(int(y)))
    yield seconds


def click(x: float, y: float, button: int = 1, times: int = 1) -> Wait[None]:
    """Click; buttons are 1 left, 2 middle, 3 right, 4 wheel up, 5 wheel down."""
    yield from move(x, y, 0.15)
    _run("xdotool", "click", "--repeat", str(times), "--delay", "60", str(button))
    yield SETTLE


def drag(
    x0: float, y0: float, x1: float, y1: float, button: int = 1, steps: int = 12, give_up: bool = False
) -> Wait[None]:
    """Press a button at one place, move in steps, and release it at another, or press Esc there."""
    yield from move(x0, y0, 0.15)
    _run("xdotool", "mousedown", str(button))
    yield 0.1
    for step in range(1, steps + 1):
        x, y = (int(a + (b - a) * step / steps) for a, b in ((x0, x1), (y0, y1)))
        _run("xdotool", "mousemove", str(x), str(y))
        yield 0.03
    if give_up:
        yield from press("Escape")
    _run("xdotool", "mouseup", str(button))
    yield SETTLE


CODES = {**{f"F{n}": 66 + n for n in range(1, 11)}, "F11": 95, "F12": 96, "KP_Insert": 90}
"""Codes of keys that xdotool, given their names, would press together with Alt."""


def press(*keys: str) -> Wait[None]:
    """Press keys, one after another, by xdotool's names: "Escape", "Return", "space", "ctrl+z", "F3"."""
    for key in keys:
        _run("xdotool", "key", str(CODES.get(key, key)))
        yield SETTLE


def type_text(text: str) -> Wait[None]:
    """Type."""
    _run("xdotool", "type", "--delay", "30", "--", text)
    yield SETTLE


def search(words: str) -> Wait[None]:
    """Choose an entry of a menu by its words, as F3 does over the 3D View."""
    yield from move(*centre(region("WINDOW")))
    yield from press("F3")
    yield 2 * SETTLE
    yield from type_text(words)
    yield from press("Return")


# --- the sidebar and its buttons ----------------------------------------------------------------------------------


def open_tab(tab: str = "Artfish", where: str = "VIEW_3D") -> Wait[None]:
    """Show the sidebar of an area with one of its tabs."""
    area(where).spaces.active.show_region_ui = True
    yield from wait_redraw(0.6)  # the tab exists only after the sidebar has been drawn once
    if region("UI", where).active_panel_category != tab:
        region("UI", where).active_panel_category = tab
        yield from wait_redraw(0.6)
    assert region("UI", where).active_panel_category == tab


def click_tab(tab: str = "Artfish") -> Wait[None]:
    """Show the sidebar of the 3D View, which the mouse is over, by N, and one of its tabs by a click."""
    yield from press("n")
    yield from wait_redraw(0.6)
    left, top, width, height = box(region("UI"))
    for down in (*range(300, 60, -12), *range(height - 20, 300, -12)):  # ours is the last
        yield from click(left + width - TABS // 2, top + down)
        if region("UI").active_panel_category == tab:
            break


def shown_part() -> str:
    """The part of the sidebar that is shown; nothing while the extension is off."""
    return getattr(bpy.context.window_manager, "artfish_part", "")


def show_part(part: str) -> None:
    """Have the sidebar show a part, "MAKE", "WATCH", "DELIVER" or "MORE"; nothing while the extension is off."""
    if shown_part():
        bpy.context.window_manager.artfish_part = part


def show_part_of(panel: str) -> None:
    """Have the sidebar show the part that a panel is in."""
    top = getattr(bpy.types, panel)
    while getattr(top, "bl_parent_id", ""):
        top = getattr(bpy.types, top.bl_parent_id)
    if getattr(top, "part", ""):
        show_part(top.part)


def click_part(part: str) -> Wait[None]:
    """Click one of the parts at the top of the sidebar."""
    x, y = yield from find_button("artfish_part")
    left, _, width, _ = box(region("UI"))
    edge = 8
    yield from click(left + edge + (PARTS.index(part) + 0.5) / len(PARTS) * (width - TABS - 2 * edge), y)
    assert shown_part() == part, f"{shown_part()} is shown, not {part}"


def under_mouse(kind: str = "UI", where: str = "VIEW_3D") -> str:
    """The command of the button under the mouse, as Blender itself would copy it; "" where there is none.

    An operator reads `bpy.ops.artfish.bake()`, a property `bpy.data.scenes["Scene"].artfish.seed`.
    """
    manager = bpy.context.window_manager
    manager.clipboard = " "
    with inside(where, kind):
        if bpy.ops.ui.copy_python_command_button.poll():
            bpy.ops.ui.copy_python_command_button()
        elif bpy.ops.ui.copy_data_path_button.poll():
            bpy.ops.ui.copy_data_path_button(full_path=True)
    return manager.clipboard.strip()


def parts_with(what: str) -> list[str]:
    """The parts of the sidebar with panels whose modules name a command, the shown one first."""
    name = what.split("(")[0].split(".")[-1]
    named, found = (f"artfish.{name}", f"ARTFISH_OT_{name}", f'"{name}"'), []
    for top in panels():
        sources = (Path(sys.modules[each.__module__].__file__ or "").read_text() for each in family(top))
        if any(one in source for source in sources for one in named):
            found.append(getattr(top, "part", ""))
    return [part for part in dict.fromkeys((shown_part(), *PARTS)) if part in found]


def find_button(what: str, kind: str = "UI", where: str = "VIEW_3D", across: float = 0.7) -> Wait[tuple[int, int]]:
    """Look for a button by moving the mouse over a region: where it was before, down its right half, then its left.

    Args:
        what: Part of the button's command, as `under_mouse` gives it: "artfish.bake(" or "artfish.seed".
        kind: Type of the region.
        where: Type of the area.
        across: Share of the region's width at which is looked first, where the button is narrow.

    Returns:
        Its place on the screen.

    Raises:
        AssertionError: It is not to be seen.
    """
    own = (kind, where) == ("UI", "VIEW_3D")
    likely_parts = parts_with(what) if own else []
    other_parts = [part for part in dict.fromkeys((shown_part(), *PARTS)) if part not in likely_parts] if own else [""]
    left, top, width, height = box(region(kind, where))
    rows = range(top + ROW // 2, top + height, ROW)
    shares = dict.fromkeys((across, 0.7, 0.2, 0.45, 0.85, 0.41))
    first, *others = ([(left + int(share * width), y) for y in rows] for share in shares)
    everywhere = [place for column in others for place in column]
    passes = [(part, places) for places in ([], first, everywhere) for part in likely_parts]
    passes += [(part, first) for part in other_parts[:1]]
    passes += [(part, places) for places in ([], first) for part in other_parts[1:]]
    passes += [(part, everywhere) for part in other_parts]
    for patience in (HOVER, 4 * HOVER):
        for part, places in passes:
            known = _buttons.setdefault((kind, where, part), {})
            likely = sorted(
                (place for place, does in known.items() if what in does),
                key=lambda place: abs(place[0] - left - across * width),
            )
            if not likely and not places:
                continue
            if own and part != shown_part():
                log(f"looking for {what} in the part {part}")
                show_part(part)
                yield from wait_redraw()
            found = yield from _look_for(what, kind, where, known, [*likely, *places], patience)
            if found:
                return found
    raise AssertionError(
        f"no button with {what!r}; seen: {sorted({each for of in _buttons.values() for each in of.values()})}"
    )


def _look_for(
    what: str, kind: str, where: str, known: dict[tuple[int, int], str], places: list[tuple[int, int]], patience: float
) -> Wait[tuple[int, int] | None]:
    """Look for a button at places of a region, and note what stands there; None if it is at none of them."""
    begun = time.monotonic()
    before = None
    for looks, place in enumerate(places, 1):
        yield from move(*place, patience)
        known[place] = under_mouse(kind, where)
        if what in known[place]:
            # Where Blender is behind, it is still the button that the mouse was over before.
            for x, y in filter(None, (place, before)):
                yield from move(x, y, 3 * patience)
                if what in under_mouse(kind, where):
                    log(f"found {what} in {looks} looks, {time.monotonic() - begun:.1f} s")
                    return (yield from _off_edge(x, y, what, kind, where, patience))
        before = place
    return None


def _off_edge(x: int, y: int, what: str, kind: str, where: str, patience: float) -> Wait[tuple[int, int]]:
    """A place of the button two pixels from where it was found: what a redraw moves by one pixel is still hit."""
    for down in (2, -2):
        yield from move(x, y + down, 2 * patience)
        if what in under_mouse(kind, where):
            return x, y + down
    return x, y


def click_operator(name: str, kind: str = "UI", where: str = "VIEW_3D") -> Wait[tuple[int, int]]:
    """Click the button of an operator, "artfish.bake".

    Returns:
        Where it is on the screen.
    """
    place = yield from find_button(f"bpy.ops.{name}(", kind, where)
    yield from click(*place)
    return place


def enter(prop: str, text: str, kind: str = "UI", where: str = "VIEW_3D") -> Wait[None]:
    """Type into the field of a property, "artfish.seed", and confirm."""
    x, y = yield from find_button(prop, kind, where)
    left, _, width, _ = box(region(kind, where))
    inner = left + int(0.7 * width)  # a click on an arrow at an end of the field would change its number
    yield from move(inner, y, 4 * HOVER)
    yield from click(inner if prop in under_mouse(kind, where) else x, y, times=2)
    yield from press("ctrl+a")
    yield from type_text(text)
    yield from press("Return")


def running(operator: str) -> bool:
    """True while a modal operator is at work: "ARTFISH_OT_bake"."""
    # Blender may list None until the next event, where the operator's class has been taken out meanwhile.
    return operator in [each.bl_idname for each in window().modal_operators if each is not None]


# --- pictures -----------------------------------------------------------------------------------------------------


def _shoot(path: Path, crop: tuple[int, int, int, int] | None = None) -> int:
    """Photograph the screen; bpy.ops.screen.screenshot would write a black picture here. Returns its colours."""
    cut = ["-crop", "{2}x{3}+{0}+{1}".format(*crop), "+repage"] if crop else []
    _run("import", "-window", "root", *cut, "-strip", "-define", "png:compression-level=9", str(path))
    return int(_run("identify", "-format", "%k", str(path)))


def capture(name: str, crop: tuple[int, int, int, int] | None = None) -> Wait[int]:
    """Photograph the screen, or left, top, width and height of it, into NAME.png.

    Returns:
        The number of colours in the picture: 1 or 2 where nothing was drawn.
    """
    yield from wait_redraw()
    colours = _shoot(OUT / f"{name}.png", crop)
    log(f"captured {name}.png, {colours} colours")
    return colours


def capture_region(name: str, kind: str = "UI", where: str = "VIEW_3D") -> Wait[int]:
    """Photograph a region into NAME.png; returns the number of its colours."""
    return (yield from capture(name, box(region(kind, where))))


def panels(parent: str = "") -> list[type]:
    """The registered panels of Artfish, in the order of their names: those at the top, or those inside another."""
    found = [getattr(bpy.types, name) for name in sorted(dir(bpy.types)) if name.startswith("ARTFISH_PT_")]
    return [panel for panel in found if getattr(panel, "bl_parent_id", "") == parent]


def family(panel: type) -> list[type]:
    """A panel and the panels inside it, parents first."""
    return [panel, *(each for child in panels(panel.__name__) for each in family(child))]


def open_panels() -> None:
    """Have every panel of Artfish open from its first drawing on; to be called before its tab is shown."""
    _open(lambda panel: True)


def open_only(name: str, *others: str) -> None:
    """Have a panel with those inside it, and some others, open from their first drawing on, as `open_panels`."""
    show_part_of(name)
    kept = [panel for each in (name, *others) for panel in family(getattr(bpy.types, each))]
    _open(lambda panel: panel in kept)


def close_panels() -> None:
    """Have every panel at the top closed, and those inside open, from their first drawing on, as `open_panels`."""
    tops = panels()
    _open(lambda panel: panel not in tops)


def _open(is_open: Callable[[type], bool]) -> None:
    """Have the panels of Artfish open, or closed, from their first drawing on."""
    everything = [each for panel in panels() for each in family(panel)]
    for panel in reversed(everything):
        bpy.utils.unregister_class(panel)
    for panel in everything:
        options = set(getattr(panel, "bl_options", ()))
        if "HIDE_HEADER" in options:  # it is always open
            bpy.utils.register_class(panel)
            continue
        panel.bl_options = options - {"DEFAULT_CLOSED"} if is_open(panel) else options | {"DEFAULT_CLOSED"}
        bpy.utils.register_class(panel)


def leave_only(*names: str) -> list[type]:
    """Unregister all panels of Artfish but those at the top with these names, so that there is room for all of them.

    Returns:
        The unregistered panels, parents first.
    """
    for name in names[:1]:
        show_part_of(name)
    others = [each for panel in panels() if panel.__name__ not in names for each in family(panel)]
    for each in reversed(others):
        bpy.utils.unregister_class(each)
    return others


def capture_panel(name: str, panel: str, where: str = "VIEW_3D") -> Wait[list[str]]:
    """Photograph one panel at the top of a sidebar, with the panels inside it, into NAME.png, cut to its size.

    The other panels of Artfish are taken out meanwhile. The panel must have been opened, see `open_panels`.

    Returns:
        The panels that Blender drew, of this one and those inside it; without those whose poll declines.
    """
    shown = family(getattr(bpy.types, panel))
    drawn: list[str] = []

    def note(self: bpy.types.Panel, context: bpy.types.Context) -> None:
        drawn.append(self.bl_idname or type(self).__name__)

    yield from open_tab(shown[0].bl_category, where)
    others = leave_only(panel)
    for each in shown:
        each.append(note)
    yield from move(*centre(region("WINDOW", where)))
    yield from wait_redraw()
    left, top, width, height = box(region("UI", where))
    _shoot(OUT / f"{name}.png", (left + EDGE, top + EDGE, width - TABS - 2 * EDGE, height - 2 * EDGE))
    for each in shown:
        each.remove(note)
    for each in others:
        bpy.utils.register_class(each)
    if drawn:
        _run("mogrify", "-fuzz", "2%", "-trim", "-bordercolor", "#303030", "-border", "6", str(OUT / f"{name}.png"))
    else:
        (OUT / f"{name}.png").unlink()
    log(f"captured {name}.png: {', '.join(drawn) or 'nothing drawn'}")
    return sorted(set(drawn))


# --- playing ------------------------------------------------------------------------------------------------------


def play(seconds: float) -> Wait[float]:
    """Play the timeline by the space bar, then stop it in the same way.

    Returns:
        Frames a second, as far as Blender got.
    """
    shown: list[float] = []

    def count(*_: Any) -> None:
        shown.append(time.monotonic())

    yield from move(*centre(region("WINDOW")))
    bpy.app.handlers.frame_change_post.append(count)
    yield from press("space")
    yield seconds
    yield from press("space")
    bpy.app.handlers.frame_change_post.remove(count)
    return (len(shown) - 1) / (shown[-1] - shown[0]) if len(shown) > 1 else 0.0


# --- what an extension may leave behind ---------------------------------------------------------------------------


def registered() -> dict[str, Any]:
    """All that an extension can add to Blender and forget to remove: classes, properties, handlers."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers) if name[0] != "_"}
    handlers = {
        name: [f"{f.__module__}.{f.__name__}" for f in functions]
        for name, functions in lists.items()
        if type(functions) is list
    }
    bases = [getattr(bpy.types, name) for name in ("Operator", "Panel", "Menu", "UIList", "PropertyGroup", "Gizmo")]
    classes = sorted(cls.__name__ for base in bases for cls in base.__subclasses__() if _is_there(cls))
    names = ("Scene", "Object", "WindowManager", "Collection", "Material", "TimelineMarker")
    owners = [getattr(bpy.types, name) for name in names]
    return {
        "classes": classes,
        "names": sorted(name for name in dir(bpy.types) + dir(bpy.ops) if "artfish" in name.lower()),
        "properties": sorted(
            f"{owner.__name__}.{prop.identifier}" for owner in owners for prop in owner.bl_rna.properties
        ),
        "handlers": handlers,
    }


def _is_there(cls: type) -> bool:
    """True if a class is registered; gizmos do not say so themselves."""
    return getattr(cls, "is_registered", hasattr(bpy.types, cls.__name__))


class GUI_OT_listen(bpy.types.Operator):
    """Hear every event, and count those of timers"""

    bl_idname = "gui.listen"
    bl_label = "Listen"
    heard = 0
    listening = False

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Begin."""
        GUI_OT_listen.heard, GUI_OT_listen.listening = 0, True
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Count."""
        GUI_OT_listen.heard += event.type == "TIMER"
        return {"PASS_THROUGH"} if GUI_OT_listen.listening else {"FINISHED", "PASS_THROUGH"}


def ticks(seconds: float = 1.0) -> Wait[int]:
    """Count the events of window timers: 0 unless somebody forgot one."""
    yield from move(*centre(region("WINDOW")), 1.0)  # tool tips have timers too
    bpy.utils.register_class(GUI_OT_listen)
    with inside():
        bpy.ops.gui.listen("INVOKE_DEFAULT")
    yield seconds
    heard, GUI_OT_listen.listening = GUI_OT_listen.heard, False
    yield from move(*centre(region("WINDOW")))  # its last event
    yield SETTLE
    bpy.utils.unregister_class(GUI_OT_listen)
    return heard
