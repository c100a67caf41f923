"""Every species swims alike at a tenth of the step, keeps upright for long, and no command makes it explode."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core.body.anatomy import BOOK_STEP, MASSES, UNITS, body_frame, rest_nodes
from ..core.body.integrators import Reference
from ..core.body.production import Production
from ..core.motor.center import Drive, MotorCenter
from ..core.motor.commands import Commands
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.shoal import Shoal
from ..core.world.world import World
from .finding import Finding, counted, each

FPS = 24
STEP = 1.0 / 48.0
UPRIGHT = np.radians(20.0)
SHIPPED = [name for name in Species.names() if name != "thesis"]
STIFF = {"butterflyfish": 128, "clownfish": 64, "reef_shark": 64}
"""Steps of the reference per scene step needed for stability with the stiff bodies of these species."""


def tank(name: str, fishes: int, pilot: Callable, **more: Any) -> World:
    """Wide water with identical fishes of one species in one place; a pilot moves them, and they ignore each other."""
    group = {"species": name, "count": fishes, "at": [50, 50, 50], "heading": [1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [100, 100, 100]}, "fishes": [group], **more})
    return World(scene, pilot=pilot, species={name: Species.load(name).alike})


def begin(world: World, frames: np.ndarray, start: np.ndarray) -> None:
    """Start all fishes along their frames (fish, 3, 3), at a speed in lengths per beat."""
    everyone, length = np.arange(len(world.shoal)), world.shoal.length
    beats = np.array([world.models[name].rhythm.tail_beat for name in world.species])
    world.shoal.put(everyone, world.center_of_mass, frames, start * beats * length)


def middles(recording: Recording) -> np.ndarray:
    """Centers of mass in body lengths, (frames, fish, 3)."""
    places = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), recording.nodes.astype(float))
    return places / recording.body_length[:, None]


def swept_away(name: str) -> float:
    """Displacement of a fish that swims upstream at the speed of the current, over the way it swims."""
    species = Species.load(name)
    settle, watch = (round(beats / species.rhythm.tail_beat * FPS) for beats in (30, 10))
    commands = Commands.still(1)
    commands.swim[:] = 0.5
    still = tank(name, 1, lambda t, world: commands)
    begin(still, np.eye(3)[None], np.array([0.4]))
    still.simulate(settle)
    path = middles(still.simulate(watch))[:, 0]
    swum = path[-1, 0] - path[0, 0]
    strength = float(swum * species.length * FPS / (watch - 1))
    flow = {"kind": "uniform", "direction": [-1, 0, 0], "strength": strength}
    river = tank(name, 1, lambda t, world: commands, current=[flow])
    begin(river, np.eye(3)[None], np.zeros(1))  # at rest over the ground
    river.simulate(settle)
    path = middles(river.simulate(watch))[:, 0]
    return float(np.linalg.norm(path[-1] - path[0]) / swum)


def hurry_in_thick_water(name: str, seconds: int = 4) -> float:
    """Greatest speed in any thicker water over that in water."""

    def full(t: float, world: World) -> Commands:
        commands = Commands.still(1)
        commands.swim[:] = 1.0
        return commands

    speeds = []
    for fluid in (1.0, 2.5, 5.0, 10.0):
        path = middles(tank(name, 1, full, fluid_viscosity=fluid).simulate(seconds * FPS))[:, 0]
        speeds.append(np.linalg.norm(np.diff(path, axis=0), axis=1).max())
    return float(max(speeds) / speeds[0])


def paths(name: str, substeps: int, start: float, seconds: int = 5) -> np.ndarray:
    """Paths of a fish at full speed, one at half, and one that turns by a radian, (frames, 3, 3) in lengths."""

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(3)
        commands.swim[:] = (1.0, 0.5, 0.7)
        commands.turn[2] = float(1.0 <= t < 1.0 + 1.01 / FPS)
        return commands

    world = tank(name, 3, pilot, substeps=substeps)
    begin(world, np.tile(np.eye(3), (3, 1, 1)), np.full(3, start))
    return middles(world.simulate(seconds * FPS + 1))


def apart_at_a_tenth(name: str, start: float, seconds: int = 5) -> float:
    """Divergence of paths at a tenth of the step, over their length; the worst of three."""
    coarse, fine = (paths(name, tenth * Scene().substeps, start, seconds) for tenth in (1, 10))
    length = np.linalg.norm(np.diff(fine, axis=0), axis=2).sum(axis=0)
    return float((np.linalg.norm(coarse - fine, axis=2).max(axis=0) / length).max())


def turned_over(name: str, frames: int = 10_000) -> float:
    """Greatest angle in radians between the fishes' up and the vertical, of four that swim and turn for long."""

    def pilot(t: float, world: World) -> Commands:
        commands = Commands.still(4)
        commands.swim[:] = (0.1, 0.5, 1.0, 0.5)
        commands.turn[3] = (1.0, -1.0)[int(t / 10) % 2] * (t % 10 < 1.01 / FPS)
        return commands

    world, least = tank(name, 4, pilot), 1.0
    for _ in range(frames // 500):
        up = body_frame(world.simulate(500).nodes.astype(float))[1][..., 2, 2]
        least = min(least, float(up.min()))
    return float(np.arccos(least))


def on_its_side(name: str, seconds: int = 60, fishes: int = 60) -> float:
    """Share of time beyond lying on the side, of slow fishes that turn sharply in climbs and dives."""
    dice = np.random.default_rng(0)
    swim = dice.uniform(0.0, 0.3, (seconds, fishes))
    climb = dice.uniform(-1.0, 1.0, (seconds, fishes))
    turn = dice.uniform(-2.0, 2.0, (seconds, fishes))

    def pilot(t: float, world: World) -> Commands:
        commands, second = Commands.still(fishes), int(t + 1e-6)
        commands.swim[:], commands.climb[:] = swim[second], climb[second - second % 2]
        commands.turn[:] = turn[second] * (t % 2 < 1.01 / FPS)
        return commands

    recording = tank(name, fishes, pilot).simulate((seconds - 1) * FPS)
    upright = body_frame(recording.nodes[5 * FPS :].astype(float))[1][..., 2, 2]
    return float((upright < 0).mean())


def travelled(name: str, scheme: Any, parts: int, frames: int = 120) -> np.ndarray:
    """Paths in lengths of a fish at full speed, one at half and one that turns, (frames, 3, 3)."""
    species = Species.load(name)
    length = np.full(3, species.length)
    shoal = Shoal([species], np.zeros(3, dtype=int), length, STEP / parts, integrator=scheme)
    start = 0.3 * species.rhythm.tail_beat * length
    shoal.put(np.arange(3), np.zeros((3, 3)), np.tile(np.eye(3), (3, 1, 1)), start)
    center, places = MotorCenter([species], np.zeros(3, dtype=int)), []
    for frame in range(frames):
        commands = Commands.still(3)
        commands.swim[:], commands.turn[2] = (1.0, 0.5, 0.7), 1.5 * (frame == 24)
        drive = center.drive(commands, shoal.frames()[1], shoal.velocity, length, 2 * STEP)
        shoal.move(drive, np.zeros((3, 3)), 2 * parts)
        places.append(shoal.center_of_mass / species.length)
    return np.array(places)


def off_the_reference(name: str, frames: int = 120) -> tuple[float, float]:
    """Deviation of production from the reference, over the way: near the reference's own step, and at a scene's."""
    reference = travelled(name, Reference, STIFF[name], frames)
    way = np.linalg.norm(np.diff(reference, axis=0), axis=2).sum(axis=0)
    fine, coarse = (
        float((np.linalg.norm(travelled(name, Production, parts, frames) - reference, axis=2).max(axis=0) / way).max())
        for parts in (32, 1)
    )
    return fine, coarse


def book_apart_at_a_tenth(seconds: int = 5) -> float:
    """Divergence of paths of the book's fish and scheme at a tenth of the book's step, over their length."""
    species, places = Species.load("thesis"), []
    beat = np.full(5, species.rhythm.tail_beat)
    for parts in (15, 150):  # of a frame of 1/24 s: the book's step within a hundredth, and a tenth of it
        assert 1.0 / (24 * parts) / species.time_scale <= 1.011 * BOOK_STEP
        shoal = Shoal(
            [species], np.zeros(5, dtype=int), np.full(5, species.length), 1 / (24 * parts), integrator=Reference
        )
        path = [shoal.center_of_mass]
        for frame in range(seconds * 24):
            bend = np.array([0, 0, 0, 0.3, -0.6]) * (12 <= frame < 36)
            drive = Drive(
                frequency=beat,
                amplitude=np.array([0.1, 0.3, 0.5, 0.3, 0.3]),
                bend=np.tile(bend, (2, 1)),
                rate=2.0 * beat,
                curl=np.zeros(5),
                fling=beat,
                gamma=np.full((2, 5), np.pi / 2),
                row=np.zeros((2, 5)),
                stroke=np.zeros((2, 5)),
            )
            shoal.move(drive, np.zeros((5, 3)), parts)
            path.append(shoal.center_of_mass)
        places.append(np.array(path))
    length = np.linalg.norm(np.diff(places[1], axis=0), axis=2).sum(axis=0)
    return float((np.linalg.norm(places[0] - places[1], axis=2).max(axis=0) / length).max())


class CommandStorm:
    """Fishes under random and reversed commands, at some share of the default step.

    Half of them obey their motor center, with new commands every frame; the muscles and fins of the others
    are driven directly, and jump from one extreme to the other, every frame or every few frames.

    Attributes:
        shortest: Least length of any unit over its natural one; 0 if anything was not finite.
        longest: Greatest length, likewise.
    """

    def __init__(self, species: Species, factor: float, fishes: int, fish_steps: int, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.species, self.fishes = species, fishes
        self.shoal = Shoal([species], np.zeros(fishes, dtype=int), np.full(fishes, species.length), factor * STEP)
        self.center = MotorCenter([species], np.zeros(fishes, dtype=int))
        self.wild = np.arange(fishes) % 2 == 0
        self.patience = np.where(np.arange(fishes) % 4 == 0, 1.0, 0.15)  # chance of another command in a frame
        self.driven: dict[str, np.ndarray] = {}
        self.shortest, self.longest = np.inf, 0.0
        still, steps = np.zeros((fishes, 3)), max(1, round(1.0 / (24.0 * self.shoal.dt)))
        for _ in range(-(-fish_steps // (fishes * steps))):
            drive = self._drive(steps * self.shoal.dt)
            for _ in range(steps):
                self.shoal.move(drive, still, 1)
                self._look()

    def _drive(self, period: float) -> Drive:
        rng, fishes = self.rng, self.fishes
        commands = Commands(
            swim=rng.choice([0.0, 0.5, 1.0], fishes),
            turn=rng.uniform(-np.pi, np.pi, fishes) * (rng.random(fishes) < 0.3),
            climb=rng.uniform(-np.pi / 2, np.pi / 2, fishes),
            brake=rng.random(fishes) < 0.2,
            back=rng.random(fishes) * (rng.random(fishes) < 0.2),
            burst=rng.choice([0.0, 1.0], fishes),
            cstart=rng.uniform(-np.pi, np.pi, fishes) * (rng.random(fishes) < 0.3),
        )
        frames = self.shoal.frames()[1]
        obeyed = self.center.drive(commands, frames, self.shoal.velocity, self.shoal.length, period)
        rhythm = self.species.rhythm
        extremes = {
            "frequency": rng.uniform(0.0, max(rhythm.tail_beat, rhythm.burst_beat), fishes),
            "amplitude": rng.choice([0.0, 1.0], fishes),
            "bend": rng.choice([-1.0, 1.0], (2, fishes)),
            "rate": np.full(fishes, 50.0),
            "curl": rng.choice([-1.0, 0.0, 1.0], fishes),
            "gamma": rng.uniform(np.pi / 4, np.pi, (2, fishes)),
            "row": rng.uniform(-1.0, 1.0, (2, fishes)),
        }
        another = rng.random(fishes) < self.patience
        self.driven = {key: np.where(another, value, self.driven.get(key, value)) for key, value in extremes.items()}
        mixed = {key: np.where(self.wild, value, getattr(obeyed, key)) for key, value in self.driven.items()}
        return dataclasses.replace(obeyed, **mixed)

    def _look(self) -> None:
        nodes, rest = self.shoal.nodes, rest_nodes(self.species.body)
        if not (np.isfinite(nodes).all() and np.isfinite(self.shoal.node_velocities).all()):
            self.shortest = 0.0
        natural = np.linalg.norm(rest[UNITS[:, 1]] - rest[UNITS[:, 0]], axis=1) * self.species.length
        share = np.linalg.norm(nodes[:, UNITS[:, 1]] - nodes[:, UNITS[:, 0]], axis=2) / natural
        self.shortest, self.longest = min(self.shortest, share.min()), max(self.longest, share.max())

    def holds(self) -> bool:
        """True if no unit was pressed to 0.3 or drawn to 3 of its natural length."""
        return bool(self.shortest > 0.3 and self.longest < 3.0)


def weathers(name: str, factor: float, fish_steps: int = -(-1_000_000 // 30)) -> bool:
    """True if a species withstands a storm at some share of the default step."""
    return CommandStorm(Species.load(name), factor, fishes=96, fish_steps=fish_steps, seed=1).holds()


def findings(seeds: range = range(1)) -> Iterator[Finding]:
    """Properties of every species; there is no chance in them but that of the storm."""
    swept = each(swept_away, SHIPPED)
    yield counted(
        "it stays in place in a current of its own speed", [x < 0.05 for x in swept], 1.0, f"{max(swept):.3f}"
    )
    thick = each(hurry_in_thick_water, SHIPPED)
    yield counted("in thick water it is slow", [x < 1.5 for x in thick], 1.0, f"{max(thick):.2f} of the speed at most")
    tenth = each(apart_at_a_tenth, SHIPPED, [0.0, 0.4])
    note = f"{max(tenth):.3f} of the way at most"
    yield counted("paths are the same at a tenth of the step, within a tenth", [x < 0.1 for x in tenth], 1.0, note)
    apart = book_apart_at_a_tenth()
    yield counted("so are those of the book's fish and scheme", [apart < 0.1], 1.0, f"{apart:.3f} of the way")
    off = each(off_the_reference, list(STIFF))
    note = f"{max(x for x, _ in off):.4f} and {max(x for _, x in off):.3f} of the way at most"
    near = [fine < 0.0225 and coarse < 0.1 for fine, coarse in off]
    yield counted("production goes where the reference goes", near, 1.0, note)
    lean = np.degrees(each(turned_over, SHIPPED))
    yield counted("it is upright for ten thousand frames", lean < np.degrees(UPRIGHT), 1.0, f"{lean.max():.0f} degrees")
    share = each(on_its_side, ["butterflyfish", "emperor_angelfish"])
    note = f"{max(share):.2%} of the time at most"
    yield counted("tall fishes under wild commands are seldom past their side", [x < 0.015 for x in share], 1.0, note)
    held = each(weathers, Species.names(), [0.2, 1.0, 2.0])
    yield counted("no command makes it explode in a million fish-steps", held, 1.0)
