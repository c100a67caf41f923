"""From a model to a species: its own form, and the gait of the preset that is built most like it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..base.codec import SceneError
from ..scene.physique import LEAST_GAP, TALLEST_RING, WIDEST_RING, Body
from ..scene.species import Form, Pectoral, Rhythm, Species
from .fins import MEDIAN_SIGNS, fin_columns, flank_at, parts
from .measure import Measures, measure
from .model import Model
from .pose import ModelPose, standing
from .swim import repeats, swims
from .tuning import (
    ANAL_STATION,
    LAST_RING_LEEWAY,
    LONGEST_METRES,
    RING_RATIOS,
    RING_STATION,
    SHORTEST_METRES,
    WING_RATE,
    WING_STROKE,
)

UNEVEN = "it swims well, but at some paces one beat is unlike the next, and loops need beats that repeat"
"""The note on a body that swims but cannot be captured."""
KIN_OF_RAYS = "reef_shark"
"""The preset whose kin rays are."""
UNIT_METRES = {"metres": 1.0, "centimetres": 0.01, "millimetres": 0.001}
"""Units a model may have, in the order in which they are tried."""
OUTLINE_SHARES = 0.0, 0.04, 0.1, 0.18, 0.28, 0.4, 0.52, 0.64, 0.76, 0.88, 1.0
"""Places of an outline's points, as shares of the way from the nose to the root of the tail's fin."""
FIN_ROWS = 8
"""Rows of a median fin."""
OWN_SHARES = *((share, 1.0) for share in (1.0, 0.75, 0.5, 0.25, 0.0)), (1.0, 0.0), (0.5, 0.0), (0.0, 0.0)
"""Shares of a model's own proportions in its masses and springs, and of its own length in its beat; tried in turn until
it swims and repeats its beats. With the last it swims entirely as the preset does."""


def species(
    model: Model, name: str, pose: ModelPose, length_m: float | None = None, notes: list[str] | None = None
) -> Species:
    """A species measured from a model.

    Args:
        model: Model as it came.
        name: Stem of the species' file, and of the model's .blend beside it.
        pose: Pose of the model.
        length_m: Length from nose to tail in metres; the pose's length as metres, centimetres or millimetres if left
            out.
        notes: Takes a line in plain words for each guess and each result that its maker may not expect.

    Raises:
        SceneError: If it has no body that could be measured, or a name or a length is not as declared.
    """
    said = [] if notes is None else notes
    near = standing(model, pose)
    measures = measure(near)
    if not measures.half_width.max() > 0.0:
        raise SceneError("a model without a body", "a mesh that is more than a sheet", key="model")
    found = parts(near, measures)
    form = _form(near, measures, found, said)
    kin = nearest(measures)
    length = likely_metres(pose.length, said) if length_m is None else float(length_m)
    said.append(f"it swims like the {kin.common_name.lower()}, whose build is nearest")
    wrong = ""
    for share, scaled in OWN_SHARES:
        made = _made(name, kin, form, measures, length, share, scaled)
        swam = swims(made, kin)
        if swam and repeats(made):
            break
        wrong = wrong or (UNEVEN if swam else "it swims badly")
    if share < 1.0:
        said.append(f"built as it is {wrong}: {1.0 - share:.0%} of its masses and springs are as that fish's")
    if scaled < 1.0:
        said.append(f"beating as one of its length {wrong}: it beats as that fish does")
    return Species.from_dict(made.to_dict(), f"{name}.json")


def nearest(measures: Measures) -> Species:
    """The preset that is built most like a model: as high, as wide, with as high a tail; for a ray, a shark."""
    if measures.winged:
        return Species.load(KIN_OF_RAYS)
    build = _build(measures.stations, measures.back - measures.belly, 2.0 * measures.half_width, measures.tail)
    presets = [Species.load(name) for name in Species.names() if name != "thesis"]
    return min(presets, key=lambda kin: float(np.square(build - _build_of(kin)).sum()))


def _build(stations: np.ndarray, height: np.ndarray, width: np.ndarray, tail: np.ndarray) -> np.ndarray:
    """Numbers by which fishes are compared, in lengths."""
    at = np.array([0.2, 0.4, 0.6, 0.8])
    return np.concatenate([np.interp(at, stations, height), np.interp(at, stations, width), [0.5 * np.ptp(tail[:, 1])]])


def _build_of(kin: Species) -> np.ndarray:
    back, belly, width = (np.array(line) for line in (kin.form.back, kin.form.belly, kin.form.half_width))
    stations = np.linspace(0.0, 1.0, 101)
    tall = np.interp(stations, *back.T) - np.interp(stations, *belly.T)
    return _build(stations, tall, 2.0 * np.interp(stations, *width.T), np.array(kin.form.caudal))


def likely_metres(length: float, said: list[str]) -> float:
    """A length in some unit as metres."""
    for unit, metres in UNIT_METRES.items():
        if SHORTEST_METRES <= length * metres <= LONGEST_METRES:
            if unit != "metres":
                said.append(f"it is {length:.3g} units long, taken for {unit}; set the length where that is wrong")
            return length * metres
    said.append(f"it is {length:.3g} units long, which is no fish in any unit; it is made 0.3 m long")
    return 0.3


def _made(
    name: str, kin: Species, form: Form, measures: Measures, length: float, share: float, scaled: float
) -> Species:
    """The species with so much of its own proportions, and of the beat of its length."""
    slower = float(length / kin.length) ** (0.5 * scaled)
    rhythm = kin.rhythm
    low, high = 0.1 / rhythm.tail_beat, 10.0 / max(rhythm.tail_beat, rhythm.burst_beat * 10.0 / 14.0)
    pace = float(np.clip(1.0 / slower, max(low, kin.time_scale / 0.25), min(high, kin.time_scale / 0.005)))
    return replace(
        kin,
        name=name,
        common_name=name.replace("_", " ").replace("-", " ").strip().capitalize() or name,
        latin_name="",
        model=name,
        traits=None,
        length=length,
        time_scale=kin.time_scale / pace,
        rhythm=paced(rhythm, pace),
        pectoral=stroked(_winged(kin.pectoral) if measures.winged else kin.pectoral, pace),
        body=_body(kin, measures, form, share),
        form=form,
    )


def paced(rhythm: Rhythm, pace: float) -> Rhythm:
    """A rhythm whose beats are quicker by a factor."""
    return replace(rhythm, tail_beat=rhythm.tail_beat * pace, burst_beat=rhythm.burst_beat * pace)


def _winged(pectoral: Pectoral) -> Pectoral:
    """Fins that are a ray's wings: they stroke up and down, and the tail trails."""
    return replace(pectoral, wing=0.0, oaring=0.0, spread=0.0, stroke=WING_STROKE, stroke_rate=WING_RATE)


