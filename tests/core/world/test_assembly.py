"""Assembly of a world from a scene: the controllers that move each fish."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World

from ..learned_kinds import controller

MADE = controller()


def scene(**group) -> Scene:
    """Two groups of sardines, of which the second may be moved otherwise."""
    at = {"species": "sardine", "count": 3, "spread": 0.4}
    fishes = [{**at, "at": [1.5, 2, 1.5]}, {**at, "at": [2.5, 2, 1.5], **group}]
    return Scene.from_dict({"tank": {"size": [4, 4, 3]}, "fishes": fishes})


@pytest.fixture(scope="module")
def recording() -> Recording:
    return World(scene(controller=MADE), seed=3).simulate(frames=8)


def test_a_controller_moves_its_group_otherwise_and_leaves_the_others_as_they_begin(recording):
    plain = World(scene(), seed=3).simulate(frames=3)
    taught = World(scene(controller=MADE), seed=3).simulate(frames=3)
    assert np.array_equal(plain.nodes[:, :3], taught.nodes[:, :3])
    assert not np.array_equal(plain.nodes[-1, 3:], taught.nodes[-1, 3:])


def test_fishes_with_a_controller_are_of_their_species_to_everybody(recording):
    assert recording.species == ("sardine",) * 6
    assert list(recording.species_models) == ["sardine"]


def test_a_world_in_which_all_have_learned_runs():
    fishes = [{"species": "sardine", "count": 3, "at": [2, 2, 1.5], "spread": 0.4, "controller": MADE}]
    world = World(Scene.from_dict({"tank": {"size": [4, 4, 3]}, "fishes": fishes}), seed=1)
    assert np.isfinite(world.simulate(frames=4).nodes).all()


def test_a_world_without_fishes_runs():
    world = World(Scene.from_dict({"tank": {"size": [4, 4, 3]}}), seed=1)
    assert world.simulate(frames=3).nodes.shape[1] == 0


def test_it_is_saved_and_resumed_to_the_bit(recording, tmp_path):
    world = World(scene(controller=MADE), seed=3)
    world.simulate(frames=4)
    world.save(tmp_path / "world.npz")
    resumed = World.load(tmp_path / "world.npz").simulate(frames=4)
    assert np.array_equal(resumed.nodes[-1], recording.nodes[-1])
    recording.save(tmp_path / "film.npz")
    assert Recording.load(tmp_path / "film.npz").scene == scene(controller=MADE)


def test_a_running_world_takes_no_other_controller():
    world = World(scene(controller=MADE), seed=3)
    with pytest.raises(SceneError, match="another controller"):
        world.retune(scene())


@pytest.mark.film
def test_replicas_of_a_taught_fish_swim_as_it_does():
    data = scene(controller=MADE).to_dict()
    data["detail"] = {"camera": [{"time": 0.0, "at": [-200.0, 2.0, 1.5], "look_at": [2.0, 2.0, 1.5]}]}
    world = World(Scene.from_dict(data), seed=3)
    film = world.simulate(frames=72)
    assert (world.level > 0).all()
    speed = np.linalg.norm(np.diff(film.nodes[24:, :, 0], axis=0), axis=-1).mean(axis=0)
    assert (speed > 0.0).all() and np.isfinite(film.nodes).all()


def test_a_group_begins_at_its_own_pace_and_without_variety_all_are_alike():
    world = World(scene(pace=0.0, variety=0.0, count=6), seed=3)
    speed = np.linalg.norm(world.shoal.velocity, axis=1) / world.shoal.length
    assert speed[:3] == pytest.approx(1.0) and not speed[3:].any()
    assert len(set(world.shoal.length[:3])) == 3 and len(set(world.shoal.length[3:])) == 1
    twice = World(scene(variety=2.0), seed=3).shoal.length - world.models["sardine"].length
    once = World(scene(), seed=3).shoal.length - world.models["sardine"].length
    assert twice[3:] == pytest.approx(2.0 * once[3:]) and np.array_equal(twice[:3], once[:3])
