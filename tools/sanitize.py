"""Lives through worlds by a library that ends the program at an access beyond an array, or where C is not defined.

    python tools/sanitize.py                      every preset's first frames, and random worlds, in 1, 2 and 4 threads
    python tools/sanitize.py --scenes reef        some of them

The library is built by cc, whose sanitizers of addresses and of undefined behavior come along with GCC and clang.
`ARTFISH_UNBOUND` lets there be more threads than this machine has processors. Exit 3 where there is no such cc.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "sanitize"
FRAMES = 10
RANDOM = 20
"""Random worlds, by their seeds."""
THREADS = 1, 2, 4
NO_COMPILER = 3


def main() -> int:
    """Builds, and lives through the worlds of the command line."""
    parser = argparse.ArgumentParser(description="Lives through worlds by a library with sanitizers.")
    parser.add_argument("--scenes", nargs="+", metavar="X", help="presets, by default all")
    parser.add_argument("--random", type=int, default=RANDOM, metavar="N", help="random worlds")
    parser.add_argument("--check", action="store_true", help="build nothing: exit 3 where no cc has sanitizers")
    parser.add_argument("--live", type=int, metavar="THREADS", help="live through them in this process alone")
    arguments = parser.parse_args()
    if arguments.live:
        live(arguments.scenes, arguments.random)
        return 0
    preloads = [path for name in ("libasan.so", "libubsan.so") if (path := runtime(name))]
    if arguments.check or not preloads:
        return 0 if preloads else say("no C compiler (cc) with sanitizers here")
    build = [sys.executable, str(ROOT / "tools" / "kernel.py"), "--sanitize", "--compiler", "cc", "--out", str(FOLDER)]
    subprocess.run(build, check=True)
    for threads in THREADS:
        begun = time.monotonic()
        environment = {
            **os.environ,
            "LD_PRELOAD": " ".join(preloads),
            "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
            "ARTFISH_LIBRARY": str(FOLDER),
            "ARTFISH_THREADS": str(threads),
            "ARTFISH_UNBOUND": "1",
        }
        again = [*sys.argv[1:], "--live", str(threads)]
        code = subprocess.run([sys.executable, __file__, *again], env=environment, check=False).returncode
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


def live(scenes: list[str] | None, random: int) -> None:
    """Lives through ten frames of presets and of random worlds, each by the functions of the library."""
    import numpy as np

    from artfish.core import Scene, World
    from artfish.core.base.codec import SceneError
    from artfish.core.body import kernel
    from artfish.core.compiled import calling
    from artfish.studies.fuzz import a_declared_scene

    if not kernel.available:
        raise SystemExit(f"sanitize: {kernel.reason}")
    shared = calling.share

    def all_shared(function: Any, packed: bytes, size: int, least: int) -> bool:  # noqa: ARG001
        return shared(function, packed, size, 1)

    calling.share = all_shared
    for name in scenes or Scene.names():
        World(replace(Scene.load(name), preroll=0.0), 1).simulate(FRAMES)
    for seed in range(random):
        try:
            world = World(replace(Scene.from_dict(a_declared_scene(np.random.default_rng(seed))), preroll=0.0), seed)
        except SceneError:
            continue  # what is refused is not lived
        world.simulate(FRAMES)


if __name__ == "__main__":
    sys.exit(main())
