"""Test that films are the same everywhere: every preset's first ten seconds, run in every way available here.

    python tools/same_bits.py                     the ways against each other, and against tests/core/whole/digests.json
    python tools/same_bits.py --write             writes that file anew, where behavior is meant to change
    python tools/same_bits.py --python PYTHON     one way more: another Python, with its NumPy
    python tools/same_bits.py --live FILE         one way alone: the results of this process, as JSON

The ways are the builds of the kernel, numbers of threads, NumPy without the newer instructions of the processor, the
kernels of OpenBLAS, and plain forms in place of compiled ones, tests/plain; settings that have nothing to do with each
other share a way. All arrays of a world's state count, at every frame. Differences are reported by name: the world, the
way, the first frame and the first arrays. Exit 1 on any difference.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import oracles
from digests import PRESETS, SECONDS, SEEDS, digest

from artfish.benchmarks.worlds import reef
from artfish.core import Scene, World
from artfish.core.base.threads import available
from artfish.core.body import kernel
from artfish.core.geometry import triangles
from artfish.core.geometry.mesh_field import MeshField
from artfish.core.world.persistence import states_of
from artfish.studies.presets import tried

COMMITTED = Path(__file__).resolve().parent.parent / "tests" / "core" / "whole" / "digests.json"
FRAMES = round(SECONDS * 24)
CROWDED, CROWD, CROWDED_FRAMES = "crowd", (400, 100, 8), 24
"""Name of a world with work for several threads, its fishes, plankton and pillars, and its frames."""
ROCKS = "rocks"
"""Name of the measurements on the surfaces of meshes, beside the worlds."""
PLAIN_FRAMES, PLAIN_MESH_FRAMES = 24, 3
"""Frames that are lived through by oracles, a tenth as fast as by C, and a hundredth among meshes."""
CHOICES = "ARTFISH_KERNEL", "ARTFISH_THREADS", "NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE"
"""Environment variables that ways differ in, unset in the usual one."""
LIBRARIES = "Nehalem", "Haswell", "SkylakeX"
"""Kernels of OpenBLAS; one that this processor cannot run is replaced by the oldest."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-"
ROOMS = {
    "bodies": ("block",),
    "motor": ("muscles", "motor", "fins", "helms"),
    "habitat": ("plankton", "growth", "seaweed", "bubbles", "births", "spawn", "hook", "plume", "eddies"),
}
"""Parts of a world's state that share a row of letters in the committed file; all others are "minds"."""

Letters = dict[str, str]
"""A letter a frame, by the name of an array or a room: a sixth of a byte of a digest."""
Lived = dict[str, dict[str, Any]]
"""By the name of a world, its "digest", and the letters of its "arrays"."""


@dataclass(frozen=True)
class Way:
    """A way to run the worlds: name, environment variables, Python, and True for oracles."""

    name: str
    environment: dict[str, str]
    python: str = sys.executable
    plain: bool = False


def main() -> int:
    """Compares the ways, or writes the file of digests."""
    parser = argparse.ArgumentParser(description="Compares what is lived through in every way that is here.")
    parser.add_argument("--write", action="store_true", help=f"write {COMMITTED.name} anew, and compare nothing")
    parser.add_argument("--python", action="append", default=[], metavar="PYTHON", help="another Python to compare")
    parser.add_argument("--live", type=Path, metavar="FILE", help="live through the worlds in this process alone")
    parser.add_argument("--plain", action="store_true", help="so, with plain forms in place of compiled ones")
    parser.add_argument("--worlds", nargs="+", default=[*PRESETS, CROWDED, ROCKS], metavar="X", help="so, these alone")
    arguments = parser.parse_args()
    if arguments.live:
        arguments.live.write_text(json.dumps(lived(arguments.worlds, arguments.plain)))
        return 0
    if not kernel.available:
        print(f"same-bits: not compared: {kernel.reason}")
        return 1 if arguments.write else 0
    if arguments.write:
        (here,) = run([Way("here", {})])
        COMMITTED.write_text(json.dumps(shortened(here), indent=1) + "\n")
        print(f"digests: {COMMITTED.name} says what {len(here)} worlds do")
        return 0
    return compare(ways(arguments.python))


