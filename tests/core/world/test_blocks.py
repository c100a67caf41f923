"""Blocks of bodies: the plain form of a frame, and the same bits by the compiled one, however it is shared out."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body import kernel
from artfish.core.body.production import Production
from artfish.core.motor.center import Drive
from artfish.core.motor.mover import Maker
from artfish.core.world.shoal import Shoal

STEP = 1.0 / 48.0
KINDS = "sardine", "clownfish"
FOUND, NODES_AT = 6, 10
"""Number of results of `wild` for a frame, and the place of the nodes of the second in them."""


def wild(frames: int = 2, idle: float = 0.0, integrator: Maker = kernel.mover) -> tuple[np.ndarray, ...]:
    """All that a shoal is after wild commands, some of them bursts and C-starts, and what was seen on the way.

    Args:
        frames: How many.
        idle: Share of the fishes that something else moves.
        integrator: Makes what moves a block of bodies.
    """
    dice, models = np.random.default_rng(7), [Species.load(name) for name in KINDS]
    kind = dice.permutation(np.repeat([0, 1], (230, 7)))
    fishes, length = len(kind), np.array([model.length for model in models])[kind]
    shoal = Shoal(models, kind, length, STEP, integrator=integrator)
    turned = np.linalg.qr(dice.normal(size=(fishes, 3, 3)))[0]
    shoal.put(np.arange(fishes), dice.normal(size=(fishes, 3)), turned, length)
    shoal.start_beats(dice.uniform(0.0, 2.0 * np.pi, fishes))
    shoal.idle[:] = np.random.default_rng(8).uniform(size=fishes) < idle
    beat = np.array([model.rhythm.tail_beat for model in models])[kind]
    found = []
    for _ in range(frames):
        drive = Drive(
            frequency=beat * np.where(dice.uniform(size=fishes) < 0.1, 3.0, dice.uniform(0.0, 1.0, fishes)),
            amplitude=dice.uniform(0.0, 1.0, fishes),
            bend=dice.uniform(-1.0, 1.0, (2, fishes)),
            rate=dice.uniform(0.0, 4.0, fishes),
            curl=np.where(dice.uniform(size=fishes) < 0.05, dice.choice([-1.0, 1.0], fishes), 0.0),
            fling=dice.uniform(4.0, 12.0, fishes),
            gamma=dice.uniform(0.0, np.pi, (2, fishes)),
            row=dice.normal(0.0, 1.0, (2, fishes)),
            stroke=np.zeros((2, fishes)),
        )
        seen = (dice.uniform(size=fishes) < 0.2) & ~shoal.idle
        strokes = shoal.move(drive, 0.1 * dice.normal(size=(fishes, 3)), 2, seen)
        found += [strokes.fish, strokes.share, strokes.nodes, strokes.ended, shoal.nodes, shoal.node_velocities]
    for block in shoal.blocks().values():
        found += block.state().values()
    return tuple(found)


def test_the_compiled_form_has_the_bits_of_the_other(alike):
    found = alike(wild, "ranks")
    assert len(found[0]) and all(np.isfinite(one).all() for one in found)


def test_who_is_idle_stays_as_it_is_and_the_others_move_as_ever(alike):
    whole, some = wild(), alike(lambda: wild(idle=0.7), "ranks")
    idle = np.random.default_rng(8).uniform(size=237) < 0.7
    places = some[NODES_AT], whole[NODES_AT]
    assert np.array_equal(places[0][~idle], places[1][~idle])
    first, last = some[NODES_AT - FOUND], places[0]
    assert np.array_equal(first[idle], last[idle]) and (first[~idle] != last[~idle]).any(axis=(1, 2)).all()


def test_every_build_gives_the_same_bits(monkeypatch):
    found = []
    for build in kernel.loaded.builds:
        monkeypatch.setattr(kernel, "name", build)
        found.append([one.tobytes() for one in wild(frames=1)])
    assert all(one == found[0] for one in found[1:])


def test_the_scheme_in_numpy_moves_bodies_alike_to_rounding():
    compiled, plain = wild(frames=1), wild(frames=1, integrator=Production)
    assert np.array_equal(plain[0], compiled[0]) and np.array_equal(plain[1], compiled[1])
    assert np.abs(plain[4] - compiled[4]).max() < 1e-4


def test_who_fills_a_block_up_rests_while_every_fish_is_swift(alike):
    """As it always has: it is nobody, but a saved world has it."""
    model = Species.load("sardine")

    def burst() -> tuple[np.ndarray, ...]:
        shoal = Shoal([model], np.zeros(3, dtype=int), np.full(3, model.length), STEP)
        here = np.zeros(3)
        drive = Drive(here + 30.0, here + 0.5, np.zeros((2, 3)), here, here, here, *np.zeros((3, 2, 3)))
        before = shoal.blocks()["block 0"].state()
        shoal.move(drive, np.zeros((3, 3)), 2)
        after = shoal.blocks()["block 0"].state()
        assert (before["x"][..., 3:] == after["x"][..., 3:]).all() and (before["x"] != after["x"]).any()
        return after["x"], after["v"]

    alike(burst, "ranks")


def test_a_beat_of_long_ago_goes_on_and_far_angles_turn_fins(alike):
    model, fins = Species.load("sardine"), np.array([[0.0, 1e7, np.pi], [np.pi, -1e9, 1.0]])

    def moved() -> tuple[np.ndarray, ...]:
        shoal = Shoal([model], np.zeros(3, dtype=int), np.full(3, model.length), STEP)
        shoal.start_beats(np.array([0.0, 1.0, 1e9]))
        here = np.zeros(3)
        drive = Drive(here + 2.0, here + 0.5, np.zeros((2, 3)), here, here, here, fins, *np.zeros((2, 2, 3)))
        shoal.move(drive, np.zeros((3, 3)), 2)
        return shoal.nodes, shoal.node_velocities, shoal.blocks()["muscles 0"].phase

    nodes, velocities, phase = alike(moved, "ranks")
    assert np.isfinite(nodes).all() and np.abs(velocities).min(axis=(1, 2)).max() < 1.0
    assert phase[:3] == pytest.approx([0.5, 1.5, 1e9 + 0.5], abs=0.2)


def test_a_block_of_another_size_is_refused():
    model = Species.load("sardine")
    shoal = Shoal([model], np.zeros(3, dtype=int), np.full(3, model.length), STEP)
    block = shoal.blocks()["block 0"]
    state = block.state()
    with pytest.raises(ValueError, match=r"v: found the shape \(23, 3, 2\), allowed \(23, 3, \d+\)"):
        block.restore({**state, "v": state["v"][:, :, :2]})
    block.restore(state)
    assert np.array_equal(block.state()["x"], state["x"])
