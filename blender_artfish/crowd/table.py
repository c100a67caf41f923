"""The table a crowd plays, as arrays: positions, turns and poses of many fishes, key by key."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ...core.body.anatomy import body_frame, tail_bend
from ...core.form.look import Look
from ...core.form.mesh import ControlNet
from ...core.form.poses import PoseTable, Stances
from ...core.recording import LOOK_ARRAYS, Recording
from ...core.studio.growing import shown_growth
from .nodes import ABSENT

MOST_POSES = 128
"""Most poses of a species: a byte's range, less the value for none."""
POSE_SAMPLES = 6000
"""Fish-frames from which the poses of a species are chosen, and by which they are judged."""
STRIDES = 8, 6, 5, 4, 3, 2
"""Frames between keys that are tried before every frame gets one."""
FISH_FRAMES = 20_000
"""Fish-frames processed at a time."""
GRAIN = 1 / 16
"""Rounding of positions as a share of their allowed error, so that a file is small."""
TURN_GRAIN = 1 / 32768
"""Rounding of quaternion components; a coarser one would change a fish's size."""
VALUE_GRAIN = 1 / 256
"""Rounding of values for shaders."""
SWING_LENGTHS = 0.5
"""Distance from a fish's origin of the points most displaced by a wrong turn, in body lengths."""


@dataclass(frozen=True)
class Ways:
    """Motion of fishes at every frame.

    Attributes:
        place: Origins of the fishes' own frames, (frames, fish, 3) float32 in metres.
        turn: Rotations of those frames, (frames, fish, 4) float32, w first, each on the side of the one before.
        pose: Numbers of poses, (frames, fish) int8, `ABSENT` where a fish is not there.
        bend: Angle of the tail off the head's line, left positive, (frames, fish) float32 in radians.
    """

    place: np.ndarray
    turn: np.ndarray
    pose: np.ndarray
    bend: np.ndarray


@dataclass(frozen=True)
class CrowdTable:
    """The keys kept of that motion.

    Attributes:
        stride: Frames from one key to the next.
        place: Positions, (keys, fish, 3); two keys or more, of which the last may lie after the last frame.
        turn: Rotations, (keys, fish, 4).
        pose: Poses at each frame from a key on, (keys, stride, fish) int8.
        values: Values by the names of `KEY_VALUES`, (keys, fish).
    """

    stride: int
    place: np.ndarray
    turn: np.ndarray
    pose: np.ndarray
    values: dict[str, np.ndarray]


def pose_table(recording: Recording, rows: list[int], net: ControlNet, most: int = MOST_POSES) -> PoseTable:
    """The poses for the fishes of these rows, all of one species, of which there are so many at the most."""
    frames, fishes = np.nonzero(recording.alive[:, rows])
    if not len(frames):
        frames, fishes = np.zeros(1, dtype=int), np.zeros(1, dtype=int)
    picked = np.unique(np.linspace(0, len(frames) - 1, POSE_SAMPLES).astype(int))
    return PoseTable(net, stances(recording, frames[picked], np.asarray(rows)[fishes[picked]]), most)


def stances(recording: Recording, frames: np.ndarray, fishes: np.ndarray) -> Stances:
    """Stances of fishes at moments, each a frame (n,) and a row (n,) of the recording."""
    look = Look(*(getattr(recording, name)[frames, fishes].astype(float) for name in LOOK_ARRAYS))
    of = recording.nodes[frames, fishes], recording.fins[frames, fishes]
    return Stances(*of, recording.body_length[fishes], recording.mouth[frames, fishes], look)


