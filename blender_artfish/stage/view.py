"""A good place for the camera: near the fishes, from the side, with depth behind them.

Views are drawn at random around the fishes and judged over the whole recording; the best is refined and kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...core.geometry.solids import Solid
from ...core.habitat.obstacles import Obstacles
from ...core.recording import Recording
from ...core.replicas.levels import shot_at
from ...core.scene.obstacles import Cylinder

SENSOR_MM = 36.0
"""Sensor width, mm, for `Scene.camera.lens`."""
PICTURE_HALF_HEIGHT = 0.28
"""Half the height of the picture, over its width."""
LENSES_MM = (28.0, 35.0, 45.0)
VIEW_DRAWS, VIEW_REFINEMENTS, VIEW_MOMENTS, VIEW_FISHES = 2000, 800, 30, 100
CAMERA_CLEARANCE_METRES = 0.35
"""Least distance of the camera from a pillar, a rock or the bed, m."""
CORAL_GROWTH_METRES = 0.12
"""Thickness of sponges and corals on a pillar, m."""
MURK_PER_METRE = 0.16
"""Rate at which the water absorbs a fish's colours, 1/m."""
SHOT_SECONDS = 3.0
"""Length of a shot, s, that should be worth seeing from end to end."""
FILLING_SHARE, LOOMING_SHARE = 0.3, 0.4
"""Share of the picture's width at which a fish is near enough, and beyond which it is too near."""
SHUTTER_FRAMES, SMEAR_SHARE = 0.5, 0.00625
"""Exposure in frames, and the share of the picture's width by which a fish may move in it."""
HIDING_FISHES, HIDING_HEIGHT, HIDING_MARGIN = 8, 0.45, 1.3
"""Number of fishes that may hide others, their height over their length, and a margin about each."""


@dataclass(frozen=True)
class Framing:
    """Position and target of the camera.

    Attributes:
        at: Its position (3,), metres.
        target: The point it looks at (3,), metres.
        lens: Focal length in mm.
        best: The best frame of the recording.
    """

    at: np.ndarray
    target: np.ndarray
    lens: float
    best: int


@dataclass(frozen=True)
class _Subjects:
    """The fishes at some moments.

    Attributes:
        frames: Frames of the recording (m,).
        centre: Middles of the fishes (m, n, 3).
        ahead: Unit vectors of their headings (m, n, 3).
        motion: Displacement in metres a frame (m, n, 3).
        length: Their lengths (n,).
        kind: Number of each one's species (n,).
        alive: Which are alive (m, n).
        solids: Rocks and the bed, which may hide them.
    """

    frames: np.ndarray
    centre: np.ndarray
    ahead: np.ndarray
    motion: np.ndarray
    length: np.ndarray
    kind: np.ndarray
    alive: np.ndarray
    solids: tuple[Solid, ...]


def find_view(recording: Recording) -> Framing:
    """The scene's own camera if it has one, at its first key if it moves, else the best of many random views."""
    subjects = _subjects(recording)
    own = shots(recording, subjects.frames)
    if own:
        values = [_worth(*shot, subjects, recording)[moment] for moment, shot in enumerate(own)]
        return Framing(*shots(recording, [0])[0], int(subjects.frames[np.argmax(values)]))
    size = np.array(recording.scene.tank.size)
    if not len(subjects.length):
        return Framing(size * (0.5, -0.4, 0.5), size * (0.5, 0.5, 0.4), LENSES_MM[0], 0)
    draws = np.random.default_rng(0)
    worth, best = max((_draw(draws, subjects, recording) for _ in range(VIEW_DRAWS)), key=lambda found: found[0])
    for _ in range(VIEW_REFINEMENTS):
        at, target = (place + 0.1 * draws.normal(size=3) for place in (best.at, best.target))
        better, view = _judged(at, target, best.lens, subjects, recording)
        if better > worth:
            worth, best = better, view
    return best


def shots(recording: Recording, frames: Iterable[float]) -> list[tuple[np.ndarray, np.ndarray, float]]:
    """Position, target and lens of the scene's own camera at some frames; empty without one."""
    keys = recording.scene.shots
    views = [shot_at(keys, frame / recording.fps) for frame in frames] if keys else []
    return [(np.array(view.at), np.array(view.look_at), view.lens) for view in views]


def _subjects(recording: Recording) -> _Subjects:
    frames = np.unique(np.linspace(0, recording.frames - 1, VIEW_MOMENTS).round().astype(int))
    fishes = np.unique(np.linspace(0, len(recording.species) - 1, VIEW_FISHES).round().astype(int))
    fishes = fishes[: len(recording.species)]
    nodes = recording.nodes[np.ix_(frames, fishes)].astype(float)
    before = recording.nodes[np.ix_(np.maximum(frames - 1, 0), fishes)].astype(float)
    along = nodes[..., 0, :] - nodes[..., 21:23, :].mean(axis=-2)
    _, kind = np.unique(np.array(recording.species, dtype=str)[fishes], return_inverse=True)
    return _Subjects(
        frames,
        nodes[..., 0, :] - 0.5 * along,
        along / np.linalg.norm(along, axis=-1, keepdims=True),
        (nodes - before).mean(axis=-2),
        recording.body_length[fishes],
        kind,
        recording.alive[np.ix_(frames, fishes)],
        Obstacles.from_scene(recording.scene, walls=False).solids,
    )


