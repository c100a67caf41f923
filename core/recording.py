"""Recordings of a world: arrays over frames, kept in one .npz file that can be baked alone."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from .base.arrays import array, arrays_of, conform, optional_of
from .base.codec import Place, SceneError, parse, parse_any, shown
from .base.files import read_arrays, refuse_beyond, write_arrays
from .base.formats import format_of_arrays, stamped_arrays
from .body.anatomy import NODES, body_frame
from .events import check_events
from .form.look import Look
from .scene.scene import Scene
from .scene.species import Species

OLDEST_FORMAT = 2  # of a file that is read
WAY_POINTS = FRONTIER_POINTS = 32
"""Most recorded points of a way, and most recorded places from which a fish has yet to look on."""
FARTHEST_POINT = 1e5  # metres: ten times as far out as a scene's places may be
NO_POINT = -FARTHEST_POINT
"""Coordinate of points of ways and frontiers beyond the last."""
NEVER = -1e6
"""Seconds: when a fish has seen what it remembers nothing of."""

SEXES = ("male", "female")
FRAMES_AT_ONCE = 1000  # looked at, so that it takes little memory


def _places(kind: str, *shape: int | str, begin: float = 0, optional: bool = False) -> Any:
    """An array of places in metres; see `array`."""
    return array(kind, *shape, low=-FARTHEST_POINT, high=FARTHEST_POINT, begin=begin, optional=optional)


@dataclass(frozen=True, eq=False, kw_only=True)
class Recording:
    """Some frames of a world, beginning with frame 0, the scene's first.

    Attributes:
        nodes: (frames, fish, 23, 3) float32, places of the nodes in metres, world frame.
        fins: (frames, fish, 2, 3) float32, pectoral fins left and right: angle gamma in radians, displacement of
            the flap in lengths of the fin's root, angle of the oar in radians, unwrapped.
        mouth: (frames, fish) float32, opening of the jaws, 0 closed to 1 open.
        intention: (frames, fish) int8, index into `INTENTIONS`.
        cause: (frames, fish) int8, the rule by which each came to that, index into `behavior.intention.RULES`; -1 in
            recordings of before there were any.
        hunger: (frames, fish) float32, the desire to eat, 0 to 1.
        libido: (frames, fish) float32, the desire to mate, 0 to 1.
        fear: (frames, fish) float32, of whatever frightens each most, 0 to 1.
        target: (frames, fish) int32, the fish that each is after, flees from, courts or avoids; -1 without.
        food: (frames, fish) int32, the particle of plankton that each is after, or one beyond for bait, or from there
            on for a tuft of what grows; -1 without.
        preference: (frames, fish) int8, the strongest motor preference, index into `PREFERENCES`.
        preference_strength: (frames, fish) float32, -1 to 1, below 0 where it is one against; 0 is none at all.
        effort: (frames, fish) float16, how hard each works: half at full speed and all of it in a burst, where it has
            one, 0 to 1.
        gaze: (frames, fish, 2, 2) float16, angles of the left and the right eye ahead and up, in radians.
        breath: (frames, fish, 2) float16, opening of gill covers and mouth for a breath, 0 to 1.
        fold: (frames, fish, 2) float16, folding of median and pectoral fins, 0 to 1.
        tail: (frames, fish) float16, trail of the tail's rear edge, left positive, -1 to 1 of its most.
        alive: (frames, fish) bool, True while a fish is in the water: it has come, and nobody has eaten it.
        growth: (frames, fish) float32, length of each fish over its `body_length`: below 1 while it grows, 0 to 1.
        level: (frames, fish) int8, 0 dynamic, 1 a replica, 2 in no picture: its nodes are those of a body at rest.
        body_length: (fish,) float64, of each fish from its nose to the end of its tail when it is grown, metres.
        seeds: (fish,) uint32, from which each fish's own variation of its looks is drawn.
        species: Name of each fish's species.
        sex: Sex of each fish.
        fps: Frames a second.
        scene: The scene that was simulated.
        species_models: The species by name, as they were simulated.
        events: What befell whom, each a dict that JSON can hold, with its "frame", "kind", "fish" and "other": the
            kind "eaten" says that fish ate the fish other, "fed" that it ate the particle other, "browsed" that it bit
            at the tuft other, "hooked" that it took the bait of the hook other, 0, "entered" that the fishes from fish
            to other came, "food" that so many particles, other, were dropped, "fright" that as many fishes as other
            says were frightened, fish being -1 in both, "courtship" that the male fish and the female other have come
            to a "stage", "spawned" that they have come to the end, "grudge" that the fish has come to fear or dislike
            the fish other, "relation", so strongly, "strength"; 0 where it has forgotten it for another; in a world
            with breeding, "hatched" that the fish came out of an egg of the fish other and of a "father", and "died"
            that it did, of a "cause": "age", "hunger" or, if it was eaten, "teeth".
        plankton: (frames, particle, 3) float32, places of the particles of food, metres.
        plankton_alive: (frames, particle) bool, True while a particle is there to be eaten.
        tufts: (tuft, 3) float32, metres: what grows on all that stands, where anybody bites at it.
        seaweed: (frames, leaf, 10, 3) float32, metres, masses of the leaves from root to tip, cluster after cluster.
        bubbles: (frames, bubble, 3) float32, places of their middles, metres.
        bubbles_alive: (frames, bubble) bool, True while a bubble rises.
        bubbles_size: (bubble,) float64, diameters in metres.
        spawn: (frames, grain, 3) float32, metres, of eggs and milt.
        spawn_kind: (frames, grain) int8, 0 a drifting egg, 1 milt, 2 an egg that is laid, -1 not there.
        hook: (frames, point, 3) float32, metres: the line from above the water down to the eye of the hook, and
            last the hook's bend.
        submarine: (frames, 5) float64, of the one that the scene's ride may have: its middle in metres, the azimuth of
            its heading and its pitch in radians, unwrapped; zeros without one.
        obstacles: (frames, obstacle, 7) float64, of those that have `motion` in the scene, in its order: place in
            metres and turn, a quaternion w, x, y, z; where vertices have keys, first the time of its form in seconds.
        memory_time: (frames, memory, object) float32, when fishes that have a visual memory saw last, in seconds of the
            film, each other fish and then each piece of an obstacle; `NEVER` where they remember nothing of it.
        memory_fish: (memory,) int32, whose memories they are.
        way: (frames, traveller, 32, 3) float32, the path that is left of a fish that finds its way, from itself on, in
            metres; `NO_POINT` beyond its last point.
        frontier: (frames, traveller, 32, 3) float32, some of the places from which it has yet to look on, likewise.
        way_fish: (traveller,) int32, whose ways they are.
        strokes: (stroke, 23, 3) float32, places of the nodes in metres between two frames, of fishes that beat so fast
            there that the frames alone would show another stroke; by time, and then by fish.
        stroke_fish: (stroke,) int32, the fish that each is of.
        stroke_time: (stroke,) float64, when it was, in frames, between two.
    """

    PREFERENCES: ClassVar[tuple[str, ...]] = ("left", "right", "forward", "backward", "ascend", "descend")
    INTENTIONS: ClassVar[tuple[str, ...]] = ("avoid", "escape", "school", "eat", "mate", "leave", "wander")

    nodes: np.ndarray = _places("f4", "frames", "fish", NODES, 3)
    fins: np.ndarray = array("f4", "frames", "fish", 2, 3, low=-1e9, high=1e9)
    mouth: np.ndarray = array("f4", "frames", "fish", low=0, high=1)
    intention: np.ndarray = array("i1", "frames", "fish", low=0, high=len(INTENTIONS) - 1)
    cause: np.ndarray = array("i1", "frames", "fish", low=-1, high=127, begin=-1, optional=True)
    hunger: np.ndarray = array("f4", "frames", "fish", low=0, high=1)
    libido: np.ndarray = array("f4", "frames", "fish", low=0, high=1)
    fear: np.ndarray = array("f4", "frames", "fish", low=0, high=1)
    target: np.ndarray = array("i4", "frames", "fish", low=-1, high="fish", begin=-1, optional=True)
    food: np.ndarray = array("i4", "frames", "fish", low=-1, high="morsel", begin=-1, optional=True)
    preference: np.ndarray = array("i1", "frames", "fish", low=0, high=len(PREFERENCES) - 1, optional=True)
    preference_strength: np.ndarray = array("f4", "frames", "fish", low=-1, high=1, optional=True)
    alive: np.ndarray = array("?", "frames", "fish")
    growth: np.ndarray = array("f4", "frames", "fish", low=0.01, high=1, begin=1, optional=True)
    level: np.ndarray = array("i1", "frames", "fish", low=0, high=2, optional=True)
    effort: np.ndarray = array("f2", "frames", "fish", low=0, high=1, optional=True)
    gaze: np.ndarray = array("f2", "frames", "fish", 2, 2, low=-1, high=1, optional=True)
    breath: np.ndarray = array("f2", "frames", "fish", 2, low=0, high=1, optional=True)
    fold: np.ndarray = array("f2", "frames", "fish", 2, low=0, high=1, optional=True)
    tail: np.ndarray = array("f2", "frames", "fish", low=-1, high=1, optional=True)
    plankton: np.ndarray = _places("f4", "frames", "particle", 3, optional=True)
    plankton_alive: np.ndarray = array("?", "frames", "particle", optional=True)
    tufts: np.ndarray = _places("f4", "tuft", 3, optional=True)
    seaweed: np.ndarray = _places("f4", "frames", "leaf", "leaf nodes", 3, optional=True)
    bubbles: np.ndarray = _places("f4", "frames", "bubble", 3, optional=True)
    bubbles_alive: np.ndarray = array("?", "frames", "bubble", optional=True)
    bubbles_size: np.ndarray = array("f8", "bubble", low=0, high=FARTHEST_POINT, optional=True)
    spawn: np.ndarray = _places("f4", "frames", "grain", 3, optional=True)
    spawn_kind: np.ndarray = array("i1", "frames", "grain", low=-1, high=2, begin=-1, optional=True)
    hook: np.ndarray = _places("f4", "frames", "point", 3, optional=True)
    submarine: np.ndarray = _places("f8", "frames", 5, optional=True)
    obstacles: np.ndarray = _places("f8", "frames", "obstacle", 7, optional=True)
    memory_time: np.ndarray = array(
        "f4", "frames", "memory", "object", low=NEVER, high=-NEVER, begin=NEVER, optional=True
    )
    memory_fish: np.ndarray = array("i4", "memory", low=0, high="fish", optional=True)
    way: np.ndarray = _places("f4", "frames", "traveller", WAY_POINTS, 3, begin=NO_POINT, optional=True)
    frontier: np.ndarray = _places("f4", "frames", "traveller", FRONTIER_POINTS, 3, begin=NO_POINT, optional=True)
    way_fish: np.ndarray = array("i4", "traveller", low=0, high="fish", optional=True)
    strokes: np.ndarray = _places("f4", "stroke", NODES, 3, optional=True)
    stroke_fish: np.ndarray = array("i4", "stroke", low=0, high="fish", optional=True)
    stroke_time: np.ndarray = array("f8", "stroke", low=0, high="frame", optional=True)
    body_length: np.ndarray = array("f8", "fish", low=1e-3, high=FARTHEST_POINT)
    seeds: np.ndarray = array("u4", "fish")
    species: tuple[str, ...]
    sex: tuple[str, ...]
    fps: float
    scene: Scene
    species_models: dict[str, Species]
    events: list[dict[str, Any]]

    def __post_init__(self) -> None:
        present = defaultdict(int, frames=len(self.nodes), fish=len(self.body_length))
        for name in LEFT_OUT:
            if getattr(self, name) is None:
                object.__setattr__(self, name, ARRAYS[name].begun(present))

        lengths = conform(self)
        for name in ("species", "sex"):
            words = tuple(map(str, getattr(self, name)))
            object.__setattr__(self, name, words)
            if len(words) != lengths["fish"]:
                raise SceneError(f"{len(words)} names", f"{lengths['fish']}, one a fish", key=name)
        unknown = set(self.species) - set(self.species_models)
        if unknown:
            raise SceneError(f"{min(unknown)!r}", f"one of {', '.join(self.species_models)}", key="species")
        moving = sum(obstacle.motion is not None for obstacle in self.scene.obstacles)
        if lengths["obstacle"] not in (0, moving):  # older recordings have none
            raise SceneError(str(lengths["obstacle"]), f"{moving}, as many as move in the scene", key="obstacles")

    @property
    def frames(self) -> int:
        """Number of frames."""
        return len(self.nodes)

    @property
    def duration(self) -> float:
        """Seconds that the frames last."""
        return self.frames / self.fps

    def log(self) -> list[str]:
        """The events, the beginnings and the ends of hunts as lines with their times."""
        lines = [(event["frame"], self.described(event)) for event in self.events]
        for fish, prey, begin, end in self.hunts():
            lines.append((begin, f"{self.species[fish]} {fish} begins to hunt {self.species[prey]} {prey}"))
            if end < self.frames:
                lines.append((end, f"{self.species[fish]} {fish} ends its hunt"))
        return [f"{frame / self.fps:8.2f} s  {what}" for frame, what in sorted(lines, key=lambda line: line[0])]

    def hunts(self, pause: float = 2.0) -> list[tuple[int, int, int, int]]:
        """The hunts of fishes: the hunter's row, that of its first prey, the first frame and the frame after the last.

        Args:
            pause: Seconds for which a hunt may be interrupted, by a wall or a meal, and still be one.
        """
        fishes, found = len(self.species), []
        chased = (self.target >= 0) & (self.target < fishes) & (self.food < 0) & self.alive
        chases = chased & (self.intention == self.INTENTIONS.index("eat"))
        for fish in np.flatnonzero(chases.any(axis=0)).tolist():
            frames = np.flatnonzero(chases[:, fish])
            breaks = np.flatnonzero(np.diff(frames) > pause * self.fps)
            bouts = zip(frames[[0, *(breaks + 1)]].tolist(), (frames[[*breaks, -1]] + 1).tolist(), strict=True)
            found += [(fish, int(self.target[begin, fish]), begin, end) for begin, end in bouts]
        return found

    def described(self, event: dict[str, Any], name: Callable[[int], str] | None = None) -> str:
        """One event in words.

        Args:
            event: The event.
            name: The name of the fish of a row; its species and its row if left out.
        """
        called = name or (lambda row: f"{self.species[row]} {row}")
        fish, other, kind = event["fish"], event["other"], event["kind"]
        if kind == "food":
            return f"{other} particles of food were dropped"
        if kind == "fright":
            return f"{other} fish took fright" if other == 1 else f"{other} fishes took fright"
        one = called(fish)
        if kind == "fed":
            return f"{one} ate plankton {other}"
        if kind == "browsed":
            return f"{one} bit at what grows there"
        if kind == "hooked":
            return f"{one} took the bait: hooked"
        if kind == "entered":
            return f"{one} to {other} entered" if other != fish else f"{one} entered"
        if kind == "arrived":
            if "late" not in event:
                return f"{one} arrived at {event['goal']}: run {event['run']}"
            late = f"{abs(event['late']):.2f} s {'late' if event['late'] >= 0.0 else 'early'}"
            return f"{one} arrived at {event['goal']}: {late}, {event['off']:.2f} lengths off"
        if kind == "hatched":
            return f"{one} hatched, a child of {called(other)} and {called(event['father'])}"
        if kind == "died":
            return f"{one} died: {event['cause']}"
        if kind == "instructed":
            return f"{one} does as told: {event['act'].replace('_', ' ')}"
        another = called(other)
        if kind == "courtship":
            return f"{one} courts {another}: {event['stage']}"
        if kind == "grudge":
            if not event["strength"]:
                return f"{one} forgets its {event['relation']} of {another}"
            return f"{one} holds a grudge against {another}: {event['relation']} {event['strength']:.2f}"
        if kind == "parted":
            return f"the school of {one} parted from that of {another}"
        if kind == "joined":
            return f"the school of {one} joined that of {another}"
        return f"{one} spawned with {another}" if kind == "spawned" else f"{one} ate {another}"

    def look(self, rows: list[int] | np.ndarray) -> Look:
        """The looks of the fishes of some rows, (n,), at every frame."""
        return Look(*(getattr(self, name)[:, rows] for name in LOOK_ARRAYS))

    def strokes_of(self, fish: int) -> tuple[np.ndarray, np.ndarray]:
        """Times in frames (n,), rising, and nodes (n, 23, 3) of a fish between frames that do not show its beat."""
        own = np.flatnonzero(self.stroke_fish == fish)
        return self.stroke_time[own], self.strokes[own]

    def until(self, frames: int) -> Recording:
        """The first of its frames, so many, with the events that fall into them."""
        return self.part(0, frames)

    def part(self, first: int, end: int) -> Recording:
        """Its frames from the first up to before the end, which begin with 0, and the events that fall into them."""
        cut = {name: getattr(self, name)[first:end] for name, one in ARRAYS.items() if one.shape[0] == "frames"}
        left = (self.stroke_time > first) & (self.stroke_time < end - 1)
        cut |= {name: getattr(self, name)[left] for name in STROKE_ARRAYS}
        cut["stroke_time"] = cut["stroke_time"] - first
        events = [event | {"frame": event["frame"] - first} for event in self.events if first <= event["frame"] < end]
        return replace(self, **cut, events=events)

    def of_first(self, fishes: int) -> Recording:
        """Its first fishes, so many, where the others, each a group of its own, were never there."""
        cut = {name: getattr(self, name)[:, :fishes] for name in FISH_ARRAYS}
        cut |= {name: getattr(self, name)[:fishes] for name in ("body_length", "seeds", "species", "sex")}
        for whose, names in (("memory_fish", ("memory_time",)), ("way_fish", ("way", "frontier"))):
            there = getattr(self, whose) < fishes
            cut |= {whose: getattr(self, whose)[there], **{name: getattr(self, name)[:, there] for name in names}}
        lost = len(self.species) - fishes
        if self.memory_time.shape[2]:  # objects are fishes, then pieces of obstacles
            cut["memory_time"] = np.delete(cut["memory_time"], np.arange(fishes, len(self.species)), axis=2)
        groups = self.scene.fishes[: len(self.scene.fishes) - lost]
        return replace(self, **cut, scene=self.scene.with_fishes(groups))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the recording, uncompressed, as a .npz file without pickles, once what reads it has read it.

        Raises:
            SceneError: If the file cannot be written, or would not be read again.
        """
        models = {name: model.to_dict() for name, model in self.species_models.items()}
        texts = {"events": self.events, "scene": self.scene.to_dict(), "species_models": models}
        arrays = {name: getattr(self, name) for name in ARRAYS}
        arrays |= {
            name: np.array(json.dumps(data, default=lambda value: value.tolist())) for name, data in texts.items()
        }
        arrays |= {name: np.array(getattr(self, name), dtype=np.str_) for name in ("species", "sex")}
        self._of(arrays := {"fps": np.array(self.fps, np.float64), **arrays}, os.fspath(path))
        write_arrays(path, {**stamped_arrays("recording"), **arrays})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """Reads what `save` wrote, to the bit.

        Raises:
            SceneError: If the file cannot be read, is cut short or is no recording.
        """
        file = os.fspath(path)
        arrays = read_arrays(path, "a recording")
        names = {"format", *(field.name for field in fields(cls))}
        missing = ", ".join(sorted(names - set(arrays) - set(LEFT_OUT)))
        if missing:
            raise SceneError(f"no {missing}", "a recording (.npz)", file=file)
        format = format_of_arrays("recording", arrays, file)
        if format < OLDEST_FORMAT:
            found = f"a recording made by an older Artfish, in format {format}"
            raise SceneError(found, f"format {OLDEST_FORMAT} or higher: simulate its scene again", "format", file)
        return cls._of(arrays, file)

    @classmethod
    def _of(cls, arrays: dict[str, np.ndarray], file: str) -> Recording:
        """The recording that these arrays of a file hold."""
        place = Place(file)
        try:
            texts = {name: _text(arrays[name], place.under(name)) for name in ("species_models", "scene", "events")}
            models = {
                name: Species.from_dict(data, f"{file}: {name}")
                for name, data in parse(texts["species_models"], f"{file}: species_models").items()
            }
            values: dict[str, Any] = {
                "species": tuple(arrays["species"].tolist()),
                "sex": tuple(arrays["sex"].tolist()),
                "fps": float(arrays["fps"]),
                "scene": Scene.from_dict(parse(texts["scene"], f"{file}: scene"), f"{file}: scene", models, None),
                "species_models": models,
                "events": parse_any(texts["events"], f"{file}: events"),
            }
            recording = cls(**(values | {name: _cast(name, arrays.get(name)) for name in ARRAYS}))
        except SceneError as error:
            raise (error if error.file else error.within(place)) from None
        except (ValueError, TypeError, AttributeError, IndexError, OverflowError):
            raise SceneError("arrays of another kind", "a recording (.npz)", file=file) from None
        recording._check(arrays, place)
        return recording

    def _check(self, arrays: dict[str, np.ndarray], place: Place) -> None:
        """Refuses values that no world has; `arrays` are those of the file, before they became ours."""
        declared = Scene.__dataclass_fields__["fps"].metadata["declared"]
        if not declared.low <= self.fps <= declared.high:
            place.under("fps").refuse(f"{self.fps:g}", f"a number from {declared.low:g} to {declared.high:g}")
        last = {
            "fish": len(self.species) - 1,
            "frame": self.frames - 1,
            "morsel": self.plankton.shape[1] + len(self.tufts),
        }
        for name, one in ARRAYS.items():
            high = one.most(last)
            if name in arrays and one.low is not None and high is not None:
                refuse_beyond(arrays[name], one.low, high, place.under(name))
        refuse_unordered(self.stroke_time, self.stroke_fish, place.under("stroke_time"))
        for row, sex in enumerate(self.sex):
            if sex not in SEXES:
                place.under("sex").item(row).refuse(shown(sex), f"one of {', '.join(SEXES)}")
        for begin in range(0, self.frames, FRAMES_AT_ONCE):
            lost = _bodiless(self.nodes[begin : begin + FRAMES_AT_ONCE])
            if lost.any():
                frame, fish = np.argwhere(lost)[0].tolist()
                place.under(f"nodes[{begin + frame}, {fish}]").refuse("a fish without length or sides", "a body")
        lost = _bodiless(self.strokes)
        if lost.any():
            place.under(f"strokes[{int(lost.argmax())}]").refuse("a fish without length or sides", "a body")
        check_events(self.events, (0, self.frames), len(self.species), place.under("events"))


