"""Tasks for practice: the objective of learning (Terzopoulos et al. 1994, eq. 2 and 3).

E(u) is the integral of mu_1 E_u(u) + mu_2 E_v(v): an effort that discourages large and rapid changes of the controls,
and how far the trajectory is from that of the task, in lengths; both weights are one, and nu_1 and nu_2 say the rest.
"""

from __future__ import annotations

import numpy as np

from ..base.codec import SceneError, shown
from ..base.vectors import norm
from ..scene.species import Species
from .practice import SensedMotion
from .tuning import (
    BEND_WEIGHT,
    CURRENT_PACE,
    LEARNED_PACE,
    NOSE_WEIGHT,
    PRACTICE_PATH,
    PRACTICE_TARGET,
    SLOPE_WEIGHT,
    SPEED_SHARE,
    TURNING_PACE,
    TURNING_RADIUS,
    UPRIGHT_WEIGHT,
)

GOALS = {
    "swim": "lengths a second on the way to a target far ahead",
    "left": "the circle's radius in lengths",
    "right": "the circle's radius in lengths",
    "speed": "lengths a second",
    "path": "x, y and z of each point in lengths",
    "target": "x, y and z in lengths",
    "station": "the current in lengths a second",
}
"""Goals that the tasks take; a fish begins at 0, 0, 0 and heads along x."""


class Task:
    """A task of one species.

    Attributes:
        kind: Name of the task.
        goal: Its goal, or the usual one.
        current: Current of the water towards the fish, in lengths a book unit of time.
    """

    def __init__(self, kind: str, species: Species, goal: tuple[float, ...] = ()):
        """Prepares a task.

        Raises:
            SceneError: If the goal is none of its kind.
        """
        self.kind, self._unit = kind, species.time_scale
        usual = {
            "swim": (LEARNED_PACE / self._unit,),
            "left": (TURNING_RADIUS,),
            "right": (TURNING_RADIUS,),
            "speed": (SPEED_SHARE * LEARNED_PACE / self._unit,),
            "path": PRACTICE_PATH,
            "target": PRACTICE_TARGET,
            "station": (CURRENT_PACE / self._unit,),
        }
        self.goal = tuple(float(value) for value in goal) or usual.get(kind, ())
        count, right = len(self.goal), len(usual.get(kind, ()))
        fits = count > 0 and count % 3 == 0 if kind == "path" else count == right
        if not fits:
            raise SceneError(f"{shown(list(self.goal))} for {kind}", GOALS[kind], key="--goal")
        if kind in ("swim", "left", "right", "speed", "station") and not 0.05 <= self.goal[0] <= 20.0:
            raise SceneError(f"{self.goal[0]:g} for {kind}", f"{GOALS[kind]}, 0.05 to 20", key="--goal")
        if kind in ("path", "target") and max(map(abs, self.goal)) > 100.0:
            raise SceneError(f"{shown(list(self.goal))} for {kind}", f"{GOALS[kind]}, up to 100", key="--goal")
        self.current = self.goal[0] * self._unit if kind == "station" else 0.0

    def trajectory(self, film: SensedMotion) -> np.ndarray:
        """E_v of what candidates did, in lengths, (candidate,): less is better."""
        tilt = UPRIGHT_WEIGHT * (1.0 - film.upright).mean(axis=0)
        match self.kind:
            case "left" | "right":
                return tilt + self._circle(film)
            case "path":
                return tilt + self._path(film)
            case "target":
                return tilt + norm(film.middle[-1] - np.array(self.goal))
            case "station":
                return tilt + norm(film.middle).mean(axis=0) + NOSE_WEIGHT * _off(film.nose)
            case "speed":
                half = len(film.middle) // 2
                units = film.units * (1.0 - half / len(film.middle))
                way = film.middle[-1, :, 0] - film.middle[half - 1, :, 0]
                return tilt + np.abs(way - self.goal[0] * self._unit * units) + NOSE_WEIGHT * _off(film.nose)
        target = np.array((self.goal[0] * self._unit * film.units, 0.0, 0.0))
        return tilt + norm(film.middle[-1] - target) + NOSE_WEIGHT * _off(film.nose)

    def _circle(self, film: SensedMotion) -> np.ndarray:
        """Distance from a circle that begins ahead, and the rest of the way on it."""
        radius, side = self.goal[0], 1.0 if self.kind == "left" else -1.0
        arm = film.middle - np.array((0.0, side * radius, 0.0))
        angle = np.unwrap(np.arctan2(arm[..., 0], -side * arm[..., 1]), axis=0)
        off = np.hypot(np.hypot(arm[..., 0], arm[..., 1]) - radius, arm[..., 2])
        return np.abs(TURNING_PACE * film.units - radius * angle[-1]) + np.sqrt(np.square(off).mean(axis=0))

    def _path(self, film: SensedMotion) -> np.ndarray:
        """Distance from the line through all points, and of its end at the end."""
        points = np.concatenate([np.zeros((1, 3)), np.reshape(self.goal, (-1, 3))])
        along, nearest = points[1:] - points[:-1], np.full(film.middle.shape[:2], np.inf)
        for begin, way in zip(points[:-1], along, strict=True):
            share = np.clip((film.middle - begin) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
            nearest = np.minimum(nearest, norm(film.middle - begin - share[..., None] * way))
        return norm(film.middle[-1] - points[-1]) + np.sqrt(np.square(nearest).mean(axis=0))


def effort(samples: np.ndarray, durations: np.ndarray, units: float) -> np.ndarray:
    """The integral of E_u over a film, (candidate,): eq. 3, of samples (candidate, m, 15) and the time they take.

    The second term goes by the time of a sample of our beats, squared, so that both have one unit.
    """
    spacing = durations / samples.shape[2]
    after, before = np.roll(samples, -1, axis=2), np.roll(samples, 1, axis=2)
    slope = np.square(after - samples).sum(axis=(1, 2)) / np.square(spacing)
    bend = np.square(after - 2.0 * samples + before).sum(axis=(1, 2)) / spacing**4
    return (SLOPE_WEIGHT * slope + BEND_WEIGHT * bend) * units / samples.shape[2]


def _off(places: np.ndarray) -> np.ndarray:
    """Mean distance of places (looks, candidate, 3) from the straight way ahead, (candidate,)."""
    return np.sqrt(np.square(places[..., 1:]).sum(axis=-1).mean(axis=0))
