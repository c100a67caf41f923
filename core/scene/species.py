"""A species: every number of its body, motion, form, looks and mind, declared once.

A species is data: one JSON file in presets/species, checked against these dataclasses. Lengths are in body
lengths unless a unit says otherwise, so that a species reads the same at any size.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ..base.codec import Place, SceneError, decode, encode, shown
from ..base.declaration import choice, number, text, vector
from ..base.files import preset_names, read_preset_or_file, write_json
from ..base.formats import stamped, unstamped
from .ancestry import Ancestry
from .bearing import Bearing
from .character.derivation import completed, derived, differing
from .character.likeness import likely
from .looks import Looks
from .memory import MemoryRules
from .physique import Body
from .relief import Relief
from .temperament import Drives, Temperament
from .traits import Traits

LEVER_TOLERANCE = 0.01  # that shares of a fin's push make more or less than 1
BOOK_BEATS = 0.02, 0.13  # tail beats in one of the book's units of time: 0.05 in our fishes, 0.125 in the book's

NAMED = "name", "common_name", "latin_name"
"""Names that a species' file says in any case."""
VISIONS = "rays", "retina"
"""Kinds of vision: by asking the world along rays (Tu 1999, §6.4), or by images (§6.7)."""
TYPES = ("predator", "prey", "pacifist")
"""Predators hunt prey and fear nobody, prey flee and school, pacifists court and are let alone (Tu 1999, §7.9)."""


@dataclass(frozen=True)
class Rhythm:
    """The swim motor controller's best parameters and how they fade towards slow swimming (Tu 1999, §4.6.1)."""

    contraction: float = number(0.3, 0.1, 0.45, "", "How far a muscle can shorten, over its natural length")
    tail_beat: float = number(2.5, 0.1, 10.0, "Hz", "Tail beats a second at full speed")
    slow_beat: float = number(0.25, 0.01, 1.0, "", "Beats at the slowest swimming, over those at full speed")
    anterior: float = number(0.4, 0.0, 1.0, "", "Contraction of the front swim segment at full speed, over its most")
    posterior: float = number(0.8, 0.0, 1.0, "", "Contraction of the back swim segment at full speed, over its most")
    slow_amplitude: float = number(0.7, 0.05, 1.0, "", "Contraction at the slowest swimming, over that at full speed")
    lag: float = number(
        3.14159265358979, 0.0, 6.2832, "rad", "How far the back swim segment lags behind the front one; pi in the book"
    )
    shoulder: float = number(
        0.0, 0.0, 1.0, "", "Contraction of the segment before both, which only turns in the book, over its most"
    )
    shoulder_lead: float = number(
        0.0, 0.0, 6.2832, "rad", "How far that segment is ahead of the front swim segment in the beat"
    )
    peduncle: float = number(
        0.0, 0.0, 1.0, "", "Contraction of the peduncle at full speed, over its most, if it has muscles; 0 in the book"
    )
    peduncle_lag: float = number(
        0.0, 0.0, 6.2832, "rad", "How far the peduncle lags behind the back swim segment in the beat"
    )
    burst_beat: float = number(
        0.0, 0.0, 14.0, "Hz", "Tail beats a second when it flees or strikes; 0 for no burst at all, as in the book"
    )
    burst_width: float = number(
        1.0, 0.5, 2.0, "", "Contractions in a burst, over those at full speed: the water holds so quick a beat back"
    )
    burst_seconds: float = number(8.0, 0.5, 300.0, "s", "How long a rested fish can burst before it is spent")
    rest_seconds: float = number(40.0, 1.0, 3600.0, "s", "How long a spent fish takes to be rested again")
    start: float = number(
        0.0, 0.0, 0.5, "", "How far the muscles of a side shorten in a C-start; 0 for none at all, as in the book"
    )


