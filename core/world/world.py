"""The world: a scene that lives, frame by frame."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.codec import SceneError, SceneWarning, shown
from ..behavior.character import Characters
from ..compiled.library import use
from ..habitat.submarine import Submarine
from ..motor.commands import Commands
from ..motor.helm import Helm
from ..perception.swimmers import Swimmers
from ..recording import ARRAYS, Recording
from ..scene.scene import Scene
from ..scene.species import Species
from . import feeding, generations, interventions, persistence, snapshots, stages
from .angling import angle, follow
from .assembly import assemble, models_of, whole
from .fitting import misgivings
from .parts import Parts
from .persistence import WorldMoment
from .puppetry import Puppetry
from .shoal import Shoal
from .strokes import StrokeLog

Pilot = Callable[[float, "World"], Commands]


class World:
    """A scene that lives.

    Attributes:
        parts: Its parts and their state.
        pilot: Takes the place of all minds; None where the fishes have minds.
        puppetry: Interventions in the fishes' lives.
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
            scene: The scene.
            seed: Any whole number; the same scene and seed give the same bits.
            pilot: Takes the place of all minds: called once a frame with `t` in seconds and the world.
            species: Species that win over the presets of the same name.

        Raises:
            SceneError: If a species cannot be read, fishes and water do not fit, or the seed is no whole number.
            MissingLibraryError: There is no compiled library.
        """
        use.required()
        self.parts = assemble(scene, seed, models_of(scene, species or {}), minds=pilot is None)
        self.pilot, self.puppetry = pilot, Puppetry()

    @classmethod
    def of(cls, parts: Parts, pilot: Pilot | None = None, puppetry: Puppetry | None = None) -> World:
        """A world of these parts, which have no mind where there is a pilot."""
        world = cls.__new__(cls)
        world.parts, world.pilot, world.puppetry = parts, pilot, puppetry or Puppetry()
        return world

    @property
    def scene(self) -> Scene:
        """The simulated scene."""
        return self.parts.written

    @property
    def seed(self) -> int:
        """The seed of all chance."""
        return self.parts.model.seed

    @property
    def species(self) -> tuple[str, ...]:
        """Name of each fish's species."""
        return self.parts.species

    @property
    def models(self) -> dict[str, Species]:
        """The species by name."""
        return self.parts.model.models

    @property
    def characters(self) -> Characters:
        """The characters of the fishes."""
        return self.parts.model.characters

    @property
    def warnings(self) -> tuple[SceneWarning, ...]:
        """Warnings of what cannot go well in this scene, one line each."""
        return misgivings(self.scene, self.models)

    @property
    def shoal(self) -> Shoal:
        """The bodies."""
        return self.parts.bodies.shoal

    @property
    def frame(self) -> int:
        """Frames since the film begins; below 0 in the scene's pre-roll."""
        return self.parts.frame

    @property
    def dt(self) -> float:
        """Seconds in a step of the simulation."""
        return self.shoal.dt

    @property
    def substeps(self) -> int:
        """Steps in a frame."""
        return self.scene.substeps

    @property
    def t(self) -> float:
        """Seconds since the film begins, below 0 in the pre-roll: what a scene times is timed by the film."""
        return self.parts.t

    @property
    def nodes(self) -> np.ndarray:
        """Places of the nodes in metres, (fish, 23, 3) float64, a copy."""
        return self.shoal.nodes.copy()

    @property
    def center_of_mass(self) -> np.ndarray:
        """Centers of mass in metres, (fish, 3) float64."""
        return self.shoal.center_of_mass

    @property
    def level(self) -> np.ndarray:
        """The level of detail of each fish as in `Recording.level`, (fish,) int8, a copy."""
        detail = self.parts.bodies.detail
        return np.zeros(len(self.shoal), dtype=np.int8) if detail is None else detail.level.copy()

    @property
    def alive(self) -> np.ndarray:
        """Mask of fishes that are there: alive, and entered, (fish,) bool."""
        return self.shoal.alive

    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """The events so far, as in `Recording.events`, but with frames counted from the film's beginning."""
        return tuple(self.parts.events)

    def step(self) -> None:
        """Advances by one frame, `substeps` steps of `dt` seconds.

        Where a pilot leads the fishes, bodies are not kept in the tank, and nobody eats or courts.
        """
        parts, puppetry = self.parts, self.puppetry
        swimmers = stages.perceive(parts)
        stages.see(parts, swimmers)
        stages.remember(parts, swimmers)
        commands = stages.steer(parts, self._intend(swimmers))
        stream = stages.carry(parts, swimmers)
        stages.sail(parts)
        drive = stages.swim(parts, commands, swimmers, stream)
        angle(parts)
        events: list[stages.Event] = []
        if self.pilot is None:
            stages.contain(parts, swimmers.nodes)
            puppetry.contained(parts)
            follow(parts)
            parts.minds.decision.advance(parts.period)
            events += feeding.feed(parts, puppetry)
            events += stages.court(parts)
            events += stages.arrive(parts)
            stages.feel_keys(parts)
            events += generations.live(parts, events)
        stages.drift(parts)
        events += stages.keep_time(parts)
        stages.show(parts, drive, stream)
        puppetry.ended(parts)
        stages.record(parts, events)
        self.parts = generations.renewed(parts) if self.pilot is None else parts

    def _intend(self, swimmers: Swimmers) -> Commands:
        """The commands of minds, or of the pilot, for every fish in the next frame."""
        parts = self.parts
        if self.pilot is None:
            assert parts.minds.mind is not None
            commands = parts.minds.mind.decide(parts.t, parts.period, swimmers, parts.bodies.touched)
        else:
            commands = self.pilot(parts.t, self)
            if not isinstance(commands, Commands):
                raise ValueError(f"pilot: found {commands!r}, allowed Commands")
            commands = commands.checked(len(parts.bodies.shoal))
        return self.puppetry.lead(parts.t, commands)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the running world, so that `load` goes on from here to the bit; without pickles.

        Raises:
            SceneError: If the file cannot be written.
        """
        persistence.save(self.parts, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str], pilot: Pilot | None = None) -> World:
        """Reads what `save` wrote; simulating goes on as if it had never stopped.

        Args:
            path: Path of the file.
            pilot: Takes the place of all minds, as it did before.

        Raises:
            SceneError: If the file cannot be read, is cut short or is no world of this version.
        """
        return cls.of(persistence.load(path, minds=pilot is None), pilot)

    def moment(self) -> WorldMoment:
        """This world as it is now, as copies, some kilobytes a fish."""
        return persistence.moment(self.parts)

    def go_back(self, moment: WorldMoment) -> None:
        """Goes back to the world of `moment`; its future then follows again, to the bit."""
        self.parts = persistence.go_back(self.parts, moment)

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
            fear: 0 to 1, of something right behind it; it fades in seconds. As it is if left out.

        Raises:
            SceneError: If there is no such fish, or a number is none from 0 to 1.
        """
        interventions.feel(self.parts, fish, hunger, libido, fear)

    def feed(self, at: ArrayLike, count: int = 12, spread: float = 0.15) -> np.ndarray:
        """Drops food into the water, also where the scene has no plankton.

        Args:
            at: The place in metres, (3,); a place outside the tank counts as its nearest place inside.
            count: Number of particles.
            spread: Radius around the place in metres, within which they come.

        Returns:
            Their rows among all particles, (count,). A recording holds them as plankton that is not there before.

        Raises:
            SceneError: If there is no such place, or a number is out of its range.
        """
        return interventions.feed(self.parts, at, count, spread)

    def frighten(self, at: ArrayLike, radius: float = 1.5) -> np.ndarray:
        """Frightens fishes near a place as a predator there would; the fright fades in seconds.

        Args:
            at: The place in metres, (3,).
            radius: Metres, at which a fish is just afraid enough to act.

        Returns:
            Rows of those that are frightened, (n,). Predators fear nothing.

        Raises:
            SceneError: If there is no such place or radius.
        """
        return interventions.frighten(self.parts, at, radius)

    def move_obstacle(
        self,
        which: int | str,
        at: ArrayLike | None,
        turn: ArrayLike = (1.0, 0.0, 0.0, 0.0),
        jumps: bool = False,
    ) -> None:
        """Moves an obstacle that has `motion` in the scene, whatever its keys say, until it is given back to them.

        In the next frame it goes there from where it is, at the speed that this takes; fishes see it and are pushed by
        it. Then it stays until it is moved again.

        Args:
            which: Its row among the scene's obstacles, or its name.
            at: Place of its own origin in metres, (3,); None gives it back to its keys.
            turn: Its turn about that, a quaternion w, x, y, z, (4,).
            jumps: Whether it is there at once and has no speed, as if it had always been there.

        Raises:
            SceneError: If there is no such obstacle, it has no `motion`, or there is no such place or turn.
        """
        interventions.move_obstacle(self.parts, which, at, turn, jumps)

    def steer(self, fish: int, helm: Helm | None) -> None:
        """Takes a fish over by hand, through the same motor controllers; the others keep their minds.

        It follows this helm until it gets another, and its own mind takes over again when it is let go. A fish that is
        dead or on a hook does not obey.

        Args:
            fish: Row of the fish.
            helm: Its command; None gives it back to its mind.

        Raises:
            SceneError: If there is no such fish.
        """
        interventions.steer(self.parts, fish, helm)

    def order(self, maneuver: str, amount: float = 1.0) -> None:
        """Gives an order at the helm of the submarine, which holds until the next one of its kind.

        Args:
            maneuver: One of `core.scene.ride.MANEUVERS`.
            amount: Share of the most it can, 0 to 1.

        Raises:
            SceneError: If there is no submarine in the water, no such maneuver or no such amount.
        """
        interventions.order(self.parts, maneuver, amount)

    @property
    def submarine(self) -> Submarine | None:
        """The one that is piloted through the water; None where the scene has no ride."""
        return self.parts.water.submarine

    def look_from(self, at: ArrayLike | None, look_at: ArrayLike = (0.0, 0.0, 0.0), lens: float = 35.0) -> None:
        """Tells a world with levels of detail where the camera is from now on that somebody moves.

        Levels follow it where the scene's `follow_camera` says so; else nothing changes.

        Args:
            at: Place of the camera in metres, (3,); None has levels go by the scene's cameras again.
            look_at: Place in the middle of the picture in metres, (3,).
            lens: Focal length in mm on a sensor 36 mm wide.

        Raises:
            SceneError: If there is no such camera.
        """
        interventions.look_from(self.parts, at, look_at, lens)

    def visual_memory(self, fish: int) -> list[dict[str, Any]]:
        """The visual memory of a fish: the last observation of each object, fishes first, obstacles, then food.

        Returns:
            Of each its `id` (1 + the row of a fish, then pieces of obstacles, then food), `kind` ("fish", "obstacle" or
            "food"), where it was, `at` in metres (3) and its `turn` w, x, y, z (4), its `velocity` in m/s (3) and
            `spin` in rad/s (3), and `time`, when that was seen, in seconds of the film. A piece of an obstacle is at
            the middle of the box around it; `parts.minds.memory.remembered(fish)` has the boxes and surfaces.

        Raises:
            SceneError: If there is no such fish, or it has no such memory.
        """
        return interventions.visual_memory(self.parts, fish)

    @property
    def steered(self) -> np.ndarray:
        """Rows of the fishes that are steered by hand, (n,)."""
        return np.flatnonzero(self.parts.bodies.helms.steered)

    def retune(self, scene: Scene | None = None, species: Mapping[str, Species] | None = None, **keys: Any) -> None:
        """Goes on as another scene from here, with fishes, water and moods as they are.

        Temperament, habits and mind of groups and species, the fluid's viscosity, the current, light, warmth and
        whatever else leaves the fishes the same may differ. Anything in arrays of another size, such as seaweed of more
        leaves, begins anew. Costs about as much as making a world: some hundredths of a second.

        Args:
            scene: Scene to go on as; the present one if left out.
            species: Species that win over those that live here, by name.
            keys: Keys of the scene that are to be changed, with the values that `Scene` holds for them, such as
                `current=()` or `fluid_viscosity=0.5`.

        Raises:
            SceneError: If the other scene has other fishes or frames, or cannot be made.
        """
        scene = replace(self.scene if scene is None else scene, **keys)
        self.parts = interventions.retune(self.parts, scene, species or {})

    def run(self, frames: int | None = None) -> Generator[int, None, Recording]:
        """Goes on for some frames and records them; the rest of the scene's pre-roll goes by before.

        Args:
            frames: Number of frames; those of the scene's duration if left out.

        Yields:
            The number of frames done, 0 for each of the pre-roll.

        Returns:
            The recording of those frames. The first frame of the first run is the scene's beginning.

        Raises:
            SceneError: If the number of frames is none.
        """
        frames = self.scene.frames if frames is None else frames
        if not whole(frames) or frames < 0:
            raise SceneError(shown(frames), "a whole number, 0 or more", key="frames")
        now = snapshots.snapshot(self.parts)
        arrays = {name: np.empty((frames, *array.shape), ARRAYS[name].kind) for name, array in now.items()}
        while self.frame < 0:
            self.step()
            yield 0
        first = self.frame + 1 if self.parts.recorded else self.frame
        log = StrokeLog()
        for frame in range(frames):
            if self.parts.recorded:
                self.step()
            now = self.record()
            snapshots.make_room(arrays, now)
            for name, array in now.items():
                arrays[name][frame] = array
            self.log_strokes(log, frame)
            yield frame + 1
        return snapshots.born_only(self.parts, self.recorded(arrays | log.arrays(), first))

    def record(self) -> dict[str, np.ndarray]:
        """The recorded arrays of this moment, by name; `run` begins with the next frame."""
        self.parts.recorded = True
        return snapshots.snapshot(self.parts)

    def log_strokes(self, log: StrokeLog, frame: int) -> None:
        """Has a log keep what fishes did between the frame before and this moment, which a recording has as `frame`."""
        log.keep(frame, self.parts.bodies.strokes, self.shoal.nodes)

    def recorded(self, arrays: Mapping[str, np.ndarray], first: int = 0) -> Recording:
        """Some frames as a recording.

        Args:
            arrays: Their recorded arrays by name, frames first.
            first: Frame of the world with which they begin.
        """
        return snapshots.recorded(self.parts, arrays, first)

    def simulate(self, frames: int | None = None) -> Recording:
        """`run` to its end."""
        run = self.run(frames)
        while True:
            try:
                next(run)
            except StopIteration as end:
                return end.value
