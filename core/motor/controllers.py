"""The nine motor controllers: parameterised procedures from which all behavior is composed (Tu 1999, §4.6).

Four act on the muscles: `swim`, `left_turn`, `right_turn` and `glide`. Five act on the pectoral fins: `ascend`,
`descend`, `balance`, `brake` and `backward`. Each maps the commands of many fishes at once to the parameters of
their muscles or fins. Contractions are shares of the most that a muscle can shorten, 1 - r in the book's terms,
and rates are contractions a second.
"""

from __future__ import annotations

import numpy as np

from .tuning import (
    BEAT_FADE_SPEED,
    FIN_BRAKING_ANGLE,
    FIN_HIGHEST_ANGLE,
    FIN_LEVEL_ANGLE,
    FIN_LOWEST_ANGLE,
    STEERING_MAP_ANGLES,
)


def swim(
    speed: np.ndarray, tail_beat: np.ndarray, slow_beat: np.ndarray, slow_amplitude: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Swim-MC: a speed becomes a frequency and an amplitude of the beat.

    The book's optimal parameters are those at speed 1; a slower swim beats more slowly and less widely, both in
    proportion to the speed above what is left of them at the slowest.

    Args:
        speed: 0 to 1, (fish,).
        tail_beat: Beats a second at full speed, (fish,).
        slow_beat: Share of the beats left at the slowest, (fish,).
        slow_amplitude: Share of the contractions left at the slowest, (fish,).

    Returns:
        Beats a second and the share of the best contractions, (fish,) each.
    """
    frequency = tail_beat * (slow_beat + (1.0 - slow_beat) * speed)
    amplitude = (slow_amplitude + (1.0 - slow_amplitude) * speed) * np.minimum(speed / BEAT_FADE_SPEED, 1.0)
    return frequency, amplitude


def glide(fishes: int) -> np.ndarray:
    """Glide-MC: all muscles go back to their natural lengths; contractions of zero, (fish,)."""
    return np.zeros(fishes)


def left_turn(angle: np.ndarray, steering: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Left-turn-MC: an angle becomes contractions of the two turning segments and their rate.

    Interpolates the four parameter sets of the steering map. Angles above 90 degrees take the last set; the turn
    goes on until it is done, as the chained turns of the book.

    Args:
        angle: Angle still to be turned in radians, 0 or more, (fish,).
        steering: The map's "front", "middle" and "rate", (fish, 4) each.

    Returns:
        Contractions of the left side, (2, fish), front segment first, and full contractions a beat, (fish,).
    """
    knots = np.concatenate([[0.0], STEERING_MAP_ANGLES])
    place = np.clip(np.searchsorted(knots, angle, side="right") - 1, 0, 3)
    share = np.minimum((angle - knots[place]) / (knots[place + 1] - knots[place]), 1.0)
    rows = np.arange(len(angle))

    def interpolate(values: np.ndarray) -> np.ndarray:
        before = np.where(place > 0, values[rows, place - 1], 0.0)
        return before + share * (values[rows, place] - before)

    contraction = np.stack([interpolate(steering["front"]), interpolate(steering["middle"])])
    return contraction, np.maximum(interpolate(steering["rate"]), steering["rate"][:, 0])


def right_turn(angle: np.ndarray, steering: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Right-turn-MC: the mirror image of `left_turn`; contractions of the right side are negative."""
    contraction, rate = left_turn(angle, steering)
    return -contraction, rate


def ascend(angle: np.ndarray) -> np.ndarray:
    """Ascend-MC: an angle of ascent from 0 to pi/2 becomes gamma from pi/2 to 3 pi/4."""
    return FIN_LEVEL_ANGLE + 0.5 * np.clip(angle, 0.0, np.pi / 2)


def descend(angle: np.ndarray) -> np.ndarray:
    """Descend-MC: an angle of descent from 0 to pi/2 becomes gamma from pi/2 to pi/4."""
    return FIN_LEVEL_ANGLE - 0.5 * np.clip(angle, 0.0, np.pi / 2)


def balance(roll: np.ndarray, gamma: np.ndarray) -> np.ndarray:
    """Balance-MC: the roll to be undone becomes two fin angles around a common one.

    Args:
        roll: Roll to be undone in radians, positive with the left side up, (fish,).
        gamma: Angle of both fins before, (fish,).

    Returns:
        Gamma of the left and the right fin, (2, fish), within pi/4 and 3 pi/4.
    """
    return np.clip(np.stack([gamma - 0.5 * roll, gamma + 0.5 * roll]), FIN_LOWEST_ANGLE, FIN_HIGHEST_ANGLE)


def brake(fishes: int) -> np.ndarray:
    """Brake-MC: both fins broadside to the flow, gamma = pi, (2, fish)."""
    return np.full((2, fishes), FIN_BRAKING_ANGLE)


def backward(speed: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Backward-MC: a speed of retreat becomes broadside fins and a rowing speed.

    Args:
        speed: 0 to 1, (fish,).
        row: Fastest rowing, in any unit of speed, (fish,).

    Returns:
        Gamma of both fins, (2, fish), and the rowing speed, (fish,), in the unit of `row`.
    """
    return brake(len(speed)), speed * row
