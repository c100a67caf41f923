"""Operators that add and remove rows of an outline or a marking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import together
from ..blender.words import translated
from .editing import active_species
from .operators import Shaping

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

FEWEST_POINTS = {"back": 3, "belly": 3, "half_width": 3, "caudal": 3, "dorsal": 2, "ventral": 2}
"""Fewest points of each outline, as in the form's own check."""

NEW_ROWS = {"bands": (0.5, 0.1, 0.0, 0.0), "patches": (0.5, 0.5, 0.1, 0.1, 0.0, 1.0)}
"""Values of the first row of a list of markings."""


class OnRows(Shaping):
    """Base of the operators on a list of rows."""

    def rows(self, context: bpy.types.Context, part: str, field: str) -> tuple[Any, Any]:
        """The part of the species and the list in it; None for both, with a warning, if their names are wrong."""
        group = getattr(active_species(context), part) if part in ("form", "looks") else None
        if group is None or field not in {*FEWEST_POINTS, *NEW_ROWS} or not hasattr(group, field):
            self.report({"WARNING"}, translated("Use the buttons beside the rows of an outline or a pattern"))
            return None, None
        return group, getattr(group, field)


class ARTFISH_OT_row_add(OnRows):
    """Add a row, halfway to the next one"""

    bl_idname = "artfish.row_add"
    bl_label = "Add Row"

    part: bpy.props.StringProperty(name="Part", description="Of the species")
    field: bpy.props.StringProperty(name="Field", description="List of rows")
    index: bpy.props.IntProperty(name="Index", description="Row after which it comes", default=-1)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds a row halfway to the next, or extrapolated beyond the last."""
        group, rows = self.rows(context, self.part, self.field)
        if rows is None:
            return {"CANCELLED"}
        with together(group, context):
            values = halfway([tuple(row.values) for row in rows], self.index, NEW_ROWS.get(self.field))
            rows.add().values = values
            rows.move(len(rows) - 1, self.index + 1)
        return {"FINISHED"}


class ARTFISH_OT_row_remove(OnRows):
    """Remove this row"""

    bl_idname = "artfish.row_remove"
    bl_label = "Remove Row"

    part: bpy.props.StringProperty(name="Part", description="Of the species")
    field: bpy.props.StringProperty(name="Field", description="List of rows")
    index: bpy.props.IntProperty(name="Index", description="Which row", default=-1)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Removes the row, unless the outline needs it."""
        (group, rows), fewest = self.rows(context, self.part, self.field), FEWEST_POINTS.get(self.field, 0)
        if rows is None:
            return {"CANCELLED"}
        if len(rows) <= fewest:
            self.report({"WARNING"}, translated("An outline like this needs {fewest} points", fewest=fewest))
            return {"CANCELLED"}
        if not 0 <= self.index < len(rows):
            self.report({"WARNING"}, translated("There is no row {index}", index=self.index))
            return {"CANCELLED"}
        with together(group, context):
            rows.remove(self.index)
        return {"FINISHED"}


def halfway(rows: list[tuple], index: int, first: tuple | None) -> tuple:
    """Values for a row after this one: between two, or a small step beyond the last."""
    if not rows:
        return first or ()
    if first:  # markings stand by themselves
        return rows[index]
    if index + 1 < len(rows):
        return tuple((a + b) / 2 for a, b in zip(rows[index], rows[index + 1], strict=True))
    step = 0.5 * (rows[-1][0] - rows[-2][0]) if len(rows) > 1 else 0.05
    return (rows[-1][0] + step, *rows[-1][1:])


CLASSES = (
    ARTFISH_OT_row_add,
    ARTFISH_OT_row_remove,
)
