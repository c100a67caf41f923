"""Lives through worlds by a library that ends the program where its C reaches beyond an array, or is not defined.

    python tools/sanitize.py                      every preset's first frames, and random worlds, in 1, 2 and 4 threads
    python tools/sanitize.py --scenes reef        some of them
    python tools/sanitize.py --of threads         ends the program where threads get in each other's way, instead

The library is built by cc, whose sanitizers come along with GCC and clang.
`ARTFISH_UNBOUND` lets there be more threads than this machine has processors. As many worlds at a time are lived
through as there are processors; replicas are captured the first time, and kept. Exit 3 where there is no such cc.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from artfish.core import Scene, World
from artfish.core.base.codec import SceneError
from artfish.core.body import kernel
from artfish.core.compiled import calling
from artfish.studies.fuzz import a_declared_scene

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"memory": ROOT / ".cache" / "sanitize", "threads": ROOT / ".cache" / "sanitize-threads"}
RUNTIMES = {"memory": ("libasan.so", "libubsan.so"), "threads": ("libtsan.so",)}
"""Libraries of the sanitizers, which have to be loaded before all others."""
SETTINGS = {
    "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
}
FRAMES = 10
SHOAL = 100
"""The most fishes of a shoal: to settle 800 in a ball takes a minute, and goes where a hundred go."""
RANDOM = 20
"""Random worlds, the first that are not refused."""
TRIED, SPARE = 100, 5
"""Seeds of random scenes, and scenes that are taken beside those, since some have worlds that are refused."""
THREADS = {"memory": (1, 2, 4), "threads": (2, 4)}
NO_COMPILER = 3


def main() -> int:
    """Builds, and lives through the worlds of the command line."""
    parser = argparse.ArgumentParser(description="Lives through worlds by a library with sanitizers.")
    parser.add_argument("--scenes", nargs="+", metavar="X", help="presets, by default all")
    parser.add_argument("--random", type=int, default=RANDOM, metavar="N", help="random worlds")
    parser.add_argument("--of", choices=FOLDERS, default="memory", help="what is looked at; by default memory")
    parser.add_argument("--check", action="store_true", help="build nothing: exit 3 where no cc has sanitizers")
    parser.add_argument("--live", action="store_true", help="live through them by the library that is in use")
    arguments = parser.parse_args()
    if arguments.live:
        return live(arguments.scenes, arguments.random)
    preloads = [path for name in RUNTIMES[arguments.of] if (path := runtime(name))]
    if arguments.check or not preloads:
        return 0 if preloads else say("no C compiler (cc) with sanitizers here")
    folder = FOLDERS[arguments.of]
    shutil.rmtree(folder / "captured", ignore_errors=True)
    build = [sys.executable, str(ROOT / "tools" / "kernel.py"), "--sanitize", arguments.of, "--compiler", "cc"]
    subprocess.run([*build, "--out", str(folder)], check=True)
    # The sanitizer of threads needs to know where in memory things are.
    still = ["setarch", "-R"] if arguments.of == "threads" and shutil.which("setarch") else []
    for threads in THREADS[arguments.of]:
        begun = time.monotonic()
        environment = {
            **os.environ,
            **SETTINGS,
            "LD_PRELOAD": " ".join(preloads),
            "ARTFISH_LIBRARY": str(folder),
            "ARTFISH_THREADS": str(threads),
            "ARTFISH_UNBOUND": "1",
            "ARTFISH_CACHE": str(folder / "captured"),
        }
        again = [*still, sys.executable, __file__, *sys.argv[1:], "--live"]
        code = subprocess.run(again, env=environment, check=False).returncode
        if code:
            print(f"sanitize: failed in {threads} threads, see above", file=sys.stderr)
            return code
        print(f"sanitize: {threads} threads, {time.monotonic() - begun:.0f} s", flush=True)
    return 0


def say(line: str) -> int:
    """Says why nothing is tried; returns the exit code for it."""
    print(f"sanitize: {line}", file=sys.stderr)
    return NO_COMPILER


def runtime(name: str) -> str | None:
    """Path of the sanitizer's own library, which has to be loaded before Python's; None where cc has none."""
    if not shutil.which("cc"):
        return None
    found = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=False)
    path = found.stdout.strip()
    return path if os.path.isabs(path) else None


def live(names: list[str] | None, random: int) -> int:
    """Lives through presets and random worlds, several at a time; returns 1 where too few of these can live."""
    if not kernel.available:
        raise SystemExit(f"sanitize: {kernel.reason}")
    presets = [(small(Scene.load(name)), 1, True) for name in names or Scene.names()]
    presets.sort(key=lambda job: job[0].detail is None)  # what takes longest goes first
    several = [job for seed in range(TRIED if random else 0) if (job := drawn(seed))][: random + SPARE]
    anew = multiprocessing.get_context("spawn")  # no sanitizer of threads lets a fork have any
    with ProcessPoolExecutor(os.cpu_count(), anew, share_everything) as pool:
        done = list(pool.map(lived, *zip(*presets, *several, strict=True)))
    worlds = sum(done[len(presets) :])
    if worlds < random:
        print(f"sanitize: found {worlds} random worlds that can live, needed {random}", file=sys.stderr)
    return int(worlds < random)


def small(scene: Scene) -> Scene:
    """A scene with no more than `SHOAL` fishes of a shoal."""
    return replace(scene, fishes=tuple(replace(shoal, count=min(shoal.count, SHOAL)) for shoal in scene.fishes))


def share_everything() -> None:
    """Has threads share out even what is worth none."""
    usual = calling.share
    calling.share = lambda function, packed, size, least: usual(function, packed, size, 1)  # noqa: ARG005


def drawn(seed: int) -> tuple[Scene, int, bool] | None:
    """A random scene, its seed and False, as `lived` takes them; None where the scene is refused."""
    try:
        return Scene.from_dict(a_declared_scene(np.random.default_rng(seed))), seed, False
    except SceneError:
        return None


def lived(scene: Scene, seed: int, must: bool) -> bool:
    """Lives through a scene's first frames; False where its world is refused, as those that must live never are."""
    try:
        world = World(replace(scene, preroll=0.0), seed)
    except SceneError:
        if must:
            raise
        return False
    world.simulate(FRAMES)
    return True


if __name__ == "__main__":
    sys.exit(main())
