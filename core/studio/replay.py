"""One fish is simulated again from some frame on, while all others repeat what they did in a recording.

The whole world lives on around it, minds and all, but after every step each other fish is put where it was recorded.
So the one sees, fears, hunts and avoids the others where they are, and they do not answer it. A body whose place
rounds to the recorded one already is left alone: as long as nothing has changed, all goes as before to the bit.

Where the two stories meet:

- The others' arrays are those of the recording to the bit, but for `alive` of those that the one now eats.
- Whom the one ate when it was recorded is gone from that frame on, eaten again or not: nothing was recorded after.
- A recorded mouth opens when it did. It swallows the one if the one comes before it, and else whom it swallowed.
- Plankton drifts, is eaten and grows as recorded, but for what the one draws in, and what it eats, which is gone until
  it grows anew in the recording.
- Of the events those that befell the one are new, all others are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..base.codec import SceneError, encode, shown
from ..base.dice import Dice
from ..behavior.character import Characters
from ..events import COUNTING_KINDS
from ..motor.commands import Commands
from ..recording import ARRAYS, FISH_ARRAYS, STROKE_ARRAYS, Recording, strokes_of_both
from ..scene.scene import Scene
from ..world.assembly import CHOICE_DICE, WANT_DICE, assemble, whole
from ..world.parts import Parts
from ..world.persistence import states_of, take_over
from ..world.puppets import PuppetTracks, Reenactment
from ..world.world import Pilot, World

CHANGEABLE = ("habits", "mind", "type")
ASTRAY_LENGTHS = 0.01  # body lengths that a world may be off a recording and still be the one that it was made of
PARTICLE_ARRAYS = [name for name, one in ARRAYS.items() if one.shape[:2] == ("frames", "particle")]


def resimulate(
    recording: Recording,
    fish: int,
    frame: int = 0,
    *,
    seed: int = 0,
    world: World | None = None,
    change: Mapping[str, Any] | None = None,
    luck: int | None = None,
    pilot: Pilot | None = None,
) -> Recording:
    """Simulates one fish of a recording anew, with the others replayed.

    Args:
        recording: The recording.
        fish: Row of the fish.
        frame: The last of the recording's frames that stays as it is; the fish goes on from there.
        seed: Seed of the recorded world, which is simulated up to `frame` to find what no recording holds.
        world: Saves that: the recorded world as it stood at `frame`, as from `World.load`. It is left as it is. Where
            a pilot led the fishes, it has to be given.
        change: Changes of the fish, as its group in a scene would have them: "type", "habits" and "mind". A "hunger" or
            "libido" is its value at the beginning.
        luck: Seed of its dice from then on; those that it had if left out.
        pilot: Leads this fish in place of its mind: called once a frame for commands of all fishes, of which the
            fish's own counts.

    Returns:
        As many frames as before.

    Raises:
        SceneError: If there is no such fish or frame, the fish is dead by then, the world is another than the recorded
            one, or the change is not as declared.
    """
    _refuse_nobody(recording, fish, frame)
    if luck is not None and not whole(luck):
        raise SceneError(shown(luck), "a whole number, or None for the dice that it had", key="luck")
    base = _recorded(recording, frame, seed, world)
    parts = _changed(base.parts, fish, change or {}, luck)
    parts.enlarge(recording.plankton.shape[1])  # food that was dropped later
    replay = Replay(recording, fish, base.frame - frame, len(parts.water.plankton))
    again = World.of(parts, base.pilot, replay)
    if pilot is not None:
        replay.leader = lambda t: pilot(t, again)
    rest = recording.frames - frame - 1
    return _joined(recording, fish, frame, replay, again.simulate(rest)) if rest else recording


def _refuse_nobody(recording: Recording, fish: int, frame: int) -> None:
    for name, found, count in (("fish", fish, len(recording.species)), ("frame", frame, recording.frames)):
        if not whole(found) or not 0 <= found < count:
            raise SceneError(shown(found), f"0 to {count - 1}", key=name)
    if not recording.alive[frame, fish]:
        raise SceneError(f"{fish}, dead in frame {frame}", "one that is alive then", key="fish")


def _recorded(recording: Recording, frame: int, seed: int, world: World | None) -> World:
    """The world that was recorded, as it stood at a frame."""
    key, found = ("seed", str(seed)) if world is None else ("world", "another")
    if world is None:
        world = World(recording.scene, seed, species=recording.species_models)
        while world.frame < frame:
            world.step()
    nodes = world.nodes
    off = np.inf
    if nodes.shape == recording.nodes[frame].shape:
        off = (np.abs(nodes - recording.nodes[frame]) / world.shoal.length[:, None, None]).max(initial=0.0)
    if not off <= ASTRAY_LENGTHS:
        raise SceneError(found, f"what the recording was made of, standing at frame {frame} of it", key)
    return world


def _changed(base: Parts, fish: int, change: Mapping[str, Any], luck: int | None) -> Parts:
    """The parts of a recorded world where it stands, copied, but for the changes of one fish."""
    characters = _cast(base, fish, change)
    of = base.model
    parts = assemble(of.scene, of.seed, of.models, minds=base.minds.mind is not None, characters=characters)
    feelings = parts.minds.decision.feelings
    begun = {name: getattr(feelings, name)[fish] for name in ("eaten", "since_meal", "since_mating")}
    take_over(parts, states_of(base))
    parts.frame, parts.recorded, parts.events = base.frame, True, []
    if {"hunger", "libido"} & set(change.get("mind", {})):
        for name, value in begun.items():
            getattr(feelings, name)[fish] = value
    if luck is not None:
        for dice, purpose in ((parts.minds.choices, CHOICE_DICE), (parts.minds.chances, WANT_DICE)):
            dice.keys[fish] = Dice(luck, parts.model.numbers, purpose).keys[fish]
    return parts


def _cast(base: Parts, fish: int, change: Mapping[str, Any]) -> Characters:
    """The characters of all fishes, the changed one included."""
    if not change:
        return base.model.characters
    refused = [name for name in change if name not in CHANGEABLE]
    if refused:
        raise SceneError("a key that may not change", ", ".join(CHANGEABLE), key=f"change.{refused[0]}")
    own = [(row, index) for row, group in enumerate(base.model.scene.fishes) for index in range(group.count)]
    row, index = own[fish]
    group = encode(base.model.scene.fishes[row].alone(index))
    for name, value in change.items():
        group[name] = {**group.get(name, {}), **value} if isinstance(value, Mapping) else value
    data = {"tank": base.model.scene.to_dict()["tank"], "fishes": [group]}
    alone = Scene.from_dict(data, "change", base.model.models)
    one = Characters.from_scene(alone, base.model.models, Dice(base.model.seed, [0]))
    changed = {}
    for name in ("types", "schooling", "temperament", "drives"):
        changed[name] = getattr(base.model.characters, name).copy()
        changed[name][fish] = getattr(one, name)[0]
    return replace(base.model.characters, **changed)


class Replay(Reenactment):
    """Has all fishes but one repeat what they did in a recording.

    Attributes:
        eaten: Fishes that the one has eaten this time, (fish,) bool.
        leader: Leads the one in place of its mind: given the time in seconds, commands of all fishes.
    """

    def __init__(self, recording: Recording, fish: int, first: int, particles: int):
        """Takes the recording to repeat.

        Args:
            recording: The recording.
            fish: Row of the one that is free.
            first: Frame of the film that is the recording's first.
            particles: Number of particles, those that wait to be dropped included.
        """
        fishes = len(recording.species)
        super().__init__(PuppetTracks.of(recording, np.arange(fishes) != fish), first, particles)
        self._fish = fish
        self.eaten = np.zeros(fishes, dtype=bool)
        self.leader: Callable[[float], Commands] | None = None

    def lead(self, t: float, commands: Commands) -> Commands:
        """The commands of all, the one's by its leader."""
        if self.leader is None:
            return commands
        led, both = self.leader(t), {}
        for field in fields(Commands):
            both[field.name] = np.array(getattr(commands, field.name))
            both[field.name][self._fish] = getattr(led, field.name)[self._fish]
        return Commands(**both)

    def gaped(self, parts: Parts, eaters: np.ndarray) -> np.ndarray:
        """Opens the others' mouths as far as they were; those that may swallow, (n,)."""
        tracks, now = self._tracks, self._now(parts)
        swallow = np.zeros(len(tracks.played), dtype=bool)
        swallow[eaters] = True
        recorded, alive = tracks.mouth[now], tracks.alive[now]
        off = (parts.bodies.mouth.astype(np.float32) != recorded) & tracks.played
        parts.bodies.mouth[off] = recorded[off]
        swallow[off] = alive[off] & (recorded[off] > 0.0)
        return np.flatnonzero(swallow)

    def fed(self, parts: Parts, events: Sequence[dict[str, Any]]) -> None:
        """Notes what the one has eaten, and lets the others live and die as they did."""
        bodies = parts.bodies
        super().fed(parts, events)
        for event in events:
            if event["fish"] == self._fish and event["kind"] == "eaten":
                self.eaten[event["other"]] = True
        recorded = self._tracks.alive[self._now(parts)] & ~self.eaten
        alive = np.where(self._tracks.played, recorded, bodies.shoal.alive)
        died = np.flatnonzero(bodies.shoal.alive & ~alive)
        if len(died):
            parts.die(died)
        bodies.shoal.alive[alive] = True

    def ended(self, parts: Parts) -> None:
        """Puts the others where they were again where nothing else does, and particles."""
        if parts.minds.mind is None:
            self.contained(parts)
        super().ended(parts)


