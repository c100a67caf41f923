"""Playing live: what a frame costs, by parts, and what it would cost with the surfaces of a bake.

What the window takes to draw it is measured in the window: python tools/gui.py run live_speed.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable

import numpy as np

from .baking import tank
from .table import Row, Unavailable, explains

FISHES, FRAMES = 60, 120
PERIOD = 1000 / 24
"""Milliseconds of a frame."""


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
        return [*_live(fishes, frames), _surfaces(fishes, max(frames // 4, 2))]
    finally:
        blender_artfish.unregister()


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
    target = f"<= {PERIOD:.3g}"
    return [
        Row("live, simulation", 1000 * float(np.median(simulate)), "ms", note=note),
        Row("live, surfaces", 1000 * float(np.median(show)), "ms", note=note),
        Row("live, Blender's evaluation", 1000 * float(np.median(evaluate)), "ms", note=note),
        Row("live, frame_set in all", 1000 * float(np.median(whole)), "ms", target, note),
    ]


def _surfaces(fishes: int, frames: int) -> Row:
    """The same fishes as seven NURBS surfaces each, with all their control points set at every frame."""
    import bpy

    from ..blender_artfish.fish.surfaces import Fish, Workshop, in_order, place_points
    from ..core import World
    from ..core.form.coupling import Coupling

    scene, layer = bpy.context.scene, bpy.context.view_layer
    assert scene is not None and layer is not None
    recording = World(tank(fishes)).simulate(frames)
    made: dict[str, tuple[Coupling, np.ndarray, list[Fish]]] = {}
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
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