def ways(pythons: list[str]) -> list[Way]:
    """All ways available here, the usual one first."""
    builds = [name for name in kernel.loaded.builds if name != kernel.name] if kernel.loaded else []
    threads = [number for number in (1, 2) if number != available()]
    apart = zip_longest(
        [f"ARTFISH_KERNEL={name}" for name in builds],
        [f"OPENBLAS_CORETYPE={name}" for name in LIBRARIES],
        [*[""] * len(builds), *(f"ARTFISH_THREADS={number}" for number in threads)],
        fillvalue="",
    )
    older = " ".join(dispatched())
    return [
        Way(f"the usual way ({kernel.name}, NumPy {np.__version__})", {}),
        *(Way(" ".join(filter(None, of)), dict(one.split("=") for one in of if one)) for of in apart),
        Way(f'NPY_DISABLE_CPU_FEATURES="{older}"', {"NPY_DISABLE_CPU_FEATURES": older}),
        Way("oracles in place of compiled functions, the first frames", {}, plain=True),
        *(Way(f"{python} ({described(python)})", {}, python) for python in pythons),
    ]


def dispatched() -> list[str]:
    """The optional CPU features that this NumPy may use here, as `NPY_DISABLE_CPU_FEATURES` takes them."""
    name = "numpy._core" if hasattr(np, "_core") else "numpy.core"
    inner: Any = importlib.import_module(f"{name}._multiarray_umath")
    return [name for name in inner.__cpu_dispatch__ if inner.__cpu_features__.get(name)]


def described(python: str) -> str:
    """The versions of a Python and its NumPy."""
    code = "import numpy, platform; print(f'Python {platform.python_version()}, NumPy {numpy.__version__}')"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def run(ways: list[Way]) -> Iterator[Lived]:
    """The results of each of these ways, as many in parallel as there are processors."""

    def one(way: Way) -> Lived:
        with tempfile.TemporaryDirectory() as folder:
            found = Path(folder) / "lived.json"
            command = [way.python, __file__, "--live", str(found)]
            command += ["--plain"] if way.plain else []
            usual = {name: value for name, value in os.environ.items() if name not in CHOICES}
            environment = usual | {"OPENBLAS_NUM_THREADS": "1"} | way.environment
            ended = subprocess.run(command, env=environment, capture_output=True, text=True)
            if ended.returncode:
                raise SystemExit(f"same-bits: {way.name} failed:\n{ended.stderr[-2000:]}")
            return json.loads(found.read_text())

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(one, ways)


def lived(worlds: list[str], plain: bool) -> Lived:
    """The results of this process for these worlds: presets for ten seconds, a crowd for one, and measured rocks.

    With `plain`, oracles live through the first frames. They prepare the worlds, too, but for those with meshes or
    with replicas, which would take them minutes.
    """
    forms = oracles.in_place if plain else nullcontext
    found = {}
    for name in worlds:
        if name == ROCKS:
            with forms():
                found[name] = measured()
            continue
        scene, frames = (reef(*CROWD), CROWDED_FRAMES) if name == CROWDED else (tried(name), FRAMES)
        meshes = any(obstacle.kind == "mesh" for obstacle in scene.obstacles)
        with nullcontext() if meshes or scene.detail else forms():
            world = World(scene, seed=SEEDS[0])
        with forms():
            found[name] = traced(world, frames if not plain else PLAIN_MESH_FRAMES if meshes else PLAIN_FRAMES)
    return found


def traced(world: World, frames: int) -> dict[str, Any]:
    """Runs a world; the digest of all, and a letter for every array of its state at every frame."""
    whole, arrays = list[str](), dict[str, str]()
    for frame in range(frames):
        world.step()
        states = {f"{part}/{name}": a for part, state in states_of(world.parts).items() for name, a in state.items()}
        now = {name: digest(array) for name, array in states.items()}
        for name, own in now.items():
            arrays.setdefault(name, "." * frame)
            arrays[name] += letter(own)
        whole.append(digest(now))
    return {"digest": digest(whole, world.events), "arrays": arrays}


