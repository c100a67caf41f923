"""Recordings of a world: arrays over frames, kept in one .npz file that can be baked alone."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

import numpy as np

from .base.codec import Place, SceneError, parse, parse_any, shown
from .base.files import conform, read_arrays, refuse_beyond, write_arrays
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

# Element type and shape of each array; a word stands for a length that must be the same wherever it stands.
ARRAYS: dict[str, tuple[type, tuple[str | int, ...]]] = {
    "nodes": (np.float32, ("frames", "fish", NODES, 3)),
    "fins": (np.float32, ("frames", "fish", 2, 3)),
    "mouth": (np.float32, ("frames", "fish")),
    "intention": (np.int8, ("frames", "fish")),
    "hunger": (np.float32, ("frames", "fish")),
    "libido": (np.float32, ("frames", "fish")),
    "fear": (np.float32, ("frames", "fish")),
    "target": (np.int32, ("frames", "fish")),
    "food": (np.int32, ("frames", "fish")),
    "preference": (np.int8, ("frames", "fish")),
    "preference_strength": (np.float32, ("frames", "fish")),
    "alive": (np.bool_, ("frames", "fish")),
    "level": (np.int8, ("frames", "fish")),
    "effort": (np.float16, ("frames", "fish")),
    "gaze": (np.float16, ("frames", "fish", 2, 2)),
    "breath": (np.float16, ("frames", "fish", 2)),
    "fold": (np.float16, ("frames", "fish", 2)),
    "tail": (np.float16, ("frames", "fish")),
    "plankton": (np.float32, ("frames", "particle", 3)),
    "plankton_alive": (np.bool_, ("frames", "particle")),
    "seaweed": (np.float32, ("frames", "leaf", "leaf nodes", 3)),
    "bubbles": (np.float32, ("frames", "bubble", 3)),
    "bubbles_alive": (np.bool_, ("frames", "bubble")),
    "bubbles_size": (np.float64, ("bubble",)),
    "hook": (np.float32, ("frames", "point", 3)),
    "submarine": (np.float64, ("frames", 5)),
    "obstacles": (np.float64, ("frames", "obstacle", 7)),
    "memory_time": (np.float32, ("frames", "memory", "object")),
    "memory_fish": (np.int32, ("memory",)),
    "way": (np.float32, ("frames", "traveller", WAY_POINTS, 3)),
    "frontier": (np.float32, ("frames", "traveller", FRONTIER_POINTS, 3)),
    "way_fish": (np.int32, ("traveller",)),
    "strokes": (np.float32, ("stroke", NODES, 3)),
    "stroke_fish": (np.int32, ("stroke",)),
    "stroke_time": (np.float64, ("stroke",)),
    "body_length": (np.float64, ("fish",)),
    "seeds": (np.uint32, ("fish",)),
}
RANGES: dict[str, tuple[float, float | str]] = {
    "nodes": (-FARTHEST_POINT, FARTHEST_POINT),
    "fins": (-1e9, 1e9),
    "mouth": (0, 1),
    "intention": (0, 6),
    "hunger": (0, 1),
    "libido": (0, 1),
    "fear": (0, 1),
    "target": (-1, "fish"),
    "food": (-1, "particle"),
    "preference": (0, 5),
    "preference_strength": (-1, 1),
    "effort": (0, 1),
    "gaze": (-1, 1),
    "breath": (0, 1),
    "fold": (0, 1),
    "tail": (-1, 1),
    "level": (0, 2),
    "plankton": (-FARTHEST_POINT, FARTHEST_POINT),
    "seaweed": (-FARTHEST_POINT, FARTHEST_POINT),
    "bubbles": (-FARTHEST_POINT, FARTHEST_POINT),
    "bubbles_size": (0, FARTHEST_POINT),
    "hook": (-FARTHEST_POINT, FARTHEST_POINT),
    "submarine": (-FARTHEST_POINT, FARTHEST_POINT),
    "obstacles": (-FARTHEST_POINT, FARTHEST_POINT),
    "memory_time": (NEVER, -NEVER),
    "memory_fish": (0, "fish"),
    "way": (-FARTHEST_POINT, FARTHEST_POINT),
    "frontier": (-FARTHEST_POINT, FARTHEST_POINT),
    "way_fish": (0, "fish"),
    "strokes": (-FARTHEST_POINT, FARTHEST_POINT),
    "stroke_fish": (0, "fish"),
    "stroke_time": (0, "frames"),
    "body_length": (1e-3, FARTHEST_POINT),
}
"""Lowest and highest that the arrays of a file may hold; a word stands for a length, and so for a row and one more."""
SEXES = ("male", "female")
FRAMES_AT_ONCE = 1000  # looked at, so that it takes little memory
STROKE_ARRAYS = ("strokes", "stroke_fish", "stroke_time")
LOOK_ARRAYS = tuple(field.name for field in fields(Look))
LEFT_OUT = (
    *("target", "food", "preference", "preference_strength", "effort", "level"),
    *LOOK_ARRAYS,
    *("plankton", "plankton_alive", "seaweed", "bubbles", "bubbles_alive", "bubbles_size", "hook"),
    *("submarine", "obstacles", *STROKE_ARRAYS),
    *("memory_time", "memory_fish", "way", "frontier", "way_fish"),
)
"""Arrays that are left out where there is none of it, as they are in recordings of older versions."""


@dataclass(frozen=True, eq=False)
class Recording:
    """Some frames of a world, beginning with frame 0, the scene's first.

    Attributes:
        nodes: (frames, fish, 23, 3) float32, places of the nodes in metres, world frame.
        fins: (frames, fish, 2, 3) float32, pectoral fins left and right: angle gamma in radians, displacement of
            the flap in lengths of the fin's root, angle of the oar in radians, unwrapped.
        mouth: (frames, fish) float32, 0 closed to 1 open.
        intention: (frames, fish) int8, index into `INTENTIONS`.
        hunger: (frames, fish) float32, 0 to 1.
        libido: (frames, fish) float32, 0 to 1.
        fear: (frames, fish) float32, 0 to 1.
        target: (frames, fish) int32, the fish that each is after, flees from, courts or avoids; -1 without.
        food: (frames, fish) int32, the particle of plankton that each is after, or one beyond for bait; -1 without.
        preference: (frames, fish) int8, the strongest motor preference, index into `PREFERENCES`.
        preference_strength: (frames, fish) float32, -1 to 1, below 0 where it is one against; 0 is none at all.
        effort: (frames, fish) float16, how hard each works: half at full speed and all of it in a burst, where it has
            one, 0 to 1.
        gaze: (frames, fish, 2, 2) float16, angles of the left and the right eye ahead and up, in radians.
        breath: (frames, fish, 2) float16, opening of gill covers and mouth for a breath, 0 to 1.
        fold: (frames, fish, 2) float16, folding of median and pectoral fins, 0 to 1.
        tail: (frames, fish) float16, trail of the tail's rear edge, left positive, -1 to 1 of its most.
        alive: (frames, fish) bool.
        level: (frames, fish) int8, 0 dynamic, 1 a replica, 2 in no picture: its nodes are those of a body at rest.
        body_length: (fish,) float64, metres.
        seeds: (fish,) uint32, from which each fish's own variation of its looks is drawn.
        species: Name of each fish's species.
        sex: Sex of each fish.
        fps: Frames a second.
        scene: The scene that was simulated.
        species_models: The species by name, as they were simulated.
        events: What befell whom, each a dict that JSON can hold, with its "frame", "kind", "fish" and "other": the
            kind "eaten" says that fish ate the fish other, "fed" that it ate the particle other, "hooked" that it took
            the bait of the hook other, 0, "entered" that the fishes from fish to other came, "food" that so many
            particles, other, were dropped, "fright" that as many fishes as other says were frightened, fish being -1 in
            both, "courtship" that the male fish and the female other have come to a "stage",
            "spawned" that they have come to the end.
        plankton: (frames, particle, 3) float32, metres.
        plankton_alive: (frames, particle) bool.
        seaweed: (frames, leaf, 10, 3) float32, metres, masses of the leaves from root to tip, cluster after cluster.
        bubbles: (frames, bubble, 3) float32, metres.
        bubbles_alive: (frames, bubble) bool.
        bubbles_size: (bubble,) float64, diameters in metres.
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

    nodes: np.ndarray
    fins: np.ndarray
    mouth: np.ndarray
    intention: np.ndarray
    hunger: np.ndarray
    libido: np.ndarray
    fear: np.ndarray
    alive: np.ndarray
    body_length: np.ndarray
    seeds: np.ndarray
    species: tuple[str, ...]
    sex: tuple[str, ...]
    fps: float
    scene: Scene
    species_models: dict[str, Species]
    events: list[dict[str, Any]]
    target: np.ndarray = None  # type: ignore[assignment]  # none is nobody, or nothing of it
    food: np.ndarray = None  # type: ignore[assignment]
    preference: np.ndarray = None  # type: ignore[assignment]
    preference_strength: np.ndarray = None  # type: ignore[assignment]
    effort: np.ndarray = None  # type: ignore[assignment]
    gaze: np.ndarray = None  # type: ignore[assignment]
    breath: np.ndarray = None  # type: ignore[assignment]
    fold: np.ndarray = None  # type: ignore[assignment]
    tail: np.ndarray = None  # type: ignore[assignment]
    level: np.ndarray = None  # type: ignore[assignment]
    plankton: np.ndarray = None  # type: ignore[assignment]
    plankton_alive: np.ndarray = None  # type: ignore[assignment]
    seaweed: np.ndarray = None  # type: ignore[assignment]
    bubbles: np.ndarray = None  # type: ignore[assignment]
    bubbles_alive: np.ndarray = None  # type: ignore[assignment]
    bubbles_size: np.ndarray = None  # type: ignore[assignment]
    hook: np.ndarray = None  # type: ignore[assignment]
    submarine: np.ndarray = None  # type: ignore[assignment]
    obstacles: np.ndarray = None  # type: ignore[assignment]
    memory_time: np.ndarray = None  # type: ignore[assignment]
    memory_fish: np.ndarray = None  # type: ignore[assignment]
    way: np.ndarray = None  # type: ignore[assignment]
    frontier: np.ndarray = None  # type: ignore[assignment]
    way_fish: np.ndarray = None  # type: ignore[assignment]
    strokes: np.ndarray = None  # type: ignore[assignment]
    stroke_fish: np.ndarray = None  # type: ignore[assignment]
    stroke_time: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for name in LEFT_OUT:
            if getattr(self, name) is None:
                present = {"frames": len(self.nodes), "fish": len(self.body_length)}
                none = [present.get(word, 0) if isinstance(word, str) else word for word in ARRAYS[name][1]]
                object.__setattr__(self, name, np.full(none, -1 if name in ("target", "food") else 0))

        lengths = conform(self, ARRAYS)
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
            return f"{other} fish{'' if other == 1 else 'es'} took fright"
        one = called(fish)
        if kind == "fed":
            return f"{one} ate plankton {other}"
        if kind == "hooked":
            return f"{one} took the bait: hooked"
        if kind == "entered":
            return f"{one}{f' to {other}' if other != fish else ''} entered"
        if kind == "arrived":
            return f"{one} arrived at {event['goal']}: run {event['run']}"
        another = called(other)
        if kind == "courtship":
            return f"{one} courts {another}: {event['stage']}"
        if kind in ("parted", "joined"):
            return f"the school of {one} {'parted from' if kind == 'parted' else 'joined'} that of {another}"
        return f"{one} {'spawned with' if kind == 'spawned' else 'ate'} {another}"

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
        cut = {name: getattr(self, name)[first:end] for name, (_, shape) in ARRAYS.items() if shape[0] == "frames"}
        left = (self.stroke_time > first) & (self.stroke_time < end - 1)
        cut |= {name: getattr(self, name)[left] for name in STROKE_ARRAYS}
        cut["stroke_time"] = cut["stroke_time"] - first
        events = [event | {"frame": event["frame"] - first} for event in self.events if first <= event["frame"] < end]
        return replace(self, **cut, events=events)

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
        lengths = {"fish": len(self.species) - 1, "frames": self.frames - 1, "particle": self.plankton.shape[1]}
        for name, (low, high) in RANGES.items():
            if name in arrays:
                most = lengths[high] if isinstance(high, str) else high
                refuse_beyond(arrays[name], low, most, place.under(name))
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
    if array is not None and not np.can_cast(array.dtype, ARRAYS[name][0], "same_kind"):
        raise TypeError(name)
    return array