@dataclass(frozen=True)
class Steering:
    """The steering map of the turning motor controllers (Tu 1999, §4.6.1, fig. 4.9).

    The book stores four parameter sets, for turns of 30, 45, 60 and 90 degrees, and gives none; these are ours.
    """

    front: tuple = vector(
        (0.7, 0.85, 0.95, 1.0), 0.0, 1.0, "", "Contraction of the front turning segment at 30, 45, 60 and 90 degrees"
    )
    middle: tuple = vector(
        (0.7, 0.85, 0.95, 1.0), 0.0, 1.0, "", "Contraction of the back turning segment at 30, 45, 60 and 90 degrees"
    )
    rate: tuple = vector(
        (1.0, 1.2, 1.5, 2.0), 0.5, 4.0, "1/beat", "Full contractions in a beat at 30, 45, 60 and 90 degrees"
    )
    release: float = number(0.5, 0.05, 1.0, "", "Rate of the return to the straight body, over that of the bend")
    contraction: float = number(0.3, 0.1, 0.45, "", "How far a turning muscle can shorten, over its natural length")
    lead: float = number(0.5, 0.0, 4.0, "beats", "How far ahead a fish sees where its turn will end")
    lean: float = number(0.0, 0.0, 0.6, "rad", "How far it leans into a fast turn; 0 in the book")


@dataclass(frozen=True)
class Pectoral:
    """The pectoral fins as they push (Tu 1999, §4.6.2); how they look is in the form."""

    area: float = number(0.006, 0.004, 0.05, "lengths²", "Area of one fin")
    lever: tuple = vector(
        (1 / 3, 1 / 3, 1 / 3), 0.0, 1.0, "", "Share of the first three rings in a fin's push; a third each in the book"
    )
    reach: float = number(
        0.0, 0.0, 0.25, "lengths", "Distance of a fin's push from the midline; 0 is on the flank, as in the book"
    )
    flap: float = number(
        0.0, 0.0, 1.5, "lengths/s", "Speed of a flapping fin, which lifts even a resting fish; 0 in the book"
    )
    row: float = number(0.5, 0.0, 2.0, "lengths/s", "Speed of the fastest backward rowing")
    turn: float = number(
        1.2, 0.8, 4.0, "lengths/s", "Speed at which the two fins row against each other in a sharp turn"
    )
    turn_angles: tuple = vector(
        (0.21, 0.7), 0.01, 1.6, "rad", "Left of a turn where the fins begin to row against each other, and do fully"
    )
    brake: float = number(0.0, 0.0, 1.0, "", "How much the fins that turn it slow it down, too; 0 keeps its speed")
    stroke: float = number(
        0.0, 0.0, 0.2, "lengths", "How far the middle of a rowing fin swings either way; 0 swims by the tail alone"
    )
    stroke_rate: float = number(4.0, 0.5, 10.0, "Hz", "Strokes a second of fins that row, where the tail takes over")
    gait_speed: float = number(1.5, 0.2, 3.0, "lengths/s", "Speed up to which the fins row and the tail only trails")
    spread: float = number(
        0.0, 0.0, 1.0, "", "How far the fins are held out against the water in a glide; 0 is edge on, as in the book"
    )
    wing: float = number(0.0, 0.0, 1.0, "", "How far the fins are held out still, as the wings of a shark")
    oaring: float = number(0.0, 0.0, 1.0, "", "How far the fins are seen oaring rather than flapping")

    def __post_init__(self) -> None:
        """Refuses shares that are none: what a fin pushes is handed to the rings once."""
        whole = sum(self.lever)
        if abs(whole - 1.0) > LEVER_TOLERANCE:
            raise SceneError(f"{shown(self.lever)}, {whole:.4g} in all", "shares that make 1 in all", key="lever")


