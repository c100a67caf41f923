"""Mazes: a fish that has explored one swims straight home through it.

In the preset `maze` a fish finds the way out, and then home: the second run is compared with the first.
"""

from __future__ import annotations

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

SEEDS = range(20)
LONGEST_SECONDS = 300.0
"""Time limit of a run."""
LEAST_SHARE = 0.8
"""Share of seeds in which the second run must take half of the time of the first or less."""


def runs(seed: int) -> tuple[float, float, int]:
    """Seconds of the first run and of the second in the maze, infinite if there was none, and frames in touch."""
    world, touched = World(Scene.load("maze"), seed=seed), 0
    frames: list[int] = []
    while world.t < LONGEST_SECONDS and len(frames) < 2:
        world.step()
        touched += int(world.parts.bodies.touched.any())
        frames = [event["frame"] for event in world.events if event["kind"] == "arrived"]
    first, second = [frame / world.scene.fps for frame in frames] + [float("inf")] * (2 - len(frames))
    return first, second - first if len(frames) == 2 else float("inf"), touched


def findings(seeds: range = SEEDS) -> list[Finding]:
    """The claims about the maze."""
    found = each(runs, seeds)
    shares = sorted(second / first for first, second, _ in found)
    note = f"second over first run {shares[0]:.2f} to {shares[-1]:.2f}, first {min(found)[0]:.0f} s at the least"
    return [
        counted("finds the way out of the maze and home", [second < float("inf") for _, second, _ in found], 1.0),
        counted(
            "second run in half of the time or less",
            [2.0 * second <= first for first, second, _ in found],
            LEAST_SHARE,
            note,
        ),
        counted("touches no wall", [touched == 0 for _, _, touched in found], LEAST_SHARE),
    ]