ARRAYS = arrays_of(Recording)
"""The declarations of its arrays by name."""
FISH_ARRAYS = tuple(name for name, one in ARRAYS.items() if one.shape[:2] == ("frames", "fish"))
STROKE_ARRAYS = tuple(name for name, one in ARRAYS.items() if one.shape[0] == "stroke")
LOOK_ARRAYS = tuple(field.name for field in fields(Look))
LEFT_OUT = optional_of(Recording)
"""Arrays that are left out where there is none of it, as they are in recordings of older versions."""


def strokes_of_both(parts: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, np.ndarray]:
    """Two recordings' `STROKE_ARRAYS` as one's, by time and then by fish."""
    arrays = {name: np.concatenate(both) for name, both in parts.items()}
    order = np.lexsort((arrays["stroke_fish"], arrays["stroke_time"]))
    return {name: array[order] for name, array in arrays.items()}


def _bodiless(nodes: np.ndarray) -> np.ndarray:
    """Mask of bodies (..., 23, 3) that have no length or no sides, and so no frame, (...)."""
    with np.errstate(all="ignore"):
        axes = body_frame(nodes)[1][..., :2]
        return ~(np.square(axes).sum(axis=-2) > 0.5).all(axis=-1)


def refuse_unordered(time: np.ndarray, fish: np.ndarray, place: Place) -> None:
    """Refuses strokes at these times (n,) in frames, of these fishes (n,), out of order or at a frame: a SceneError."""
    rises = (np.diff(time) > 0) | ((np.diff(time) == 0) & (np.diff(fish) > 0))
    wrong = np.flatnonzero(~np.append(True, rises)[: len(time)] | (time % 1.0 == 0.0))
    if len(wrong):
        row = int(wrong[0])
        place.item(row).refuse(shown(float(time[row])), "a time between two frames, in order")


def _text(array: np.ndarray, place: Place) -> str:
    """The text that an array of one holds."""
    if array.size != 1 or array.dtype.kind != "U":
        place.refuse("an array of another kind", "a text")
    return array.item()


def _cast(name: str, array: np.ndarray | None) -> np.ndarray | None:
    """An array of a file, whose numbers are of the kind that this one has."""
    if array is not None and not np.can_cast(array.dtype, ARRAYS[name].kind, "same_kind"):
        raise TypeError(name)
    return array