def stroked(pectoral: Pectoral, pace: float) -> Pectoral:
    """Fins whose strokes are quicker by a factor."""
    most = {"flap": 1.5, "row": 2.0, "turn": 4.0, "gait_speed": 3.0, "stroke_rate": 10.0}
    least = {"turn": 0.8, "gait_speed": 0.2, "stroke_rate": 0.5}
    rates: dict[str, Any] = {
        key: float(np.clip(pace * getattr(pectoral, key), least.get(key, 0.0), top)) for key, top in most.items()
    }
    return replace(pectoral, **rates)


def _body(kin: Species, measures: Measures, form: Form, share: float) -> Body:
    """Masses and springs of the preset in the proportions of the model, within those that bodies can have.

    The preset's rings stand to its outlines as its swimming was tuned with; the model's stand so to its own.
    """
    body = kin.body
    stations = list(body.stations)
    stations[4] += share * float(np.clip(form.back[-1][0] - stations[4], -LAST_RING_LEEWAY, LAST_RING_LEEWAY))
    stations[4] = max(stations[4], stations[3] + LEAST_GAP)
    before, here = np.array(body.stations), np.array(stations)
    back, belly, width = (np.array(line) for line in (kin.form.back, kin.form.belly, kin.form.half_width))
    tall = (measures.at("back", here) - measures.at("belly", here)) / (
        np.interp(before, *back.T) - np.interp(before, *belly.T)
    )
    wide = measures.at("half_width", here) / np.interp(before, *width.T)
    for ratio in (tall, wide):
        ratio[:] = 1.0 + share * (np.clip(ratio, *RING_RATIOS) - 1.0)
        ratio[-1] = 1.0  # the suppleness of the tail's root was tuned
    heights = np.clip(np.array(body.half_heights) * tall, 0.015, 0.3)
    widths = np.clip(np.array(body.half_widths) * wide, 1.01 * heights / TALLEST_RING, 0.99 * WIDEST_RING * heights)
    widths = np.clip(widths, 0.01, 0.2)
    rises = np.array(body.rise) - body.rise[1]
    span = 0.5 * float(np.ptp(np.array(form.caudal)[:, 1]))
    was = 0.5 * float(np.ptp(np.array(kin.form.caudal)[:, 1]))
    tail = float(np.clip(body.tail_half_height * (1.0 + share * (span / max(was, 1e-3) - 1.0)), 0.05, 0.25))
    return replace(
        body,
        stations=_rounded(stations),
        half_heights=_rounded(heights),
        half_widths=_rounded(widths),
        rise=_rounded(np.clip(rises, -0.02, 0.02)),
        tail_half_height=round(tail, 4),
        reaction=min(body.reaction, body.reaction * (body.tail_half_height / tail) ** 2),
    )


