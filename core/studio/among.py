"""Some fishes live anew among others that do again what they did in a recording: one shoal of a film is made again.

The others are in the joined recording as they were, to the bit. Of what happened then, and what happens now:

- What befell the others among themselves stays. Whom another ate that lives anew now, it misses: it opens its mouth,
  and nobody is there, or gets away.
- What those that live anew do is new. Another that they ate before vanishes as it did; now they can eat none of them.
- Plankton, weed, bubbles and the rest go by as they were recorded, but for what is eaten now.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from ..events import COUNTING_KINDS, LONE_KINDS
from ..recording import FISH_ARRAYS, STROKE_ARRAYS, Recording, strokes_of_both
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.puppets import PuppetFishes, PuppetTracks
from ..world.world import World

LIVES_ANEW = -1
"""Stands in place of the row that a fish has in a recording."""
EACH_FISH = ("body_length", "seeds")
SURROUNDING_ARRAYS = ("seaweed", "bubbles", "bubbles_alive", "spawn", "spawn_kind", "hook")
"""Arrays of things around the fishes, over frames, which stay as they were."""


def among(
    scene: Scene,
    recording: Recording,
    rows: Sequence[int] | np.ndarray,
    seed: int = 0,
    species: Mapping[str, Species] | None = None,
) -> Generator[int, None, Recording]:
    """Simulates some fishes of a scene anew, among others that were recorded.

    Args:
        scene: The scene; groups of which all fishes were recorded may be as they were in the recording's scene.
        recording: The recording; there are as many frames as it has.
        rows: For each fish of the scene its row in the recording; `LIVES_ANEW` for those that live anew, (fish,).
        seed: The seed of those that live anew.
        species: Species that win over the presets of the same name.

    Yields:
        The number of frames done, 0 for each of the pre-roll.

    Returns:
        The frames of the recording, with all fishes of the scene.

    Raises:
        SceneError: The scene has other fishes than the rows say, or another rate than the recording.
    """
    rows = np.asarray(rows, dtype=int)
    world = World(scene, seed, species=species)
    _refuse_others(world, recording, rows)
    tracks = PuppetTracks.of(recording, rows != LIVES_ANEW, np.maximum(rows, 0))
    world.puppetry = PuppetFishes(tracks, world.parts)
    anew = yield from world.run(recording.frames)
    return _joined(recording, anew, rows)


def _refuse_others(world: World, recording: Recording, rows: np.ndarray) -> None:
    """Refuses rows that do not fit.

    Raises:
        SceneError: They do not.
    """
    if len(rows) != len(world.species):
        raise SceneError(f"rows of {len(rows)} fishes", f"those of the scene, {len(world.species)}", key="rows")
    if world.scene.fps != recording.fps:
        raise SceneError(f"{world.scene.fps:g} frames a second", f"{recording.fps:g}, as recorded", key="fps")
    for fish, row in enumerate(rows.tolist()):
        if not LIVES_ANEW <= row < len(recording.species):
            raise SceneError(shown(row), f"{LIVES_ANEW} to {len(recording.species) - 1}", key="rows")
        if row != LIVES_ANEW and recording.species[row] != world.species[fish]:
            found = f"{recording.species[row]} {row} for {world.species[fish]} {fish}"
            raise SceneError(found, "a fish of the same species", key="rows")
    known = rows[rows != LIVES_ANEW]
    if len(np.unique(known)) < len(known):
        raise SceneError("a fish that is played back twice", "each once", key="rows")


def _joined(recording: Recording, anew: Recording, rows: np.ndarray) -> Recording:
    """The recording of the others, and of those that live anew what they did."""
    kept, number = np.flatnonzero(rows != LIVES_ANEW), np.full(len(recording.species) + 1, LIVES_ANEW)
    was = rows[kept]
    number[was] = kept  # the row now by the row then; the last stands for nobody
    arrays: dict[str, Any] = {}
    for name in FISH_ARRAYS:
        arrays[name] = getattr(anew, name).copy()
        arrays[name][:, kept] = getattr(recording, name)[:, was]
    then = recording.target[:, was]
    arrays["target"][:, kept] = np.where(then >= 0, number[then], LIVES_ANEW)
    for name in EACH_FISH:
        arrays[name] = getattr(anew, name).copy()
        arrays[name][kept] = getattr(recording, name)[was]
    for name in SURROUNDING_ARRAYS:
        if getattr(anew, name).shape == getattr(recording, name).shape:  # else it is not what it was
            arrays[name] = getattr(recording, name)
    sexes = list(anew.sex)
    for now, row in zip(kept.tolist(), was.tolist(), strict=True):
        sexes[now] = recording.sex[row]
    models = {name: recording.species_models.get(name, model) for name, model in anew.species_models.items()}
    models |= {name: anew.species_models[name] for name in {anew.species[row] for row in np.flatnonzero(rows < 0)}}
    arrays |= _strokes(recording, anew, rows, number)
    events = _events(recording, anew, rows, number)
    return replace(anew, **arrays, sex=tuple(sexes), species_models=models, events=events)


def _strokes(recording: Recording, anew: Recording, rows: np.ndarray, number: np.ndarray) -> dict[str, np.ndarray]:
    """The strokes of both, by time and then by fish."""
    stays, comes = number[recording.stroke_fish] != LIVES_ANEW, rows[anew.stroke_fish] == LIVES_ANEW
    parts = {name: (getattr(recording, name)[stays], getattr(anew, name)[comes]) for name in STROKE_ARRAYS}
    parts["stroke_fish"] = number[parts["stroke_fish"][0]].astype(np.int32), parts["stroke_fish"][1]
    return strokes_of_both(parts)


def _events(recording: Recording, anew: Recording, rows: np.ndarray, number: np.ndarray) -> list[dict[str, Any]]:
    """The events that befell the others among themselves, and what those that live anew do, in the order of frames."""
    events = []
    for event in recording.events:
        fish, other = event["fish"], event["other"]
        alone = event["kind"] in (*COUNTING_KINDS, *LONE_KINDS)
        if fish < 0 or number[fish] == LIVES_ANEW or not alone and number[other] == LIVES_ANEW:
            continue
        now = {"fish": int(number[fish])} | ({} if alone else {"other": int(number[other])})
        events.append({**event, **now})
    for event in anew.events:
        alone = event["fish"] < 0 or event["kind"] in (*COUNTING_KINDS, *LONE_KINDS)
        if event["fish"] < 0 or rows[event["fish"]] == LIVES_ANEW and (alone or rows[event["other"]] == LIVES_ANEW):
            events.append(event)
    return sorted(events, key=lambda event: event["frame"])


def with_groups_of(scene: Scene, before: Scene, groups: Sequence[int]) -> Scene:
    """A scene some of whose groups of fishes are as they were.

    Args:
        scene: The scene.
        before: The scene that they were in.
        groups: For each group of the scene that of the other scene that it is as; `LIVES_ANEW` for its own.
    """
    own = zip(scene.fishes, groups, strict=True)
    return replace(scene, fishes=tuple(group if at == LIVES_ANEW else before.fishes[at] for group, at in own))
