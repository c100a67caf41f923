"""Absorption and scattering of light by water, by its type after Jerlov.

Light fades by Beer and Lambert's law, in each channel by its own coefficient: Jerlov's attenuation of daylight with
depth (Marine Optics, 1976, table XXVII; types I to 1 as Austin and Petzold revised them in 1984), taken at the
wavelengths of a screen's red, green and blue. Water scatters strongly forward (its mean cosine is about 0.92): what is
turned by so little still comes from where it came, so the light of a wide beam and the picture of a large body fade
alike, by what is absorbed and what is turned back. The little that is turned back towards the eye is the veil that
distance draws over everything, and the colour of endless water; its coefficients are those of Droske et al. (The Path
of Water, SIGGRAPH courses 2023) after Solonenko and Mobley (2015), of which Petzold's particles turn back a share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.constants import constant
from ..base.elementary import exp, interpolated, power
from ..scene.water import WATER_TYPES, Water

WAVELENGTHS_NM = constant(np.arange(400.0, 701.0, 25.0))
JERLOV = {
    "I": (0.0217, 0.0185, 0.0176, 0.0184, 0.0280, 0.0504, 0.0640, 0.0931, 0.2408, 0.3174, 0.3559, 0.4372, 0.6513),
    "IA": (0.0316, 0.0280, 0.0257, 0.0250, 0.0332, 0.0545, 0.0674, 0.0960, 0.2437, 0.3206, 0.3601, 0.4410, 0.6530),
    "IB": (0.0438, 0.0395, 0.0355, 0.0330, 0.0396, 0.0596, 0.0715, 0.0995, 0.2471, 0.3245, 0.3652, 0.4457, 0.6550),
    "II": (0.0878, 0.0814, 0.0714, 0.0620, 0.0627, 0.0779, 0.0863, 0.1122, 0.2595, 0.3389, 0.3837, 0.4626, 0.6623),
    "III": (0.1697, 0.1594, 0.1381, 0.1160, 0.1056, 0.1120, 0.1139, 0.1359, 0.2826, 0.3655, 0.4181, 0.4942, 0.6760),
    "1": (0.2516, 0.2374, 0.2048, 0.1700, 0.1486, 0.1461, 0.1415, 0.1596, 0.3057, 0.3922, 0.4525, 0.5257, 0.6896),
    "3": (0.78, 0.54, 0.39, 0.29, 0.22, 0.20, 0.19, 0.21, 0.33, 0.40, 0.46, 0.56, 0.71),
    "5": (1.10, 0.78, 0.56, 0.43, 0.36, 0.31, 0.30, 0.33, 0.40, 0.48, 0.54, 0.65, 0.80),
    "7": (1.60, 1.20, 0.89, 0.71, 0.58, 0.49, 0.46, 0.46, 0.48, 0.54, 0.63, 0.78, 0.92),
    "9": (2.40, 1.90, 1.60, 1.23, 0.99, 0.78, 0.63, 0.58, 0.60, 0.65, 0.76, 0.92, 1.10),
}
"""Attenuation of daylight, 1/m, at those wavelengths."""
SCREEN_NM = constant(np.array([611.4, 549.1, 464.3]))
"""Dominant wavelengths of the primaries of Rec. 709 (ITU-R BT.709), against its white."""
SCATTERING_PER_METRE = {
    "I": (0.001, 0.002, 0.004),
    "IA": (0.002, 0.004, 0.007),
    "IB": (0.045, 0.054, 0.070),
    "II": (0.270, 0.365, 0.516),
    "III": (0.737, 0.998, 1.413),
    "1": (0.274, 0.372, 0.526),
    "3": (0.904, 1.071, 1.532),
    "5": (1.018, 1.382, 1.857),
    "7": (1.772, 2.394, 3.376),
    "9": (2.347, 3.180, 4.496),
}
"""Scattering by particles, red, green and blue, 1/m. Red of type 5 is ours, by the ratio of its neighbours: the table
has more than four times that, an error of its fit."""
BACKWARD = 0.018
"""Share of particles' scattering that goes backward (Petzold 1972)."""
PURE_BACKWARD_PER_METRE = (0.0006, 0.0010, 0.0020)
"""Scattering of pure sea water that goes backward: a half of it (Morel 1974)."""


MEAN_COSINE = 0.92
"""Mean cosine of the angle by which particles turn light (the same, after Petzold)."""
FORWARD_SHARE = 0.45
"""Share of the light of endless water, from the side of the sun, that was turned but once."""
BRIGHTEST_FORWARD = 6.0
"""Towards the sun light turned once is no brighter than so many times that from the side: the rest blurs it."""


def forward(cosine: Any) -> np.ndarray:
    """Radiance of endless water by where one looks, over that square to the sun's rays.

    Light that was turned once goes by the function of Henyey and Greenstein (1941), strongly forward; the rest comes
    alike from everywhere.

    Args:
        cosine: Cosine of the angle between the view and the direction that the rays come from, (...): 1 is towards the
            sun.
    """
    g = MEAN_COSINE
    once = power((1.0 + g * g) / (1.0 + g * g - 2.0 * g * np.asarray(cosine, dtype=float)), 1.5)
    return 1.0 - FORWARD_SHARE + FORWARD_SHARE * np.minimum(once, BRIGHTEST_FORWARD)


@dataclass(frozen=True, eq=False)
class Optics:
    """Attenuation and scattering of red, green and blue by water.

    Attributes:
        attenuation: (3,), 1/m, with depth and with distance.
        scattering: (3,), 1/m, light that is turned by any angle: what is drawn by single rays, such as caustics, fades
            by this besides.
        backscatter: (3,), 1/m, light that is turned back.
    """

    attenuation: np.ndarray
    scattering: np.ndarray
    backscatter: np.ndarray

    @classmethod
    def of(cls, water: Water) -> Optics:
        """The optics of water of a type, and on the way to the next."""
        here = WATER_TYPES.index(water.type)
        there = min(here + 1, len(WATER_TYPES) - 1)
        first, second = _type(WATER_TYPES[here]), _type(WATER_TYPES[there])
        # Along the geometric mean: types are steps of about one factor.
        attenuation, scattering = power(first, 1.0 - water.turbidity) * power(second, water.turbidity)
        return cls(attenuation, scattering, BACKWARD * scattering + PURE_BACKWARD_PER_METRE)

    def transmitted(self, metres: Any) -> np.ndarray:
        """Share of light left after a way through the water (...), (..., 3)."""
        return exp(-np.asarray(metres, dtype=float)[..., None] * self.attenuation)

    def veil(self, depth: float) -> np.ndarray:
        """Radiance (3,) of endless water seen along the level at a depth in metres, over irradiance at the surface.

        The light that a metre turns towards the eye comes through the water before it, so the sum over the whole line
        of sight is the light that a metre sends over the light that it takes.
        """
        return self.backscatter / (2.0 * np.pi) / self.attenuation * self.transmitted(depth)


def _type(name: str) -> np.ndarray:
    """Attenuation and scattering of a type, (2, 3)."""
    return np.array([interpolated(SCREEN_NM, WAVELENGTHS_NM, np.array(JERLOV[name])), SCATTERING_PER_METRE[name]])
