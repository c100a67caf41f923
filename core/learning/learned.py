"""A learned task: the course of every muscle, as samples in time (Terzopoulos et al. 1994, §4.2)."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..base.codec import Place, SceneError, decode, encode, shown
from ..base.declaration import choice, integer, number, text, vector
from ..base.files import read_json, write_json
from ..base.formats import stamped, unstamped
from ..motor.tuning import MOST_CONTRACTION
from ..scene.controller import LEARNED_TASKS as TASKS
from ..scene.species import Species
from .tuning import CANDIDATES

CONTROL_SAMPLES = 15
"""Samples of a muscle's control function, N in the paper."""
METHODS = "annealing", "cma"
INTERPOLATIONS = "linear", "cubic"
MOST_PRACTISING = 1024
FINENESS = 64
"""Parts of the time from one sample to the next at which what lies between them is tabulated."""


@dataclass(frozen=True, eq=False)
class Learned:
    """Muscle controls found by practice, and how.

    The course of a muscle is periodic: after the last sample comes the first again. A muscle's rest length is its
    natural length times one less its contraction.
    """

    species: str = text("fish", "Whose body they were found with")
    digest: str = text("", "Of that body's numbers: masses, springs, fins and its time scale")
    task: str = choice("swim", TASKS, "What was practised")
    goal: tuple = vector((), -1e3, 1e3, "", "What the task was given, by its kind", shape=(None,))
    duration: float = number(1.0, 0.005, 600.0, "s", "Time that all samples take, after which they begin again")
    interpolation: str = choice("cubic", INTERPOLATIONS, "What lies between two samples")
    samples: tuple = vector(
        (),
        0.0,
        MOST_CONTRACTION,
        "",
        "Contraction of each muscle over its natural length at each sample",
        shape=(None, CONTROL_SAMPLES),
    )
    method: str = choice("annealing", METHODS, "How they were found")
    seed: int = integer(0, 0, 2**63 - 1, "", "Of the search")
    candidates: int = integer(CANDIDATES, 1, MOST_PRACTISING, "", "Bodies that practised side by side")
    steps: int = integer(0, 0, 10**9, "", "Steps that the search had taken")
    scores: tuple = vector((), -1e9, 1e9, "", "Steps, and the best objective found by then", shape=(None, 2))

    def __post_init__(self) -> None:
        """Refuses what no body has muscles for."""
        if len(self.samples) not in (12, 16):
            raise SceneError(f"{len(self.samples)} muscles", "12, or 16 where the peduncle has some", key="samples")

    def contractions(self, seconds: np.ndarray) -> np.ndarray:
        """Contractions over the natural lengths at these times (n,), (m, n)."""
        samples = np.array(self.samples)[None]
        return contractions(samples, np.array([self.duration]), np.asarray(seconds, float), self.interpolation)[0].T

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Learned:
        """Reads a file.

        Raises:
            SceneError: If it cannot be read, or anything in it is not as declared.
        """
        return cls.from_dict(read_json(path), os.fspath(path))

    @classmethod
    def from_dict(cls, data: dict, file: str = "learned") -> Learned:
        """Checks what JSON holds; what the search needs to go on is left unread.

        Raises:
            SceneError: At the first thing that is not as declared.
        """
        own = {key: value for key, value in unstamped("search", data, file).items() if key != "search"}
        return decode(cls, own, Place(file))

    def to_dict(self) -> dict:
        """The data for JSON; `from_dict` makes an equal one of it."""
        return encode(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes JSON that `load` reads back.

        Raises:
            SceneError: If the file cannot be written.
        """
        write_json(path, stamped("search", self.to_dict()))


def digest_of(species: Species) -> str:
    """A digest of the numbers that what muscles do to a body depends on."""
    data = species.to_dict()
    own = {name: data.get(name) for name in ("time_scale", "body", "pectoral")}
    return hashlib.sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()


def ensure_for(learned: Learned, species: Species, file: str = "") -> None:
    """Refuses what another body has learned.

    Raises:
        SceneError: If it has.
    """
    if learned.digest != digest_of(species):
        found = f"what the body of {shown(learned.species)} has learned"
        raise SceneError(found, f"what that of {species.name}, as it is now, has", key="species", file=file)


def contractions(samples: np.ndarray, duration: np.ndarray, times: np.ndarray, interpolation: str) -> np.ndarray:
    """Contractions between samples, (candidate, n, m).

    Args:
        samples: (candidate, m, 15).
        duration: Time that all samples take, (candidate,).
        times: Times in the same unit, (n,).
        interpolation: One of `INTERPOLATIONS`.
    """
    weights = _weights(interpolation)
    turns = times / duration[:, None]
    rows = ((turns - np.floor(turns)) * len(weights)).astype(int) % len(weights)
    return np.clip(weights[rows] @ samples.transpose(0, 2, 1), 0.0, MOST_CONTRACTION)


@cache
def _weights(interpolation: str) -> np.ndarray:
    """The share of each sample at even times of the whole duration, (15 * fineness, 15); periodic."""
    share = np.arange(FINENESS) / FINENESS
    first = np.zeros((CONTROL_SAMPLES, FINENESS, CONTROL_SAMPLES))
    knot, after = np.arange(CONTROL_SAMPLES), (np.arange(CONTROL_SAMPLES) + 1) % CONTROL_SAMPLES
    first[knot, :, knot] = 1.0 - share
    first[knot, :, after] += share
    weights = first.reshape(-1, CONTROL_SAMPLES)
    if interpolation == "cubic":
        # Curvatures of the periodic spline: (M[j-1] + 4 M[j] + M[j+1]) / 6 = u[j-1] - 2 u[j] + u[j+1].
        shift = np.roll(np.eye(CONTROL_SAMPLES), 1, axis=0)
        second = shift + shift.T - 2.0 * np.eye(CONTROL_SAMPLES)
        curvature = np.linalg.solve(np.eye(CONTROL_SAMPLES) + second / 6.0, second)
        bow = np.zeros((CONTROL_SAMPLES, FINENESS, CONTROL_SAMPLES))
        bow[knot, :, knot] = ((1.0 - share) ** 3 - (1.0 - share)) / 6.0
        bow[knot, :, after] += (share**3 - share) / 6.0
        weights = weights + bow.reshape(-1, CONTROL_SAMPLES) @ curvature
    return weights
