"""Whole worlds, bodies and minds and habitat, frame by frame, on as many threads as `ARTFISH_THREADS` allows.

Compared with the worlds of Terzopoulos, Tu and Grzeszczuk (1994; 10 fishes, 15 pieces of food, 5 obstacles, 4 frames a
second) and of Yu and Terzopoulos (60 fishes, 10 to 50 frames a second by recorded motion, without bodies). A world
of 10,000 fishes, as close together as in that of 1,000, shows how the cost of a fish grows with the number of fishes.
Frames a second are by the clock, wanted on two processors; all else by the time of the processor, which others do not
take.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..core.base.threads import available
from ..core.scene.scene import Scene
from ..core.world import feeding, stages
from ..core.world.parts import Parts
from ..core.world.world import World
from .table import Row, Unavailable, explains

SPECIES = ("sardine", "butterflyfish", "clownfish", "cardinalfish", "blue_tang")
WORLDS = ((10, 15, 5), (60, 50, 8), (1_000, 200, 8))
"""Fishes, plankton and pillars of each world."""
LARGE = (10_000, 2_000, 37)
"""The large world: fishes and plankton per cubic metre, and pillars per square metre of floor, as in that of 1,000."""
SCHOOLS = (100, 5_000)
"""Fishes of one school, at the same density in the small one and the large one."""
MEGABYTE = 1e6
SPEEDS = {10: ">= 24", 60: ">= 24", 1_000: ">= 100", 10_000: ">= 8"}
"""Target frames a second of worlds of so many fishes."""
FRAMES = 24  # a multiple of the three frames from glance to glance
STAGES = {
    "sense": ("parts.minds.mind._neighbourhood.around", "parts.minds.decision._perceive"),
    "intend and act": ("_intend",),
    "drive": ("parts.bodies.motor.drive",),
    "move": ("parts.bodies.shoal.move",),
    "hold off": ("stages.contain",),
    "feed": ("feeding.feed",),
    "court": ("stages.court",),
    "drift": ("parts.water.plankton.advance",),
}
"""Functions of each stage of a world's work; the rest is gathering nodes, and recording."""
SHARED = {"stages": stages, "feeding": feeding}
"""Modules whose functions all worlds share, by name."""


