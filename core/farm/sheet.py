"""The contact sheet of takes: a row for each, with three moments and the paths, drawn flat, without Blender."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.constants import constant
from ..base.files import writing
from ..body.anatomy import NODES
from ..recording import Recording
from ..replicas.tuning import FILM_WIDTH_MM
from ..scene.obstacles import Cylinder
from .canvas import LETTER_ROWS, Canvas
from .png import png_bytes
from .views import camera_path
from .wishes import WIDE_PICTURE, WishedCamera

SKETCH_COLUMNS, SKETCH_ROWS, SHEET_MARGIN, TITLE_ROWS = 320, 180, 4, 18
"""Pixels of a picture, between two, and of the line above each row."""
SHEET_MOMENTS = 3
AROUND_SECONDS = 1.0
"""From the moment of what was wished to the picture before it, and to that after it."""
GROUND, PAPER, INK = (0.05, 0.17, 0.24), (0.02, 0.07, 0.1), (0.85, 0.9, 0.9)
STONE = constant(np.array([0.3, 0.33, 0.32]))
PALETTE = constant(
    np.array(
        [
            (0.95, 0.62, 0.25),
            (0.55, 0.8, 0.95),
            (0.9, 0.9, 0.55),
            (0.95, 0.5, 0.5),
            (0.6, 0.85, 0.55),
            (0.75, 0.6, 0.95),
            (0.95, 0.8, 0.85),
            (0.6, 0.75, 0.7),
        ]
    )
)
"""Colours of groups of fishes, one after another, and again."""
RINGS = ((0,), *((1 + 4 * ring, 2 + 4 * ring, 3 + 4 * ring, 4 + 4 * ring) for ring in range(5)), (21, 22))
SKETCHED_SIDES = 16


class SheetRow(NamedTuple):
    """A row of the sheet.

    Attributes:
        title: The line above it.
        recording: The take.
        moment: Seconds of what was wished; None without.
    """

    title: str
    recording: Recording
    moment: float | None


def contact_sheet(rows: Sequence[SheetRow], path: Path, camera: WishedCamera | None = None) -> None:
    """Writes the sheet of takes as a PNG file.

    Args:
        rows: Takes, from the top.
        path: Name of the file.
        camera: The camera of the moments; one that sees the whole tank if left out.

    Raises:
        SceneError: The file cannot be written.
    """
    width = (SHEET_MOMENTS + 1) * (SKETCH_COLUMNS + SHEET_MARGIN) + SHEET_MARGIN
    sheet = Canvas(len(rows) * (SKETCH_ROWS + TITLE_ROWS + SHEET_MARGIN) + SHEET_MARGIN, width, PAPER)
    for place, row in enumerate(rows):
        top = place * (SKETCH_ROWS + TITLE_ROWS + SHEET_MARGIN) + SHEET_MARGIN
        sheet.write(row.title, 2 * SHEET_MARGIN, top + (TITLE_ROWS - 2 * LETTER_ROWS) // 2, INK)
        pictures = [moment_picture(row.recording, frame, camera) for frame in moments_of_sheet(row)]
        for column, picture in enumerate([*pictures, path_picture(row.recording)]):
            left = column * (SKETCH_COLUMNS + SHEET_MARGIN) + SHEET_MARGIN
            sheet.pixels[top + TITLE_ROWS : top + TITLE_ROWS + SKETCH_ROWS, left : left + SKETCH_COLUMNS] = (
                picture.pixels
            )
    with writing(path) as stream:
        stream.write(png_bytes(sheet.pixels))


def small_sheet(row: SheetRow, camera: WishedCamera | None = None) -> bytes:
    """The three moments and the paths of one take, two by two and without a title, as the bytes of a PNG file.

    Args:
        row: The take.
        camera: The camera of the moments; one that sees all fishes if left out.
    """
    high, wide = SKETCH_ROWS + SHEET_MARGIN, SKETCH_COLUMNS + SHEET_MARGIN
    sheet = Canvas(2 * high - SHEET_MARGIN, 2 * wide - SHEET_MARGIN, PAPER)
    frames = moments_of_sheet(row)
    seen = camera or about_fishes(row.recording, frames)
    pictures = [moment_picture(row.recording, frame, seen) for frame in frames]
    for place, picture in enumerate([*pictures, path_picture(row.recording)]):
        top, left = place // 2 * high, place % 2 * wide
        sheet.pixels[top : top + SKETCH_ROWS, left : left + SKETCH_COLUMNS] = picture.pixels
    return png_bytes(sheet.pixels)


def moments_of_sheet(row: SheetRow) -> list[int]:
    """The frames of a take's three pictures: about what was wished, or spread over the film."""
    last, fps = row.recording.frames - 1, row.recording.fps
    if row.moment is None:
        return [round(last * share) for share in (1 / 6, 1 / 2, 5 / 6)]
    return [min(max(round((row.moment + off) * fps), 0), last) for off in (-AROUND_SECONDS, 0.0, AROUND_SECONDS)]