@dataclass(frozen=True)
class Form:
    """The surfaces that an eye sees (Tu 1999, ch. 5), in body lengths.

    Stations count from the nose at 0 to the tips of the tail at 1; heights count from the long axis. The body
    ends at the last ring of nodes, where the caudal fin begins. Outlines and fins are smooth curves along the
    rows given, as many as it takes.
    """

    back: tuple = vector(
        (
            (0.0, 0.0),
            (0.05, 0.045),
            (0.12, 0.085),
            (0.24, 0.13),
            (0.38, 0.15),
            (0.54, 0.13),
            (0.7, 0.085),
            (0.84, 0.05),
        ),
        -1.0,
        1.5,
        "lengths",
        "Outline of the back: station and height of each point, from the nose",
        shape=(None, 2),
    )
    belly: tuple = vector(
        (
            (0.0, 0.0),
            (0.05, -0.045),
            (0.12, -0.085),
            (0.24, -0.13),
            (0.38, -0.15),
            (0.54, -0.13),
            (0.7, -0.085),
            (0.84, -0.05),
        ),
        -1.0,
        1.5,
        "lengths",
        "Outline of the belly: station and height of each point, from the nose",
        shape=(None, 2),
    )
    half_width: tuple = vector(
        ((0.0, 0.0), (0.05, 0.04), (0.14, 0.075), (0.28, 0.098), (0.4, 0.1), (0.56, 0.08), (0.7, 0.05), (0.84, 0.02)),
        -1.0,
        1.5,
        "lengths",
        "Outline seen from above: station and half the width, from the nose",
        shape=(None, 2),
    )
    bluntness: float = number(0.7, 0.0, 1.0, "", "Snout: 0 is pointed, 1 is round")
    widest: float = number(0.5, 0.1, 0.9, "", "Where the body is widest: 0 at the belly, 1 at the back")
    back_section: float = number(2.0, 1.2, 5.0, "", "Cross-section above: 1.2 is a keel, 2 an ellipse, more is boxy")
    belly_section: float = number(2.0, 1.2, 5.0, "", "Cross-section below: 1.2 is a keel, 2 an ellipse, more is boxy")

    dorsal: tuple = vector(
        ((0.3, 0.0, 0.0), (0.34, 0.06, 0.03), (0.45, 0.07, 0.04), (0.62, 0.05, 0.05), (0.7, 0.03, 0.06)),
        -0.5,
        1.5,
        "lengths",
        "Dorsal fin: station of the root, height and backward lean of each ray, from the front",
        shape=(None, 3),
    )
    ventral: tuple = vector(
        ((0.54, 0.0, 0.0), (0.57, 0.05, 0.03), (0.64, 0.05, 0.05), (0.72, 0.02, 0.05)),
        -0.5,
        1.5,
        "lengths",
        "Ventral fin: station of the root, depth and backward lean of each ray, from the front",
        shape=(None, 3),
    )
    caudal: tuple = vector(
        ((1.0, 0.12), (0.97, 0.09), (0.94, 0.04), (0.93, 0.0), (0.94, -0.04), (0.97, -0.09), (1.0, -0.12)),
        -1.0,
        1.5,
        "lengths",
        "Rear edge of the caudal fin: station and height of each point, from the upper tip to the lower",
        shape=(None, 2),
    )

    pectoral_station: float = number(0.27, 0.1, 0.6, "lengths", "Distance of the pectoral fins' root from the nose")
    pectoral_height: float = number(-0.04, -0.4, 0.4, "lengths", "Height of the pectoral fins' root")
    pectoral_length: float = number(0.14, 0.01, 0.6, "lengths", "Length of the pectoral fins")
    pectoral_breadth: float = number(0.09, 0.005, 0.5, "lengths", "Breadth of the pectoral fins at their outer edge")
    pectoral_spread: float = number(0.85, 0.0, 1.6, "rad", "How far they stand off the flank; 1.57 is straight out")
    pectoral_droop: float = number(0.3, -1.5, 1.5, "rad", "How far they point down")
    pectoral_twist: float = number(0.3, -0.5, 1.6, "rad", "How their blade lies: 0 is upright, 1.57 is flat as a wing")
    pectoral_point: float = number(0.0, 0.0, 1.0, "", "Their outer edge: 0 is a round fan, 1 is pointed in front")

    eye_station: float = number(0.09, 0.01, 0.4, "lengths", "Distance of the eyes from the nose")
    eye_height: float = number(0.025, -0.3, 0.4, "lengths", "Height of the eyes")
    eye_radius: float = number(0.018, 0.002, 0.1, "lengths", "Radius of the eyes")

    def __post_init__(self) -> None:
        """Refuses outlines that turn back, and too few points to draw a curve."""
        for name in ("back", "belly", "half_width", "caudal", "dorsal", "ventral"):
            rows = getattr(self, name)
            fewest = 2 if name in ("dorsal", "ventral") else 3
            if len(rows) < fewest:
                raise SceneError(f"{len(rows)} points", f"{fewest} or more", key=name)
            stations = [row[0] for row in rows]
            if name != "caudal" and any(b <= a for a, b in zip(stations[:-1], stations[1:], strict=True)):
                raise SceneError(f"stations {stations}", "stations that rise from point to point", key=name)
        for name in ("back", "belly", "half_width"):
            if getattr(self, name)[0][0] != 0.0:
                raise SceneError(f"a first station of {getattr(self, name)[0][0]}", "0", key=name)
        if self.back[0][1] != self.belly[0][1]:
            raise SceneError(f"a first height of {self.belly[0][1]}", str(self.back[0][1]), key="belly")


