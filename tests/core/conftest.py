"""Fishes that tests of minds put where they want them, and what is compiled held against what it does plainly."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from artfish.core import Scene, Species
from artfish.core.base import threads
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Cast, Characters
from artfish.core.behavior.comfort import Comfort
from artfish.core.behavior.decision import Decision
from artfish.core.behavior.routines.den import Dens
from artfish.core.behavior.routines.host import Hosts
from artfish.core.behavior.routines.leave import Leave
from artfish.core.behavior.routines.sleep import Sleep
from artfish.core.behavior.waters import Waters
from artfish.core.body import kernel
from artfish.core.body.anatomy import frame_from, rest_nodes
from artfish.core.compiled import calling
from artfish.core.habitat.ambient import Ambient
from artfish.core.habitat.currents import Current
from artfish.core.habitat.ground import Ground
from artfish.core.habitat.growth import ReefGrowth
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.plankton import PlanktonCloud
from artfish.core.habitat.tank import WaterBox
from artfish.core.perception.swimmers import Swimmers

LOOK_SECONDS = 0.3
"""From one thought to the next."""


def make_decision(scene: Scene, cast: Cast, obstacles: Obstacles, seed: int, tank: WaterBox | None = None) -> Decision:
    """A decision for fishes with nothing to pick, in boundless water unless there is a tank."""
    tank, everyone = tank or WaterBox([np.inf] * 3), np.arange(len(cast.length))
    plankton = PlanktonCloud(scene.plankton, WaterBox.from_scene(scene), obstacles, Current.from_scene(scene), seed)
    ambient, nowhere = Ambient.from_scene(scene, obstacles), np.zeros((len(everyone), 3))
    comfort = Comfort(cast.characters, ambient, cast.length)
    hosts = Hosts((), np.zeros(len(everyone)), nowhere, cast.length)
    nobody = np.full((len(everyone), 3), np.nan)
    dens = Dens(nobody, nobody, cast.length, Ground(tank, obstacles))
    sleep = Sleep(np.full(len(everyone), 0.5), ambient, nowhere, cast.length, np.zeros(len(everyone)))
    waters = Waters(tank, obstacles, plankton, None, ReefGrowth(np.zeros((0, 3))), hosts, dens, sleep)
    return Decision(cast, waters, Dice(seed, everyone), comfort, Leave(Dice(seed, everyone, 1)), None)


class Meeting:
    """Straight fishes that meet, one a group, at these places and headings."""

    def __init__(self, groups, places, headings, obstacles=None, kinds=None):
        scene = Scene.from_dict({"tank": {"size": [100, 100, 100]}, "fishes": [{"at": [5, 5, 5], **g} for g in groups]})
        models = {group["species"]: Species.load(group["species"]) for group in groups}
        fishes = len(groups)
        own = [models[group["species"]] for group in groups]
        self.length = np.array([species.length for species in own])
        characters = Characters.from_scene(scene, models, Dice(0, np.arange(fishes)))
        self.alive = np.ones(fishes, dtype=bool)
        species = np.zeros(fishes, dtype=int) if kinds is None else np.asarray(kinds)
        self.kinds, cast = species, Cast(characters, species, self.length, self.alive)
        self.decision = make_decision(scene, cast, obstacles or Obstacles(), 1)
        self.pace, self.reserve = 0.5, np.ones(fishes)  # lengths a second and strength for bursts, of all
        self.place, self.headings = np.array(places, dtype=float), np.array(headings, dtype=float)
        self.rest = np.array([rest_nodes(species.body) * species.length for species in own])

    def think(self, danger=False):
        """Everybody takes thought; their intentions and plans."""
        fishes = np.arange(len(self.length))
        frames = frame_from(self.headings, np.broadcast_to([0.0, 0.0, 1.0], self.headings.shape))
        nodes = np.einsum("fij,fnj->fni", frames, self.rest) + self.place[:, None]
        velocity = self.pace * self.length[:, None] * frames[:, :, 0]
        elapsed = np.full(len(fishes), LOOK_SECONDS)
        self.swimmers = Swimmers(nodes, self.place, frames, velocity, self.reserve)
        kinds = self.kinds
        together = np.array([np.sum(self.alive & (kinds == kind)) > 1 for kind in kinds])
        plan = self.decision.decide(fishes, self.swimmers, np.full(len(fishes), danger), together, elapsed)
        return self.decision.generator.intention, plan

    def die(self, fish):
        self.alive[fish] = False
        self.decision.forget(np.array([fish]))


@pytest.fixture(scope="session")
def decision_of():
    """The maker of a decision for fishes."""
    return make_decision


@pytest.fixture(scope="session")
def meet():
    """The maker of meetings of straight fishes."""
    return Meeting


def tool(name: str):
    """One of the tools, imported from its file."""
    path = Path(__file__).resolve().parents[2] / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ORACLES = tool("oracles")


@pytest.fixture(scope="session")
def oracles():
    """The tool that reads what compiled functions take, and calls oracles by it."""
    return ORACLES


@pytest.fixture
def plain():
    """The function that puts oracles in place of compiled functions, see tools/oracles.py."""
    return ORACLES.in_place


def bits(found) -> list[bytes]:
    """The bits of arrays, of one or of several, or of those that a dataclass holds."""
    if isinstance(found, np.ndarray):
        return [found.tobytes()]
    return [bit for one in (found if isinstance(found, tuple) else vars(found).values()) for bit in bits(one)]


@pytest.fixture
def alike(monkeypatch):
    """Calls for something by the oracles of tests/plain, compiled, and compiled in two threads: the bits are the same.

    Takes the call and the names of the compiled functions that it must have done its work by; what it gives.
    """
    if not kernel.available:
        pytest.skip(kernel.reason)
    share, functions = calling.share, dict(calling.functions)

    def alike(call, *names):
        done = set()

        def noted(name, function):
            def note(*arguments):
                refused = function(*arguments)
                done.update(() if refused else (name,))
                return refused

            return note

        with monkeypatch.context() as patch:
            with ORACLES.in_place():
                plain = call()
            patch.setattr(calling, "functions", {name: noted(name, functions[name]) for name in functions})
            assert bits(call()) == bits(plain)
            assert set(names) <= done
            patch.setattr(calling, "share", lambda function, packed, size, least: share(function, packed, size, 1))
            patch.setattr(threads, "available", lambda: 2)
            assert bits(call()) == bits(plain)
        return plain

    yield alike
    threads.close()