def _joined(recording: Recording, fish: int, frame: int, replay: Replay, anew: Recording) -> Recording:
    """The recording up to a frame, and then with what the one fish did anew."""
    arrays = {name: getattr(recording, name).copy() for name in (*FISH_ARRAYS, *PARTICLE_ARRAYS)}
    for name in FISH_ARRAYS:
        arrays[name][frame + 1 :, fish] = getattr(anew, name)[:, fish]
    for name in PARTICLE_ARRAYS:
        arrays[name][frame + 1 :] = getattr(anew, name)
    arrays["alive"][frame + 1 :, replay.eaten] &= anew.alive[:, replay.eaten]
    alive = arrays["alive"]
    arrays |= _strokes_joined(recording, fish, frame, anew)

    def concerns(event: Mapping[str, Any]) -> bool:
        if event["fish"] < 0:  # something that befell no fish alone
            return False
        return event["fish"] == fish or (event["kind"] not in COUNTING_KINDS and event["other"] == fish)

    def is_over(event: Mapping[str, Any]) -> bool:
        """True if one that takes part has been eaten before."""
        alone = event["kind"] in COUNTING_KINDS or event["fish"] < 0
        fishes = [event["fish"]] if alone else [event["fish"], event["other"]]
        return any(who >= 0 and replay.eaten[who] and not alive[event["frame"] - 1, who] for who in fishes)

    kept = [event for event in recording.events if event["frame"] <= frame or not (concerns(event) or is_over(event))]
    new = [{**event, "frame": event["frame"] + frame + 1} for event in anew.events if concerns(event)]
    place = {json.dumps(event, sort_keys=True): row for row, event in enumerate(recording.events)}
    last = len(place)
    order = {id(event): place.get(json.dumps(event, sort_keys=True), last) for event in kept + new}
    events = sorted(kept + new, key=lambda event: (event["frame"], order[id(event)]))
    tufts = max(recording.tufts, anew.tufts, key=len)  # another character may bite where nobody did
    return replace(recording, **arrays, tufts=tufts, events=events)


def _strokes_joined(recording: Recording, fish: int, frame: int, anew: Recording) -> dict[str, np.ndarray]:
    """The strokes of a recording up to a frame, and then those that the one fish made anew."""
    kept = (recording.stroke_fish != fish) | (recording.stroke_time < frame)
    new = anew.stroke_fish == fish
    parts = {name: (getattr(recording, name)[kept], getattr(anew, name)[new]) for name in STROKE_ARRAYS}
    parts["stroke_time"] = parts["stroke_time"][0], parts["stroke_time"][1] + (frame + 1)
    return strokes_of_both(parts)
