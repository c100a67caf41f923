"""The cost of a frame of live play, by parts, in a window, and with the surfaces of a bake.

The window is that of tools/gui.py, where this machine has made one (`python tools/gui.py setup`).
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .baking import tank
from .table import Row, Unavailable, explains

FISHES, FRAMES = 60, 120
MEAN, WORST = "<= 4", "<= 8"
"""Targets of processor milliseconds for a frame, on average and at the most."""
PANEL = "<= 2"
"""Target of processor milliseconds in which a panel is drawn."""
FILM = "<= 42"
"""Milliseconds between frames at 24 a second, Blender's upper limit."""
WINDOW = Path(__file__).resolve().parent.parent / "tools" / "gui.py"


@explains("live play")
def rows(quick: bool = False) -> list[Row]:
    """Milliseconds a frame for simulation, for surfaces and for Blender's evaluation of them."""
    if importlib.util.find_spec("bpy") is None:
        raise Unavailable("bpy is not installed (extra: blender)")
    import bpy

    from .. import blender_artfish

    fishes, frames = (3, 4) if quick else (FISHES, FRAMES)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_artfish.register()
    try:
        found = [*_live(fishes, frames), _surfaces(fishes, max(frames // 4, 2))]
    finally:
        blender_artfish.unregister()
    return [*found, *([] if quick else _window())]


def _window() -> list[Row]:
    """The same fishes in a window, and a thousand: the cost of a frame change, and of drawing."""
    name, many, panel = "live in a window, a frame", "1,000 live in a window, a frame", "slowest panel, a redraw"
    found = _led("live_speed")
    if isinstance(found, str):
        return [
            Row(name, None, "ms", MEAN, found),
            Row(many, None, "ms", FILM, found),
            Row(panel, None, "ms", PANEL, found),
        ]
    parts = ", ".join(f"{part} {found[part]:g}" for part in ("simulation", "surfaces", "drawing"))
    note = f"{found['fishes']} fishes, mean of {found['frames']} frames; medians: {parts}"
    rows = [
        Row(name, found["frame change, mean"], "ms", MEAN, note),
        Row(f"{name}, worst", found["frame change, worst"], "ms", WORST),
    ]
    found = _led("panel_speed")
    if isinstance(found, str):
        rows.append(Row(panel, None, "ms", PANEL, found))
    else:
        slowest, spent = found["slowest"][0]
        fishes, objects = found["fishes"]
        note = f"{slowest.removeprefix('ARTFISH_PT_')} selected; {fishes} baked and live fishes, {objects} objects"
        rows.append(Row(panel, spent, "ms", PANEL, note))
    found = _led("live_many")
    if isinstance(found, str):
        return [*rows, Row(many, None, "ms", FILM, found)]
    parts = ", ".join(f"{part} {found[part]:g}" for part in ("simulation", "vertices", "objects and meshes"))
    note = f"by the clock, {found['levels'][0]} dynamic, no 3D View; processor: {parts}, all {found['processor']:g}"
    return [*rows, Row(many, found["milliseconds a frame by the clock"], "ms", FILM, note)]


def _led(driver: str) -> dict[str, Any] | str:
    """The results of a session in a window, or why there is none."""
    if not WINDOW.exists():
        return "not run: tools/gui.py is in a checkout alone"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        for command in (["check"], ["run", driver, "--seconds", "400", "--out", str(out)]):
            done = subprocess.run([sys.executable, str(WINDOW), *command], capture_output=True, text=True)
            if done.returncode:
                said = done.stderr.strip().splitlines()[:1] or [f"exit {done.returncode}"]
                return f"not run: {said[0]}"
        found: dict[str, Any] = json.loads((out / "results.json").read_text())
        return found


def _live(fishes: int, frames: int) -> list[Row]:
    import bpy

    from ..blender_artfish.live import timer
    from ..blender_artfish.scene import writer as scene_writer

    scene, layer = bpy.context.scene, bpy.context.view_layer
    assert scene is not None and layer is not None
    scene_writer.write(scene, tank(fishes))
    layer.update()
    session = timer.begin(scene)
    session.filled.advance(10)
    assert session.puppets is not None
    puppets, rehearsal = session.puppets, session.filled
    simulate, show, evaluate = (np.empty(frames) for _ in range(3))
    for frame in range(frames):
        begin = time.perf_counter()
        rehearsal.advance(11 + frame)
        simulate[frame] = time.perf_counter() - begin
        begin = time.perf_counter()
        puppets.show(rehearsal[11 + frame])
        show[frame] = time.perf_counter() - begin
        begin = time.perf_counter()
        layer.update()
        evaluate[frame] = time.perf_counter() - begin
    first = scene.frame_start + 11 + frames
    whole = [_timed(lambda at=first + frame: scene.frame_set(at)) for frame in range(frames)]  # type: ignore[misc]
    note = f"{fishes} fishes of 5 species, median of {frames} frames"
    return [
        Row("live, simulation", 1000 * float(np.median(simulate)), "ms", note=note),
        Row("live, surfaces", 1000 * float(np.median(show)), "ms", note=note),
        Row("live, Blender's evaluation", 1000 * float(np.median(evaluate)), "ms", note=note),
        Row("live, frame_set in all", 1000 * float(np.mean(whole)), "ms", MEAN, f"mean of {frames} frames"),
        Row("live, frame_set, worst", 1000 * float(np.max(whole)), "ms", WORST, f"of {frames} frames"),
    ]


def _surfaces(fishes: int, frames: int) -> Row:
    """The same fishes as seven NURBS surfaces each, with all their control points set at every frame."""
    import bpy

    from ..blender_artfish.fish.surfaces import FishObjects, Workshop, in_order, place_points
    from ..core import World
    from ..core.form.coupling import Coupling

    scene, layer = bpy.context.scene, bpy.context.view_layer
    assert scene is not None and layer is not None
    recording = World(tank(fishes)).simulate(frames)
    made: dict[str, tuple[Coupling, np.ndarray, list[FishObjects]]] = {}
    for name in dict.fromkeys(recording.species):
        coupling, own = Coupling(recording.species_models[name]), np.flatnonzero(np.array(recording.species) == name)
        with Workshop(name, coupling.rest) as workshop:
            shoal = [workshop.fish(name, scene.collection, 0.1, 0.001) for _ in own]
        made[name] = coupling, own, shoal

    def show(frame: int) -> None:
        for coupling, own, shoal in made.values():
            nodes, fins, mouth = (
                of[frame : frame + 1, own] for of in (recording.nodes, recording.fins, recording.mouth)
            )
            points = coupling.control_points(nodes, fins, recording.body_length[own], mouth)
            for row, fish in enumerate(shoal):
                for part, surface in fish.surfaces.items():
                    place_points(surface, in_order(points[part][0, row]))
                    surface.update_tag(refresh={"DATA"})
        layer.update()

    seconds = [_timed(lambda at=frame: show(at)) for frame in range(frames)]  # type: ignore[misc]
    note = f"surfaces and evaluation alone, {fishes} fishes, median of {frames} frames"
    return Row("the same as NURBS surfaces", 1000 * float(np.median(seconds)), "ms", note=note)


def _timed(work: Callable[[], object]) -> float:
    """Processor seconds, all threads together, unaffected by other work on the machine."""
    begin = time.process_time()
    work()
    return time.process_time() - begin
