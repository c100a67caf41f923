"""Synthetic motion capture: dynamic fishes swim through a programme, and their motion is cut into cycles (Yu, §4).

All fishes of the programme swim side by side, driven by the motor controllers of their species, so that gaits, turns
and starts are whatever the body makes of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..base.codec import SceneError
from ..scene.species import Species
from .cycle import Cycle, cut, cut_once
from .programme import ProgrammeItem, calm, commands, swift
from .repertoire import GAITS, RESPONSES, Repertoire, digest_of
from .responses import measured
from .trial import Trial, TrialTrack
from .tuning import (
    BURST_SHARE,
    BURST_TURN_BEATS,
    GLIDE_BEATS,
    LONGEST_SETTLING_SECONDS,
    MOST_OPEN_LENGTHS,
    SETTLE_BEATS,
    WATCHED_BEATS,
)

DIGEST_LETTERS = 16
"""Letters of the digest in the name of a file in a folder of repertoires."""
REPERTOIRE_CACHE = "ARTFISH_CACHE"
"""The environment variable that names a folder in which worlds keep repertoires; without it they do in memory only."""
MOST_REMEMBERED = 64
"""Repertoires that are kept in memory: those of more species than a scene has."""
_remembered: dict[str, Repertoire] = {}


@dataclass(frozen=True)
class TrialPlan:
    """The times of a trial, in seconds.

    Attributes:
        begin: Time at which fishes change to the motion to be captured.
        settled: Time at which they have come to do so steadily.
        end: Time at which they have been watched for long enough.
    """

    begin: float
    settled: float
    end: float


def capture(species: Species) -> Repertoire:
    """The repertoire of a species.

    Raises:
        SceneError: If its body does not keep to a cycle.
    """
    rhythm = species.rhythm
    slowest = rhythm.tail_beat * rhythm.slow_beat
    settling = min(SETTLE_BEATS / slowest, LONGEST_SETTLING_SECONDS)
    plan = TrialPlan(settling, 2.0 * settling, 2.0 * settling + WATCHED_BEATS / slowest)
    items = calm()
    track = Trial(species, len(items)).run(commands(items, plan.begin), plan.end)
    cycles = [_cycle(item, track, row, plan) for row, item in enumerate(items)]
    responses = measured(items, track, plan.begin)
    bursts = swift(species)
    if bursts:
        spent = BURST_SHARE * rhythm.burst_seconds
        plan = TrialPlan(0.5 * spent, 0.5 * spent, spent)
        track = Trial(species, len(bursts), swift=True).run(commands(bursts, plan.begin), plan.end)
        cycles += [_cycle(item, track, row, plan) for row, item in enumerate(bursts)]
    return _gathered(species, [*items, *bursts], cycles, responses)


def remembered(species: Species) -> Repertoire:
    """The repertoire of a species, captured once for its numbers: kept in memory, and in the folder of the cache.

    Raises:
        SceneError: If its body does not keep to a cycle.
    """
    digest, folder = digest_of(species), os.environ.get(REPERTOIRE_CACHE)
    if digest not in _remembered:
        found = _from_cache(species, Path(folder)) if folder else None
        _remembered[digest] = found or capture(species)
        while len(_remembered) > MOST_REMEMBERED:
            del _remembered[next(iter(_remembered))]
    return _remembered[digest]


def _from_cache(species: Species, folder: Path) -> Repertoire | None:
    """`kept`; None where the folder cannot be made, read or written, which is no reason not to go on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return kept(species, folder)
    except (SceneError, OSError):
        return None


def kept(species: Species, folder: str | os.PathLike[str]) -> Repertoire:
    """The repertoire of a species from a folder, where it is made the first time, and anew when its numbers change.

    Args:
        species: The species.
        folder: Existing folder; the caller's, for the core writes nowhere of its own accord.

    Raises:
        SceneError: If it can neither be read nor written.
    """
    digest = digest_of(species)
    path = Path(folder) / f"{species.name}-{digest[:DIGEST_LETTERS]}.npz"
    if path.exists():
        with suppress(SceneError):  # a damaged one is made anew
            return Repertoire.load(path, species)
    repertoire = capture(species)
    repertoire.save(path)
    for other in Path(folder).glob(f"{species.name}-{'?' * DIGEST_LETTERS}.npz"):
        if other != path:
            other.unlink(missing_ok=True)
    return repertoire


def _cycle(item: ProgrammeItem, track: TrialTrack, row: int, plan: TrialPlan) -> Cycle:
    """The cycle that a fish of the programme was there for."""
    if item.gait == "start":
        return cut_once(track, row, plan.begin)
    if item.gait in ("glide", "brake"):  # while it still goes ahead
        beat = 1.0 / track.frequency[-1, row]
        return cut(track, row, plan.begin + GLIDE_BEATS * beat, plan.begin + (GLIDE_BEATS + 2.0) * beat, True)
    if item.pace > 1.0 and item.turn:  # before so sharp a turn, which none goes on with, throws it over
        beat = 1.0 / track.frequency[-1, row]
        first, last = (plan.begin + beats * beat for beats in BURST_TURN_BEATS)
        slow = max(plan.begin, plan.end - beat)  # a burst of a large fish has few beats
        return cut(track, row, min(first, slow), last, False)
    return cut(track, row, plan.settled, plan.end, item.turn == 0.0)


def _gathered(
    species: Species, items: Sequence[ProgrammeItem], cycles: Sequence[Cycle], responses: dict[str, float]
) -> Repertoire:
    """All of it as one."""
    straight = [item.gait == "swim" and not item.turn for item in items]
    steady = [cycle.closure for own, cycle in zip(straight, cycles, strict=True) if own]
    worst = int(np.argmax(steady))
    if not steady[worst] <= MOST_OPEN_LENGTHS:
        found = f"a cycle whose ends miss each other by {steady[worst]:.2g} lengths"
        raise SceneError(found, f"{MOST_OPEN_LENGTHS:g} at most, of a body that swims", key=species.name)
    return Repertoire(
        species=species.name,
        digest=digest_of(species),
        gait=np.array([GAITS.index(item.gait) for item in items]),
        **{name: np.array([getattr(item, name) for item in items]) for name in ("pace", "turn", "climb")},
        **{
            name: np.array([getattr(cycle, name) for cycle in cycles])
            for name in ("seconds", "nodes", "tension", "attitude", "place", "velocity", "yaw", "closure")
        },
        responses=np.array([responses[name] for name in RESPONSES]),
    )
