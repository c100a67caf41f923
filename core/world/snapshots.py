"""What a recording keeps of a world, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..base.dice import Dice
from ..recording import SEXES, Recording
from .assembly import BODY_DICE
from .parts import Parts


def snapshot(parts: Parts) -> dict[str, np.ndarray]:
    """What a recording keeps of this moment, by the name of its array."""
    decision, mind, signs, fishes = parts.decision, parts.mind, parts.signs, len(parts.shoal)
    feelings, preferences = decision.feelings, decision.focus.preferences
    target, food = parts.attention()
    moving = [one for one in parts.scene.obstacles if one.motion is not None]
    strongest = np.abs(preferences).argmax(axis=1)
    return {
        "nodes": parts.shoal.nodes,
        "fins": parts.fins.fins(parts.gamma),
        "mouth": parts.mouth,
        "intention": np.full(fishes, Recording.INTENTIONS.index("wander")) if mind is None else mind.intention,
        "hunger": feelings.hunger,
        "libido": feelings.libido,
        "fear": feelings.fear,
        "target": target,
        "food": food,
        "preference": strongest,
        "preference_strength": preferences[np.arange(fishes), strongest],
        "effort": signs.effort,
        "gaze": signs.gaze,
        "breath": signs.breath,
        "fold": signs.fold,
        "tail": signs.tail,
        "alive": parts.shoal.alive,
        "level": np.zeros(fishes) if parts.detail is None else parts.detail.level,
        "plankton": parts.plankton.place,
        "plankton_alive": parts.plankton.alive,
        "seaweed": parts.weed.place,
        "bubbles": parts.bubbles.place,
        "bubbles_alive": parts.bubbles.alive,
        "hook": np.zeros((0, 3)) if parts.hook is None else parts.hook.points,
        "submarine": np.zeros(5) if parts.submarine is None else parts.submarine.pose,
        "obstacles": parts.obstacles.movers.pose[: len(moving)],
    }


def recorded(parts: Parts, arrays: Mapping[str, np.ndarray], first: int) -> Recording:
    """Frames of a world as a recording.

    Args:
        parts: Of the world.
        arrays: What was recorded, by the name of the array, frames first.
        first: Frame of the film with which they begin.
    """
    return Recording(
        **arrays,
        bubbles_size=parts.bubbles.size,
        body_length=parts.shoal.length,
        seeds=Dice(parts.seed, parts.numbers, BODY_DICE).keys.astype(np.uint32),
        species=parts.species,
        sex=tuple(SEXES[sex] for sex in parts.characters.sexes),
        fps=parts.scene.fps,
        scene=parts.scene,
        species_models=parts.models,
        events=[{**event, "frame": event["frame"] - first} for event in parts.events if event["frame"] >= first],
    )


def make_room(arrays: dict[str, np.ndarray], particles: int) -> None:
    """Has arrays of a recording hold so many particles; those added are not there so far, as those taken away were."""
    for name in ("plankton", "plankton_alive"):
        old = arrays[name]
        arrays[name] = np.zeros((len(old), particles, *old.shape[2:]), old.dtype)
        arrays[name][:, : old.shape[1]] = old[:, :particles]
    food = arrays["food"]
    food[food == old.shape[1]] = particles  # the bait, which comes after the last