def _form(near: Model, measures: Measures, found: dict[str, np.ndarray], said: list[str]) -> Form:
    """Outlines, fins and eyes as measured."""
    root = round(min(measures.root, 0.95), 3)
    stations = root * np.array(OUTLINE_SHARES)
    lines = {name: measures.at(name, stations) for name in ("back", "belly", "half_width", "widest")}
    nose = float(lines["back"][0] + lines["belly"][0]) / 2
    back, belly, width = lines["back"], lines["belly"], np.maximum(lines["half_width"], 0.002)
    back[0] = belly[0] = nose
    back[1:], belly[1:] = np.maximum(back[1:], belly[1:] + 0.004), belly[1:]
    width[0] = 0.0
    tall = back - belly
    widest = float(np.median(((lines["widest"] - belly) / np.maximum(tall, 1e-6))[3:-1]))
    dorsal, ventral = (_median_fin(measures, name, len(found[name]) > 0, said) for name in MEDIAN_SIGNS)
    made = Form(
        back=_rows(stations, back),
        belly=_rows(stations, belly),
        half_width=_rows(stations, width),
        widest=round(float(np.clip(widest, 0.1, 0.9)), 3),
        dorsal=dorsal,
        ventral=ventral,
        caudal=tuple((round(float(s), 4), round(float(z), 4)) for s, z in measures.tail),
    )
    made = replace(made, **_pectoral(near, measures, found, said))
    return replace(made, **_eye(near, measures, found, said))


def _median_fin(measures: Measures, name: str, there: bool, said: list[str]) -> tuple:
    """Rays of a dorsal or ventral fin: station of the root, height, lean."""
    sign = MEDIAN_SIGNS[name]
    fin = fin_columns(measures, sign)
    if name == "ventral":
        fin &= measures.stations > ANAL_STATION
    if not there or not fin.any():
        said.append(f"no {'dorsal' if sign > 0.0 else 'anal'} fin was found")
        return ((0.45, 0.0, 0.0), (0.6, 0.0, 0.0))
    first, last = measures.stations[np.flatnonzero(fin)[[0, -1]]]
    stations = np.linspace(first - 0.005, max(last + 0.005, first + 0.03), FIN_ROWS)
    edge, outer = ("back", "top") if sign > 0.0 else ("belly", "bottom")
    tall = sign * (measures.at(outer, stations) - measures.at(edge, stations))
    tall = np.where(np.interp(stations, measures.stations, fin.astype(float)) > 0.0, np.maximum(tall, 0.0), 0.0)
    tall[0] = 0.0
    return tuple((round(float(s), 4), round(float(h), 4), 0.0) for s, h in zip(stations, tall, strict=True))


