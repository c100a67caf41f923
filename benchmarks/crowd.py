"""Playback speed and file size of crowds of many thousand fishes, at made-up places."""

from __future__ import annotations

import importlib.util
import tempfile
import time
from pathlib import Path

import numpy as np

from ..core import World
from .baking import tank
from .table import Row, Unavailable, explains

SMALL_CROWD, LARGE_CROWD = 10_000, 100_000
TABLE_FRAMES, LARGE_TABLE_FRAMES = 250, 25
STEPS = 24
"""Frames stepped through."""


@explains("crowd")
def rows(quick: bool = False) -> list[Row]:
    """Evaluating a frame of a crowd with a key at every frame, and saving it."""
    if importlib.util.find_spec("bpy") is None:
        raise Unavailable("bpy is not installed (extra: blender)")
    small, large = (50, 100) if quick else (SMALL_CROWD, LARGE_CROWD)
    frames = 12 if quick else TABLE_FRAMES
    found = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "crowd.blend"
        milliseconds, _ = play(small, frames)
        found.append(Row(f"frame_set, crowd of {small:,}", milliseconds, "ms", "<= 8", f"median of {STEPS}"))
        begin = time.perf_counter()
        save(out)
        seconds, size = time.perf_counter() - begin, out.stat().st_size / 1e6
        what = f"crowd of {small:,} x {frames}"
        found.append(Row(f"save, {what}", seconds, "s", "<= 20", "compressed; a key at every frame"))
        found.append(Row(f"file, {what}", size, "MB", "<= 100", "with the meshes of all poses"))
        milliseconds, _ = play(large, min(frames, LARGE_TABLE_FRAMES))
        note = f"median of {STEPS}; {1000 / milliseconds:.3g} frames a second"
        found.append(Row(f"frame_set, crowd of {large:,}", milliseconds, "ms", f"<= {1000 / 24:.3g}", note))
    return found


def play(fishes: int, frames: int) -> tuple[float, int]:
    """Make a crowd in an empty file and step through it; milliseconds a frame, and instances of the last frame."""
    import bpy

    from ..blender_artfish.bake.order import Order
    from ..blender_artfish.crowd.nodes import FISH_ROW, KEY_VALUES, LENGTH
    from ..blender_artfish.crowd.shoals import crowd_object, make_cast
    from ..blender_artfish.crowd.table import CrowdTable
    from ..blender_artfish.fish.individuality import INDIVIDUAL

    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.data.scenes[0]
    recording = World(tank(3)).simulate(frames=60)
    species = recording.species_models[recording.species[0]]
    steps = make_cast(recording, species, 0, scene, Order("crowd"))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            cast = end.value
            break
    dice = np.random.default_rng(0)
    moments = np.arange(frames)[:, None]
    start, way = dice.uniform(-20, 20, (fishes, 3)), dice.normal(0, 0.02, (fishes, 3))
    place = start + way * moments[..., None] + 0.01 * np.sin(0.7 * moments + dice.uniform(0, 6, fishes))[..., None]
    angle = dice.uniform(0, 3, fishes) + 0.1 * np.sin(0.7 * moments)
    turn = np.stack([np.cos(angle), 0.0 * angle, 0.0 * angle, np.sin(angle)], axis=-1)
    pose = (moments + dice.integers(64, size=fishes)) % len(cast.table.points)
    values = {name: np.round(dice.random((frames, fishes)) * 256) / 256 for name in KEY_VALUES}
    # Rounded as by a bake.
    place, turn = np.round(place * 2**14) / 2**14, np.round(turn * 2**15) / 2**15
    kept = CrowdTable(1, place.astype(np.float32), turn.astype(np.float32), pose[:, None].astype(np.int8), values)
    each = {FISH_ROW: np.arange(fishes), INDIVIDUAL: dice.random(fishes), LENGTH: dice.uniform(0.1, 0.2, fishes)}
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    for obj in (scene.camera, crowd_object("crowd", cast, kept, each, frames, Order())):
        scene.collection.objects.link(obj)
    scene.frame_set(1)
    seconds = []
    for step in range(STEPS):
        begin = time.perf_counter()
        scene.frame_set(2 + step % max(1, frames - 2), subframe=0.5)
        seconds.append(time.perf_counter() - begin)
    shown = sum(1 for each in bpy.context.evaluated_depsgraph_get().object_instances if each.is_instance)
    return 1000 * float(np.median(seconds)), shown


def save(out: Path) -> None:
    """Write the open file, compressed."""
    import bpy

    bpy.ops.wm.save_as_mainfile(filepath=str(out), copy=True, compress=True, check_existing=False)
