"""Learned controllers: modes keep the speed, maps give the commanded motion, and targets are reached all around."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.base.vectors import wrap
from ..core.body.anatomy import body_frame
from ..core.learning.drills import from_lessons, imitated, modes_of, rates, steady
from ..core.learning.errands import Reflex
from ..core.learning.learning import learners
from ..core.learning.practice import Practice
from ..core.learning.tracking import BEARINGS_AHEAD, BEARINGS_BEHIND, placements, tried
from ..core.motor.commands import Commands
from ..core.motor.learned import taught
from ..core.replicas.trial import Trial, TrialTrack
from ..core.scene.controller import Controller
from ..core.scene.species import Species
from .finding import Finding, counted, each

BUILDS = "reef_shark", "tuna", "sardine", "grouper", "moray", "emperor_angelfish", "blue_tang"
"""Species of different build, of which the last two row with their fins, which no controller learns."""
LEARNERS = "reef_shark", "tuna", "sardine", "moray", "blue_tang"
STEPS = 1200
"""Steps of practice for each drill."""
TARGETS, LEAST_AHEAD, LEAST_BEHIND = 20, 18, 16
KEPT, STEERED, SHARED = 0.9, np.radians(10.0), 0.1
"""Share of the speed that modes keep, and the tolerances of a turn in radians and of a pace over full speed."""
TURNS = np.radians((15.0, 30.0, 60.0, 90.0, 135.0, 180.0))
PACES = np.array((0.25, 0.5, 0.75, 1.0))
BEGIN_SECONDS, LONGEST_SECONDS = 4.0, 14.0

Lesson = tuple[str, Controller]
"""A species by name, and its learned controller."""


def watched(name: str) -> Controller:
    """The controller a species learns by watching its own hand-made controllers."""
    return imitated(kind(name))


def practised(name: str) -> tuple[Controller, float]:
    """The controller a species learns from nothing in `STEPS` steps of each drill, and the speed kept by modes.

    That is the speed in the second half of a film of practice, with the modes over that with all samples.
    """
    learned = []
    for one in learners(kind(name), "all", seed=1):
        for _ in range(STEPS):
            one.step()
        learned.append(one.learned())
    practice, swim = Practice(kind(name), 2), learned[0]
    times = (np.arange(practice.steps) + 1.0) * practice.dt * kind(name).time_scale
    pulled = np.stack([swim.contractions(times), np.maximum(modes_of(kind(name), swim).signals(times), 0.0)])
    whole, modes = practice.swim(practice.shortened(pulled)).speed
    return from_lessons(kind(name), learned), float(modes / whole)


def kind(name: str) -> Species:
    """A species with identical fishes."""
    return Species.load(name).alike


def swum(species: Species, paces: np.ndarray, turns: np.ndarray, seconds: float = LONGEST_SECONDS) -> TrialTrack:
    """The track of fishes at these paces that turn by these angles after a while, (fish,) each."""
    commands = Commands.still(len(paces))
    commands.swim[:] = paces

    def command(t: float) -> Commands:
        commands.turn[:] = turns if t >= BEGIN_SECONDS else 0.0
        return commands

    return Trial(species, len(paces)).run(command, seconds)


def settled(track: TrialTrack) -> np.ndarray:
    """Final speeds of a track in lengths a second, (fish,)."""
    return rates(track, slice(len(track.phase) * 3 // 4, None))[0]


def kept(lesson: Lesson) -> float:
    """Speed at full command with one or two modes, over that with the hand-made controller without bursts or rowing."""
    name, made = lesson
    whole, own = (settled(swum(one, PACES[-1:], np.zeros(1))) for one in (steady(kind(name)), taught(kind(name), made)))
    return float((own / whole)[0])


def paces_off(lesson: Lesson) -> np.ndarray:
    """Error of speeds against the commanded share of full speed, over full speed, (PACES,)."""
    name, made = lesson
    return settled(swum(taught(kind(name), made), PACES, 0.0 * PACES)) / made.swims[-1].speed - PACES


def turns_off(lesson: Lesson) -> np.ndarray:
    """Error of headings after commanded turns, radians, to the left and to the right, (2 TURNS,)."""
    name, made = lesson
    turns = np.concatenate([TURNS, -TURNS])
    track = swum(taught(kind(name), made), np.full(len(turns), 0.5), turns)
    _, frames = body_frame(np.ascontiguousarray(track.nodes))
    azimuth = np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0)
    beats = round(2.0 / made.swims[0].frequency / track.step)
    begin = round(BEGIN_SECONDS / track.step)
    return wrap(azimuth[-beats:].mean(axis=0) - azimuth[begin - beats : begin].mean(axis=0) - turns)


def reached(lesson: Lesson, bearings: tuple[float, float], seed: int) -> int:
    """Number of `TARGETS` targets that a taught fish reaches."""
    name, made = lesson
    targets = placements(TARGETS, bearings, np.random.default_rng(seed))
    return int(np.isfinite(tried(kind(name), made, [Reflex()] * TARGETS, targets)).sum())


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Every species, taught by its hand-made controllers and from nothing, from these seeds of targets on."""
    by_hand = list(zip(BUILDS, each(watched, BUILDS), strict=True))
    yield _kept("its hand-made controllers", each(kept, by_hand))
    yield from _maps("its hand-made controllers", by_hand, seeds)
    found = each(practised, LEARNERS)
    yield _kept("practice", [share for _, share in found])
    yield from _maps("practice", [(name, made) for name, (made, _) in zip(LEARNERS, found, strict=True)], seeds)


def _kept(teacher: str, shares: list[float]) -> Finding:
    note = f"{min(shares):.2f} at the least, {np.median(shares):.2f} in the middle"
    claim = f"taught by {teacher}: one or two modes keep nine tenths of the speed"
    return counted(claim, [one > KEPT for one in shares], 1.0, note)


def _maps(teacher: str, lessons: list[Lesson], seeds: range) -> Iterator[Finding]:
    """Findings for controllers of one origin, by species."""
    off = np.abs(np.concatenate(each(paces_off, lessons)))
    note = f"{off.max():.2f} at the most"
    yield counted(f"{teacher}: a pace comes to its share of full speed to a tenth", off < SHARED, 0.9, note)
    off = np.degrees(np.abs(np.concatenate(each(turns_off, lessons))))
    note = f"{np.median(off):.1f} in the middle, {off.max():.1f} degrees at the most"
    yield counted(f"{teacher}: a turn ends within 10 degrees of the command", off < np.degrees(STEERED), 0.95, note)
    sides = (BEARINGS_AHEAD, LEAST_AHEAD, "within 60 degrees ahead"), (BEARINGS_BEHIND, LEAST_BEHIND, "behind")
    for bearings, least, where in sides:
        found = each(reached, lessons, [bearings], seeds)
        note = f"{sum(found)} of {TARGETS * len(found)} targets, {min(found)} of {TARGETS} at the least"
        claim = f"{teacher}: {least} of {TARGETS} targets {where} are reached"
        yield counted(claim, [one >= least for one in found], 1.0, note)