def ways(recording: Recording, rows: list[int], poses: PoseTable) -> Generator[None, None, Ways]:
    """Motion of the fishes of these rows, computed block by block."""
    shape = recording.frames, len(rows)
    found = Ways(
        np.empty((*shape, 3), np.float32),
        np.empty((*shape, 4), np.float32),
        np.empty(shape, np.int8),
        np.empty(shape, np.float32),
    )
    block = max(1, FISH_FRAMES // len(rows))
    for begin in range(0, recording.frames, block):
        some = slice(begin, begin + block)
        nodes = recording.nodes[some, rows].astype(float)
        origin, axes = body_frame(nodes)
        found.place[some] = origin
        quaternions = Rotation.from_matrix(axes.reshape(-1, 3, 3)).as_quat()
        found.turn[some] = np.roll(quaternions, 1, axis=-1).reshape(*nodes.shape[:2], 4)
        found.bend[some] = tail_bend(nodes)
        frames, fishes = (of.ravel() for of in np.mgrid[begin : begin + len(nodes), : len(rows)])
        number = poses.nearest(stances(recording, frames, np.asarray(rows)[fishes])).reshape(nodes.shape[:2])
        found.pose[some] = np.where(recording.alive[some, rows], number, ABSENT)
        yield
    flips = np.sum(found.turn[1:] * found.turn[:-1], axis=-1) < 0
    found.turn[1:] *= np.where(np.cumsum(flips, axis=0) % 2, -1.0, 1.0)[..., None]
    return found


def table(recording: Recording, rows: list[int], going: Ways, tolerance: float) -> CrowdTable:
    """The table with as few keys as a tolerance in body lengths allows.

    The last key, which may lie after the last frame, is extrapolated so that the last frame plays right.
    """
    length = recording.body_length[rows]
    bound = tolerance * length
    stride = next((stride for stride in STRIDES if _fits(going, stride, bound, tolerance)), 1)
    place = _rounded(_keyed(going.place, stride), GRAIN * float(bound.min()))
    turn = _rounded(_keyed(going.turn, stride), TURN_GRAIN if tolerance else 0.0)
    frames = recording.frames
    at = np.minimum(np.arange(len(place)) * stride, frames - 1)
    each = np.minimum(at[:, None] + np.arange(stride), frames - 1)
    way = np.gradient(going.place, axis=0) if frames > 1 else np.zeros_like(going.place)
    speed = np.linalg.norm(way[at], axis=-1) * recording.fps / length
    values = {"speed": speed, "bend": going.bend[at], "fear": recording.fear[at][:, rows]}
    values = {name: _rounded(of, VALUE_GRAIN) for name, of in values.items()}
    growth = np.stack([shown_growth(recording, row) for row in rows], axis=1)
    values["growth"] = _keyed(growth.astype(np.float32), stride)
    values["intention"] = recording.intention[at][:, rows].astype(np.float32)
    return CrowdTable(stride, place, turn, going.pose[each], values)


def _keyed(of: np.ndarray, stride: int) -> np.ndarray:
    """Values (keys, ...) at every `stride` frames of values (frames, ...), and an extrapolated one at the end."""
    frames = len(of)
    keys = max(2, 1 + -(-(frames - 1) // stride))
    at = np.minimum(np.arange(keys) * stride, frames - 1)
    found = of[at]
    rest = frames - 1 - at[-2]
    if 0 < rest < stride:
        found[-1] = of[at[-2]] + (of[-1] - of[at[-2]]) * (stride / rest)
    return found


def _fits(going: Ways, stride: int, bound: np.ndarray, angle: float) -> bool:
    """True if keys this far apart keep all fishes within bounds (fish,) in metres, and half as far by turning.

    The first few frames alone rule out most strides.
    """
    frames = len(going.place)
    there = going.pose != ABSENT
    for end in sorted({min(frames, 4 * stride + 1), frames}):
        for of, most in ((going.place, bound), (going.turn, np.full(len(bound), 0.5 * angle / SWING_LENGTHS))):
            keys = _keyed(of[:end], stride)
            for frame in range(end):
                key = min(frame // stride, len(keys) - 2)
                off = keys[key] + (keys[key + 1] - keys[key]) * (frame / stride - key) - of[frame]
                if np.any((np.linalg.norm(off, axis=-1) > most) & there[frame]):
                    return False
    return True


def _rounded(of: np.ndarray, grain: float) -> np.ndarray:
    """Values rounded to a power of two no larger than the grain; unchanged for a grain of 0."""
    if grain <= 0.0:
        return of.astype(np.float32)
    step = 2.0 ** np.floor(np.log2(grain))
    return (np.round(of / step) * step).astype(np.float32)
