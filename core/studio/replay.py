"""One fish is simulated again from some frame on, while all others repeat what they did in a recording.

The whole world lives on around it, minds and all, but after every step each other fish is put where it was recorded.
So the one sees, fears, hunts and avoids the others where they are, and they do not answer it. A body whose place
rounds to the recorded one already is left alone: as long as nothing has changed, all goes as before to the bit.

What holds where the two stories meet:

- The others' arrays are those of the recording to the bit, but for `alive` of those that the one now eats.
- Whom the one ate when it was recorded is gone from that frame on, eaten again or not: nothing was recorded after.
- A recorded mouth opens when it did. It swallows the one if the one comes before it, and else whom it swallowed.
- Plankton drifts, is eaten and grows as recorded, but for what the one draws in, and what it eats, which is gone until
  it grows anew in the recording.
- Of the events those that befell the one are new, all others are kept.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np

from ..base.codec import SceneError, encode
from ..base.dice import Dice
from ..base.vectors import norm
from ..behavior.character import Characters
from ..behavior.routines.eat import SUCK_AT
from ..motor.commands import Commands
from ..recording import ARRAYS, Recording
from ..scene.scene import Scene
from ..world.world import CHOICES, WANTS, Pilot, World

CHANGEABLE = ("habits", "mind", "type")
ASTRAY = 0.01  # body lengths that a world may be off a recording and still be the one that it was made of
OWN = [name for name, (_, shape) in ARRAYS.items() if shape[:2] == ("frames", "fish")]
DRIFTING = [name for name, (_, shape) in ARRAYS.items() if shape[:2] == ("frames", "particle")]


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
        recording: What happened.
        fish: Row of the fish.
        frame: The last of the recording's frames that stays as it is; the fish goes on from there.
        seed: That of the recorded world, which is simulated up to `frame` to find what no recording holds.
        world: Saves that: the recorded world as it stood at `frame`, as from `World.load`. It is left as it is. Where
            a pilot led the fishes, it has to be given.
        change: What is to be different about the fish, as its group in a scene would say it: "type", "habits" and
            "mind". A "hunger" or "libido" is what it then begins with.
        luck: Seed of its dice from then on; those that it had if left out.
        pilot: Leads this fish in place of its mind: asked once a frame for commands of all fishes, of which the
            fish's own counts.

    Returns:
        As many frames as before.

    Raises:
        SceneError: Where there is no such fish or frame, the fish is dead by then, the world is another than the
            recorded one, or the change is not as declared.
    """
    _refuse_nobody(recording, fish, frame)
    told = _World(recording, fish, frame, _recorded(recording, frame, seed, world), change or {}, luck, pilot)
    rest = recording.frames - frame - 1
    return _joined(recording, fish, frame, told, told.simulate(rest)) if rest else recording


def _refuse_nobody(recording: Recording, fish: int, frame: int) -> None:
    for name, found, count in (("fish", fish, len(recording.species)), ("frame", frame, recording.frames)):
        if not 0 <= found < count:
            raise SceneError(str(found), f"0 to {count - 1}", key=name)
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
    if not off <= ASTRAY:
        raise SceneError(found, f"what the recording was made of, standing at frame {frame} of it", key)
    return world


