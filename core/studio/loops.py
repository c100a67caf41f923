"""Motions that go round: a fish that swims, glides, turns or idles on the spot, whose last frame leads to its first.

The body goes through the cycle that was captured of its species, as often as it takes for all else to come round, too:
strokes of the fins and breaths have rates of their own, which are bent a little until a whole number of each fits.
The way that the fish would go meanwhile is taken out, and said beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.attitude import normalised, rotated
from ..base.codec import SceneError, shown
from ..form.look import breath_of, trailing
from ..recording import Recording
from ..replicas.capture import remembered
from ..replicas.cycle import interpolated
from ..replicas.programme import ProgrammeItem, commands
from ..replicas.repertoire import GAITS, POSES, Repertoire
from ..replicas.tuning import INTERPOLATION_POINTS
from ..scene.fishes import FishGroup
from ..scene.scene import Scene
from ..scene.species import Species
from ..scene.tank import Tank
from ..world.strokes import StrokeLog
from ..world.world import World
from .tuning import (
    LEAST_LOOP_CYCLES,
    LONGEST_LOOP_SECONDS,
    LOOP_GLIDE_SECONDS,
    LOOP_MISFIT,
    LOOP_PACE,
    LOOP_SETTLING_SECONDS,
    LOOP_TANK_LENGTHS,
    LOOP_TURN,
    LOOP_WATCHED_SECONDS,
    SHORTEST_LOOP_SECONDS,
)

LOOPS = {
    "swim": ProgrammeItem("swim", LOOP_PACE, first=LOOP_PACE),
    "glide": ProgrammeItem("glide", first=1.0),
    "turn_left": ProgrammeItem("swim", LOOP_PACE, LOOP_TURN, first=LOOP_PACE),
    "turn_right": ProgrammeItem("swim", LOOP_PACE, -LOOP_TURN, first=LOOP_PACE),
    "idle": ProgrammeItem("swim"),
}
"""Loops by name."""
MOMENT = 0.05
"""Reach of a pose, either side of a moment, from which its velocity is taken."""


@dataclass(frozen=True)
class Loop:
    """A motion that goes round.

    Attributes:
        gait: Name of its gait in `LOOPS`.
        recording: One fish on the spot, nose along x. Its last frame is its first again.
        beats: Whole cycles of the body in it.
        speed: Ahead, that the fish would go at, in lengths a second.
        yaw: Rate of turn that it would have, left positive, in rad/s.
    """

    gait: str
    recording: Recording
    beats: int
    speed: float
    yaw: float


class _Watched:
    """The motion of a fish's fins, mouth and other signs, once it steadily does what is looped.

    Attributes:
        world: World of the fish; at its last moment the loop begins.
        seen: Recorded arrays meanwhile, by name, frames first.
        rates: Rates of its fins' flapping, left and right, of their oaring, and of its breath, in cycles a second,
            (5,).
    """

    def __init__(self, species: Species, item: ProgrammeItem, fps: float) -> None:
        """Has a fish do this."""
        size = LOOP_TANK_LENGTHS * species.length
        group = FishGroup(species=species.name, count=1, at=(size / 2,) * 3)
        begin = LOOP_SETTLING_SECONDS + (LOOP_GLIDE_SECONDS if item.gait == "glide" else 0.0)
        scene = Scene("loop", fps, begin + LOOP_WATCHED_SECONDS, tank=Tank(size=(size,) * 3), fishes=(group,))
        command = commands([item], LOOP_SETTLING_SECONDS)
        world = World(scene, pilot=lambda t, _: command(t), species={species.name: species})
        for _ in range(round(begin * fps)):
            world.step()
        rhythms, frames, seen = [_rhythms(world)], max(round(LOOP_WATCHED_SECONDS * fps), 1), []
        for _ in range(frames):
            world.step()
            rhythms.append(_rhythms(world))
            seen.append(world.record())
        steps = np.diff(rhythms, axis=0)
        steps[:, -1] %= 2.0 * np.pi
        steps[:, :2] = (steps[:, :2] + np.pi) % (2.0 * np.pi) - np.pi  # the phase of fins that row begins again
        self.world = world
        self.seen = {name: np.stack([frame[name] for frame in seen]) for name in ("fins", "breath", "fold", "effort")}
        self.rates = np.sum(steps, axis=0) * fps / (2.0 * np.pi * frames)


def _rhythms(world: World) -> np.ndarray:
    """Phases in radians of the fins' flapping, left and right, of their oaring, and of the breath, (5,)."""
    fins, signs = world.parts.bodies.fins, world.parts.bodies.signs
    return np.concatenate([fins.flap_phase[:, 0], fins.oar[:, 0], signs.phase[:1]])


