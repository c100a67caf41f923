"""Fleeing by the book's rules."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arctan2, sin_and_cos
from artfish.core.base.vectors import cross, dot, local, norm, unit, wrap

Array = np.ndarray


def flee(
    *,
    fleeing: SimpleNamespace,
    rules: Array,
    rows: Array,
    places: Array,
    headings: Array,
    motions: Array,
    sizes: Array,
    chances: Array,
    middles: Array,
    velocities: Array,
    frames: Array,
    lengths: Array,
    astern: Array,
    ways: Array,
    paces: Array,
    flings: Array,
    turns: Array,
    followed: Array,
) -> None:
    """The first rule whose conditions all hold says how each turns; who is startled flings itself round."""
    frame, length, offset = frames[rows], lengths[rows], places - middles[rows]
    own, its_ahead = local(frame, offset), unit(local(frame, headings))
    closing, distance = -dot(motions - velocities[rows], unit(offset)), norm(offset)

    holds = circumstances(fleeing, own, its_ahead, closing, fleeing.close * (length + sizes))
    words_hold = [[words[word] for words, word in zip(holds, rule, strict=False)] for rule in rules]
    fires = np.all(words_hold, axis=1)
    followed[:] = np.where(fires.any(axis=0), fires.argmax(axis=0), -1)
    away = wrap(arctan2(own[:, 1], own[:, 0]) + np.pi)
    about, none = np.where(chances < 0.5, np.pi, -np.pi), np.zeros(len(rows))
    choices = np.stack((about, none, to_the_left(fleeing, away), -to_the_left(fleeing, -away)))
    full_speed = 1
    action = np.where(followed < 0, full_speed, rules[followed, -1])
    turn = choices[action, np.arange(len(rows))]
    outward = np.clip(turn + astern[rows] * misses(fleeing, own, its_ahead), -np.pi, np.pi)
    turns[:] = np.where(astern[rows] == 0.0, turn, outward)

    startled = distance < fleeing.start_lengths * length + 0.5 * sizes
    paces[:] = 1.0 + (distance < fleeing.burst_lengths * (length + sizes))
    flings[:] = np.where(startled & (np.abs(turns) > fleeing.least_start), turns, 0.0)
    ways[:] = wish(fleeing, frame[:, :, 0], frame[:, :, 1], turns, offset)


def circumstances(fleeing: SimpleNamespace, own: Array, its_ahead: Array, closing: Array, reach: Array) -> list:
    """Every word of a rule in the order of escape.py, with the mask of the foes of which it holds, (n,) each."""
    bearing, always = np.abs(arctan2(own[:, 1], own[:, 0])), np.ones(len(own), dtype=bool)
    close, front, behind = norm(own) < reach, bearing <= fleeing.front, bearing >= np.pi - fleeing.behind
    along, across = its_ahead[:, 0], its_ahead[:, 1]
    return [
        (always, ~close, close),
        (always, front, behind, ~front & ~behind),
        (always, own[:, 1] > 0, own[:, 1] < 0),
        (always, along >= fleeing.roughly_cosine, np.abs(along) <= fleeing.roughly_sine),
        (always, across > 0, across < 0),
        (always, closing > 0, closing <= 0),
    ]


def to_the_left(fleeing: SimpleNamespace, away: Array) -> Array:
    """The turn to the left that leads to this angle, or as near to it as a turn to the left may, (n,)."""
    return np.clip(np.where(away < -np.pi / 2, away + 2 * np.pi, away), fleeing.least_turn, np.pi)


def misses(fleeing: SimpleNamespace, own: Array, its_ahead: Array) -> Array:
    """The side of its course on which a foe leaves me, seen from above, -1 to 1, left positive; 0 ahead, (n,)."""
    course, off = unit(its_ahead[:, :2]), unit(-own[:, :2])
    sine = course[:, 0] * off[:, 1] - course[:, 1] * off[:, 0]
    share = (np.abs(sine) - fleeing.right_ahead) / fleeing.missing
    return np.clip(share, 0.0, 1.0) * np.where(sine < 0.0, -1.0, 1.0)


def wish(fleeing: SimpleNamespace, ahead: Array, left: Array, turn: Array, offset: Array) -> Array:
    """Ways of fishes that turn in the horizontal plane, down from a foe above and up from one below, (n, 3)."""
    up = np.array((0.0, 0.0, 1.0))
    flat = ahead * (1.0, 1.0, 0.0)
    onward = unit(np.where(norm(flat)[:, None] > 1e-6, flat, cross(left, up)))
    port = cross(up, onward)
    port *= np.where(dot(port, left) < 0, -1.0, 1.0)[:, None]  # a fish on its back turns left the other way
    beside, on = sin_and_cos(np.clip(turn, -fleeing.astern, fleeing.astern)[:, None])
    rise = np.clip(-unit(offset)[:, 2:], -fleeing.steepest, fleeing.steepest)
    return np.sqrt(1 - np.square(rise)) * (on * onward + beside * port) + rise * up