@dataclass(frozen=True)
class Species:
    """One species. `Species.load("clownfish")` reads a preset, `Species.load(path)` a file."""

    name: str = text("fish", "File stem of the species")
    common_name: str = text("Fish", "Name that a person reads")
    latin_name: str = text("", "Scientific name of the fish that it is patterned after")
    model: str = text("", "Stem of the .blend beside the species' file whose model is its look; empty for our surfaces")
    fitted: str = text("", "Tracks that its habits were fitted to, and how well they suit; empty if to none")
    kind: str = choice("reef", ("thesis", "reef", "large"), "The book's own fish, a reef fish or a large one")
    length: float = number(0.3, 0.01, 20.0, "m", "Length from the nose to the tips of the tail")
    size_variety: float = number(
        0.0, 0.0, 0.3, "", "How far its fishes differ in length, either way; the longer beat their tails more slowly"
    )
    gait_variety: float = number(
        0.0, 0.0, 0.3, "", "How far the rates of its fishes' beats and strokes differ, either way, beside that"
    )
    time_scale: float = number(0.05, 0.005, 0.25, "s", "Seconds in one of the book's units of time")
    female_size: float = number(1.0, 0.5, 2.0, "", "Length of females over that of males, in groups of mixed sexes")
    body: Body = field(default_factory=Body)
    rhythm: Rhythm = field(default_factory=Rhythm)
    steering: Steering = field(default_factory=Steering)
    pectoral: Pectoral = field(default_factory=Pectoral)
    form: Form = field(default_factory=Form)
    relief: Relief = field(default_factory=Relief)
    looks: Looks = field(default_factory=Looks)
    bearing: Bearing = field(default_factory=Bearing)
    temperament: Temperament = field(default_factory=Temperament)
    type: str = choice("prey", TYPES, "What it is to others: a predator, prey or a pacifist")
    mind: Drives = field(default_factory=Drives)
    visual_memory: MemoryRules | None = None
    vision: str = choice("rays", VISIONS, "How it sees: by rays, as in the book, or by images on its retinas alone")
    traits: Traits | None = None
    ancestry: Ancestry | None = None

    def __post_init__(self) -> None:
        """Refuses a model elsewhere, and a beat that the body is too slow for, or so quick that water is like honey."""
        if any(sign in self.model for sign in ("/", "\\", "\0")):
            raise SceneError(shown(self.model), "the stem of a .blend beside the species' file", key="model")
        low, high = (pace / self.time_scale for pace in BOOK_BEATS)
        if not low <= self.rhythm.tail_beat <= high:
            span = f"{low:.3g} to {high:.3g} at a time scale of {shown(self.time_scale)}"
            raise SceneError(shown(self.rhythm.tail_beat), span, key="rhythm.tail_beat")

    @property
    def alike(self) -> Species:
        """The same species, whose fishes are all as it says: none is longer, or beats faster, than another."""
        return replace(self, size_variety=0.0, gait_variety=0.0)

    @staticmethod
    def names() -> tuple[str, ...]:
        """The names of the presets, sorted."""
        return preset_names("species")

    @classmethod
    def load(cls, name_or_path: str | os.PathLike[str]) -> Species:
        """Reads a preset by its name, such as "clownfish", or a JSON file at a path.

        Raises:
            SceneError: If the file cannot be read, anything in it is not as declared, or it names another species than
                its stem does.
        """
        data, file = read_preset_or_file("species", name_or_path)
        species = cls.from_dict(data, file)
        species._refuse_other_stem(file)
        return species

    @classmethod
    def from_dict(cls, data: dict[str, Any], file: str = "species") -> Species:
        """Checks a species as JSON would hold it; omitted keys are what its traits give, or take their defaults.

        Raises:
            SceneError: At the first thing that is not as declared, with `file` as the place where it comes from.
        """
        said = unstamped("species", data, file)
        if isinstance(said, Mapping) and "traits" in said:
            traits = decode(Traits, said["traits"], Place(file, "traits"))
            said = completed(said, _given(traits))
        return decode(cls, said, Place(file))

    @classmethod
    def of(cls, traits: Traits, name: str = "fish") -> Species:
        """The species that traits alone make."""
        return cls.from_dict({"name": name, "traits": encode(traits)})

    @staticmethod
    def given(traits: Traits) -> dict[str, Any]:
        """A species with these traits, as JSON holds it, where its file says nothing."""
        return completed(_given(traits), _usual())

    def likely_traits(self) -> Traits:
        """Its traits, or those that its numbers are likely to come from."""
        return self.traits or likely(self.to_dict())

    def as_bred(self, name: str) -> Species:
        """The species under the name of one bred from it: no real fish's, of no adopted model, fitted to no tracks."""
        common_name = name.replace("_", " ").capitalize()
        return replace(self, name=name, common_name=common_name, latin_name="", model="", fitted="")

    def to_dict(self) -> dict[str, Any]:
        """The species as JSON holds it, all its numbers; `from_dict` makes an equal species of it."""
        return encode(self)

    def to_brief(self) -> dict[str, Any]:
        """The species as its file says it: of one that has traits, these and what differs from what they give."""
        if self.traits is None:
            return self.to_dict()
        full, usual = self.to_dict(), self.given(self.traits)
        about = {key: full[key] for key in (*NAMED, "traits")}
        return about | differing(full, {**usual, **about})

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the species as JSON that `load` reads back to an equal species.

        Raises:
            SceneError: If the file cannot be written or named so, or a value set in Python is not as declared.
        """
        self.from_dict(self.to_dict(), os.fspath(path))._refuse_other_stem(os.fspath(path))
        write_json(path, stamped("species", self.to_brief()))

    def _refuse_other_stem(self, file: str) -> None:
        if self.name != Path(file).stem:
            Place(file, "name").refuse(shown(self.name), f"the stem of the file, {Path(file).stem}")


@cache
def _usual() -> dict[str, Any]:
    """The defaults of a species as JSON holds them; to be read."""
    return encode(Species())


@lru_cache(maxsize=256)
def _given(traits: Traits) -> dict[str, Any]:
    """The numbers that traits give, as JSON holds them; to be read."""
    return derived(traits, _usual())