def _draw(draws: np.random.Generator, subjects: _Subjects, recording: Recording) -> tuple[float, Framing]:
    """A random view of one of the fishes, and its worth."""
    moment, fish = draws.integers(subjects.centre.shape[0]), draws.integers(subjects.centre.shape[1])
    lens = float(draws.choice(LENSES_MM))
    share = draws.uniform(0.14, 0.36)
    distance = max(subjects.length[fish] * lens / SENSOR_MM / share, 0.5)
    azimuth, pitch = draws.uniform(0, 2 * np.pi), draws.uniform(-0.1, 0.14)
    out = np.array([np.cos(azimuth) * np.cos(pitch), np.sin(azimuth) * np.cos(pitch), np.sin(pitch)])
    subject = subjects.centre[moment, fish]
    at = subject + distance * out
    side = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    frame = distance * SENSOR_MM / lens
    target = subject + frame * (draws.uniform(-0.25, 0.25) * side + draws.uniform(-0.12, 0.12) * np.array([0, 0, 1.0]))
    return _judged(at, target, lens, subjects, recording)


def _judged(
    at: np.ndarray, target: np.ndarray, lens: float, subjects: _Subjects, recording: Recording
) -> tuple[float, Framing]:
    """A view and its worth: that of its best shot and moment, and some of the rest; -inf if no camera can be there."""
    if not _may_stand(at, subjects, recording):
        return -np.inf, Framing(at, target, lens, 0)
    worth = _worth(at, target, lens, subjects, recording)
    moments = max(1, min(len(worth), round(SHOT_SECONDS * len(worth) * recording.fps / recording.frames)))
    shot = np.convolve(worth, np.ones(moments) / moments, mode="valid")
    begin = int(shot.argmax())
    best = begin + int(worth[begin : begin + moments].argmax())
    total = 0.7 * shot[begin] + 0.3 * worth.mean() + 0.3 * worth[best] + _setting(at, target, lens, recording)
    return float(total), Framing(at, target, lens, int(subjects.frames[best]))


def _may_stand(at: np.ndarray, subjects: _Subjects, recording: Recording) -> bool:
    """True if a camera here is in the water, clear of pillars and out of the fishes' way."""
    size = np.array(recording.scene.tank.size)
    margin = np.array([1.5, 1.5, -min(0.3, 0.2 * size[2])])
    if (at < -margin).any() or (at > size + margin).any():
        return False
    for pillar in _pillars(recording):
        if np.hypot(*(at - pillar.at)[:2]) < pillar.radius + CAMERA_CLEARANCE_METRES:
            return False
    if any(solid.depth(at[None])[0] < CAMERA_CLEARANCE_METRES for solid in subjects.solids):
        return False
    near = np.linalg.norm(subjects.centre - at, axis=-1) < np.maximum(1.3 * subjects.length, 0.15)
    return not (near & subjects.alive).any()


def _worth(at: np.ndarray, target: np.ndarray, lens: float, subjects: _Subjects, recording: Recording) -> np.ndarray:
    """Worth of each moment (m,) from here: many fishes, of many kinds, large, clear, from the side."""
    right, up, forward = _axes(at, target)
    ray = subjects.centre - at
    depth = np.maximum(ray @ forward, 1e-3)
    zoom = lens / SENSOR_MM
    x, y = ray @ right / depth * zoom, ray @ up / depth * zoom
    direction = ray / np.linalg.norm(ray, axis=-1, keepdims=True)
    profile = np.sqrt(1.0 - np.sum(direction * subjects.ahead, axis=-1) ** 2)
    width = subjects.length * zoom / depth * (0.2 + 0.8 * profile)
    inside = np.clip((0.5 - np.abs(x) - 0.5 * width) / 0.03, 0, 1)
    inside *= np.clip((PICTURE_HALF_HEIGHT - np.abs(y) - 0.25 * width) / 0.03, 0, 1)
    ahead = subjects.alive & (ray @ forward > 0.05)
    pictured = ahead & (np.abs(x) < 0.52 + 0.5 * width) & (np.abs(y) < PICTURE_HALF_HEIGHT + 0.02 + 0.3 * width)
    seen = ahead & ~_hidden(at, subjects, recording, pictured)
    large = np.minimum(width / FILLING_SHARE, 1.0) ** 1.4
    value = seen * inside * np.exp(-MURK_PER_METRE * depth) * large * (0.3 + 0.7 * profile)
    value *= ~_covered(x, y, width, depth, pictured)
    across = subjects.motion - np.sum(subjects.motion * direction, axis=-1, keepdims=True) * direction
    value *= np.exp(-SHUTTER_FRAMES / SMEAR_SHARE * np.linalg.norm(across, axis=-1) * zoom / depth)
    kinds = np.stack([value[:, subjects.kind == k].sum(axis=1) for k in range(subjects.kind.max(initial=-1) + 1)])
    # A fish cut off by the picture's edge, and large, spoils it; so does one that leaves no room for the others.
    cut = seen * (1.0 - inside) * (np.abs(x) < 0.5 + 0.5 * width) * (np.abs(y) < PICTURE_HALF_HEIGHT + 0.3 * width)
    cut = (cut * np.maximum(width - 0.08, 0.0)).sum(axis=1)
    crowding = (seen * (np.abs(x) < 0.5) * np.maximum(width - LOOMING_SHARE, 0.0)).sum(axis=1)
    return (kinds**0.6).sum(axis=0) - 6.0 * cut - 12.0 * crowding


