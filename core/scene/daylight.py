"""Daylight: how bright it is at the surface at any time of a film, by keys and by the hour of the day."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.elementary import sin
from ..base.keys import at_time
from .water import Light

MOONLIGHT = 0.08
"""Brightness of a night, over noon: what a film shows by moonlight; a real one is a thousand times darker."""
DUSK, BROAD_DAY = -0.1, 0.5
"""Sine of the sun's elevation at which it is dark, the end of civil twilight, and from which on it is as at noon."""
HOURS, SUNRISE = 24.0, 6.0


def changes(light: Light) -> bool:
    """True if fishes can tell the time of day by this light."""
    return light.daytime is not None or isinstance(light.brightness, tuple)


def hour_at(light: Light, t: float) -> float | None:
    """The hour of the day at `t` seconds of the film, 0 to 24; None where it has none."""
    if light.daytime is None:
        return None
    return (light.daytime + HOURS * t / light.day_length) % HOURS


def brightness_at(light: Light, t: float) -> float:
    """Brightness at the surface at `t` seconds of the film, 0 to 1.

    The sun goes as over the equator at an equinox: sine of elevation = sin(2 pi (hour - 6) / 24).
    """
    hour, bright = hour_at(light, t), at_time(light.brightness, t)
    if hour is None:
        return bright
    elevation = float(sin(2.0 * np.pi * (hour - SUNRISE) / HOURS))
    share = min(max((elevation - DUSK) / (BROAD_DAY - DUSK), 0.0), 1.0)
    return bright * (MOONLIGHT + (1.0 - MOONLIGHT) * share * share * (3.0 - 2.0 * share))


def brightest(scene: Any) -> float:
    """The most that it is bright at the surface in any frame of a Scene's film, 0 to 1."""
    if not changes(scene.light):
        return brightness_at(scene.light, 0.0)
    return max(brightness_at(scene.light, frame / scene.fps) for frame in range(scene.frames + 1))