def whole_tank(recording: Recording) -> WishedCamera:
    """A camera that sees all of the tank, from in front and somewhat above."""
    return _seeing("tank", np.zeros(3), np.array(recording.scene.tank.size))


def about_fishes(recording: Recording, frames: Sequence[int]) -> WishedCamera:
    """A camera that sees all fishes that are there at some frames; the whole tank where none is."""
    nodes = recording.nodes[list(frames)][recording.alive[list(frames)]].astype(float)
    if not nodes.size:
        return whole_tank(recording)
    low, high = nodes.min(axis=(0, 1)), nodes.max(axis=(0, 1))
    return _seeing("fishes", low, high - low)


def _seeing(name: str, low: np.ndarray, size: np.ndarray) -> WishedCamera:
    """A camera that sees a box of metres, from in front and somewhat above."""
    middle = low + 0.5 * size
    away = 0.62 * float(max(size[0], WIDE_PICTURE * size[2])) / (0.5 * FILM_WIDTH_MM / 35.0) + 0.5 * float(size[1])
    at = middle + away * np.array([0.0, -0.95, 0.3])
    return WishedCamera(kind="camera", name=name, at=tuple(at.tolist()), look_at=tuple(middle.tolist()))


def moment_picture(recording: Recording, frame: int, camera: WishedCamera | None) -> Canvas:
    """The fishes and pillars at a frame, as flat forms, the nearest in front."""
    canvas, seen = Canvas(SKETCH_ROWS, SKETCH_COLUMNS, GROUND), camera or whole_tank(recording)
    path = camera_path(seen, np.array([frame]))
    forms: list[tuple[float, np.ndarray, np.ndarray]] = []

    def add(points: np.ndarray, colour: np.ndarray) -> None:
        x, y, depth = (values[0] for values in path.picture(points[None]))
        if depth.min() > 0.0:
            forms.append(
                (
                    float(depth.mean()),
                    np.stack((0.5 + x, 0.5 * SKETCH_ROWS / SKETCH_COLUMNS - y), axis=1) * SKETCH_COLUMNS,
                    colour,
                )
            )

    for pillar in recording.scene.obstacles:
        if isinstance(pillar, Cylinder):
            turns = np.arange(SKETCHED_SIDES) * 2.0 * np.pi / SKETCHED_SIDES
            ring = np.array(pillar.at) + pillar.radius * np.stack((np.cos(turns), np.sin(turns), 0.0 * turns), axis=1)
            add(np.concatenate((ring, ring + (0.0, 0.0, pillar.height))), STONE)
    colours = colours_of(recording)
    for fish in np.flatnonzero(recording.alive[frame]):
        nodes = recording.nodes[frame, fish].astype(float)
        assert len(nodes) == NODES
        for one, other in zip(RINGS, RINGS[1:], strict=False):
            add(nodes[[*one, *other]], colours[fish])
    for _, corners, colour in sorted(forms, key=lambda form: -form[0]):
        canvas.form(corners, colour)
    return canvas


def path_picture(recording: Recording) -> Canvas:
    """The paths of all fishes from above, brighter towards the end."""
    canvas = Canvas(SKETCH_ROWS, SKETCH_COLUMNS, GROUND)
    size = np.array(recording.scene.tank.size)
    scale = 0.94 * min(SKETCH_COLUMNS / size[0], SKETCH_ROWS / size[1])
    corner = np.array([0.5 * (SKETCH_COLUMNS - scale * size[0]), 0.5 * (SKETCH_ROWS + scale * size[1])])
    for pillar in recording.scene.obstacles:
        if isinstance(pillar, Cylinder):
            turns = np.arange(SKETCHED_SIDES) * 2.0 * np.pi / SKETCHED_SIDES
            ring = np.array(pillar.at[:2]) + pillar.radius * np.stack((np.cos(turns), np.sin(turns)), axis=1)
            canvas.form(corner + scale * ring * (1.0, -1.0), STONE)
    place = corner + scale * recording.nodes[:, :, 0, :2].astype(float) * (1.0, -1.0)
    there, colours, count = recording.alive, colours_of(recording), recording.frames
    steps = np.arange(0.0, max(count - 1.0, 0.5), 0.25)
    low = steps.astype(int)
    high, share = np.minimum(low + 1, count - 1), (steps - low)[:, None, None]
    dots = place[low] + share * (place[high] - place[low])
    fade = (0.25 + 0.75 * steps / max(count - 1.0, 1.0))[:, None, None]
    tints = np.array(GROUND) + fade * (colours - np.array(GROUND))
    shown = there[low] & there[high]
    canvas.dots(dots[shown], tints[shown])
    return canvas


def colours_of(recording: Recording) -> np.ndarray:
    """A colour for each fish by its group, (fish, 3)."""
    group = np.zeros(len(recording.species), dtype=int)
    for number, rows in enumerate(recording.scene.rows):
        group[list(rows)] = number
    return PALETTE[group % len(PALETTE)]
