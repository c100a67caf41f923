"""Exchanges between replicas and others: bodies with dynamic fishes, advice with minds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Advice(NamedTuple):
    """Advice of another pace to fishes that have stayed too long in one segment.

    Attributes:
        fishes: Rows of the fishes, (n,).
        pace: Advised pace from 0, the slowest that each is at ease with, to 1, the fastest, (n,).
    """

    fishes: np.ndarray
    pace: np.ndarray


class Handover(NamedTuple):
    """The body of a replica for the dynamic fish that it becomes.

    Attributes:
        nodes: Metres, (n, 23, 3).
        velocity: Velocities of the nodes in m/s, (n, 23, 3).
        phase: Phase of the beat in radians, (n,).
        tension: Tension of the muscles: amplitude of the beat, and bends of the two turning segments, left positive,
            (n, 3).
        course: Azimuth that it steers in radians, (n,).
    """

    nodes: np.ndarray
    velocity: np.ndarray
    phase: np.ndarray
    tension: np.ndarray
    course: np.ndarray
