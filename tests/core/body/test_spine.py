"""The body as a bent rod: the frames of its groups, and the map between a bent body and a straight one."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.body.anatomy import NODES
from artfish.core.body.dynamics import BodyModel
from artfish.core.body.spine import NODE_GROUPS, Spine

FISHES = 5
every_species = pytest.mark.parametrize("name", Species.names())


def model_of(name: str) -> BodyModel:
    return BodyModel(Species.load(name).body)


def bent(model: BodyModel, angle: float) -> np.ndarray:
    """A resting body whose axis is an arc that turns left by `angle` from the tail's end to the nose, (23, 3, 1)."""
    x, y, z = model.rest.T
    turn = angle * (x - x.mean()) / np.ptp(x)
    radius = np.ptp(x) / angle if angle else np.inf
    along = radius * np.sin(turn) if angle else x
    aside = radius * (1.0 - np.cos(turn)) if angle else 0.0 * x
    return np.stack([along - y * np.sin(turn), aside + y * np.cos(turn), z], axis=1)[:, :, None]


def in_frames(spine: Spine, velocity: np.ndarray) -> np.ndarray:
    """Velocities of the nodes (23, 3, fish) in the frames of their groups, (3, 23, fish)."""
    return np.einsum("ancf,ncf->anf", spine.frames[:, NODE_GROUPS], velocity)


@every_species
def test_frames_of_a_resting_body_point_ahead_left_and_up(name):
    frames = Spine(model_of(name)).frames
    assert np.einsum("agcf,bgcf->abgf", frames, frames) == pytest.approx(
        np.broadcast_to(np.eye(3)[:, :, None, None], (3, 3, 7, 1)), abs=1e-12
    )
    up, ahead, left = frames
    assert (left[:, 1] > 0.999).all()
    assert (ahead[:, 0] > 0.9).all() and (up[:, 2] > 0.9).all()  # a hanging belly tilts the axis of the nose


def test_frames_turn_with_the_body():
    model = model_of("clownfish")
    spine = Spine(model)
    resting = spine.frames.copy()
    c, s = np.cos(0.7), np.sin(0.7)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    turned = spine.measure((model.rest @ turn.T)[:, :, None])
    assert turned == pytest.approx(np.einsum("ij,agjf->agif", turn, resting), abs=1e-12)


@every_species
def test_folding_undoes_unfolding_and_work_is_the_same_on_both(name):
    model = model_of(name)
    rng = np.random.default_rng(3)
    spine = Spine(model)
    x = model.resting(FISHES) + rng.normal(0.0, 0.02 * model.length, (NODES, 3, FISHES))
    spine.measure(x)
    straight = rng.normal(size=(3, NODES, FISHES))
    own = spine.fold(straight)
    assert np.abs(own - straight).max() > 0.1  # these bodies are bent
    assert spine.unfold(own) == pytest.approx(straight, abs=1e-12)
    force = rng.normal(size=(3, NODES, FISHES))
    on_straight = spine.unfold_force(force)
    power = np.einsum("cnf,cnf->f", force, own)
    assert np.einsum("cnf,cnf->f", on_straight, straight) == pytest.approx(power, rel=1e-12)


@every_species
def test_a_straight_body_is_left_as_it_is(name):
    model = model_of(name)
    spine = Spine(model)
    velocity = np.random.default_rng(4).normal(size=(3, NODES, 1))
    own = spine.fold(velocity)
    # The axis of a body with a hanging belly is bent upwards, but not to a side.
    assert own == pytest.approx(velocity, abs=1e-12)


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)], ids=["ahead", "left", "up"])
def test_a_bent_body_that_is_carried_along_is_not_stretched(direction):
    """A motion that is rigid in the bent body is rigid in the straight one, but for terms of the square of the bend."""
    model = model_of("sardine")
    spine = Spine(model)
    carried = np.tile(np.array(direction)[None, :, None], (NODES, 1, 1))
    resting = in_frames(spine, carried)
    for angle in (0.4, 0.2, 0.1):
        spine.measure(bent(model, angle))
        velocity = spine.unfold(in_frames(spine, carried)) - resting
        # Frames alone leave half the angle at either end.
        assert np.abs(velocity - velocity.mean(axis=1, keepdims=True)).max() < 0.5 * angle**2
