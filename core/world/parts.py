"""The parts of a world: model, state and surroundings of all fishes, in one object that can be exchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful, state
from ..base.sums import mean
from ..behavior.character import Characters
from ..behavior.comfort import Comfort
from ..behavior.decision import Decision
from ..behavior.intention import AVOID
from ..behavior.mind import Mind
from ..behavior.routines.leave import Leave
from ..habitat.bubbles import Bubbles
from ..habitat.currents import Current
from ..habitat.growth import ReefGrowth
from ..habitat.hook import BaitedHook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.plume import Plume
from ..habitat.seaweed import Weed
from ..habitat.spawn import SpawnCloud
from ..habitat.submarine import Submarine
from ..habitat.tank import WaterBox
from ..motor.center import MotorCenter
from ..motor.helm import Helms
from ..motor.pectorals import FinMotion
from ..perception.retina.sight import RetinalSight
from ..perception.visual_memory.looking import Lookout
from ..perception.visual_memory.memory import VisualMemory
from ..scene.scene import Scene
from ..scene.species import Species
from .contact import Skins
from .containment import Bounds
from .detail import DetailControl
from .lives import Lives
from .schedule import Schedule
from .shoal import Shoal
from .signs import Signs
from .strokes import Strokes


class Postures(Stateful):
    """The state of fishes that belongs to no part alone.

    Attributes:
        gamma: Angles of the pectoral fins in radians, left and right, (2, fish).
        mouth: Opening of each mouth, 0 to 1, (fish,).
        touched: Fishes that were touched in this frame, or touched something, (fish,) bool.
    """

    gamma: np.ndarray = state("f8", 2, "fish", unit="rad", begin=np.pi / 2)
    mouth: np.ndarray = state("f8", "fish", low=0, high=1)
    touched: np.ndarray = state("?", "fish")


@dataclass(eq=False)
class Parts(Postures):
    """The parts of a world, and their present state.

    Attributes:
        scene: Simulated scene.
        seed: Seed of all chance.
        models: The species by name.
        numbers: A number for each fish that stays its own when another group grows, (fish,).
        shoal: The bodies, and which of them are there.
        lives: The lives of the fishes; None where nobody is born or grows.
        full_length: Metres of each when it is fully grown, (fish,).
        detail: Levels of detail, and the replicas; None where all are dynamic.
        skins: Distances of their skins from their middles.
        motor: Center that turns commands into the parameters of muscles and fins.
        helms: Fishes that are steered by hand.
        fins: Visible motion of the pectoral fins.
        tank: The walls.
        obstacles: Obstacles.
        current: The flow of the water.
        plankton: Drifting food.
        growth: Food on what stands.
        weed: Seaweed.
        bubbles: Bubbles.
        spawn: Eggs and milt.
        hook: The fishing hook; None without.
        plume: Drifting smells; None where no fish follows any.
        submarine: Submarine, which is piloted through the water; None without.
        bounds: Bounds that keep bodies in the tank and out of obstacles.
        characters: Characters of the fishes.
        choices: The dice of their minds' courses.
        chances: The dice of their decisions.
        decision: Perception, wants and intentions.
        comfort: Contentment with light and warmth.
        leave: Routine of leaving an uncomfortable place.
        mind: Minds of the fishes; None where a pilot decides for them.
        retinas: The eyes of those that see with images; None where nobody does.
        memory: Visual memories; None where no fish has one.
        lookout: The eyes of these, which take it in; None likewise.
        schedule: Times at which groups enter, food is dropped and frights happen.
        doors: Nodes in metres and their velocities in m/s of fishes that enter later, (fish, 23, 3) both.
        signs: Visible signs of the fishes beside their strokes.
        strokes: Bodies within the last frame, of fishes that beat too fast for it.
        frame: Frames since the film begins; below 0 in the scene's pre-roll.
        recorded: Whether this frame is recorded.
        events: Events so far, as in `Recording.events`, with frames of the film.
    """

    scene: Scene
    seed: int
    models: dict[str, Species]
    numbers: np.ndarray
    shoal: Shoal
    lives: Lives | None
    full_length: np.ndarray
    detail: DetailControl | None
    skins: Skins
    motor: MotorCenter
    helms: Helms
    fins: FinMotion
    tank: WaterBox
    obstacles: Obstacles
    current: Current
    plankton: PlanktonCloud
    growth: ReefGrowth
    weed: Weed
    bubbles: Bubbles
    spawn: SpawnCloud
    hook: BaitedHook | None
    plume: Plume | None
    submarine: Submarine | None
    bounds: Bounds
    characters: Characters
    choices: Dice
    chances: Dice
    decision: Decision
    comfort: Comfort
    leave: Leave
    mind: Mind | None
    retinas: RetinalSight | None
    memory: VisualMemory | None
    lookout: Lookout | None
    schedule: Schedule
    doors: tuple[np.ndarray, np.ndarray]
    signs: Signs
    strokes: Strokes
    frame: int
    recorded: bool
    events: list[dict[str, Any]]

    def __post_init__(self) -> None:
        """Begins with all fins spread and all mouths shut."""
        self._fill(fish=len(self.shoal))

    @property
    def written(self) -> Scene:
        """The scene as it was written, without those that were born meanwhile."""
        return self.scene if self.lives is None else self.lives.scene

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
            target = np.where(self.decision.generator.intention == AVOID, self.mind.threat, target)
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
        """Frightens fishes within a radius of a place (3,), in metres; their rows, (n,)."""
        return self.decision.frighten(at, radius, mean(self.shoal.nodes, axis=1))

    def die(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), out of the world."""
        self.shoal.alive[fishes] = False
        self.decision.forget(fishes)

    def enter(self, fishes: np.ndarray) -> None:
        """Lets these fishes, (n,), be there from now on."""
        self.shoal.alive[fishes] = True
        self.decision.enter(fishes)