def _setting(at: np.ndarray, target: np.ndarray, lens: float, recording: Recording) -> float:
    """Contribution of the surroundings: pillars are good some way behind the fishes, bad if they fill the picture.

    A nearly level camera, which shows both sand and light, is best.
    """
    right, _, forward = _axes(at, target)
    worth = -8.0 * max(abs(forward[2] - 0.03) - 0.12, 0.0)
    for pillar in _pillars(recording):
        ray = np.append((np.array(pillar.at) - at)[:2], 0.0)
        away = max(float(np.linalg.norm(ray)), pillar.radius + CORAL_GROWTH_METRES)
        middle, half = np.arctan2(ray @ right, ray @ forward), np.arcsin((pillar.radius + CORAL_GROWTH_METRES) / away)
        edges = np.tan(np.clip((middle - half, middle + half), -1.5, 1.5)) * lens / SENSOR_MM
        share = np.diff(np.clip(edges, -0.5, 0.5))[0]
        if share > 0.0:
            behind = away > float(np.linalg.norm(target - at))
            worth += 0.3 * (behind and away < 6.0) - 3.0 * max(share - 0.25, 0.0) - (not behind) * (0.5 + 3.0 * share)
    return worth


def _hidden(at: np.ndarray, subjects: _Subjects, recording: Recording, pictured: np.ndarray) -> np.ndarray:
    """True where a pillar, or a rock or a hill for fishes in the picture (m, n), hides a fish, (m, n)."""
    points = subjects.centre
    hidden = np.zeros(points.shape[:-1], dtype=bool)
    for pillar in _pillars(recording):
        ray, axis = points - at, np.array(pillar.at) - at
        square = np.maximum(np.sum(ray[..., :2] ** 2, axis=-1), 1e-9)
        share = np.clip(ray[..., :2] @ axis[:2] / square, 0.0, 1.0)
        miss = np.linalg.norm(share[..., None] * ray[..., :2] - axis[:2], axis=-1)
        hidden |= (miss < pillar.radius) & (at[2] + share * ray[..., 2] < pillar.at[2] + pillar.height)
    for solid in subjects.solids:
        doubtful = pictured & ~hidden
        hidden[doubtful] = solid.blocks(np.broadcast_to(at, points.shape)[doubtful], points[doubtful])
    return hidden


def _covered(x: np.ndarray, y: np.ndarray, width: np.ndarray, depth: np.ndarray, pictured: np.ndarray) -> np.ndarray:
    """True where a fish is at least partly behind a nearer one of those that look largest, (m, n)."""
    taken = pictured * width
    large = np.argsort(-taken, axis=1)[:, :HIDING_FISHES]
    rows = np.arange(len(x))[:, None]
    half = 0.5 * HIDING_MARGIN * taken[rows, large][:, None]
    across, above = (place[:, :, None] - place[rows, large][:, None] for place in (x, y))
    behind = depth[:, :, None] > depth[rows, large][:, None]
    return (behind & (across**2 + (above / HIDING_HEIGHT) ** 2 < half**2)).any(axis=2)


def _pillars(recording: Recording) -> list[Cylinder]:
    return [obstacle for obstacle in recording.scene.obstacles if isinstance(obstacle, Cylinder)]


def _axes(at: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right, up and forward vectors of an upright camera."""
    x, y, z = forward = (target - at) / np.linalg.norm(target - at)
    length = math.sqrt(x * x + y * y)
    across, along = (y / length, -x / length) if length > 1e-9 else (1.0, 0.0)
    up = np.array([along * z, -across * z, across * y - along * x])  # the cross products, written out for their speed
    return np.array([across, along, 0.0]), up, forward
