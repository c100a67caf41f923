"""The snake grid in one step: fitted while Blender stays responsive, or in one go from a script."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.background import in_thread
from ..blender.jobs import Job, JobOutcome, Steps, Work
from ..blender.words import Message, translated
from .pictures import OnPicture, image_name
from .properties import FACINGS, GRID_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...core.photo.snake_grid import SnakeGrid


class ARTFISH_OT_fit_grid(Work, OnPicture):
    """Find the fish, or the fin, in the picture at one go"""

    bl_idname = "artfish.fit_grid"
    bl_label = "Fit"
    too_much: Message = "There is too little memory: try a smaller picture"

    image: image_name()
    part: bpy.props.EnumProperty(
        name="Part",
        description="What the grid covers",
        items=[("AUTO", "As in the panel", "What the panel says"), *GRID_PARTS],
        default="AUTO",
        options={"SKIP_SAVE"},
    )
    facing: bpy.props.EnumProperty(
        name="Facing",
        description="Where the nose points in the picture",
        items=[("PANEL", "As in the panel", "What the panel says"), *FACINGS],
        default="PANEL",
        options={"SKIP_SAVE"},
    )
    anchors: bpy.props.StringProperty(
        name="Anchors",
        description="Rows of four numbers, row, column, x and y, parted by semicolons; those on the picture if empty",
        options={"SKIP_SAVE"},
    )

    def new_job(self, context: bpy.types.Context) -> Job[JobOutcome]:
        """The job that fits the grid."""
        return Job(lambda job: self._fit(job, context))

    def _fit(self, job: Job[JobOutcome], context: bpy.types.Context) -> Steps[Callable[[], JobOutcome]]:
        """Reads the picture's data, and computes in a thread; the grid is kept when it is at rest."""
        from . import grids

        job.text = "Looking for the fish"
        image = self.picture(context)
        part = image.artfish.part if self.part == "AUTO" else self.part
        size = tuple(image.size)
        known = (
            grids.pixels(image),
            part,
            grids.species_of(image, context.scene),
            grids.elasticity_of(image),
            image.artfish.facing if self.facing == "PANEL" else self.facing,
            read_anchors(self.anchors) or grids.anchors_of(image, part),
            grids.grid_of(image, "body"),
        )

        def fit() -> tuple[SnakeGrid, int]:
            grid = grids.begin(*known)
            return grid, grid.relax()

        yield
        grid, steps = yield from in_thread(fit)
        if tuple(image.size) != size:
            raise ValueError("Fit given up: the picture has changed meanwhile")

        def keep() -> JobOutcome:
            grids.keep(image, grid)
            return JobOutcome(translated("The grid came to rest after {steps} steps", steps=steps))

        return keep


def read_anchors(text: str) -> list[tuple[float, ...]]:
    """Anchors from a script's text.

    Raises:
        ValueError: The text is malformed.
    """
    try:
        rows = [tuple(map(float, row.replace(",", " ").split())) for row in text.split(";") if row.strip()]
    except ValueError:
        rows = [()]
    if any(len(row) != 4 for row in rows):
        raise ValueError(
            translated(
                "anchors: found {text!r}, allowed four numbers an anchor, such as 4 0 12.5 80; 4 20 310 84", text=text
            )
        )
    return rows


CLASSES = (ARTFISH_OT_fit_grid,)
