"""What replicas exchange with others: bodies with dynamic fishes, advice with minds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Advice(NamedTuple):
    """What those who have stayed too long in one segment are advised to change to.

    Attributes:
        fishes: Who, (n,).
        pace: From 0, the slowest that each is at ease with, to 1, the fastest, (n,).
    """

    fishes: np.ndarray
    pace: np.ndarray


class Body(NamedTuple):
    """What a replica hands to the dynamic fish that it becomes.

    Attributes:
        nodes: Metres, (n, 23, 3).
        velocity: Of the nodes in m/s, (n, 23, 3).
        phase: Of the beat in radians, (n,).
        tension: Of the muscles: amplitude of the beat, and bends of the two turning segments, left positive, (n, 3).
        course: Azimuth that it steers in radians, (n,).
    """

    nodes: np.ndarray
    velocity: np.ndarray
    phase: np.ndarray
    tension: np.ndarray
    course: np.ndarray
