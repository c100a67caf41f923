"""A fish that is put where a test has it and looks around, among pillars that a hand moves."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.body.anatomy import frame_from
from artfish.core.world import stages

FISH = {"species": "clownfish", "at": [5, 5, 2], "heading": [1, 0, 0]}
AWAY = [9.5, 9.5, 0.5]
"""Where a pillar is out of the way of all sights, in metres."""


class Watcher:
    """A world whose fishes look when they are told to."""

    def __init__(self, pillars=(), rules=None, others=(), **keys):
        still = [{"kind": "cylinder", "radius": 0.2, "height": 1.0, **pillar} for pillar in pillars]
        fishes = [{**FISH, "visual_memory": {"model": "basic", **(rules or {})}}, *others]
        scene = {"tank": {"size": [10, 10, 4]}, "fishes": fishes, "obstacles": still, **keys}
        self.world, self.t = World(Scene.from_dict(scene)), 0.0
        self.parts = self.world.parts
        self.memory = self.parts.minds.memory

    def put(self, at, heading, fish=0):
        frame = frame_from(np.array([heading], dtype=float), np.array([[0.0, 0.0, 1.0]]))
        self.parts.bodies.shoal.put(np.array([fish]), np.array([at], dtype=float), frame, np.zeros(1))

    def move(self, pillar, at):
        """Puts a pillar, by its row among those that move, elsewhere at once."""
        self.parts.water.obstacles.movers.put(pillar, np.array(at, dtype=float), np.array([1.0, 0.0, 0.0, 0.0]))

    def look(self, at=(5, 5, 2), heading=(1, 0, 0), after=0.2):
        """Its fish looks around from a place; what it then remembers of obstacles, by their rows."""
        self.put(at, heading)
        self.t += after
        swimmers = stages.perceive(self.parts)
        now = stages.surroundings_of(self.parts, swimmers)
        self.memory.forget_old(self.t)
        self.parts.minds.lookout.look(np.arange(len(self.memory)), self.t, now, swimmers)
        return self.known()

    def known(self, fish=0):
        """The rows of the obstacles of which a fish remembers any piece."""
        return set(self.memory.pieces.obstacle[self.memory.remembered(fish).piece].tolist())

    def where(self, pillar):
        """Where the feet of the remembered pieces of an obstacle were, in metres, each once."""
        know = self.memory.remembered(0)
        mine = self.memory.pieces.obstacle[know.piece] == pillar
        return sorted(set(map(tuple, know.pose[mine, :3].tolist())))


@pytest.fixture(scope="session")
def watch():
    """The maker of such a world."""
    return Watcher
