"""Models as people bring them, made of numbers: awkward ones, and the meshes of our own species."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from artfish.core.adopt.model import Model
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.scene.species import Species


def own(name: str, level: int = 0) -> Model:
    """The mesh of a preset."""
    net = ControlNet(Species.load(name))
    mesh = FishMesh(net, level)
    return quads(mesh.vertices(net.rest), mesh.faces)


def quads(vertices: np.ndarray, faces: np.ndarray, parts: np.ndarray | None = None) -> Model:
    """A model of quads."""
    starts = np.arange(0, faces.size + 1, faces.shape[1])
    return Model(vertices, faces.ravel(), starts, np.zeros(len(vertices), dtype=int) if parts is None else parts)


def joined(*models: Model) -> Model:
    """One model of several objects."""
    before = np.cumsum([0, *(model.count for model in models)])
    ends = np.cumsum([0, *(len(model.corners) for model in models)])
    return Model(
        np.concatenate([model.vertices for model in models]),
        np.concatenate([model.corners + shift for model, shift in zip(models, before[:-1], strict=True)]),
        np.concatenate([[0], *(model.starts[1:] + shift for model, shift in zip(models, ends[:-1], strict=True))]),
        np.repeat(np.arange(len(models)), [model.count for model in models]),
    )


def tube(rows: np.ndarray, around: int) -> Model:
    """A closed body of rings: station, middle height, half height and half width of each, x ahead and the nose at 0."""
    angle = np.arange(around) * 2.0 * np.pi / around
    station, middle, tall, wide = np.asarray(rows, dtype=float).T[:, :, None]
    places = np.stack([-station + 0.0 * angle, wide * np.sin(angle), middle + tall * np.cos(angle)], axis=-1)
    count = len(rows)
    at, ring = np.meshgrid(np.arange(count - 1), np.arange(around), indexing="ij")
    after = (ring + 1) % around
    faces = [at * around + ring, at * around + after, (at + 1) * around + after, (at + 1) * around + ring]
    return quads(places.reshape(-1, 3), np.stack(faces, axis=-1).reshape(-1, 4))


def ball(middle: Sequence[float], radius: float) -> Model:
    """A ball."""
    angle = np.linspace(0.0, np.pi, 9)
    rows = np.stack([radius * (1 - np.cos(angle)), 0 * angle, radius * np.sin(angle), radius * np.sin(angle)], axis=1)
    made = tube(rows, 12)
    return quads(made.vertices + (radius, 0.0, 0.0) + np.asarray(middle), made.corners.reshape(-1, 4))


def spindle(along: int, around: int) -> Model:
    """A fish of one piece, thick in front, with a tail as flat as a hand: no fins on back and belly."""
    station = np.linspace(0.0, 1.0, along)
    body = np.interp(station, [0, 0.05, 0.2, 0.4, 0.7, 0.84, 1.0], [0.004, 0.05, 0.11, 0.125, 0.07, 0.035, 0.14])
    ends = [0, 0.05, 0.2, 0.4, 0.7, 0.84, 0.88, 1.0]
    wide = np.interp(station, ends, [0.004, 0.035, 0.07, 0.07, 0.035, 0.015, 0.004, 0.001])
    return tube(np.stack([station, 0.0 * station, body, wide], axis=1), around)


def eel() -> Model:
    """An eel of one piece, that tapers to a point."""
    station = np.linspace(0.0, 1.0, 80)
    tall = np.interp(station, [0, 0.03, 0.1, 0.4, 0.8, 1.0], [0.004, 0.02, 0.032, 0.035, 0.028, 0.004])
    wide = np.interp(station, [0, 0.03, 0.1, 0.4, 0.8, 1.0], [0.004, 0.018, 0.028, 0.026, 0.012, 0.001])
    return tube(np.stack([station, 0.006 * np.sin(9 * station), tall, wide], axis=1), 16)


def ray() -> Model:
    """A flat ray, wider than it is long without its whip of a tail."""
    station = np.linspace(0.0, 1.0, 60)
    tall = np.interp(station, [0, 0.05, 0.2, 0.45, 0.6, 1.0], [0.004, 0.02, 0.045, 0.03, 0.008, 0.003])
    wide = np.interp(station, [0, 0.05, 0.25, 0.45, 0.58, 0.62, 1.0], [0.01, 0.12, 0.4, 0.25, 0.05, 0.008, 0.002])
    made = tube(np.stack([station, 0.3 * tall, tall, wide], axis=1), 24)
    thin = np.abs(made.vertices[:, 1])
    lifted = made.vertices.copy()
    lifted[:, 2] *= np.clip(1.0 - 1.6 * thin, 0.15, 1.0)
    return quads(lifted, made.corners.reshape(-1, 4))


def scanned() -> Model:
    """A sardine as a scan has it: noise, triangles, holes, and no belly where it lay."""
    model, dice = own("sardine"), np.random.default_rng(4)
    triangles = model.triangles
    middle = model.vertices[triangles].mean(axis=1)
    kept = dice.random(len(triangles)) > 0.08
    kept &= ~((middle[:, 2] < -0.075) & (np.abs(middle[:, 0]) < 0.1))
    vertices = model.vertices + dice.normal(0.0, 8e-4, model.vertices.shape)
    return quads(vertices, triangles[kept])


def toothed() -> Model:
    """A fish of several objects: body, two eyes that lie loose in it, and teeth."""
    body = spindle(40, 20)
    eyes = [ball((-0.1, side * 0.047, 0.03), 0.018) for side in (1.0, -1.0)]
    teeth = [ball((-0.02 - 0.008 * number, side * 0.01, -0.008), 0.003) for number in range(4) for side in (1.0, -1.0)]
    return joined(body, *eyes, *teeth)


def few() -> Model:
    """A fish of a hundred vertices."""
    return spindle(12, 8)


def finned() -> Model:
    """A fish whose pectoral and dorsal fins are one piece with its skin."""
    body = spindle(61, 32)
    places = body.vertices.copy()
    station, side = -places[:, 0], np.sign(places[:, 1])
    off, height = np.abs(places[:, 1]), places[:, 2]
    low = (station > 0.26) & (station < 0.34) & (height < 0.0) & (height > -0.05) & (off > 0.04)
    reach = np.sin(np.pi * np.clip((station - 0.26) / 0.08, 0.0, 1.0)) * low
    places += reach[:, None] * np.stack([-0.08 + 0 * side, 0.16 * side, -0.04 + 0 * side], axis=1)
    top = (off < 0.012) & (height > 0.0) & (station > 0.35) & (station < 0.6)
    tall = np.sin(np.pi * np.clip((station - 0.35) / 0.25, 0.0, 1.0)) * top
    places[:, 2] += 0.09 * tall
    return quads(places, body.corners.reshape(-1, 4))


AWKWARD = {"eel": eel, "ray": ray, "scanned": scanned, "toothed": toothed, "few": few, "finned": finned}