class _World(World):
    """The recorded world, but for one fish, in which the others are puppets."""

    def __init__(
        self,
        recording: Recording,
        fish: int,
        frame: int,
        base: World,
        change: Mapping[str, Any],
        luck: int | None,
        pilot: Pilot | None,
    ):
        """Takes over where `base` stands, which is `frame` of the recording."""
        self._recording, self._fish, self._lead = recording, fish, pilot
        self._first = base.frame - frame  # the world's frame that is the recording's first
        self._cast_anew = (change, base)
        self._replaying = False
        super().__init__(base.scene, base.seed, base._pilot, base.models)
        begun = {name: getattr(self._wants.feelings, name)[fish] for name in ("eaten", "since_meal", "since_mating")}
        self._take_over({name: part.state() for name, part in base._parts().items()})
        self._plankton.enlarge(recording.plankton.shape[1])  # food that was dropped later
        self._wants.offer()
        self._gamma[...], self._mouth[...] = base._gamma, base._mouth
        self.frame, self._seen, self._events = base.frame, True, []
        if {"hunger", "libido"} & set(change.get("mind", {})):
            for name, value in begun.items():
                getattr(self._wants.feelings, name)[fish] = value
        if luck is not None:
            for dice, purpose in ((self._choices, CHOICES), (self._chances, WANTS)):
                dice.keys[fish] = Dice(luck, self._numbers, purpose).keys[fish]
        self._others = np.arange(len(self.shoal)) != fish
        self._eaten = np.zeros(len(self.shoal), dtype=bool)  # whom the fish has eaten now
        particles = len(self._plankton)
        self._drawn, self._taken = np.zeros(particles, dtype=bool), np.zeros(particles, dtype=bool)
        self._replaying = True

    @property
    def _now(self) -> int:
        """The recording's frame at which the world stands."""
        return self.frame - self._first

    def _cast(self, dice: Dice) -> Characters:
        """Who the fishes were, but for the one."""
        change, base = self._cast_anew
        held = base.characters
        if not change:
            return held
        refused = [name for name in change if name not in CHANGEABLE]
        if refused:
            raise SceneError("a key that may not change", ", ".join(CHANGEABLE), key=f"change.{refused[0]}")
        own = [(row, index) for row, group in enumerate(base.scene.fishes) for index in range(group.count)]
        row, index = own[self._fish]
        scene = base.scene.to_dict()
        group = encode(base.scene.fishes[row].alone(index))
        for name, value in change.items():
            group[name] = {**group.get(name, {}), **value} if isinstance(value, Mapping) else value
        alone = Scene.from_dict({"tank": scene["tank"], "fishes": [group]}, "change", self.models)
        one = Characters.from_scene(alone, self.models, Dice(self.seed, [0]))
        changed = {}
        for name in ("types", "schooling", "temperament", "drives"):
            changed[name] = getattr(held, name).copy()
            changed[name][self._fish] = getattr(one, name)[0]
        return replace(held, **changed)

    def _decide(self, *seen: Any) -> Commands:
        commands = super()._decide(*seen)
        if self._lead is None:
            return commands
        asked = self._lead(self.t, self)
        both = {}
        for field in fields(Commands):
            both[field.name] = np.array(getattr(commands, field.name))
            both[field.name][self._fish] = getattr(asked, field.name)[self._fish]
        return Commands(**both)

    def step(self) -> None:
        """Advances by one frame."""
        super().step()
        if self._mind is None:
            self._put_back()
        self._put_plankton_back()

    def _contain(self) -> None:
        super()._contain()
        if self._replaying:
            self._put_back()

    def _put_back(self) -> None:
        """Puts the others where they were recorded, and lets them be about what they were."""
        recording, now = self._recording, self._now
        recorded = recording.nodes[now]
        off = np.flatnonzero((self.nodes.astype(np.float32) != recorded).any(axis=(1, 2)) & self._others)
        if len(off):
            before, after = max(now - 1, 0), min(now + 1, recording.frames - 1)
            way = recording.nodes[after, off].astype(float) - recording.nodes[before, off]
            self.shoal.pose(off, recorded[off].astype(float), way * (recording.fps / (after - before)))
        if self._mind is not None:
            off = np.flatnonzero((self._mind.intention != recording.intention[now]) & self._others)
            for held in (self._mind.intention, self._wants.generator.intention):
                held[off] = recording.intention[now, off]

    def _gape(self, eaters: np.ndarray, nodes: np.ndarray, period: float) -> np.ndarray:
        """Opens the others' mouths as far as they were; returns those that may swallow."""
        swallow = np.zeros(len(self.shoal), dtype=bool)
        swallow[super()._gape(eaters, nodes, period)] = True
        recorded, alive = self._recording.mouth[self._now], self._recording.alive[self._now]
        off = (self._mouth.astype(np.float32) != recorded) & self._others
        self._mouth[off] = recorded[off]
        swallow[off] = alive[off] & (recorded[off] > 0.0)
        return np.flatnonzero(swallow)

    def _feed(self, period: float) -> None:
        told = len(self._events)
        super()._feed(period)
        for event in self._events[told:]:
            if event["fish"] == self._fish:
                gone = self._eaten if event["kind"] == "eaten" else self._taken
                gone[event["other"]] = True
        alive = np.where(self._others, self._recording.alive[self._now] & ~self._eaten, self.alive)
        died = np.flatnonzero(self.alive & ~alive)
        if len(died):
            self._die(died)
        self.shoal.alive[alive] = True

    def _swallow_plankton(
        self, eaters: np.ndarray, place: np.ndarray, ahead: np.ndarray, opening: np.ndarray, period: float
    ) -> None:
        for mouth in place[eaters == self._fish]:
            reach = SUCK_AT * self.shoal.length[self._fish]
            self._drawn |= norm(self._plankton.place - mouth) < reach
        super()._swallow_plankton(eaters, place, ahead, opening, period)

    def _put_plankton_back(self) -> None:
        """Puts particles where they were recorded, but for those that the one draws in, and has eaten."""
        place, there = self._recording.plankton[self._now], self._recording.plankton_alive[self._now]
        self._taken &= there
        self._drawn &= there
        off = (self._plankton.place.astype(np.float32) != place).any(axis=1) & ~self._drawn
        self._plankton.place[off] = place[off]
        self._plankton.alive[:] = there & ~self._taken


def _joined(recording: Recording, fish: int, frame: int, world: _World, anew: Recording) -> Recording:
    """The recording up to a frame, and then with what the one fish did anew."""
    held = {name: getattr(recording, name).copy() for name in (*OWN, *DRIFTING)}
    for name in OWN:
        held[name][frame + 1 :, fish] = getattr(anew, name)[:, fish]
    for name in DRIFTING:
        held[name][frame + 1 :] = getattr(anew, name)
    held["alive"][frame + 1 :, world._eaten] &= anew.alive[:, world._eaten]
    alive = held["alive"]

    def concerns(event: Mapping[str, Any]) -> bool:
        if event["fish"] < 0:  # something that befell no fish alone
            return False
        return event["fish"] == fish or (event["kind"] != "fed" and event["other"] == fish)

    def is_over(event: Mapping[str, Any]) -> bool:
        """Whether somebody takes part who has been eaten before."""
        alone = event["kind"] == "fed" or event["fish"] < 0
        fishes = [event["fish"]] if alone else [event["fish"], event["other"]]
        return any(who >= 0 and world._eaten[who] and not alive[event["frame"] - 1, who] for who in fishes)

    kept = [event for event in recording.events if event["frame"] <= frame or not (concerns(event) or is_over(event))]
    new = [{**event, "frame": event["frame"] + frame + 1} for event in anew.events if concerns(event)]
    place = {json.dumps(event, sort_keys=True): row for row, event in enumerate(recording.events)}
    last = len(place)
    order = {id(event): place.get(json.dumps(event, sort_keys=True), last) for event in kept + new}
    events = sorted(kept + new, key=lambda event: (event["frame"], order[id(event)]))
    return replace(recording, **held, events=events)
