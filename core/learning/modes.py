"""Abstraction: what muscles do over time becomes one or two modes (Terzopoulos et al. 1994, §4.3).

A short-time FFT finds the frequencies that matter, least squares their amplitude and phase in each muscle, and what is
negligible is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..base.codec import SceneError
from .tuning import FINE_SPECTRUM, NEGLIGIBLE_SHARE, SLOWEST_MODE, WHOLE_HARMONIC, WINDOW_HOPS, WINDOW_SHARE

LEAST_SAMPLES = 12
_PROBES, _ROUNDS = 21, 4  # of a search for a peak: places in each round, each of which looks ten times as closely


@dataclass(frozen=True, eq=False)
class Modes:
    """Muscle controls as one or two modes: mean + sum of amplitude sin(2 pi harmonic frequency t - phase).

    Attributes:
        frequency: Beats a second of the first mode.
        harmonics: Beats of each mode in one of the first, (modes,).
        mean: Mean of each muscle, (m,).
        amplitude: Amplitude of each mode in each muscle, (modes, m).
        phase: Radians, (modes, m).
        kept: Share of the power about the mean that they keep.
    """

    frequency: float
    harmonics: np.ndarray
    mean: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray
    kept: float

    def signals(self, t: np.ndarray) -> np.ndarray:
        """The controls at these times in seconds, (m, n), made of the modes alone."""
        angles = 2.0 * np.pi * self.frequency * self.harmonics[:, None] * t
        waves = np.sin(angles[:, None] - self.phase[:, :, None])
        return self.mean[:, None] + (self.amplitude[:, :, None] * waves).sum(axis=0)


def spectrum(signals: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """The short-time Fourier transform of signals: windows in time, and the power of each frequency in each.

    Args:
        signals: (m, n).
        step: Seconds from one sample to the next.

    Returns:
        Hertz, (k,), and the power of all signals in each window, (windows, k).

    Raises:
        SceneError: If there are too few samples.
    """
    count = signals.shape[1]
    if count < LEAST_SAMPLES:
        raise SceneError(f"{count} samples", f"{LEAST_SAMPLES} or more", key="samples")
    size = max(int(count * WINDOW_SHARE), LEAST_SAMPLES)
    begins = np.unique(np.linspace(0, count - size, max(1, (count - size) * WINDOW_HOPS // size + 1)).astype(int))
    pieces = np.stack([signals[:, begin : begin + size] for begin in begins])
    pieces = (pieces - pieces.mean(axis=-1, keepdims=True)) * np.hanning(size + 2)[1:-1]
    found = np.fft.rfft(pieces, FINE_SPECTRUM * size)
    return np.fft.rfftfreq(FINE_SPECTRUM * size, step), np.square(np.abs(found)).sum(axis=1)


def abstracted(signals: np.ndarray, step: float, most: int = 2) -> Modes:
    """The modes of muscle controls.

    Args:
        signals: Contraction of each muscle over time, (m, n).
        step: Seconds from one sample to the next.
        most: Most modes.

    Raises:
        SceneError: If nothing moves, or there are too few samples.
    """
    signals = np.asarray(signals, dtype=float)
    t = np.arange(signals.shape[1]) * step
    whole = float(np.square(signals - signals.mean(axis=1, keepdims=True)).sum())
    if not whole > 1e-12 * signals.size:
        raise SceneError("muscles that do nothing", "some that beat", key="samples")
    first = _peak(signals, signals, step, [])
    frequencies = [first]
    while len(frequencies) < most:
        rest = signals - _fitted(signals, t, frequencies)[1]
        if np.square(rest).sum() < NEGLIGIBLE_SHARE * whole:
            break
        found = _peak(signals, rest, step, frequencies)
        ratio = found / first
        if abs(ratio - round(ratio)) < WHOLE_HARMONIC and round(ratio) > 1:
            found = round(ratio) * first
        gain = np.square(rest).sum() - np.square(signals - _fitted(signals, t, [*frequencies, found])[1]).sum()
        if gain < NEGLIGIBLE_SHARE * whole:
            break
        first = _closer(signals, t, np.array([1.0, found / first]), first, 0.5 / (WINDOW_SHARE * t[-1]))
        frequencies = [first, first * (found / frequencies[0])]
    return _modes(signals, t, first, frequencies)


def fitted(signals: np.ndarray, step: float, beat: float, harmonics: Sequence[float]) -> Modes:
    """The modes of muscle controls, (m, n), at some times a known beat in Hz, by least squares."""
    t = np.arange(signals.shape[1]) * step
    return _modes(signals, t, beat, [beat * harmonic for harmonic in harmonics])


def _modes(signals: np.ndarray, t: np.ndarray, beat: float, frequencies: Sequence[float]) -> Modes:
    """The modes of these frequencies, of a beat."""
    weights, made = _fitted(signals, t, frequencies)
    sines, cosines = weights[1::2], weights[2::2]
    whole = float(np.square(signals - signals.mean(axis=1, keepdims=True)).sum())
    return Modes(
        frequency=beat,
        harmonics=np.array(frequencies) / beat,
        mean=weights[0],
        amplitude=np.hypot(sines, cosines),
        phase=np.arctan2(-cosines, sines),
        kept=1.0 - float(np.square(signals - made).sum()) / max(whole, 1e-300),
    )


def _peak(signals: np.ndarray, rest: np.ndarray, step: float, others: Sequence[float]) -> float:
    """The frequency that the most of what is left of signals goes with, beside others that are known already."""
    frequencies, powers = spectrum(rest, step)
    window = max(int(signals.shape[1] * WINDOW_SHARE), LEAST_SAMPLES) * step
    heard = frequencies >= SLOWEST_MODE / window
    if not heard.any():
        raise SceneError(f"{signals.shape[1]} samples {step:.3g} s apart", "a longer time", key="samples")
    best = float(frequencies[heard][powers[:, heard].sum(axis=0).argmax()])
    return _closer(signals, np.arange(signals.shape[1]) * step, np.ones(1), best, 0.5 / window, others)


def _closer(
    signals: np.ndarray, t: np.ndarray, ratios: np.ndarray, about: float, reach: float, others: Sequence[float] = ()
) -> float:
    """The frequency within reach that, with some times it and beside others that are known, leaves least of signals."""
    best, lowest = about, 0.1 * about
    for _ in range(_ROUNDS):
        probes = np.maximum(best + reach * np.linspace(-1.0, 1.0, _PROBES), lowest)
        made = (_fitted(signals, t, [*others, *(ratios * probe).tolist()])[1] for probe in probes)
        left = [np.square(signals - one).sum() for one in made]
        best, reach = float(probes[int(np.argmin(left))]), reach * 2.0 / (_PROBES - 1)
    return best


def _fitted(signals: np.ndarray, t: np.ndarray, frequencies: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Least squares: weights of the mean and of sine and cosine of each frequency, (1 + 2 k, m), and what they make."""
    angles = 2.0 * np.pi * np.outer(t, frequencies)
    waves = [wave(angle) for angle in angles.T for wave in (np.sin, np.cos)]
    basis = np.stack([np.ones(len(t)), *waves], axis=1)
    weights = np.linalg.lstsq(basis, signals.T, rcond=None)[0]
    return weights, (basis @ weights).T
