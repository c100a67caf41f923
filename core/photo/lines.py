"""The forms that backs and bellies of fishes take in side view, from the nose at 0 to the root of the tail at 1."""

from __future__ import annotations

import functools
import itertools

import numpy as np

LINE_STATIONS = 64
PEAK_STATIONS = (0.22, 0.32, 0.42, 0.52)
SNOUT_POWERS = (0.25, 0.4, 0.6, 0.85, 1.2, 1.8, 2.7)
ROOT_HEIGHTS = (0.12, 0.25, 0.4, 0.65)
REAR_POWERS, ROOT_REACHES = (0.6, 1.0), (0.85, 1.0)
"""Stations at which lines are highest; powers of the snout; heights of the tail's root; powers of the rear; and the
distance behind the highest place at which the root's height is reached, over all that is behind it."""
USUAL_SNOUT_POWER, SNOUT_SPREAD = 0.65, 0.5
"""Usual power of snouts, the lower the blunter, and the spread of others, as a logarithm."""
CHANCE_LEVELS = 73
"""Heights at which it is told how likely they are."""


def station_grid(count: int = LINE_STATIONS) -> np.ndarray:
    """Stations from 0 to 1, dense at the nose, so that a round snout and a pointed one are both smooth in them."""
    t = np.linspace(0.0, 1.0, count)
    return t * t * 1.3 / (t + 0.3)


@functools.cache
def line_forms() -> np.ndarray:
    """Heights (forms, stations) of backs and bellies of all sorts, 1 at the highest."""
    s = station_grid()
    forms = []
    for peak, snout, root, full, behind in _kinds():
        front = np.sin(0.5 * np.pi * np.minimum(s / peak, 1.0)) ** snout
        fall = np.clip((s - peak) / (1.0 - peak) / behind, 0.0, 1.0)
        forms.append(front * (root + (1.0 - root) * (0.5 + 0.5 * np.cos(np.pi * fall)) ** full))
    return np.array(forms)


def _kinds() -> list[tuple[float, float, float, float, float]]:
    return list(itertools.product(PEAK_STATIONS, SNOUT_POWERS, ROOT_HEIGHTS, REAR_POWERS, ROOT_REACHES))


@functools.cache
def unlikeness() -> np.ndarray:
    """Mean square difference (forms, forms) between the forms."""
    forms = line_forms()
    square = (forms**2).mean(axis=1)
    return square[:, None] + square - 2.0 * (forms @ forms.T) / forms.shape[1]


def sizes(along: np.ndarray, above: np.ndarray) -> np.ndarray:
    """The height of each of the forms (forms,) through points at stations (n,) and heights (n,)."""
    there = np.array([np.interp(along, station_grid(), form) for form in line_forms()])
    return np.exp(np.log(above / np.maximum(there, 1e-3)).mean(axis=1))


def chances(along: np.ndarray, above: np.ndarray) -> tuple[np.ndarray, float]:
    """The chance that a line through points at stations (n,) and heights (n,) is above each place.

    Returns:
        By station and level (stations, levels), 0 to 1; and from level to level.
    """
    lines = line_forms() * sizes(along, above)[:, None]
    levels = np.linspace(0.0, float(lines.max()), CHANCE_LEVELS)
    snouts = np.array([snout for _, snout, *_ in _kinds()])
    usual = np.exp(-0.5 * (np.log(snouts / USUAL_SNOUT_POWER) / SNOUT_SPREAD) ** 2)
    return np.einsum("f,fsl->sl", usual / usual.sum(), lines[:, :, None] > levels), float(levels[1])
