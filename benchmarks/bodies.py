"""The cost of moving bodies: muscles, fins, water and integration, without minds, on one thread.

A thousand fishes race the compiled scalar loop, which does less (it is given the muscles' rest lengths and has no
fins), and DeepMind's fish in MuJoCo. Replicas race dynamic fishes.
"""

from __future__ import annotations

import time
from functools import cache, partial

import numpy as np

from ..core.body.anatomy import BOOK_STEP
from ..core.body.kernel import mover
from ..core.body.production import Production
from ..core.motor.center import MotorCenter
from ..core.motor.commands import Commands
from ..core.motor.mover import Maker
from ..core.replicas.capture import capture
from ..core.replicas.repertoire import Repertoire
from ..core.replicas.secondary import Replicas
from ..core.scene.physique import Body
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.shoal import Shoal
from .mujoco_fish import MujocoFish
from .scalar import ScalarFishes
from .table import Row, explains
from .timing import race

FISHES = 1000
SIZES = (10, 100, 1_000, 10_000)
SPECIES = "sardine"
STARTING_FRAMES = 36
"""Frames until a fish that has kicked off is under way."""


class SwimmingBodies:
    """Bodies of one species that swim straight ahead at half speed, each in its own phase of the beat.

    They are under way: a start is a burst, which takes finer steps.

    Args:
        fishes: Number of fishes.
    """

    def __init__(self, fishes: int) -> None:
        species = Species.load(SPECIES)
        scene = Scene(name="bench")
        self._substeps = scene.substeps
        frame = 1.0 / scene.fps
        self.seconds = fishes * frame
        """Fish-seconds that one `swim` simulates."""
        self.steps = fishes * scene.substeps
        """Fish-steps that one `swim` takes."""
        kind, length = np.zeros(fishes, dtype=int), np.full(fishes, species.length)
        self._shoal = Shoal([species], kind, length, frame / scene.substeps)
        everywhere, level = np.zeros((fishes, 3)), np.broadcast_to(np.eye(3), (fishes, 3, 3))
        self._shoal.put(np.arange(fishes), everywhere, level, length)
        self._shoal.start_beats(np.linspace(0.0, 2.0 * np.pi, fishes))
        commands = Commands.still(fishes)
        commands.swim[:] = 0.5
        self._water = np.zeros((fishes, 3))
        motor = MotorCenter([species], kind)
        for _ in range(STARTING_FRAMES):
            frames = self._shoal.frames()[1]
            self.drive = motor.drive(commands, frames, self._shoal.velocity, length, frame)
            """Motion of their muscles and fins in every frame."""
            self.swim()

    def swim(self, frames: int = 1) -> None:
        """Advance every body by so many frames at the default step."""
        for _ in range(frames):
            self._shoal.move(self.drive, self._water, self._substeps)


@explains("bodies")
def rows(quick: bool = False) -> list[Row]:
    """Microseconds a fish-step, the races against scalar loop and MuJoCo, and the cost per fish at four sizes."""
    rounds = 3 if quick else 60
    school = SwimmingBodies(FISHES)
    seconds = race({"bodies": school.swim}, rounds, clock=time.process_time)["bodies"]
    cost = seconds.min() / school.steps * 1e6
    return [
        Row("bodies", cost, "us/fish-step", note=f"{FISHES:,} fishes ({SPECIES}), muscles, fins, water, integration"),
        *_against_scalar(school, rounds),
        Row("bodies, simulated", school.seconds / seconds.min(), "fish-s/s", note=f"{SPECIES} at the default step"),
        *_against_mujoco(school, rounds),
        *_sizes(2 if quick else 12),
        *_replicas(3 if quick else 20),
        *_book_over_replica(3 if quick else 20),
    ]


@explains("bodies over scalar loop")
def _against_scalar(school: SwimmingBodies, rounds: int) -> list[Row]:
    """The cost of a fish-step over that of the scalar loop."""
    loop = ScalarFishes(Body(), FISHES)
    work = {"bodies": school.swim, "scalar": lambda: loop.step(BOOK_STEP)}
    seconds = race(work, rounds, loop.wriggle, time.process_time)
    ratio = np.median(seconds["bodies"] / school.steps / (seconds["scalar"] / FISHES))
    best = seconds["scalar"].min() / FISHES * 1e6
    note = f"scalar loop {best:.2f} us; median of turns"
    return [Row("bodies over scalar loop", float(ratio), target="<= 0.5", note=note)]


@explains("bodies over mujoco's fish")
def _against_mujoco(school: SwimmingBodies, rounds: int) -> list[Row]:
    """Simulated fish-seconds a second over those of MuJoCo's fish."""
    rival = MujocoFish()
    seconds = race({"bodies": school.swim, "mujoco": rival.swim}, rounds, clock=time.process_time)
    ratio = np.median((school.seconds / seconds["bodies"]) / (rival.seconds / seconds["mujoco"]))
    best = rival.seconds / seconds["mujoco"].min()
    note = f"mujoco {rival.version} {best:,.0f} fish-s/s; median of turns"
    return [Row("bodies over mujoco's fish", float(ratio), target=">= 25", note=note)]


