"""A fish's proportions as single numbers: body height, width, and the size of its fins.

They are not stored: each is measured on the form's outlines, and setting it scales them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import bpy

from ..blender.handlers import together

OUTLINE_LENGTHS = -1.0, 1.5
"""Declared range of the outlines, in body lengths."""


@dataclass(frozen=True)
class Proportion:
    """A measure across the fish.

    Attributes:
        title: Its label in a panel.
        help: Its description.
        scaled: Columns of the form's outlines that scale with it, by the outline's name.
        extent: Its measure, given the smallest and the largest value in the first columns of these outlines.
        high: Its upper limit, in body lengths.
        carried: Numbers of the form that scale with it.
    """

    title: str
    help: str
    scaled: dict[str, tuple[int, ...]]
    extent: Callable[[float, float], float]
    high: float
    carried: tuple[str, ...] = ()

    def measure(self, form: bpy.types.PropertyGroup) -> float:
        """Its present value, in body lengths; 0 without an outline."""
        values = [row.values[columns[0]] for name, columns in self.scaled.items() for row in getattr(form, name)]
        return self.extent(min(values), max(values)) if values else 0.0

    def scale(self, form: bpy.types.PropertyGroup, value: float) -> None:
        """Scale the outlines to this value; an outline without extent stays."""
        now = self.measure(form)
        if now <= 0.0:
            return
        lowest, highest = OUTLINE_LENGTHS
        with together(form, bpy.context):
            for name, columns in self.scaled.items():
                for row in getattr(form, name):
                    for column in columns:
                        row.values[column] = min(max(row.values[column] * value / now, lowest), highest)
            for name in self.carried:
                setattr(form, name, getattr(form, name) * value / now)


def _span(low: float, high: float) -> float:
    return high - low


def _reach(low: float, high: float) -> float:
    return high


PROPORTIONS = {
    "body_height": Proportion(
        "Height",
        "Height of the body without its fins: scales the outlines of back and belly (lengths)",
        {"back": (1,), "belly": (1,)},
        _span,
        1.2,
        ("eye_height", "pectoral_height"),
    ),
    "body_width": Proportion(
        "Width",
        "Width of the body: scales the outline seen from above (lengths)",
        {"half_width": (1,)},
        lambda low, high: 2.0 * high,
        0.8,
    ),
    "dorsal_size": Proportion(
        "Dorsal",
        "Height of the dorsal fin: scales height and lean of its rays (lengths)",
        {"dorsal": (1, 2)},
        _reach,
        0.6,
    ),
    "ventral_size": Proportion(
        "Ventral",
        "Depth of the ventral fin: scales depth and lean of its rays (lengths)",
        {"ventral": (1, 2)},
        _reach,
        0.6,
    ),
    "caudal_span": Proportion(
        "Tail span",
        "Distance between the tips of the tail: scales the heights of its rear edge (lengths)",
        {"caudal": (1,)},
        _span,
        1.2,
    ),
}
"""Proportions by the name of the form's property."""
SMALLEST_PROPORTION_LENGTHS = 0.005
"""Lower limit of a proportion, so that it can be set back."""


def properties() -> dict[str, Any]:
    """Blender properties of a form, one for each proportion."""
    return {name: _property(proportion) for name, proportion in PROPORTIONS.items()}


def _property(proportion: Proportion) -> Any:
    made_by: Any = bpy.props  # by the stubs its functions return nothing
    return made_by.FloatProperty(
        name=proportion.title,
        description=proportion.help,
        min=SMALLEST_PROPORTION_LENGTHS,
        max=proportion.high,
        step=1,
        precision=3,
        options={"SKIP_SAVE"},
        get=lambda form: proportion.measure(form),  # Blender takes functions, not methods
        set=lambda form, value: proportion.scale(form, value),
    )
