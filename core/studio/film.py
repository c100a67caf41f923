"""Films as data: lists of shots over scenes and seeds, each with whom or what it is of and how the camera moves.

Nothing in a film says where a fish goes: scenes live by themselves, and the shots find what they are of in what
happened (Tu 1999, ch. 10, filmed with the scenes' own directions only). Films are JSON files, in presets/films or
anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from ..base.codec import OPTIONAL, REQUIRED, SceneError, shown
from ..base.declaration import choice, flag, integer, number, text, words
from ..base.presets import PresetFile
from ..events import COURTSHIP_STAGES, EVENT_KINDS
from ..scene.limits import LATEST, MOST_FISHES

MOVES = ("follow", "lead", "over_shoulder", "fish_cam", "dolly", "crane", "reveal", "locked")
FISH_MODELS = ("masses", "muscles", "grid", "surface", "skin")
"""Models of a fish, from the inside out: a shot may go from one of them to those after it."""
DRAWINGS = ("film", "wire", *FISH_MODELS)
SCHOOL_KINDS = ("parted", "joined")
"""Events of a school: the doer is of its largest part, the other of the next largest."""
EXPECTABLE = (*EVENT_KINDS, *COURTSHIP_STAGES, *SCHOOL_KINDS)
"""Events that a shot may expect: kinds of events, and stages of courtship."""
MOST_SHOTS = 200


@dataclass(frozen=True, kw_only=True)
class Subject:
    """The subject of a shot: a fish, or those that take part in an event; with the other of two, a pair."""

    species: str | None = text(OPTIONAL, "Species of the fish; of any if left out")
    fish: int = integer(0, 0, MOST_FISHES - 1, "", "Which fish, of its species if that is given, counted from 0")
    event: str | None = choice(
        OPTIONAL, (*EVENT_KINDS, *SCHOOL_KINDS), "An event, of which the shot is then: who does it"
    )
    nth: int = integer(0, -1000, 1000, "", "Which event of the kind, counted from 0; from -1 back from the last")
    stage: str | None = choice(OPTIONAL, COURTSHIP_STAGES, "The stage that a courtship comes to, as an event")
    other: bool = flag(False, "Whether it is of the other first: whom it befalls, or whom the fish is after")
    group: bool = flag(False, "Whether all of its species are in the picture, so far as they keep together")
    pair: bool = flag(False, "Whether the other is in the picture too: whom it befalls, or whom the fish is after")

    def __post_init__(self) -> None:
        if self.stage is not None and self.event not in (None, "courtship"):
            raise SceneError(f"{self.event} with a stage", "courtship, or no event", key="event")
        if self.pair and self.group:
            raise SceneError("a pair and a group", "one of them", key="group")


@dataclass(frozen=True, kw_only=True)
class FilmShot:
    """One shot: its subject, its duration, and its camera move.

    Angles are as seen from the subject: 0 is straight ahead of it, 90 its left side, 180 behind it.

    Attributes:
        background: Subject beyond the main one, if the camera finds its place by itself.
        pull: Onto whom the focus goes, from the subject, over the middle third of it.
    """

    scene: str = text(REQUIRED, "Preset scene or scene file")
    seed: int = integer(0, 0, 2**31 - 1, "", "Seed of the scene")
    subject: Subject = field(default_factory=Subject)
    start: float = number(0.0, -LATEST, LATEST, "s", "When it begins, after the scene or, where it has one, the event")
    seconds: float = number(4.0, 0.1, LATEST, "s", "How long it is")
    move: str = choice("follow", MOVES, "How the camera goes")
    size: float = number(0.35, 0.01, 3.0, "", "Share of the picture's width that the subject takes")
    azimuth: float | None = number(OPTIONAL, -360.0, 360.0, "°", "Where the camera stands; the best place if left out")
    elevation: float | None = number(OPTIONAL, -80.0, 80.0, "°", "How far above the level; the best if left out")
    travel: float = number(30.0, -360.0, 360.0, "°", "How far a dolly goes around, or a crane rises")
    across: float = number(0.0, -0.5, 0.5, "", "How far right of the middle the subject is, over the picture's width")
    above: float = number(0.0, -0.3, 0.3, "", "How far above the middle it is, over the picture's width")
    lens: float = number(35.0, 4.0, 500.0, "mm", "Focal length on a sensor 36 mm wide")
    blur: float = number(0.0025, 0.0, 0.1, "", "How far what is far away is out of focus, over the picture's width")
    background: Subject | None = None
    pull: Subject | None = None
    shows: tuple[str, ...] = words(("film",), "The film, all as wire, or what a fish is made of, one after another")
    fisheye: float = number(
        0.0, 0.0, 360.0, "°", "Angle of view of a fisheye lens across the picture; 0 is an ordinary lens"
    )
    title: str = text("", "Text over the picture")
    fade_in: float = number(0.0, 0.0, 60.0, "s", "For which it comes up from black")
    fade_out: float = number(0.0, 0.0, 60.0, "s", "For which it goes down to black")
    dissolve: float = number(0.0, 0.0, 60.0, "s", "For which the shot before goes over into it")
    expects: tuple[str, ...] = words((), "Events, or stages of courtship, that must happen in it, in this order")

    def __post_init__(self) -> None:
        if self.fade_in + self.fade_out > self.seconds:
            found = f"{self.fade_in:g} s and {self.fade_out:g} s"
            raise SceneError(found, f"no more than the shot's {self.seconds:g} s together", key="fade_out")
        for row, kind in enumerate(self.expects):
            if kind not in EXPECTABLE:
                raise SceneError(repr(kind), f"one of {', '.join(EXPECTABLE)}", key=f"expects[{row}]")
        if self.move == "over_shoulder" and not self.subject.pair:
            raise SceneError("over_shoulder of one fish", "a subject that is a pair", key="move")
        self._check_shows()

    def _check_shows(self) -> None:
        """Refuses drawings that are none, or that do not follow one another."""
        for row, drawing in enumerate(self.shows):
            if drawing not in DRAWINGS:
                raise SceneError(shown(drawing), f"one of {', '.join(DRAWINGS)}", key=f"shows[{row}]")
        orders = [FISH_MODELS.index(drawing) for drawing in self.shows if drawing in FISH_MODELS]
        alone = len(self.shows) == 1
        if not self.shows or not alone and (len(orders) < len(self.shows) or orders != sorted(set(orders))):
            allowed = f"film or wire alone, or some of {', '.join(FISH_MODELS)} in this order"
            raise SceneError(" then ".join(self.shows) or "nothing", allowed, key="shows")
        if orders and (self.subject.pair or self.subject.group):
            key = "subject.pair" if self.subject.pair else "subject.group"
            raise SceneError("more than one", f"one fish, of which {self.shows[0]} is seen", key=key)

    @property
    def of_model(self) -> bool:
        """True if it shows a fish's model by itself, and not the scene."""
        return self.shows[0] in FISH_MODELS


