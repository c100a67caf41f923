"""The parts of a world: model, state and surroundings of all fishes, in one object that can be exchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful
from ..base.sums import mean
from ..behavior.character import Characters
from ..behavior.comfort import Comfort
from ..behavior.decision import Decision
from ..behavior.intention import AVOID
from ..behavior.mind import Mind
from ..behavior.routines.leave import Leave
from ..habitat.bubbles import Bubbles
from ..habitat.currents import Current
from ..habitat.hook import Hook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.seaweed import Weed
from ..habitat.submarine import Submarine
from ..habitat.tank import Tank
from ..motor.center import MotorCenter
from ..motor.helm import Helms
from ..motor.pectorals import FinMotion
from ..perception.retina.sight import Retinas
from ..perception.visual_memory.looking import Lookout
from ..perception.visual_memory.memory import VisualMemory
from ..scene.scene import Scene
from ..scene.species import Species
from .contact import Skins
from .containment import Bounds
from .detail import Detail
from .schedule import Schedule
from .shoal import Shoal
from .signs import Signs
from .strokes import Strokes


@dataclass(eq=False)
class Parts(Stateful):
    """What a world is made of, and how far it has come.

    Attributes:
        scene: What is simulated.
        seed: From which all chance is drawn.
        models: The species by name.
        numbers: A number for each fish that stays its own when another group grows, (fish,).
        shoal: The bodies, and who of them is there.
        detail: Who of them is dynamic, and the replicas; None where all are dynamic.
        skins: How far their skins are from their middles.
        motor: What turns commands into the parameters of muscles and fins.
        helms: Who is steered by hand.
        fins: What the pectoral fins are seen to do.
        tank: The walls.
        obstacles: What stands in it.
        current: The flow of the water.
        plankton: What drifts and is eaten.
        weed: Seaweed.
        bubbles: Bubbles.
        hook: The fishing hook; None without.
        submarine: Which is piloted through the water; None without.
        bounds: What keeps bodies in the tank and out of what stands there.
        characters: Who the fishes are.
        choices: The dice of their minds' courses.
        chances: The dice of their decisions.
        decision: What they perceive, want and mean to do.
        comfort: How light and warmth suit them.
        leave: How they leave a place that does not.
        mind: What decides for them; None where a pilot does.
        retinas: The eyes of those that see with images; None where nobody does.
        memory: What those have seen that remember it; None where nobody does.
        lookout: The eyes of these, which take it in; None likewise.
        schedule: When groups enter, food is dropped and frights happen.
        doors: Nodes in metres and their velocities in m/s of who enters later, (fish, 23, 3) both.
        gamma: Angles of the pectoral fins in radians, left and right, (2, fish).
        signs: What is seen of the fishes beside their strokes.
        mouth: How far each mouth is open, 0 to 1, (fish,).
        touched: Who was touched in this frame, or touched something, (fish,) bool.
        strokes: Bodies within the last frame, of who beats too fast for it.
        frame: Frames since the film begins; below 0 in the scene's pre-roll.
        recorded: Whether this frame is recorded.
        events: What has happened, as in `Recording.events`, with frames of the film.
    """

    _STATE = "gamma", "mouth", "touched"

    scene: Scene
    seed: int
    models: dict[str, Species]
    numbers: np.ndarray
    shoal: Shoal
    detail: Detail | None
    skins: Skins
    motor: MotorCenter
    helms: Helms
    fins: FinMotion
    tank: Tank
    obstacles: Obstacles
    current: Current
    plankton: PlanktonCloud
    weed: Weed
    bubbles: Bubbles
    hook: Hook | None
    submarine: Submarine | None
    bounds: Bounds
    characters: Characters
    choices: Dice
    chances: Dice
    decision: Decision
    comfort: Comfort
    leave: Leave
    mind: Mind | None
    retinas: Retinas | None
    memory: VisualMemory | None
    lookout: Lookout | None
    schedule: Schedule
    doors: tuple[np.ndarray, np.ndarray]
    gamma: np.ndarray
    signs: Signs
    mouth: np.ndarray
    touched: np.ndarray
    strokes: Strokes
    frame: int
    recorded: bool
    events: list[dict[str, Any]]

    @property
    def t(self) -> float:
        """Seconds since the film begins, below 0 in the pre-roll."""
        return self.frame / self.scene.fps

    @property
    def period(self) -> float:
        """Seconds that a frame lasts."""
        return 1.0 / self.scene.fps

    @property
    def species(self) -> tuple[str, ...]:
        """Name of each fish's species."""
        return tuple(group.species for group in self.scene.fishes for _ in range(group.count))

    def attention(self) -> tuple[np.ndarray, np.ndarray]:
        """The fish and the morsel that each attends to, -1 for none, (fish,) each: also whom it keeps off."""
        target, food = self.decision.about()
        if self.mind is not None:
            target = np.where(self.mind.intention == AVOID, self.mind.threat, target)
        return target, food

    def drop_food(self, at: np.ndarray, count: int, spread: float) -> np.ndarray:
        """Drops so many particles of food within a spread of a place (3,), in metres; their rows, (count,)."""
        rows = self.plankton.drop(at, count, spread)
        self._offer()
        return rows

    def enlarge(self, particles: int) -> None:
        """Has room for this many particles of food, in minds and memories too."""
        self.plankton.enlarge(particles)
        self._offer()

    def _offer(self) -> None:
        """Has minds and memories count the food again, of which there may be more."""
        self.decision.offer()
        if self.memory is not None:
            self.memory.enlarge(len(self.plankton))

    def frighten(self, at: np.ndarray, radius: float) -> np.ndarray:
        """Frightens whoever is within a radius of a place (3,), in metres; their rows, (n,)."""
        return self.decision.frighten(at, radius, mean(self.shoal.nodes, axis=1))

    def die(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), out of the world."""
        self.shoal.alive[fishes] = False
        self.decision.forget(fishes)

    def enter(self, fishes: np.ndarray) -> None:
        """Lets these fishes, (n,), be there from now on."""
        self.shoal.alive[fishes] = True
        self.decision.enter(fishes)