def measured() -> dict[str, Any]:
    """The distance fields of a rock, closed and open, in the form of a world of one frame."""
    rocks: list[Any] = [obstacle for obstacle in Scene.load("grotto").obstacles if obstacle.kind == "mesh"]
    vertices, faces = rocks[0].placed
    points, arrays = 1.01 * vertices[:500], {}
    for kind, kept in (("closed", faces), ("open", faces[:-200])):
        surface = triangles.surface(vertices, kept)
        field = MeshField(surface)
        distance, slope = field.distance(points)
        found = {"samples": field.samples, "depth": field.depth(points), "distance": distance, "slope": slope}
        found["doubt"] = np.array([surface.doubt, surface.volume])
        arrays |= {f"{kind}/{what}": digest(array) for what, array in found.items()}
    return {"digest": digest(arrays), "arrays": {name: letter(own) for name, own in arrays.items()}}


def letter(own: str) -> str:
    """The letter that stands for a digest."""
    return LETTERS[int(own[:2], 16) % len(LETTERS)]


def shortened(found: Lived) -> Lived:
    """The committed form: letters of rooms in place of arrays, small enough for a file that often changes."""
    short: Lived = {}
    for world, of in found.items():
        rooms: dict[str, list[str]] = {}
        for name, letters in sorted(of["arrays"].items()):
            part = name.split("/")[0].rstrip(" 0123456789")
            room = next((room for room, parts in ROOMS.items() if part in parts), "minds")
            rooms.setdefault(room, []).append(letters)
        joined = {
            room: "".join(letter(digest("".join(letters))) for letters in zip(*of_all, strict=True))
            for room, of_all in sorted(rooms.items())
        }
        short[world] = {"digest": of["digest"], "arrays": joined}
    return short


def differences(found: Lived, expected: Lived) -> dict[str, str]:
    """For each world that differs, the first frame with a difference, and the arrays that differ then."""
    said = {}
    for world in sorted({*found, *expected}):
        if world not in found or world not in expected:
            said[world] = "is in one of the two alone"
        elif found[world]["digest"] != expected[world]["digest"]:
            said[world] = first(found[world]["arrays"], expected[world]["arrays"])
    return said


def first(found: Letters, expected: Letters) -> str:
    """The first frame in which letters differ, and the names that differ then."""
    at: dict[int, list[str]] = {}
    for name in sorted({*found, *expected}):
        one, other = found.get(name, ""), expected.get(name, "")
        frames = [frame for frame, pair in enumerate(zip(one, other)) if pair[0] != pair[1]]  # noqa: B905
        if frames or len(one) != len(other):
            at.setdefault(frames[0] if frames else min(len(one), len(other)), []).append(name)
    if not at:
        return "differs in what happened, or in the last bits of a frame that no letter shows"
    names = at[min(at)]
    more = f" and {len(names) - 4} more" if len(names) > 4 else ""
    return f"frame {min(at)} is the first that differs, in {', '.join(names[:4])}{more}"


def first_frames(found: Lived, like: Lived) -> Lived:
    """As many of its first frames as the other has of the same world, with digests of their letters."""
    frames = {world: max(map(len, of["arrays"].values())) for world, of in like.items()}
    cut = {world: {name: one[: frames.get(world)] for name, one in of["arrays"].items()} for world, of in found.items()}
    return {world: {"digest": digest(arrays), "arrays": arrays} for world, arrays in cut.items()}


def compare(ways: list[Way]) -> int:
    """Reports differences from the usual way, and of that from the committed file; returns 1 on any."""
    failed = False
    lives = run(ways)
    here = next(lives)
    for way, found in zip(ways[1:], lives, strict=True):
        said = differences(*(first_frames(one, found) if way.plain else one for one in (found, here)))
        print(f"same-bits: {way.name}: {'differs' if said else f'{len(found)} worlds alike'}", flush=True)
        for world, what in said.items():
            print(f"same-bits: {world}, {way.name}: {what}")
        failed |= bool(said)
    expected = json.loads(COMMITTED.read_text()) if COMMITTED.exists() else {}
    said = differences(shortened(here), expected)
    for world, what in said.items():
        print(f"same-bits: {world}, against {COMMITTED.name}: {what}")
    if failed:
        print("same-bits: the ways differ from each other, which docs/kernel.md promises they do not")
    if said:
        print("same-bits: where behavior is meant to change, `make digests` writes the file anew; commit it with the")
        print("same-bits: change. If nothing has changed, this machine breaks the promise of docs/kernel.md.")
    else:
        print(f"same-bits: all worlds are those of {COMMITTED.name}")
    return 1 if failed or said else 0


if __name__ == "__main__":
    sys.exit(main())
