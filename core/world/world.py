"""The loop: sense, intend, act, move, record."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from ..base.codec import SceneError, shown
from ..base.dice import Dice
from ..base.files import read_arrays, write_arrays
from ..base.state import Stateful, Together
from ..behavior.character import SEXES as SEX_NAMES
from ..behavior.character import Cast, Characters
from ..behavior.comfort import Comfort
from ..behavior.decision import Decision, Waters
from ..behavior.intention import AVOID
from ..behavior.mind import Mind
from ..behavior.routines.eat import MOUTHFUL, SUCK_AT, SWALLOW_AT, gape, mouth, suction, swallowed
from ..behavior.routines.leave import LEAVING_DICE, Leave
from ..behavior.routines.struggle import Struggle
from ..body.anatomy import NOSE_NODE
from ..habitat.ambient import Ambient
from ..habitat.bubbles import Bubbles
from ..habitat.currents import Current
from ..habitat.hook import NO_CATCH, Hook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.seaweed import CenterLines, Weed
from ..habitat.tank import Tank
from ..motor.center import MotorCenter
from ..motor.commands import Commands
from ..motor.helm import Helm, Helms
from ..motor.pectorals import FinMotion
from ..perception.swimmers import Swimmers
from ..recording import ARRAYS, Recording
from ..scene.direction import Food
from ..scene.limits import FARTHEST
from ..scene.scene import Scene
from ..scene.species import Species
from .contact import Skins, keep_apart
from .containment import Bounds
from .schedule import Schedule
from .settling import Surroundings, settle, upright
from .shoal import Shoal

Pilot = Callable[[float, "World"], Commands]

PLACES, CHOICES, BODIES, HEADINGS, SEXES, WANTS = range(6)  # purposes of the dice
WORLD_FORMAT = 9  # of a saved world
STRUGGLES = 2 << 32  # and one more, far from those of others
AGAPE = 0.05  # opening of a mouth from which on it may touch its prey
SUCTION = 12.0  # m/s², the pull of a wide open mouth on what is right before it
STRETCHED = 2.0  # lengths; no node is farther from the nose, however a body is bent and drawn
MOST_FED = 10_000  # particles of food that are dropped at once


@dataclass(frozen=True, eq=False)
class Moment:
    """A world as it was, for `World.go_back`; whoever holds one changes nothing in it.

    Attributes:
        scene: What lived then.
        models: The species by name.
        states: What `Stateful.state` returned, by part.
        rest: Attributes of the world besides.
    """

    scene: Scene
    models: dict[str, Species]
    states: dict[str, dict[str, np.ndarray]]
    rest: dict[str, Any]

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return sum(array.nbytes for state in self.states.values() for array in state.values())


class World:
    """A scene that lives.

    Attributes:
        scene: What was asked for.
        seed: From which all chance is drawn.
        species: Name of each fish's species.
        shoal: The bodies.
        frame: Frames since the film begins; below 0 in the scene's pre-roll.
        dt: Seconds in a step of the simulation.
        substeps: Steps in a frame.
    """

    def __init__(
        self,
        scene: Scene,
        seed: int = 0,
        pilot: Pilot | None = None,
        species: Mapping[str, Species] | None = None,
    ):
        """Fills the tank.

        Args:
            scene: What to simulate.
            seed: Any whole number; the same scene and seed give the same bits.
            pilot: Takes the place of all minds: called once a frame with the time in seconds, below 0 in the scene's
                pre-roll, and the world.
            species: Species that win over the presets of the same name.

        Raises:
            SceneError: Where a species cannot be read, a fish is longer than the tank, or the seed is no whole number.
        """
        if not _whole(seed):
            raise SceneError(shown(seed), "a whole number", key="seed")
        self.scene, self.seed, self._pilot = scene, int(seed), pilot
        self.frame = -scene.preroll_frames
        self.substeps = scene.substeps
        self.dt = 1.0 / (scene.fps * scene.substeps)
        groups = scene.fishes
        self.species = tuple(group.species for group in groups for _ in range(group.count))
        names = sorted(set(self.species))
        given = species or {}
        self.models = {name: given[name] if name in given else Species.load(name) for name in names}
        models = [self.models[name] for name in names]
        kind = np.array([names.index(name) for name in self.species], dtype=int)
        size = np.array([group.size for group in groups for _ in range(group.count)])
        length = size * np.array([self.models[name].length for name in self.species])
        self._refuse_giants()
        # Numbers that stay a fish's own when another group grows.
        numbers = [
            (group.seed << 40) + (row << 20) + own for row, group in enumerate(groups) for own in range(group.count)
        ]
        self._numbers = np.array(numbers, dtype=int)

        self.shoal = Shoal(models, kind, length, self.dt, scene.fluid_viscosity)
        self._skins = Skins(models, kind, length)
        self._motor = MotorCenter(models, kind)
        self._helms = Helms(len(kind))
        self._current = Current.from_scene(scene)
        self._obstacles, self._tank = Obstacles.from_scene(scene), Tank.from_scene(scene)
        bodies = Dice(seed, self._numbers, BODIES)
        everyone = np.arange(len(kind))
        pace = 0.0 if pilot else 1.0
        around = Surroundings(length, self._tank, self._obstacles)
        draws = Dice(seed, self._numbers, PLACES), Dice(seed, self._numbers, HEADINGS)
        place, heading = settle(groups, around, *draws, pace)
        self.shoal.put(everyone, place, upright(heading), pace * length)
        self.characters = self._cast(Dice(seed, self._numbers, SEXES))
        self._chances = Dice(seed, self._numbers, WANTS)
        self._plankton = PlanktonCloud(scene.plankton, self._tank, self._obstacles, self._current, seed)
        self._plankton.enlarge(scene.plankton.count + sum(of.count for of in scene.events if isinstance(of, Food)))
        self._comfort = Comfort(
            self.characters, Ambient.from_scene(scene, Obstacles.from_scene(scene, walls=False)), length
        )
        self._leave = Leave(Dice(seed, self._numbers, LEAVING_DICE))
        self._weed = Weed(scene.seaweed, self._tank, self._obstacles, self._current, seed)
        self._bubbles = Bubbles(scene.bubbles, self._tank, self._obstacles, self._current, seed)
        self._hook = Hook(scene.hook, self._tank.size[2], len(kind)) if scene.hook else None
        struggle = Struggle(Dice(seed, self._numbers, STRUGGLES)) if scene.hook else None
        cast = Cast(self.characters, kind, length, self.shoal.alive)
        waters = Waters(self._tank, self._obstacles, self._plankton, self._hook)
        self._wants = Decision(cast, waters, self._chances, self._comfort, self._leave, struggle)
        self._bounds = Bounds(self.shoal, self._tank, self._obstacles, self._hook)
        self._mouth = np.zeros(len(kind))
        self._events: list[dict[str, Any]] = []
        self.shoal.start_beats(bodies.uniform(everyone, 0.0, 2 * np.pi) if pilot is None else np.zeros(len(kind)))
        self._motion = FinMotion(
            np.array([model.pectoral.oaring for model in models])[kind], bodies.uniform(everyone, 0.0, 2 * np.pi)
        )
        self._gamma = np.full((2, len(kind)), np.pi / 2)
        self._choices = Dice(seed, self._numbers, CHOICES)
        beats = "tail_beat", "slow_beat", "slow_amplitude"
        rhythm = [np.array([getattr(model.rhythm, name) for model in models])[kind] for name in beats]
        self._mind = None if pilot else Mind(scene, cast, place, rhythm, self._choices, self._wants)
        self._seen = False
        if self._mind is not None:
            self._bounds.hold(self.shoal.nodes)
            self._heed_keys()
        self._schedule = Schedule(scene)
        self.shoal.alive[self._schedule.waiting] = False
        self._doors = self.shoal.nodes, self.shoal.node_velocities  # where who enters later comes
        self.shoal.push(everyone, self._adrift(self.shoal.nodes))
        self._keep_time()

    @property
    def t(self) -> float:
        """Seconds since the film begins, below 0 in the pre-roll: what a scene times is timed by the film."""
        return self.frame / self.scene.fps

    @property
    def nodes(self) -> np.ndarray:
        """Places of the nodes in metres, (fish, 23, 3) float64."""
        return self.shoal.nodes

    @property
    def center_of_mass(self) -> np.ndarray:
        """Centers of mass in metres, (fish, 3) float64."""
        return self.shoal.center_of_mass

    @property
    def alive(self) -> np.ndarray:
        """Which fishes are there: alive, and entered, (fish,) bool."""
        return self.shoal.alive

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """What has happened so far, as in `Recording.events`, but with frames counted from the film's beginning."""
        return tuple(self._events)

    def step(self) -> None:
        """Advances by one frame, `substeps` steps of `dt` seconds."""
        period = 1.0 / self.scene.fps
        shoal = self.shoal
        nodes = shoal.nodes
        place, frames = shoal.frames(nodes)
        velocity = shoal.velocity
        commands = self._decide(place, frames, velocity, period, nodes)
        commands = self._helms.command(commands, self.shoal.alive & ~self._wants.hooked, period)
        water = self._current.velocity(place, self.t + 0.5 * period)
        if not self._current.steady:
            velocity = velocity + self._carry(water - self._current.velocity(place, self.t - 0.5 * period))
        drive = self._motor.drive(commands, frames, velocity - water, shoal.length, period)
        drive.slacken(self._landed)
        shoal.move(drive, water, self.substeps)
        speed = np.linalg.norm(velocity - water, axis=1) / shoal.length
        backwards = np.asarray(commands.brake, dtype=bool) | (np.asarray(commands.back) > 0)
        self._motion.advance(period, drive.gamma, speed, shoal.bend, backwards)
        self._gamma = drive.gamma
        self.frame += 1
        self._angle(period)
        if self._mind is not None:
            self._contain()
            if self._hook is not None and self._hook.fish != NO_CATCH:
                self._hook.follow(self.shoal.nodes[self._hook.fish])
            self._wants.feelings.advance(period)
            self._feed(period)
            self._court(period)
            self._heed_keys()
        if len(self._plankton):
            self._plankton.advance(self.t, period)
        if len(self._weed):
            there = self.shoal.alive
            of = shoal.nodes[there], shoal.node_velocities[there], shoal.length[there]
            self._weed.advance(self.t, period, CenterLines.of(*of))
        if len(self._bubbles):
            self._bubbles.advance(self.t, period)
        self._keep_time()
        self._seen = False

    def _carry(self, gain: np.ndarray) -> np.ndarray:
        """Speeds every fish up as the water about it has, by `gain` in m/s, (fish, 3); returns by how much it does.

        Water that speeds up takes along what is as heavy as it is, without having to stream past it: the pressure that
        moves the water moves the body (Maxey & Riley 1983, the force of the undisturbed flow). Of that force this is
        the part of flows that change with time; in steady ones it is little on the scale of a fish.
        """
        carried = self._grip * gain
        self.shoal.push(np.arange(len(self.shoal)), carried[:, None])
        return carried

    @property
    def _grip(self) -> float:
        """How much of the water's motion what floats in it has: thin fluids carry less, and air nothing."""
        return min(self.scene.fluid_viscosity, 1.0)

    def _adrift(self, nodes: np.ndarray) -> np.ndarray:
        """The velocity in m/s (n, 1, 3) that bodies (n, 23, 3) at rest in the water have where they come into it."""
        return self._grip * self._current.velocity(nodes.mean(axis=1), self.t - 0.5 / self.scene.fps)[:, None]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the running world, so that `load` goes on from here to the bit; without pickles.

        Raises:
            SceneError: Where the file cannot be written.
        """
        held = {f"{part}/{name}": value for part, of in self._parts().items() for name, value in of.state().items()}
        models = {name: model.to_dict() for name, model in self.models.items()}
        told = {"scene": self.scene.to_dict(), "species": models, "events": self._events, "seed": self.seed}
        told |= {"frame": self.frame, "seen": self._seen, "format": WORLD_FORMAT}
        write_arrays(path, {"told": np.array(json.dumps(told)), "gamma": self._gamma, "mouth": self._mouth, **held})

    @classmethod
    def load(cls, path: str | os.PathLike[str], pilot: Pilot | None = None) -> World:
        """Reads what `save` wrote; simulating goes on as if it had never stopped.

        Args:
            path: Of the file.
            pilot: Takes the place of all minds, as it did before.

        Raises:
            SceneError: Where the file cannot be read, is cut short or is no world of this version.
        """
        file = os.fspath(path)
        held = read_arrays(path, "a world")
        try:
            told = json.loads(held["told"].item())
            models = {name: Species.from_dict(data, f"{file}: {name}") for name, data in told["species"].items()}
            if told["format"] != WORLD_FORMAT:
                raise SceneError("another version's world", str(WORLD_FORMAT), file=file)
            world = cls(Scene.from_dict(told["scene"], f"{file}: scene", models), told["seed"], pilot, models)
            states: dict[str, dict[str, np.ndarray]] = {part: {} for part in world._parts()}
            for name in held:
                part, _, own = name.rpartition("/")
                states.setdefault(part, {})[own] = held[name]
            world._take_over(states)
            world._gamma[...], world._mouth[...] = held["gamma"], held["mouth"]
            world.frame, world._seen, world._events = told["frame"], told["seen"], told["events"]
        except SceneError:
            raise
        except Exception as error:  # what is missing or of another shape fails in JSON, in the parts, or in the world
            raise SceneError("a damaged or foreign file", "a world (.npz)", file=file) from error
        return world

    def moment(self) -> Moment:
        """All that this world is now, as copies, some kilobytes a fish."""
        rest = {"_gamma": self._gamma.copy(), "_mouth": self._mouth.copy(), "_events": tuple(self._events)}
        rest |= {"frame": self.frame, "_seen": self._seen}
        return Moment(self.scene, self.models, {name: part.state() for name, part in self._parts().items()}, rest)

    def go_back(self, moment: Moment) -> None:
        """Is again what it was when `moment` was taken of it; what follows then follows again, to the bit."""
        try:
            if self.scene is not moment.scene or self.models is not moment.models:
                raise ValueError("another scene")
            self._take_over(moment.states)
        except ValueError:  # or a moment when there was less plankton, or something was not yet known
            self.__dict__ = World(moment.scene, self.seed, self._pilot, moment.models).__dict__
            self.models = moment.models
            self._take_over(moment.states)
        for name, value in moment.rest.items():
            setattr(self, name, value.copy() if isinstance(value, np.ndarray) else value)
        self._events = list(moment.rest["_events"])

    def feel(
        self,
        fish: int | ArrayLike,
        hunger: float | None = None,
        libido: float | None = None,
        fear: float | None = None,
    ) -> None:
        """Makes fishes hungry, amorous or afraid, or the opposite, from now on; nature then takes its course.

        Args:
            fish: Row, or rows, (n,).
            hunger: 0 to 1; as it is if left out.
            libido: 0 to 1; as it is if left out.
            fear: 0 to 1, of what is right behind it; it fades in seconds. As it is if left out.

        Raises:
            SceneError: Where there is no such fish, or a number is none from 0 to 1.
        """
        rows = self._rows(fish)
        for name, value in (("hunger", hunger), ("libido", libido), ("fear", fear)):
            if value is not None:
                _refuse_beyond(name, value, 0.0, 1.0)
        self._wants.feel(rows, hunger, libido, fear)

    def feed(self, at: ArrayLike, count: int = 12, spread: float = 0.15) -> np.ndarray:
        """Drops food into the water, also where the scene has no plankton.

        Args:
            at: The place in metres, (3,); what lies outside the tank counts as its nearest place inside.
            count: How many particles.
            spread: Radius around the place in metres, within which they come.

        Returns:
            Their rows among all particles, (count,). A recording holds them as plankton that is not there before.

        Raises:
            SceneError: Where there is no such place, or a number is out of its range.
        """
        _refuse_beyond("count", count, 1, MOST_FED)
        _refuse_beyond("spread", spread, 0.0, FARTHEST)
        rows = self._plankton.drop(_place("at", at), int(count), spread)
        self._wants.offer()
        return rows

    def frighten(self, at: ArrayLike, radius: float = 1.5) -> np.ndarray:
        """Frightens whoever is near a place as a predator there would; the fright fades in seconds.

        Args:
            at: The place in metres, (3,).
            radius: Metres, at which a fish is just afraid enough to act.

        Returns:
            Rows of those that are frightened, (n,). Predators fear nothing.

        Raises:
            SceneError: Where there is no such place or radius.
        """
        _refuse_beyond("radius", radius, 0.0, FARTHEST)
        return self._wants.frighten(_place("at", at), radius, self.nodes.mean(axis=1))

    def steer(self, fish: int, helm: Helm | None) -> None:
        """Takes a fish over by hand, through the same motor controllers; the others keep their minds.

        What it is told holds until it is told otherwise. Its own mind goes on meanwhile, unheard, and takes over
        again when the helm is let go. Who is dead or on a hook does not obey.

        Args:
            fish: Its row.
            helm: What it is to do; None gives it back to its mind.

        Raises:
            SceneError: Where there is no such fish.
        """
        self._helms.take(int(self._rows(fish)[0]), helm)

    @property
    def steered(self) -> np.ndarray:
        """Rows of the fishes that are steered by hand, (n,)."""
        return np.flatnonzero(self._helms.steered)

    def retune(self, scene: Scene | None = None, species: Mapping[str, Species] | None = None, **keys: Any) -> None:
        """Goes on as another scene from here, with fishes, water and moods as they are.

        Temperament, habits and mind of groups and species, the fluid's viscosity, the current, light, warmth and
        whatever else leaves the fishes the same may differ. What lives on in arrays of another size, such as seaweed
        of more leaves, begins anew. Costs about as much as making a world: some hundredths of a second.

        Args:
            scene: What to go on as; the present one if left out.
            species: Species that win over those that live here, by name.
            keys: Keys of the scene that are to be changed, with the values that `Scene` holds for them, such as
                `current=()` or `fluid_viscosity=0.5`.

        Raises:
            SceneError: Where the other scene has other fishes or frames, or cannot be made.
        """
        scene = replace(self.scene if scene is None else scene, **keys)
        held = [[(group.species, group.count) for group in of.fishes] for of in (self.scene, scene)]
        if held[0] != held[1]:
            raise SceneError("other species or numbers of them", "the same in a running world", key="fishes")
        if scene.fps != self.scene.fps:
            raise SceneError(f"{scene.fps:g}", f"{self.scene.fps:g}, that of the running world", key="fps")
        ground = all(getattr(scene, name) == getattr(self.scene, name) for name in ("tank", "obstacles", "terrain"))
        kept = [name for name in ("bubbles", "seaweed") if ground and getattr(scene, name) == getattr(self.scene, name)]
        none: dict[str, Any] = dict.fromkeys(kept, ())  # what stays takes long to make
        other = World(replace(scene, **none), self.seed, self._pilot, {**self.models, **(species or {})})
        other.scene = scene
        if "bubbles" in kept:
            other._bubbles = self._bubbles
            other._bubbles.current = other._current
        if "seaweed" in kept:
            other._weed = self._weed
            other._weed.current = other._current
        same_food = scene.plankton.count == self.scene.plankton.count
        if same_food:  # with as much in reserve
            self._plankton.enlarge(len(other._plankton))
            self._wants.offer()
        mine = {name: part.state() for name, part in self._parts().items()}
        fresh = {name: part.state() for name, part in other._parts().items()}
        states = {name: mine[name] if _fits(mine.get(name), state) else state for name, state in fresh.items()}
        both = ("plankton", "growth")
        if same_food:
            states |= {name: mine[name] for name in both}
        else:
            states |= {name: fresh[name] for name in both}
            states["wants"]["food"][...] = NO_CATCH
        if scene.hook != self.scene.hook and "hook" in fresh and not (self._hook and self._hook.fish != NO_CATCH):
            states["hook"] = fresh["hook"]
        if scene.direction != self.scene.direction and "direction" in fresh:
            states["direction"] = fresh["direction"]
        other._schedule.skip(self.t)
        if scene.events != self.scene.events:
            states["schedule"]["done"] = other._schedule.done
        if not scene.wants:  # what keys said before holds no longer
            states["mood"]["keyed"][...] = np.nan
        other._take_over(states)
        other._gamma[...], other._mouth[...] = self._gamma, self._mouth
        other.frame, other._seen, other._events = self.frame, self._seen, self._events
        self.__dict__ = other.__dict__
        self._heed_keys()

    def _rows(self, fish: int | ArrayLike) -> np.ndarray:
        """Rows of fishes, (n,)."""
        rows = np.atleast_1d(np.asarray(fish))
        if rows.dtype.kind not in "iu" or rows.ndim != 1 or not ((rows >= 0) & (rows < len(self.shoal))).all():
            raise SceneError(shown(fish), f"0 to {len(self.shoal) - 1}", key="fish")
        return rows

    def _cast(self, dice: Dice) -> Characters:
        """Who the fishes are."""
        return Characters.from_scene(self.scene, self.models, dice)

    def _decide(
        self, place: np.ndarray, frames: np.ndarray, velocity: np.ndarray, period: float, nodes: np.ndarray
    ) -> Commands:
        """What pilot or minds tell every fish to do in the next frame."""
        if self._mind is None:
            assert self._pilot is not None
            commands = self._pilot(self.t, self)
            if not isinstance(commands, Commands):
                raise ValueError(f"pilot: found {commands!r}, allowed Commands")
            return commands.checked(len(self.shoal))
        return self._mind.decide(self.t, period, Swimmers(nodes, place, frames, velocity))

    def _parts(self) -> dict[str, Stateful]:
        """All that changes with time, by a name of its own."""
        wants = self._wants
        parts: dict[str, Stateful] = {**self.shoal.parts(), "motor": self._motor, "fins": self._motion}
        parts |= {"choices": self._choices, "chances": self._chances, "courtship": wants.courting}
        parts |= {"wants": Together(self.shoal, *wants.parts)}
        parts |= {"feelings": self._wants.feelings, "intentions": self._wants.generator}
        parts |= {"mood": self._wants.feelings.mood, "helms": self._helms, "schedule": self._schedule}
        parts |= {"dangers": self._wants.dangers}
        parts |= {"plankton": self._plankton, "growth": self._plankton.dice}
        parts |= {"comfort": self._comfort, "leaving": self._leave, "turns": self._leave.dice}
        if len(self._weed):
            parts |= {"seaweed": self._weed}
        if len(self._bubbles):
            parts |= {"bubbles": self._bubbles, "births": self._bubbles.dice}
        if self._hook is not None and self._wants.struggle is not None:
            struggle = self._wants.struggle
            parts |= {"hook": self._hook, "struggle": struggle, "wrenches": struggle.dice}
        if self._mind is not None:
            parts |= {
                "mind": Together(self._mind, self._mind.steering),
                "wander": self._mind.wander,
                "direction": self._mind.director,
            }
        return parts

    def _take_over(self, states: Mapping[str, dict[str, np.ndarray]]) -> None:
        """Goes on from these states of the parts.

        Raises:
            KeyError: Something is missing.
            ValueError: Something has another shape.
        """
        self._plankton.enlarge(len(states["plankton"]["alive"]))
        self._wants.offer()
        for name, part in self._parts().items():
            part.restore(states[name])

    def _contain(self) -> None:
        """Keeps bodies out of walls and pillars: whoever touches one is held up by it.

        Minds steer clear, but water may carry a fish, and a tank may be too small to turn in. Fishes that touch push
        each other apart, which nothing that stands does.
        """
        nodes, wants = self._bounds.mend(self.shoal.nodes), self._wants
        seizing = np.where(self._mouth > AGAPE, wants.focus.target, -1)
        if keep_apart(self.shoal, self._skins, nodes, self.shoal.alive, seizing):
            nodes = self.shoal.nodes
        self._bounds.hold(nodes)

    def _heed_keys(self) -> None:
        """Lets fishes want what keys say now."""
        if self._mind is not None and self._mind.director.keys:
            self._mind.director.moods(self.t, self._wants.feelings.mood.keyed)
            self._wants.feel_keys()

    def _keep_time(self) -> None:
        """Lets happen what the scene has for this time; who has not entered stays where it will."""
        waiting = np.flatnonzero(self._schedule.waiting)
        if len(waiting):
            nodes, velocity = self._doors
            self.shoal.pose(waiting, nodes[waiting], velocity[waiting] + self._adrift(nodes[waiting]))
        for rows in self._schedule.entering(self.t):
            self.shoal.alive[rows] = True
            self._wants.enter(rows)
            self._events.append({"frame": self.frame, "kind": "entered", "fish": int(rows[0]), "other": int(rows[-1])})
        for event in self._schedule.happening(self.t):
            if isinstance(event, Food):
                count = len(self.feed(event.at, event.count, event.spread))
            else:
                count = len(self.frighten(event.at, event.radius))
            self._events.append({"frame": self.frame, "kind": event.kind, "fish": NO_CATCH, "other": count})

    def _court(self, period: float) -> None:
        """Couples go on from stage to stage, and spawn."""
        if not self._wants.courtship.at_work:
            return
        nodes = self.shoal.nodes
        _, frames = self.shoal.frames(nodes)
        for event in self._wants.court(period, nodes, frames):
            self._events.append({"frame": self.frame, **event})

    def _feed(self, period: float) -> None:
        """Mouths open on food that is near, draw it in and swallow it (Tu 1999, §7.9.1)."""
        wants, nodes = self._wants, self.shoal.nodes
        eaters = self._gape(wants.eaters(), nodes, period)
        opening = self._mouth[eaters]
        if not (opening > AGAPE).any():
            return
        place, ahead = mouth(nodes[eaters])
        hunts = wants.hunts(eaters)
        self._swallow_fishes(eaters[hunts], place[hunts], ahead[hunts], opening[hunts], nodes, period)
        self._swallow_plankton(eaters[~hunts], place[~hunts], ahead[~hunts], opening[~hunts], period)
        self._bite(eaters[~hunts], place[~hunts], ahead[~hunts], opening[~hunts], period)

    def _gape(self, eaters: np.ndarray, nodes: np.ndarray, period: float) -> np.ndarray:
        """Opens mouths that are near what these fishes are after and closes all others; returns who may swallow."""
        gap = np.full(len(nodes), np.inf)
        if len(eaters):
            place, _ = mouth(nodes[eaters])
            gap[eaters] = np.linalg.norm(self._wants.food_nodes(eaters, nodes) - place[:, None], axis=2).min(axis=1)
        free = ~self._wants.hooked
        self._mouth[free] = gape(gap, self.shoal.length, self._mouth, period)[free]
        return eaters

    def _swallow_fishes(
        self,
        eaters: np.ndarray,
        place: np.ndarray,
        ahead: np.ndarray,
        opening: np.ndarray,
        nodes: np.ndarray,
        period: float,
    ) -> None:
        """Draws fishes towards these mouths, and prey in."""
        wants, length = self._wants, self.shoal.length
        prey = wants.drawn()
        if not len(prey) or not len(eaters):
            return
        # What no mouth can reach needs no search of all its nodes.
        reach = SUCK_AT * length[eaters].max() + STRETCHED * length[prey]
        gap, _ = cKDTree(place).query(nodes[prey, NOSE_NODE], distance_upper_bound=reach.max())
        prey = prey[gap < reach]
        if not len(prey):
            return
        points = nodes[prey].reshape(-1, 3)
        pull = suction(place, ahead, opening, length[eaters], points, SUCTION, np.full(len(points), -1))
        self.shoal.push(prey, period * pull.reshape(len(prey), -1, 3))
        eater = swallowed(place, opening, length[eaters], points, np.repeat(length[prey], nodes.shape[1]))
        eater = np.where(wants.edible(prey), eater.reshape(len(prey), -1).max(axis=1), NO_CATCH)
        eaten, by = prey[eater >= 0], eaters[eater[eater >= 0]]
        self._note("eaten", by, eaten)
        wants.fed(by)
        self._die(eaten)

    def _swallow_plankton(
        self, eaters: np.ndarray, place: np.ndarray, ahead: np.ndarray, opening: np.ndarray, period: float
    ) -> None:
        """Draws plankton towards these mouths, and in."""
        if not len(self._plankton) or not len(eaters):
            return
        length, points = self.shoal.length[eaters], self._plankton.place
        nobody = np.full(len(points), -1)
        self._plankton.pull(period * suction(place, ahead, opening, length, points, SUCTION, nobody))
        eater = np.where(self._plankton.alive, swallowed(place, opening, length, points, np.zeros(len(points))), -1)
        particles = np.flatnonzero(eater >= 0)
        by = eaters[eater[particles]]
        self._note("fed", by, particles)
        self._wants.fed(by)
        self._plankton.eaten(particles)

    def _bite(
        self, eaters: np.ndarray, place: np.ndarray, ahead: np.ndarray, opening: np.ndarray, period: float
    ) -> None:
        """Draws the bait towards these mouths, and the hook into the first that closes on it."""
        hook = self._hook
        if hook is None or not hook.offered or not len(eaters):
            return
        length, bait = self.shoal.length[eaters], hook.place[None]
        hook.tug(period * suction(place, ahead, opening, length, bait, SUCTION, np.full(1, -1))[0])
        reach = length + 0.5 * hook.bait / SWALLOW_AT  # a mouth closes on the bait's near side
        able = np.where(hook.bait <= MOUTHFUL * length, opening, 0.0)
        by = swallowed(place, able, reach, bait, np.full(1, hook.bait))
        if by[0] >= 0:
            fish = int(eaters[by[0]])
            hook.take(fish, self.shoal.nodes[fish])
            self._wants.bite(fish)
            self._note("hooked", eaters[by], np.zeros(1, dtype=int))

    def _angle(self, period: float) -> None:
        """Lets the hook sink, or draws up whoever is on it; whoever is out of the water is landed (Tu 1999, §10.1)."""
        hook = self._hook
        if hook is None:
            return
        if hook.fish != NO_CATCH and not self.shoal.alive[hook.fish]:  # a predator was faster than the line
            hook.release(self.t)
        landed = self._landed
        if len(landed):  # they lie still
            self.shoal.push(landed, -self.shoal.node_velocities[landed])
        if hook.fish == NO_CATCH:
            hook.advance(self.t, period, self._current.velocity(hook.place, self.t))
            return
        caught = np.array([hook.fish])
        self.shoal.shift(caught, hook.reel(period, self.shoal.nodes[hook.fish])[None])
        nodes, velocity = self.shoal.nodes[hook.fish], self.shoal.node_velocities[hook.fish]
        if hook.landed(nodes):
            self._die(caught)
            hook.release(self.t)
        else:
            self.shoal.push(caught, hook.pull(period, nodes, velocity)[None])

    @property
    def _landed(self) -> np.ndarray:
        """Rows of those that the hook has brought out of the water, (n,)."""
        return np.flatnonzero(self._hook.out & ~self.shoal.alive) if self._hook is not None else np.arange(0)

    def _die(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), out of the world."""
        self.shoal.alive[fishes] = False
        self._wants.forget(fishes)

    def _note(self, kind: str, fishes: np.ndarray, others: np.ndarray) -> None:
        """Keeps what has happened in this frame."""
        for fish, other in zip(fishes.tolist(), others.tolist(), strict=True):
            self._events.append({"frame": self.frame, "kind": kind, "fish": fish, "other": other})

    def run(self, frames: int | None = None) -> Generator[int, None, Recording]:
        """Goes on for some frames and records them; what is left of the scene's pre-roll goes by before.

        Args:
            frames: How many; those of the scene's duration if left out.

        Yields:
            The number of frames done, 0 for each of the pre-roll.

        Returns:
            What happened in those frames. The first frame of the first run is the scene's beginning.

        Raises:
            SceneError: Where the number of frames is none.
        """
        frames = self.scene.frames if frames is None else frames
        if not _whole(frames) or frames < 0:
            raise SceneError(shown(frames), "a whole number, 0 or more", key="frames")
        held = {name: np.empty((frames, *now.shape), ARRAYS[name][0]) for name, now in self._snapshot().items()}
        while self.frame < 0:
            self.step()
            yield 0
        first = self.frame + 1 if self._seen else self.frame
        for frame in range(frames):
            if self._seen:
                self.step()
            self._seen = True
            for name, now in self._snapshot().items():
                if name == "plankton" and now.shape[0] != held[name].shape[1]:
                    make_room(held, now.shape[0])
                held[name][frame] = now
            yield frame + 1
        return self.recorded(held, first)

    def record(self) -> dict[str, np.ndarray]:
        """What a recording keeps of this moment, by the name of its array; `run` begins with the next frame."""
        self._seen = True
        return self._snapshot()

    def recorded(self, held: Mapping[str, np.ndarray], first: int = 0) -> Recording:
        """Some frames as a recording.

        Args:
            held: What was recorded of them, by the name of the array, frames first.
            first: Frame of the world with which they begin.
        """
        return Recording(
            **held,
            bubbles_size=self._bubbles.size,
            body_length=self.shoal.length,
            seeds=Dice(self.seed, self._numbers, BODIES).keys.astype(np.uint32),
            species=self.species,
            sex=tuple(SEX_NAMES[sex] for sex in self.characters.sexes),
            fps=self.scene.fps,
            scene=self.scene,
            species_models=self.models,
            events=[{**event, "frame": event["frame"] - first} for event in self._events if event["frame"] >= first],
        )

    def _snapshot(self) -> dict[str, np.ndarray]:
        """What a recording keeps of this moment, by the name of its array."""
        wants, wander = self._wants, Recording.INTENTIONS.index("wander")
        target, food = wants.about()
        if self._mind is not None:
            target = np.where(self._mind.intention == AVOID, self._mind.threat, target)
        strongest = np.abs(wants.focus.preferences).argmax(axis=1)
        return {
            "nodes": self.nodes,
            "fins": self._motion.fins(self._gamma),
            "mouth": self._mouth,
            "intention": np.full(len(self.shoal), wander) if self._mind is None else self._mind.intention,
            "hunger": wants.feelings.hunger,
            "libido": wants.feelings.libido,
            "fear": wants.feelings.fear,
            "target": target,
            "food": food,
            "preference": strongest,
            "preference_strength": np.take_along_axis(wants.focus.preferences, strongest[:, None], axis=1)[:, 0],
            "alive": self.shoal.alive,
            "plankton": self._plankton.place,
            "plankton_alive": self._plankton.alive,
            "seaweed": self._weed.place,
            "bubbles": self._bubbles.place,
            "bubbles_alive": self._bubbles.alive,
            "hook": np.zeros((0, 3)) if self._hook is None else self._hook.points,
        }

    def simulate(self, frames: int | None = None) -> Recording:
        """`run` to its end."""
        run = self.run(frames)
        while True:
            try:
                next(run)
            except StopIteration as end:
                return end.value

    def _refuse_giants(self) -> None:
        """Fishes must fit into the tank."""
        longest = max(self.scene.tank.size[:2])
        for row, group in enumerate(self.scene.fishes):
            length = self.models[group.species].length
            if group.size * length > longest:
                found = f"{shown(group.size)}, a {group.species} of {group.size * length:.3g} m"
                allowed = f"up to {longest / length:.3g}, as long as the tank of {longest:g} m"
                raise SceneError(found, allowed, key=f"fishes[{row}].size", file=self.scene.source)


