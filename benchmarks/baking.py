"""Baking against Blender's own keying, and the playback speed of bakes."""

from __future__ import annotations

import importlib.util
import tempfile
import time
from pathlib import Path

import numpy as np

from ..core import Recording, Scene, World
from ..core.body.anatomy import body_frame
from ..core.form.coupling import Coupling
from .table import Row, Unavailable, explains
from .timing import race

FISHES, FRAMES = 20, 250
CROWD, PLAYED = 60, 50
SPECIES = ("clownfish", "butterflyfish", "sardine", "blue_tang", "cardinalfish")


@explains("baking")
def rows(quick: bool = False) -> list[Row]:
    """Baking speed, the race against `keyframe_insert`, playback and file size."""
    if importlib.util.find_spec("bpy") is None:
        raise Unavailable("bpy is not installed (extra: blender)")
    fishes, frames, crowd, played = (2, 10, 3, 4) if quick else (FISHES, FRAMES, CROWD, PLAYED)
    reef = Scene.load("reef")
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bake.blend"
        recording = World(tank(fishes)).simulate(frames=frames)
        table = [_from_scene(fishes, frames, out, rounds=1 if quick else 5)]
        table += [*_baking(recording, out, rounds=1 if quick else 5), _keying(recording, rounds=1 if quick else 3)]
        for name, scene in (("reef", reef), (f"{crowd} fishes", tank(crowd))):
            recording = World(scene).simulate(frames=played)
            for form in ("points", "compact"):
                table += _playing(f"{name}, {form}", recording, form, out, stage=scene is reef)
    return table


def tank(fishes: int) -> Scene:
    """A scene with as many fishes, of several species in turns."""
    counts = {name: len(range(place, fishes, len(SPECIES))) for place, name in enumerate(SPECIES)}
    groups = [{"species": name, "count": n, "at": [6, 6, 3], "spread": 2.5} for name, n in counts.items() if n]
    return Scene.from_dict({"name": "tank", "fps": 24.0, "tank": {"size": [12, 12, 6]}, "fishes": groups})


def _from_scene(fishes: int, frames: int, out: Path, rounds: int) -> Row:
    """From a scene to the file on disk: simulated, then baked in the default form."""
    from ..blender_artfish.bake.writer import bake

    work = {
        "simulate": lambda: World(tank(fishes)).simulate(frames=frames),
        "both": lambda: bake(World(tank(fishes)).simulate(frames=frames), out, stage=False),
    }
    seconds = race(work, rounds)
    note = f"file saved; {seconds['simulate'].min():.2g} s of it are the simulation's; best of {rounds}"
    return Row(f"simulate and bake {fishes} x {frames}", seconds["both"].min(), "s", note=note)


def _baking(recording: Recording, out: Path, rounds: int) -> list[Row]:
    """Whole bakes, from the recording to the file on disk."""
    from ..blender_artfish.bake.writer import bake

    work = {
        "points": lambda: bake(recording, out, stage=False),
        "points, every frame": lambda: bake(recording, out, tolerance=0.0, stage=False),
        "compact": lambda: bake(recording, out, form="compact", stage=False),
    }
    seconds = race(work, rounds)
    what = f"bake {len(recording.species)} x {recording.frames}"
    table = []
    for name, bake_it in work.items():
        bake_it()
        curves, keys = counted()
        least, size = seconds[name].min(), out.stat().st_size / 1e6
        # A key is one value at one frame of the motion; thinning then leaves out most of them.
        possible = curves * recording.frames
        note = f"file saved, {size:.3g} MB; {curves:,} curves, {keys:,} of {possible:,} keys kept; best of {rounds}"
        table.append(Row(f"{what}, {name}", least, "s", "<= 6" if name == "points" else "", note))
        if name != "compact":
            counted_as = "keys before thinning" if name == "points" else "every one of them stored"
            table.append(Row(f"{what}, {name}", possible / least, "keys/s", ">= 2e6", counted_as))
    return table


def counted() -> tuple[int, int]:
    """Number of F-curves and keys in the open file."""
    import bpy

    from ..blender_artfish.blender.versions import channelbags

    owners = (*bpy.data.objects, *bpy.data.curves, *bpy.data.shape_keys)
    curves = [curve for owner in owners for bag in channelbags(owner) for curve in bag.fcurves]
    return len(curves), sum(len(curve.keyframe_points) for curve in curves)


def _keying(recording: Recording, rounds: int) -> Row:
    """Key the motion of half a fish's body: in bulk as the bake does, and every frame by `keyframe_insert`."""
    import bpy

    from ..blender_artfish.bake.fishes import point_channels
    from ..blender_artfish.blender.fcurves import thin, write
    from ..blender_artfish.blender.versions import channelbag
    from ..blender_artfish.fish.surfaces import in_order

    length = recording.body_length[0]
    coupling = Coupling(recording.species_models[recording.species[0]])
    half = coupling.control_points(recording.nodes[:, :1], recording.fins[:, :1], length[None])["body_left"][:, 0]
    origin, axes = body_frame(recording.nodes[:, 0].astype(float))
    places = ((in_order(half) - origin[:, None]) @ axes).astype(np.float32)
    frames, points = places.shape[:2]

    def sample() -> bpy.types.Curve:
        # Leftovers of the last turn would slow down the next.
        bpy.data.batch_remove([*bpy.data.curves, *bpy.data.actions])
        curve = bpy.data.curves.new("sample", "SURFACE")
        curve.splines.new("NURBS").points.add(points - 1)
        return curve

    def in_bulk() -> None:
        curve = sample()
        keys = thin(np.ascontiguousarray(places.reshape(frames, -1).T), 0.002 * length / 3**0.5)
        write(channelbag(bpy.data.actions.new("sample"), curve), point_channels(points), keys)

    def one_by_one() -> None:
        spline = sample().splines[0]
        for frame in range(frames):
            for point, place in zip(spline.points, places[frame], strict=True):
                point.co[:3] = place
                for axis in range(3):
                    point.keyframe_insert("co", index=axis, frame=1 + frame)

    seconds = race({"bulk": in_bulk, "keyframe_insert": one_by_one}, rounds)
    ratio = float(seconds["keyframe_insert"].min() / seconds["bulk"].min())
    note = f"{points} control points x {frames} frames, thinned in bulk to 0.002 lengths; best of {rounds}"
    return Row("bulk keying over keyframe_insert", ratio, "", ">= 100", note)


def _playing(name: str, recording: Recording, form: str, out: Path, stage: bool) -> list[Row]:
    """Step through the frames of a baked file as playback does, and measure the file's size."""
    import bpy

    from ..blender_artfish.bake.writer import bake

    bake(recording, out, form=form, stage=stage)
    bpy.ops.wm.open_mainfile(filepath=str(out))
    scene, seconds = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        begin = time.perf_counter()
        scene.frame_set(frame)
        seconds.append(time.perf_counter() - begin)
    size = Row(f"file, {name}", out.stat().st_size / 1e6, "MB", note=f"{recording.frames} frames")
    target = f"<= {1000 / 24:.3g}" if form == "compact" else ""  # 24 frames a second
    fishes = f"{len(recording.species)} fishes{' on their stage' if stage else ''}, median"
    return [Row(f"frame_set, {name}", 1000 * float(np.median(seconds)), "ms", target, fishes), size]