class MotorSystem:
    """Fishes of one species given new commands in every frame, dynamic or replicas: motor system only."""

    def __init__(self, fishes: int, integrator: Maker = mover) -> None:
        species = Species.load(SPECIES)
        kind, length = np.zeros(fishes, dtype=int), np.full(fishes, species.length)
        self._frame, self._substeps = 1.0 / Scene(name="bench").fps, Scene(name="bench").substeps
        self._length, self._water = length, np.zeros((fishes, 3))
        self._commands = Commands.still(fishes)
        self._commands.swim[:] = np.linspace(0.3, 0.9, fishes)
        self._commands.turn[:] = np.linspace(-2.0, 2.0, fishes)
        self._motor = MotorCenter([species], kind)
        self._shoal = Shoal([species], kind, length, self._frame / self._substeps, integrator=integrator)
        self._shoal.start_beats(np.linspace(0.0, 2.0 * np.pi, fishes))
        self._replicas = Replicas([species], [_captured()], kind, length)

    def swim(self) -> None:
        """Advances the dynamic fishes by a frame."""
        _, frames = self._shoal.frames()
        drive = self._motor.drive(self._commands, frames, self._shoal.velocity, self._length, self._frame)
        self._shoal.move(drive, self._water, self._substeps)

    def play(self) -> None:
        """Advances the replicas by a frame."""
        self._replicas.move(self._commands, self._frame)


@cache
def _captured() -> Repertoire:
    """The repertoire of the species."""
    return capture(Species.load(SPECIES))


def _replicas(rounds: int) -> list[Row]:
    """A replica against a dynamic fish, with their conversion of commands into motion: by the kernel, and by NumPy."""
    found = []
    for name, fishes, integrator, target in (("kernel", 10 * FISHES, mover, 8), ("NumPy", FISHES, Production, 30)):
        school = MotorSystem(fishes, integrator)
        seconds = race({"dynamic": school.swim, "replicas": school.play}, rounds, clock=time.process_time)
        ratio = float(np.median(seconds["dynamic"] / seconds["replicas"]))
        cost = seconds["replicas"].min() / fishes * 1e6
        note = f"{cost:.2f} us a replica and frame, {seconds['dynamic'].min() / fishes * 1e6:.1f} us a dynamic fish"
        found.append(Row(f"dynamic fish over replica, {name}", ratio, target=f">= {target}", note=note))
    return found


@explains("the way of 1994 over replica")
def _book_over_replica(rounds: int) -> list[Row]:
    """A fish as in 1994, by the book's implicit scheme at the book's step, over a replica; Yu found 4,000 times.

    The former is the scalar loop, one fish after the other, without muscles, fins or motor center.
    """
    school, loop = MotorSystem(FISHES), ScalarFishes(Body(), FISHES)
    work = {"book": lambda: loop.step(BOOK_STEP), "replicas": school.play}
    seconds = race(work, rounds, loop.wriggle, time.process_time)
    steps = 1.0 / (Scene(name="bench").fps * BOOK_STEP * Species.load(SPECIES).time_scale)
    ratio = float(np.median(steps * seconds["book"] / seconds["replicas"]))
    costs = (seconds["book"].min() / FISHES * 1e6, seconds["replicas"].min() / FISHES * 1e6)
    note = f"{steps:.0f} steps a frame of {costs[0]:.2f} us; a replica's frame takes {costs[1]:.2f} us"
    return [Row("the way of 1994 over replica", ratio, note=note)]


def _sizes(rounds: int) -> list[Row]:
    """The cost of a fish-step at each size, and its deviation from 100 fishes upward.

    In each turn all sizes take the same number of fish-steps, so that few fishes, too, mostly find their data in the
    processor's cache, as they do in a world of their own.
    """
    schools = {fishes: SwimmingBodies(fishes) for fishes in SIZES}
    work = {f"{fishes}": partial(school.swim, max(SIZES) // fishes) for fishes, school in schools.items()}
    seconds = race(work, rounds, clock=time.process_time)
    steps = max(SIZES) // min(SIZES) * schools[min(SIZES)].steps
    cost = {fishes: seconds[f"{fishes}"].min() / steps * 1e6 for fishes in SIZES}
    found = [Row(f"bodies, {fishes:,} fishes", cost[fishes], "us/fish-step") for fishes in SIZES]
    many = [cost[fishes] for fishes in SIZES if fishes >= 100]
    note = "dearest over cheapest, 100 fishes upward"
    return [*found, Row("bodies, spread of sizes", max(many) / min(many), target="<= 1.333", note=note)]