def make_room(held: dict[str, np.ndarray], particles: int) -> None:
    """Has arrays of a recording hold so many particles; those added are not there so far, as those taken away were."""
    for name in ("plankton", "plankton_alive"):
        old = held[name]
        held[name] = np.zeros((len(old), particles, *old.shape[2:]), old.dtype)
        held[name][:, : old.shape[1]] = old[:, :particles]
    food = held["food"]
    food[food == old.shape[1]] = particles  # the bait, which comes after the last


def _fits(state: dict[str, np.ndarray] | None, other: dict[str, np.ndarray]) -> bool:
    """Whether a part may go from one state to the other: an empty array may stand for what is not yet known."""
    if state is None or set(state) != set(other):
        return False
    return all(state[name].shape == other[name].shape or not other[name].size for name in state)


def _whole(value: object) -> bool:
    """Whether this is a whole number; true and false are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _refuse_beyond(name: str, value: float, low: float, high: float) -> None:
    if not (isinstance(value, Real) and low <= value <= high):
        raise SceneError(shown(value), f"{low:g} to {high:g}", key=name)


def _place(name: str, at: ArrayLike) -> np.ndarray:
    """A place in metres, (3,)."""
    place = np.asarray(at, dtype=float)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise SceneError(shown(at), "three numbers in metres", key=name)
    return place
