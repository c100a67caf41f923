"""A species' side view from the outline that a grid draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..scene.species import Form, Species
from .grid_form import read_outline


def side_profile(species: Species, points: np.ndarray) -> Species:
    """The species with the grid's outline as its side view (the wish of §5.3), checked.

    The line from the nose to the middle of the tail's root becomes the long axis, at the height of the tail's root.
    Eyes and pectoral fins keep their places between belly and back.

    Args:
        species: Species before the change.
        points: The body's grid (9, 21, 2).

    Raises:
        SceneError: A number is not as declared; the body is too high, say.
    """
    form = species.form
    end = float(species.body.stations[-1])
    level = round(0.5 * (form.back[-1][1] + form.belly[-1][1]), 4)
    outline = read_outline(np.asarray(points, float))
    lines = {}
    for name, row in (("back", 0), ("belly", -1)):
        along, above = outline.places(points[row])
        along[0], above[0], along[-1] = 0.0, 0.0, 1.0
        rows: list[tuple[float, float]] = []
        for s, h in zip(along, above, strict=True):
            if not rows or round(float(s) * end, 4) > rows[-1][0]:
                rows.append((round(float(s) * end, 4), round(level + float(h) * end, 4)))
        lines[name] = tuple(rows)
    new = replace(species, form=replace(form, back=lines["back"], belly=lines["belly"]))
    eye = _same_share(form, new.form, form.eye_station, form.eye_height)
    pectoral = _same_share(form, new.form, form.pectoral_station, form.pectoral_height)
    form = replace(new.form, eye_height=eye, pectoral_height=pectoral)
    return Species.from_dict(replace(new, form=form).to_dict(), species.name)


def _same_share(old: Form, new: Form, station: float, height: float) -> float:
    """The height in another form that is as far between belly and back as this one was."""

    def ends(form: Form) -> list[float]:
        lines = (np.array(form.belly), np.array(form.back))
        return [float(np.interp(station, line[:, 0], line[:, 1])) for line in lines]

    (low, high), (lower, higher) = ends(old), ends(new)
    return round(lower + (height - low) / max(high - low, 1e-6) * (higher - lower), 4)
