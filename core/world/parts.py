"""The parts of a world: its model, its water, the bodies and the minds in it, in one object that can be exchanged."""

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
    mouth: np.ndarray = state("f8", "fish", low=0, high=1, recorded="mouth")
    touched: np.ndarray = state("?", "fish")


@dataclass(frozen=True, eq=False)
class WorldModel:
    """The model of a world, which does not change while it lives, but for species that are born.

    Attributes:
        scene: Simulated scene.
        seed: Seed of all chance.
        models: The species by name.
        numbers: A number for each fish that stays its own when another group grows, (fish,).
        full_length: Metres of each when it is fully grown, (fish,).
        characters: Characters of the fishes.
    """

    scene: Scene
    seed: int
    models: dict[str, Species]
    numbers: np.ndarray
    full_length: np.ndarray
    characters: Characters


@dataclass(eq=False)
class Surroundings:
    """The water, and what stands and drifts in it.

    Attributes:
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
    """

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


@dataclass(eq=False)
class FishBodies(Postures):
    """The bodies of all fishes, what moves and bounds them, and what is seen of them.

    Attributes:
        shoal: The bodies, and which of them are there.
        lives: The lives of the fishes; None where nobody is born or grows.
        detail: Levels of detail, and the replicas; None where all are dynamic.
        skins: Distances of their skins from their middles.
        motor: Center that turns commands into the parameters of muscles and fins.
        helms: Fishes that are steered by hand.
        fins: Visible motion of the pectoral fins.
        bounds: Bounds that keep bodies in the tank and out of obstacles.
        doors: Nodes in metres and their velocities in m/s of fishes that enter later, (fish, 23, 3) both.
        signs: Visible signs of the fishes beside their strokes.
        strokes: Bodies within the last frame, of fishes that beat too fast for it.
    """

    shoal: Shoal
    lives: Lives | None
    detail: DetailControl | None
    skins: Skins
    motor: MotorCenter
    helms: Helms
    fins: FinMotion
    bounds: Bounds
    doors: tuple[np.ndarray, np.ndarray]
    signs: Signs
    strokes: Strokes

    def __post_init__(self) -> None:
        """Begins with all fins spread and all mouths shut."""
        self._fill(fish=len(self.shoal))


@dataclass(eq=False)
class FishMinds:
    """The senses, wants and minds of all fishes.

    Attributes:
        choices: The dice of their minds' courses.
        chances: The dice of their decisions.
        decision: Perception, wants and intentions.
        comfort: Contentment with light and warmth.
        leave: Routine of leaving an uncomfortable place.
        mind: Minds of the fishes; None where a pilot decides for them.
        retinas: The eyes of those that see with images; None where nobody does.
        memory: Visual memories; None where no fish has one.
        lookout: The eyes of these, which take it in; None likewise.
    """

    choices: Dice
    chances: Dice
    decision: Decision
    comfort: Comfort
    leave: Leave
    mind: Mind | None
    retinas: RetinalSight | None
    memory: VisualMemory | None
    lookout: Lookout | None


@dataclass(eq=False)
class Parts:
    """The parts of a world: what it is made of, what is in it, and how far it has come.

    Attributes:
        model: Its model.
        water: The water and what is in it besides fishes.
        bodies: The bodies of the fishes.
        minds: Their minds.
        schedule: Times at which groups enter, food is dropped and frights happen.
        frame: Frames since the film begins; below 0 in the scene's pre-roll.
        recorded: Whether this frame is recorded.
        events: Events so far, as in `Recording.events`, with frames of the film.
    """

    model: WorldModel
    water: Surroundings
    bodies: FishBodies
    minds: FishMinds
    schedule: Schedule
    frame: int
    recorded: bool
    events: list[dict[str, Any]]

    @property
    def written(self) -> Scene:
        """The scene as it was written, without those that were born meanwhile."""
        return self.model.scene if self.bodies.lives is None else self.bodies.lives.scene

    @property
    def t(self) -> float:
        """Seconds since the film begins, below 0 in the pre-roll."""
        return self.frame / self.model.scene.fps

    @property
    def period(self) -> float:
        """Seconds that a frame lasts."""
        return 1.0 / self.model.scene.fps

    @property
    def species(self) -> tuple[str, ...]:
        """Name of each fish's species."""
        return tuple(group.species for group in self.model.scene.fishes for _ in range(group.count))

    def attention(self) -> tuple[np.ndarray, np.ndarray]:
        """The fish and the morsel that each attends to, -1 for none, (fish,) each: also whom it keeps off."""
        target, food = self.minds.decision.about()
        if self.minds.mind is not None:
            target = np.where(self.minds.decision.generator.intention == AVOID, self.minds.mind.threat, target)
        return target, food

    def drop_food(self, at: np.ndarray, count: int, spread: float) -> np.ndarray:
        """Drops so many particles of food within a spread of a place (3,), in metres; their rows, (count,)."""
        rows = self.water.plankton.drop(at, count, spread)
        self._offer()
        return rows

    def enlarge(self, particles: int) -> None:
        """Has room for this many particles of food, in minds and memories too."""
        self.water.plankton.enlarge(particles)
        self._offer()

    def _offer(self) -> None:
        """Has minds and memories count the food again, of which there may be more."""
        self.minds.decision.offer()
        if self.minds.memory is not None:
            self.minds.memory.enlarge(len(self.water.plankton))

    def frighten(self, at: np.ndarray, radius: float) -> np.ndarray:
        """Frightens fishes within a radius of a place (3,), in metres; their rows, (n,)."""
        return self.minds.decision.frighten(at, radius, mean(self.bodies.shoal.nodes, axis=1))

    def die(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), out of the world."""
        self.bodies.shoal.alive[fishes] = False
        self.minds.decision.forget(fishes)

    def enter(self, fishes: np.ndarray) -> None:
        """Lets these fishes, (n,), be there from now on."""
        self.bodies.shoal.alive[fishes] = True
        self.minds.decision.enter(fishes)