def loop(species: Species, gait: str, fps: float = 24.0) -> Loop:
    """Makes a loop of a species.

    Args:
        species: The species.
        gait: One of `LOOPS`.
        fps: Frames a second.

    Raises:
        SceneError: If there is no such gait, the frames are out of range, or the body does not keep to a cycle.
    """
    if gait not in LOOPS:
        raise SceneError(shown(gait), f"one of {', '.join(LOOPS)}", key="gait")
    species, item = species.alike, LOOPS[gait]
    watched = _Watched(species, item, fps)
    repertoire, row = _segment(remembered(species), item)
    beats, frames = fitting(float(repertoire.seconds[row]), watched.rates, fps)
    moments = np.arange(frames + 1) % frames
    nodes, tail = _bodies(repertoire, row, beats * moments / frames * POSES, species.length)
    turned = 2.0 * np.pi * _cycles(watched.rates * frames / fps)[:, None] * moments / frames
    world, mean = watched.world, {name: of.mean(axis=0) for name, of in watched.seen.items()}
    flap, oar = (_rhythms(world)[rows, None] + turned[rows] for rows in (slice(0, 2), slice(2, 4)))
    gamma = np.repeat(mean["fins"][0, :, :1], frames + 1, axis=1)
    seen = {
        "nodes": nodes[:, None],
        "fins": world.parts.bodies.fins.at(0, flap, oar, gamma)[:, None],
        "breath": (breath_of(turned[4]) * watched.seen["breath"].max())[:, None],
        "tail": tail[:, None],
        "gaze": np.zeros((frames + 1, 1, 2, 2)),
        "mouth": np.zeros((frames + 1, 1)),
    }
    seen |= {name: np.repeat(mean[name][None], frames + 1, axis=0) for name in ("fold", "effort")}
    still = {name: np.repeat(array[None], frames + 1, axis=0) for name, array in world.record().items()}
    recording = world.recorded(still | seen | StrokeLog().arrays())
    return Loop(gait, recording, beats, float(repertoire.velocity[row, 0]), float(repertoire.yaw[row]))


def fitting(period: float, rates: Sequence[float] | np.ndarray, fps: float) -> tuple[int, int]:
    """The number of the body's cycles in a loop, and of its frames: the fewest that all rhythms nearly fit into.

    Args:
        period: Period of the body's cycle in seconds.
        rates: Rates of other rhythms in cycles a second, backwards negative.
        fps: Frames a second.
    """
    others = np.abs(np.asarray(rates, dtype=float))
    found: list[tuple[float, int, int]] = []
    for beats in range(1, max(1, int(LONGEST_LOOP_SECONDS / period)) + 1):
        frames = max(round(beats * period * fps), 1)
        seconds = frames / fps
        cycles = others * seconds
        own = np.where(cycles == 0.0, 1.0, cycles)
        misfits = np.abs(_cycles(cycles) / own - 1.0)[cycles >= LEAST_LOOP_CYCLES]
        misfit = max(abs(seconds / (beats * period) - 1.0), misfits.max(initial=0.0))
        if seconds >= SHORTEST_LOOP_SECONDS and misfit < LOOP_MISFIT:
            return beats, frames
        found.append((misfit, beats, frames))
    long = [one for one in found if one[2] >= SHORTEST_LOOP_SECONDS * fps]
    return min(long or found)[1:]


def _cycles(cycles: np.ndarray) -> np.ndarray:
    """Whole numbers in the place of these: what moves at all comes round once at the least."""
    return np.where(
        np.abs(cycles) < LEAST_LOOP_CYCLES, 0.0, np.sign(cycles) * np.maximum(np.round(np.abs(cycles)), 1.0)
    )


def _segment(repertoire: Repertoire, item: ProgrammeItem) -> tuple[Repertoire, int]:
    """The segment of a repertoire, or of its mirror image, for an item of the programme."""
    found = (
        (repertoire.gait == GAITS.index(item.gait)) & (repertoire.pace == item.pace) & (repertoire.climb == item.climb)
    )
    found &= np.isclose(repertoire.turn, abs(item.turn))
    return repertoire.mirrored() if item.turn < 0.0 else repertoire, int(np.flatnonzero(found)[0])


def _bodies(repertoire: Repertoire, row: int, at: np.ndarray, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes (moments, 23, 3) in metres at poses (moments,), seen from the carrier, and how far the tail trails."""
    nodes = _placed(repertoire, row, at) * length
    before, after = (_placed(repertoire, row, at + way) * length for way in (-MOMENT, MOMENT))
    velocity = (after - before) * (POSES / (2.0 * MOMENT * float(repertoire.seconds[row])))
    return nodes, trailing(nodes, velocity, np.full(len(at), length))


def _placed(repertoire: Repertoire, row: int, at: np.ndarray) -> np.ndarray:
    """Nodes (moments, 23, 3) in body lengths at fractional poses (moments,), in the frame of the carrier."""
    around = np.arange(-INTERPOLATION_POINTS, POSES + INTERPOLATION_POINTS) % POSES
    places = at % POSES + INTERPOLATION_POINTS
    cycle = repertoire.nodes[row].astype(float), repertoire.attitude[row], repertoire.place[row]
    nodes, attitude, place = (interpolated(of[around], places) for of in cycle)
    return rotated(normalised(attitude)[:, None], nodes) + place[:, None]
