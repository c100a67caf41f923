"""The pose of a model: the directions of its nose and its back, and its length.

A fish has a left and a right that mirror each other, is longer than it is high, is thicker in front than behind, and
has its eyes in front and above, more fin on its back than under it, and its pectoral fins low. A guess says how sure
it is of each; a person has the last word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from ..base.codec import SceneError, shown
from .fins import GROUPS, eyes, parts
from .measure import body_shells, measure
from .model import Model, SurfaceSamples, along, shifted
from .tuning import (
    LONG_ASYMMETRY,
    MIRROR_SAMPLES,
    MODEL_UP_VOTE,
    RING_STATION,
    SURE_ASYMMETRY,
    TAPER_SURE,
    THIN_ACROSS,
)

MODEL_AXES = "+X", "-X", "+Y", "-Y", "+Z", "-Z"
"""Directions in a model's own axes."""
TINY = 1e-12


@dataclass(frozen=True)
class ModelPose:
    """The pose of a model in its own axes.

    Attributes:
        ahead: Direction of its nose, one of `MODEL_AXES`.
        up: Direction of its back, one of `MODEL_AXES` across that.
        length: Length from the nose to the tips of the tail, in the model's unit.
        sure_ahead: Confidence in a guessed direction of the nose, 0 to 1.
        sure_up: Confidence in a guessed direction of the back.
    """

    ahead: str
    up: str
    length: float
    sure_ahead: float = 1.0
    sure_up: float = 1.0

    def __post_init__(self) -> None:
        """Refuses words that are no axes, axes that are no two, and a length that is none."""
        for key in ("ahead", "up"):
            if getattr(self, key) not in MODEL_AXES:
                raise SceneError(shown(getattr(self, key)), f"one of {', '.join(MODEL_AXES)}", key=key)
        if self.ahead[1] == self.up[1]:
            raise SceneError(f"{self.up}, along the nose's {self.ahead}", "an axis across it", key="up")
        if not 0.0 < self.length < np.inf:
            raise SceneError(shown(self.length), "a length above 0", key="length")

    @property
    def axes(self) -> np.ndarray:
        """(3, 3), columns ahead, left and up in the model's axes."""
        ahead, up = _direction(self.ahead), _direction(self.up)
        return np.stack([ahead, np.cross(up, ahead), up], axis=1)

    def facing(self, model: Model, ahead: str, up: str | None = None) -> ModelPose:
        """The pose of a model whose nose is known to point this way; its back points as before, if it can."""
        up = up or (self.up if self.up[1] != ahead[1] else self.ahead)
        return ModelPose(ahead, up, float(np.ptp(model.vertices @ _direction(ahead))))


def guess(model: Model) -> ModelPose:
    """The likely pose of a model.

    Raises:
        SceneError: If it has no faces, or is a mere line or point.
    """
    samples = model.samples
    if not samples.area > 0.0:
        raise SceneError("a model without faces", "a mesh with faces, whose size is above 0", key="model")
    extents = np.ptp(samples.places, axis=0)
    uneven = _asymmetry(samples.places, extents)
    across = int((uneven + THIN_ACROSS * extents / extents.max()).argmin())
    others = [axis for axis in range(3) if axis != across]
    weight = [extents[axis] * (LONG_ASYMMETRY + uneven[axis]) for axis in others]
    lengthwise = others[int(np.argmax(weight))]
    upright = 3 - across - lengthwise
    seen = _eye_places(model, lengthwise, upright)
    towards, sure_towards = _nose_side(samples, lengthwise, across, seen)
    over, sure_over = _back_side(samples, (lengthwise, across, upright), seen)
    plain = 1.0 - min(weight) / max(weight)
    gap = float(uneven[others].min() - uneven[across]) / SURE_ASYMMETRY
    sure_axes = float(np.clip(min(2.0 * plain, 0.5 + gap), 0.0, 1.0))
    return ModelPose(
        _name(lengthwise, towards),
        _name(upright, over),
        float(np.ptp(model.vertices[:, lengthwise])),
        min(sure_axes, sure_towards),
        min(sure_axes, sure_over),
    )


def turned(model: Model, pose: ModelPose) -> Model:
    """A model in body lengths, x ahead, y left, z up, its nose at x = 0 and its mirror plane at y = 0."""
    axes = pose.axes / pose.length
    samples = model.samples.places @ axes
    nose = (model.vertices @ axes[:, 0]).max()
    shift = np.array([nose, (samples[:, 1].min() + samples[:, 1].max()) / 2, 0.0])
    return shifted(along(model, axes), -shift)