def _pectoral(near: Model, measures: Measures, found: dict[str, np.ndarray], said: list[str]) -> dict[str, Any]:
    """The root, the size and the stance of the pectoral fins; both sides together."""
    sides = [near.vertices[found[f"pectoral_{side}"]] * (1.0, sign, 1.0) for side, sign in (("left", 1), ("right", -1))]
    places = np.concatenate(sides)
    if len(places) < 3:
        said.append("no pectoral fins were found")
        return {}
    station = RING_STATION - places[:, 0]
    off = places[:, 1] - flank_at(measures, station, places[:, 2])
    root = places[off <= np.quantile(off, 0.15)].mean(axis=0)
    out = np.linalg.norm(places - root, axis=1)
    along = places[out >= np.quantile(out, 0.7)].mean(axis=0) - root
    along /= max(float(np.linalg.norm(along)), 1e-9)
    reach = float(np.quantile((places - root) @ along, 0.98))
    rest = places - root - np.outer((places - root) @ along, along)
    _, _, axes = np.linalg.svd(rest - rest.mean(axis=0), full_matrices=False)
    across = axes[0] * (1.0 if axes[0][2] + axes[0][0] > 0.0 else -1.0)
    breadth = float(np.ptp(rest @ across))
    droop = float(np.arcsin(np.clip(-along[2], -1.0, 1.0)))
    spread = float(np.arctan2(max(along[1], 0.0), -along[0]))
    upright = np.array([0.0, 0.0, 1.0]) - along * along[2]
    upright /= max(float(np.linalg.norm(upright)), 1e-9)
    twist = float(np.arctan2(across @ np.cross(along, upright), across @ upright))
    twist = twist - np.pi if twist > 1.6 else twist + np.pi if twist < -0.5 - 1e-9 and twist + np.pi <= 1.6 else twist
    limits = {
        "pectoral_station": (RING_STATION - root[0], 0.1, 0.6),
        "pectoral_height": (root[2], -0.4, 0.4),
        "pectoral_length": (reach, 0.01, 0.6),
        "pectoral_breadth": (breadth, 0.005, 0.5),
        "pectoral_spread": (spread, 0.0, 1.6),
        "pectoral_droop": (droop, -1.5, 1.5),
        "pectoral_twist": (twist, -0.5, 1.6),
    }
    return {key: round(float(np.clip(value, low, high)), 4) for key, (value, low, high) in limits.items()}


def _eye(near: Model, measures: Measures, found: dict[str, np.ndarray], said: list[str]) -> dict[str, Any]:
    """The place and the size of the eyes."""
    sides = [near.vertices[found[f"eye_{side}"]] for side in ("left", "right")]
    sides = [places for places in sides if len(places)]
    if not sides:
        said.append("no eyes were found as pieces of their own: they do not turn")
        return {"eye_height": round(float(measures.at("widest", np.array(0.09))), 4)}
    middle = np.mean([(places.min(axis=0) + places.max(axis=0)) / 2 for places in sides], axis=0)
    radius = float(np.mean([np.sort(np.ptp(places, axis=0))[1:].mean() / 2 for places in sides]))
    limits = {
        "eye_station": (RING_STATION - middle[0], 0.01, 0.4),
        "eye_height": (middle[2], -0.3, 0.4),
        "eye_radius": (radius, 0.002, 0.1),
    }
    return {key: round(float(np.clip(value, low, high)), 4) for key, (value, low, high) in limits.items()}


def _rows(stations: np.ndarray, values: np.ndarray) -> tuple:
    return tuple((round(float(s), 4), round(float(v), 4)) for s, v in zip(stations, values, strict=True))


def _rounded(values: object) -> tuple:
    return tuple(round(float(value), 4) for value in values)  # type: ignore[attr-defined]
