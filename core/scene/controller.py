"""Controllers that a fish has learned, as data: its muscles' actions in some drills (Terzopoulos et al. 1994, §4.3).

A muscle's contraction, as a share of its natural length, is a mean and one or two modes of the beat, each with an
amplitude and a phase: m + a1 sin(h1 p - f1) + a2 sin(h2 p - f2), where p is the phase of the beat. Swims and turns may
have modes of their own, so that a controller has up to four.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any

from ..base.codec import REQUIRED, Place, SceneError, decode, encode, shown
from ..base.declaration import number, text, vector
from ..base.files import read_json, write_json
from ..base.formats import named, refuse_other, stamped, unstamped
from .physique import Body

MOST_MODES, MOST_DRILLS = 4, 16
BOOK_MUSCLES, MORE_MUSCLES = 12, 4
LEARNED_TASKS = "swim", "left", "right", "speed", "path", "target", "station"
"""Tasks that a fish may practise alone."""


def refuse_search(data: Mapping[str, Any], place: Place) -> None:
    """Refuses what `artfish learn` writes beside controllers: what one task came to, or all of them half-way.

    Raises:
        SceneError: If it is one.
    """
    if "swims" in data or not {"task", "search", "learned"} & set(data):
        return
    found = f"what was learned of the task {data['task']}" if data.get("task") in LEARNED_TASKS else "a search half-way"
    place.refuse(found, "a controller: what artfish learn writes with --task all, or with --save-controller")


@dataclass(frozen=True, kw_only=True)
class Drill:
    """One thing that a fish trained, how its muscles did it, and how fast it then was."""

    speed: float = number(REQUIRED, 0.0, 20.0, "lengths/s", "How fast it swam")
    turn: float = number(0.0, -20.0, 20.0, "rad/s", "How fast it turned, left positive")
    frequency: float = number(REQUIRED, 0.05, 14.0, "Hz", "Beats a second")
    mean: tuple = vector(REQUIRED, -0.5, 0.5, "", "Mean contraction of each muscle", shape=(None,))
    amplitude: tuple = vector(
        REQUIRED, 0.0, 0.5, "", "Amplitude of each muscle, a row for each mode", shape=(None, None)
    )
    phase: tuple = vector(
        REQUIRED, -6.2832, 6.2832, "rad", "How far each muscle lags, a row for each mode", shape=(None, None)
    )


@dataclass(frozen=True, kw_only=True)
class Controller:
    """A learned controller that swims and turns a species in place of the hand-made ones: a path, or its content."""

    format: str = text(named("controller"), "What this file is")
    species: str = text(REQUIRED, "Species that learned it")
    time_scale: float = number(REQUIRED, 0.005, 0.25, "s", "Seconds in one of the book's units of time, as the species")
    body: Body = field(default_factory=Body)
    harmonics: tuple = vector((1.0,), 0.1, 8.0, "", "Waves of each mode in a beat, one to four", shape=(None,))
    swims: tuple[Drill, ...] = ()
    left: tuple[Drill, ...] = ()
    right: tuple[Drill, ...] = ()

    def __post_init__(self) -> None:
        refuse_other("controller", self.format, None, Place("", "format"))
        if not 1 <= len(self.harmonics) <= MOST_MODES or len(set(self.harmonics)) != len(self.harmonics):
            raise SceneError(shown(self.harmonics), f"1 to {MOST_MODES} numbers, each once", key="harmonics")
        if not self.swims:
            raise SceneError("no drill", f"1 to {MOST_DRILLS}, the slowest first", key="swims")
        if bool(self.left) != bool(self.right):
            found, missing = ("left", "right") if self.left else ("right", "left")
            raise SceneError(f"turns to the {found} only", "turns to both sides, or to none", key=missing)
        for name, side in (("swims", 0.0), ("left", 1.0), ("right", -1.0)):
            drills = getattr(self, name)
            if len(drills) > MOST_DRILLS:
                raise SceneError(f"{len(drills)} drills", f"up to {MOST_DRILLS}", key=name)
            for row, drill in enumerate(drills):
                self._refuse_misshapen(drill, f"{name}[{row}]")
            paces = [abs(drill.turn) if side else drill.speed for drill in drills]
            if any(b <= a for a, b in pairwise([0.0, *paces])) or any(drill.turn * side < 0.0 for drill in drills):
                order = "the slowest first, all ahead" if not side else f"the gentlest first, all to the {name}"
                raise SceneError("drills out of order", order, key=name)

    @property
    def muscles(self) -> int:
        """The number of the body's muscles."""
        return BOOK_MUSCLES + MORE_MUSCLES * self.body.peduncle_muscles

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Controller:
        """Reads a controller from a JSON file.

        Raises:
            SceneError: If the file cannot be read, or anything in it is not as declared.
        """
        data, place = read_json(path), Place(os.fspath(path))
        refuse_search(data, place)
        return decode(cls, unstamped("controller", data, place.file), place)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as JSON that `load` reads back to an equal one.

        Raises:
            SceneError: If the file cannot be written, or a value set in Python is not as declared.
        """
        decode(Controller, encode(self), Place(os.fspath(path)))
        write_json(path, stamped("controller", encode(self)))

    def refuse_other(self, species: str, body: Body, time_scale: float) -> None:
        """Refuses a species with another body than the one that learned it.

        Args:
            species: Name of the species.
            body: Its body.
            time_scale: Seconds in one of the book's units of time for it.

        Raises:
            SceneError: Naming the first number in which they differ, with no key.
        """
        same = f"one that {species} learned: artfish learn {species} --task all"
        of = f"a controller that {self.species} learned"
        for own in fields(Body):
            here, there = getattr(body, own.name), getattr(self.body, own.name)
            if here != there:
                parts = zip(there, here, strict=True) if isinstance(here, tuple) else [(there, here)]
                one, other = next((a, b) for a, b in parts if a != b)
                raise SceneError(f"{of} with another body ({own.name} {shown(one)} for {shown(other)})", same)
        if self.time_scale != time_scale:
            found = f"{of} at another pace (time_scale {shown(self.time_scale)} for {shown(time_scale)})"
            raise SceneError(found, same)

    def _refuse_misshapen(self, drill: Drill, key: str) -> None:
        modes, muscles = len(self.harmonics), self.muscles
        if len(drill.mean) != muscles:
            raise SceneError(f"{len(drill.mean)} muscles", f"{muscles}, as the body has", key=f"{key}.mean")
        for name in ("amplitude", "phase"):
            rows = getattr(drill, name)
            if len(rows) != modes or any(len(row) != muscles for row in rows):
                found = f"{len(rows)} rows of {', '.join(map(str, sorted({len(row) for row in rows}))) or 'nothing'}"
                raise SceneError(found, f"{modes} of {muscles}, a number for each muscle", key=f"{key}.{name}")