def standing(model: Model, pose: ModelPose) -> Model:
    """A model in body lengths in the frame in which fishes are at rest, with groups of all fins and eyes that it has.

    x points ahead, y left and z up; the origin is the middle of the body where the second ring of nodes will be.

    Raises:
        SceneError: If it has no faces.
    """
    near = turned(model, pose)
    near = shifted(near, np.array([RING_STATION, 0.0, -measure(near).axis]))
    found = parts(near, measure(near))
    named = {GROUPS[name][0]: rows for name, rows in found.items() if len(rows)}
    return replace(near, groups={**model.groups, **named})


def _asymmetry(places: np.ndarray, extents: np.ndarray) -> np.ndarray:
    """Mean distance of a model from its mirror image along each axis, over its extent along it, (3,)."""
    tree = cKDTree(places)
    some = places[:: max(1, len(places) // MIRROR_SAMPLES)]
    spacing = float(np.mean(np.asarray(tree.query(some, 2)[0])[:, 1]))
    found = np.empty(3)
    for axis in range(3):
        off = []
        for middle in (np.median(places[:, axis]), (places[:, axis].min() + places[:, axis].max()) / 2):
            image = some.copy()
            image[:, axis] = 2.0 * middle - image[:, axis]
            off.append(float(np.mean(tree.query(image)[0])))
        found[axis] = max(min(off) - spacing, 0.0) / max(extents[axis], 1e-9 * extents.max())
    return found


def _eye_places(model: Model, lengthwise: int, upright: int) -> np.ndarray:
    """The middles of the eyes, by their groups or as a pair of loose balls at one end, (2, 3); (0, 3) without any."""
    named = [model.vertices[model.group(name)] for name in ("eye.L", "eye.R") if len(model.group(name))]
    if len(named) == 2:
        return np.stack([places.mean(axis=0) for places in named])
    length, found = float(np.ptp(model.vertices[:, lengthwise])), []
    for sign in (1.0, -1.0):
        near = turned(model, ModelPose(_name(lengthwise, sign), _name(upright, 1.0), length))
        rows = eyes(near, body_shells(near))
        if len(rows[0]):
            found.append(np.stack([model.vertices[own].mean(axis=0) for own in rows]))
    return found[0] if len(found) == 1 else np.zeros((0, 3))


def _nose_side(samples: SurfaceSamples, along: int, across: int, seen: np.ndarray) -> tuple[float, float]:
    """1 where the nose points along the axis, -1 where against it, and how sure that is.

    Fishes are thick in front: the mean distance of the surface from the mirror plane, and its weight, tell it.
    """
    x, y = samples.places[:, along], samples.places[:, across]
    middle = (x.min() + x.max()) / 2
    span = max(float(np.ptp(x)), TINY)
    if len(seen):
        off = float(seen[:, along].mean() - middle) / span
        return (1.0 if off > 0.0 else -1.0), min(1.0, 0.5 + 2.0 * abs(off))
    off_plane = np.abs(y - (y.min() + y.max()) / 2)
    lean = float((off_plane * (x - middle)).sum() / max(off_plane.sum(), TINY)) / span
    return (1.0 if lean >= 0.0 else -1.0), min(1.0, abs(lean) / TAPER_SURE)


def _back_side(samples: SurfaceSamples, axes: tuple[int, int, int], seen: np.ndarray) -> tuple[float, float]:
    """1 where the back points along the upright axis, -1 where against it, and how sure that is.

    Votes: eyes above the middle of the head; more of the thin rim, which is fin, above than below; thicker below,
    where the belly and the pectoral fins are; and upwards in the model's own axes, Z or else Y, as most are made.
    """
    lengthwise, _, upright = axes
    x, y, z = (samples.places[:, axis] for axis in axes)
    middle = float(np.median(z))
    height = max(float(np.ptp(z)), TINY)
    off_plane = np.abs(y - np.median(y))
    broad = off_plane > np.quantile(off_plane, 0.9)
    votes = 2.0 * (middle - float(z[broad].mean())) / height
    thin = off_plane < 0.1 * off_plane.max()
    votes += 0.5 * float((z[thin] - middle).mean()) / height
    if len(seen):
        head = np.abs(x - seen[:, lengthwise].mean()) < 0.05 * np.ptp(x)
        votes += 3.0 * float(seen[:, upright].mean() - np.median(z[head])) / height
    if upright in (1, 2):
        votes += MODEL_UP_VOTE
    return (1.0 if votes >= 0.0 else -1.0), min(1.0, abs(votes) / 0.2)


def _direction(name: str) -> np.ndarray:
    found = np.zeros(3)
    found["XYZ".index(name[1])] = 1.0 if name[0] == "+" else -1.0
    return found


def _name(axis: int, sign: float) -> str:
    return ("+" if sign > 0.0 else "-") + "XYZ"[axis]