def reef(fishes: int, plankton: int, pillars: int) -> Scene:
    """A tank with room for all of these, one predator in 250 among the fishes."""
    room = max(1.0, (fishes / 60.0) ** (1.0 / 3.0))
    x, y, z = 10.0 * room, 8.0 * room, 4.0 * room
    hunters = fishes // 250 or 1
    counts = [(fishes - hunters + k) // len(SPECIES) for k in range(len(SPECIES))]
    groups = [
        {"species": name, "count": n, "at": [x * (k + 1) / 6, y / 2, z / 2], "spread": y / 3}
        for k, (name, n) in enumerate(zip(SPECIES, counts, strict=True))
        if n
    ]
    groups.append({"species": "grouper", "count": hunters, "at": [x / 2, y / 2, z / 2], "spread": y / 4})
    places = [[x * (k + 1) / (pillars + 1), y * (0.25 + 0.5 * (k % 2)), 0.0] for k in range(pillars)]
    obstacles = [{"kind": "cylinder", "at": at, "radius": 0.35, "height": 0.6 * z} for at in places]
    tank = {"size": [x, y, z]}
    return Scene.from_dict({"tank": tank, "fishes": groups, "obstacles": obstacles, "plankton": {"count": plankton}})


def school(fishes: int) -> Scene:
    """One school of sardines in open water, two lengths apart."""
    spread = (fishes / SCHOOLS[0]) ** (1.0 / 3.0)
    middle = [4.0 * spread, 4.0 * spread, 3.0 * spread]
    group = {"species": "sardine", "count": fishes, "at": middle, "spread": spread, "heading": [1, 0, 0]}
    return Scene.from_dict({"tank": {"size": [2 * x for x in middle]}, "fishes": [group]})


class Stages:
    """Measures the processor time of each stage of a world, without nested stages."""

    def __init__(self, world: World):
        """Start measuring a world."""
        self.seconds = dict.fromkeys([*STAGES, "the rest"], 0.0)
        self._running, self._since = ["the rest"], time.process_time()
        for stage, parts in STAGES.items():
            for path in parts:
                *owners, name = path.split(".")
                owner: Any = world
                for part in owners:
                    owner = SHARED[part] if part in SHARED else getattr(owner, part)
                work = getattr(owner, name)
                watched = self._watched(stage, work)
                setattr(owner, name, _only_of(world, watched, work) if SHARED.keys() & owners else watched)

    def stop(self) -> dict[str, float]:
        """Seconds of each stage since it began or was last stopped, the longest first."""
        self._note()
        seconds = dict(sorted(self.seconds.items(), key=lambda item: -item[1]))
        self.seconds = dict.fromkeys(self.seconds, 0.0)
        return seconds

    def _note(self) -> None:
        now = time.process_time()
        self.seconds[self._running[-1]] += now - self._since
        self._since = now

    def _watched(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any, **kwargs: Any) -> Any:
            self._note()
            self._running.append(stage)
            try:
                return work(*args, **kwargs)
            finally:
                self._note()
                self._running.pop()

        return watched


def _only_of(world: World, watched: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    """Measured work of one world, where all worlds share the function."""

    def of_any(parts: Parts, *args: Any) -> Any:
        return (watched if parts is world.parts else work)(parts, *args)

    return of_any


def begun(fishes: int, plankton: int, pillars: int) -> World:
    """A world that has lived half a second."""
    return living(reef(fishes, plankton, pillars))


def living(scene: Scene) -> World:
    """A scene that has lived half a second."""
    world = World(scene, seed=1)
    world.simulate(12)
    return world


def described(fishes: int, plankton: int, pillars: int) -> str:
    """The contents of a world, in words."""
    return f"{fishes:,} fishes, {plankton:,} plankton, {pillars} pillars"


def growth(rounds: int, few: tuple[int, int, int] = WORLDS[-1], many: tuple[int, int, int] = LARGE) -> list[Row]:
    """Cost of a fish in two worlds of different numbers, in turns, and its breakdown."""
    worlds = {f"{of[0]:,}": begun(*of) for of in (few, many)}
    return _compared(worlds, rounds, f"{described(*many)}; median of {rounds} rounds in turns")


def schools(rounds: int, few: int = SCHOOLS[0], many: int = SCHOOLS[1]) -> list[Row]:
    """Cost of a fish in two schools of different numbers, in turns, and its breakdown."""
    worlds = {f"{fishes:,} in a school": living(school(fishes)) for fishes in (few, many)}
    return _compared(worlds, rounds, f"sardines in open water; median of {rounds} rounds in turns")


def _compared(worlds: dict[str, World], rounds: int, note: str) -> list[Row]:
    """Cost of a fish in two worlds, of few and of many, in turns, its breakdown, and the ratio."""
    watches = [Stages(world) for world in worlds.values()]
    sizes = [len(world.shoal) for world in worlds.values()]
    cost = np.empty((rounds, 2))  # microseconds a fish and frame
    spent: list[dict[str, float]] = [{}, {}]
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 else (1, 0):
            watches[which].stop()
            list(worlds.values())[which].simulate(FRAMES)
            seconds = watches[which].stop()
            cost[turn, which] = 1e6 * sum(seconds.values()) / (FRAMES * sizes[which])
            if cost[turn, which] == cost[: turn + 1, which].min():
                spent[which] = seconds
    found = []
    for which, name in enumerate(worlds):
        share = ", ".join(f"{stage} {1e6 * s / (FRAMES * sizes[which]):.2g}" for stage, s in spent[which].items())
        found.append(Row(f"a fish among {name}", cost[:, which].min(), "us/frame", note=share))
    few, many = worlds
    ratio = float(np.median(cost[:, 1] / cost[:, 0]))
    return [*found, Row(f"cost of a fish, {many} over {few.split()[0]}", ratio, "", "<= 1.333", note=note)]


def memory(of: tuple[int, int, int] = LARGE) -> Row:
    """Peak memory of a process with a world of so many, imports included."""
    code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import peak; print(peak(*{of!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    megabytes = float(done.stdout) / MEGABYTE
    return Row(f"memory, {of[0]:,} fishes", megabytes, "MB", "<= 1000", note=f"at its most; {described(*of)}")


def peak(fishes: int, plankton: int, pillars: int) -> float:
    """Peak memory of this process in bytes, after a world has lived in it for a while; see below."""
    world = begun(fishes, plankton, pillars)
    for _ in range(FRAMES):
        world.step()
    return most_held()


def most_held() -> float:
    """Peak memory of this process in bytes.

    Linux's `getrusage` includes the process that forked this one: for a child of a bench, the bench's own peak.

    Raises:
        Unavailable: On a system that does not say.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        lines = [line.split() for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        if lines:
            return 1024.0 * float(lines[0][1])
    try:
        import resource
    except ImportError:
        raise Unavailable("this system does not say how much memory a process held") from None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(most) if sys.platform == "darwin" else 1024.0 * most


def evenness(world: World, rounds: int) -> Row:
    """The most expensive of some frames over their mean; each is run several times, and its least cost counts."""
    then, cost = world.moment(), np.full(FRAMES, np.inf)
    for _ in range(rounds):
        world.go_back(then)
        for frame in range(FRAMES):
            begin = time.process_time()
            world.step()
            cost[frame] = min(cost[frame], time.process_time() - begin)
    note = f"of {FRAMES} frames; {1000 * cost.mean():.3g} ms on average, the least of {rounds} rounds"
    return Row(f"dearest frame, {len(world.shoal):,} fishes", float(cost.max() / cost.mean()), "", "<= 1.3", note)


@explains("whole world")
def rows(quick: bool = False) -> list[Row]:
    """Frames a second of each world, the best of several; how the cost of a fish grows, by stage; and memory."""
    found, threads = [], available()
    for of in WORLDS[:1] if quick else (*WORLDS, LARGE):
        world = begun(*of)
        best = float("inf")
        for _ in range(1 if quick else 4):
            begin = time.perf_counter()
            world.simulate(FRAMES)
            best = min(best, time.perf_counter() - begin)
        note = f"{described(*of)}; {threads} thread{'s' if threads > 1 else ''}"
        found.append(Row(f"whole world, {of[0]:,} fishes", FRAMES / best, "frames/s", SPEEDS[of[0]], note))
    found.append(evenness(begun(*(WORLDS[0] if quick else WORLDS[-1])), 1 if quick else 4))
    if quick:
        return [*found, *growth(1, WORLDS[0], WORLDS[1]), *schools(1, 10, 20), memory(WORLDS[0])]
    return [*found, *growth(4), *schools(4), memory()]
