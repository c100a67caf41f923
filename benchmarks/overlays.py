"""Cost of overlays in the 3D View at a redraw while sixty fishes play, without the graphics card's share.

python -m artfish.benchmarks.overlays
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ..blender_artfish.mind import chart, drawings, overlays, source
from ..core import Scene, World

FRAMES, DRAWS = 30, 60
SCENE = {
    "name": "crowd",
    "tank": {"size": [7.0, 5.0, 3.0]},
    "obstacles": [{"kind": "cylinder", "at": [4.6, 3.2, 0.0], "radius": 0.35, "height": 3.0}],
    "current": [{"kind": "vortex", "at": [3.5, 2.5, 0.0], "direction": [0, 0, 1], "strength": 0.08, "radius": 1.0}],
    "fishes": [
        {"species": "cardinalfish", "count": 59, "at": [3.3, 2.5, 1.5], "spread": 1.5},
        {"species": "grouper", "count": 1, "at": [2.0, 2.0, 1.5], "mind": {"hunger": 1.0}},
    ],
}


def main() -> None:
    """Prints processor milliseconds a redraw, the median and the least."""
    recording = World(Scene.from_dict(SCENE), seed=3).simulate(frames=FRAMES)

    def observed(draw: int) -> source.Observation:
        return source.Observation(recording, 59, draw % FRAMES, {})

    def words(draw: int) -> None:
        places, _, _ = drawings.words(observed(draw))
        drawings.projected(places, np.eye(4), 800, 600)

    def spaces(names: tuple[str, ...]) -> Callable[[int], object]:
        return lambda draw: drawings.draw(observed(draw), names)

    every = overlays.SPACE_OVERLAYS
    jobs: dict[str, Callable[[int], object]] = {name: spaces((name,)) for name in every}
    jobs |= {"words": words, "chart": lambda draw: chart.paint(recording, 59, draw % FRAMES, 342, 190)}
    jobs |= {
        "all five in the world": spaces(every),
        "the same frame again": lambda _: overlays.drawing(observed(1), every),
    }
    for name, job in jobs.items():
        job(0)
        spent = []
        for draw in range(DRAWS):
            begun = time.thread_time()
            job(draw)
            spent.append(1000 * (time.thread_time() - begun))
        print(f"{name:24s} {np.median(spent):7.3f} ms   least {min(spent):7.3f} ms")


if __name__ == "__main__":
    main()
