"""Wrecks: fishes swim out of one and back in by its holes, hunted, and hide where their hunter cannot come.

In the preset `wreck` three butterflyfishes go to a goal outside and home again within the film's minute.
"""

from __future__ import annotations

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, each

SEEDS = range(5)
OUT, HOME = "open water", "hold"
"""Goals of the preset."""


def lived(seed: int) -> dict[str, int]:
    """Numbers of fishes that came out, came back and were eaten, and of frames in which any touched the wreck."""
    world, touched = World(Scene.load("wreck"), seed=seed), 0
    for _ in range(world.scene.frames):
        world.step()
        touched += int(world.parts.bodies.touched[:-1].any())  # the last is their hunter
    found = {(event["fish"], event["goal"]) for event in world.events if event["kind"] == "arrived"}
    counts = {name: sum(goal == name for _, goal in found) for name in (OUT, HOME)}
    return counts | {"eaten": int((~world.alive[:-1]).sum()), "touched": touched, "frames": world.scene.frames}


def findings(seeds: range = SEEDS) -> list[Finding]:
    """The claims about the wreck."""
    found = each(lived, seeds)
    fishes = len(seeds) * Scene.load("wreck").fishes[0].count
    of = {name: sum(one[name] for one in found) for name in found[0]}
    backs = f"back in {[one[HOME] for one in found]} of three each; who is not hides from the hunter"
    return [
        Finding("who lives in a wreck finds its way out", of[OUT], fishes, 0.9),
        Finding("and back in within a minute, though hunted", of[HOME], fishes, 0.5, backs),
        Finding("nobody of them is eaten", fishes - of["eaten"], fishes),
        Finding("frames in which none touches anything", of["frames"] - of["touched"], of["frames"], 0.99),
    ]