@dataclass(frozen=True, kw_only=True)
class Film(PresetFile):
    """A film, checked and immutable. `Film.load("preying")` reads a preset, `Film.load(path)` a file."""

    FOLDER: ClassVar[str] = "films"
    KIND: ClassVar[str] = "film"

    title: str = text("film", "Title that a person reads")
    fps: float = number(24.0, 1.0, 240.0, "1/s", "Frames a second")
    width: int = integer(960, 16, 16_384, "pixels", "Width of the picture")
    height: int = integer(540, 16, 16_384, "pixels", "Height of the picture")
    shots: tuple[FilmShot, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= len(self.shots) <= MOST_SHOTS:
            raise SceneError(f"{len(self.shots)} shots", f"1 to {MOST_SHOTS}", key="shots")
        before = 0.0
        for row, shot in enumerate(self.shots):
            if shot.dissolve > before:
                allowed = f"no more than the {before:g} s that the shot before has for it"
                raise SceneError(f"{shot.dissolve:g} s", allowed, key=f"shots[{row}].dissolve")
            before = shot.seconds - shot.dissolve
            if before < 0.0:
                allowed = f"no more than the shot's {shot.seconds:g} s"
                raise SceneError(f"{shot.dissolve:g} s", allowed, key=f"shots[{row}].dissolve")

    def rows(self, only: tuple[int, int] | None, file: str) -> range:
        """The rows of its shots from a first to a last, counted from 1; all if left out.

        Args:
            only: The first and the last.
            file: Name of the film in messages.

        Raises:
            SceneError: There are no such shots.
        """
        first, last = only or (1, len(self.shots))
        if not 1 <= first <= last <= len(self.shots):
            raise SceneError(f"shots {first} to {last}", f"1 to {len(self.shots)}", file=file)
        return range(first - 1, last)

    @property
    def seconds(self) -> float:
        """Its duration."""
        return sum(shot.seconds - shot.dissolve for shot in self.shots)
