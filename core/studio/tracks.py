"""Tracks: where fishes were at each frame, as programmes that follow real fish on video write it, and read and written.

A table has a line for each fish and frame, with the columns frame, id, x, y and, where there is depth, z; others are
passed over. It is what idtracker.ai, SLEAP and DeepLabCut are exported to when their tables are made long.
`track_tables` tells how they differ.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..base.codec import SceneError
from ..base.files import read_bytes, write_arrays, writing
from ..base.sums import weighted
from ..body.anatomy import MASS_SHARES, body_frame
from ..recording import Recording
from ..scene.limits import MOST_FISHES
from .track_tables import DEPTH_COLUMN, TRACK_COLUMNS, decoded, rows_of

TRACK_SUFFIXES = ".csv", ".npz", ".usd", ".usda"
"""Endings of files that tracks are written to."""
WRITTEN_COLUMNS = *TRACK_COLUMNS, DEPTH_COLUMN, "heading", "pitch", "species", "intention"
MOST_TRACK_BYTES = 256 * 2**20
MOST_TRACKED = 50_000_000
"""Most frames times fishes."""


@dataclass(frozen=True)
class Tracks:
    """Tracks of fishes, read from a table.

    Attributes:
        ids: Names of the fishes, as the table has them, (fish,).
        places: (frames, fish, 3) metres; NaN before a fish came and after it had gone.
        flat: Whether they have no depth, and so a z of 0.
        notes: Notes for a person on the reading of the table, a line each.
        pictured: Whether places look like those in a picture, in which y counts down.
        rate: Frames a second, where the table's frames are times in seconds; else None.
    """

    ids: tuple[str, ...]
    places: np.ndarray
    flat: bool
    notes: tuple[str, ...] = ()
    pictured: bool = False
    rate: float | None = None

    @classmethod
    def read(
        cls, path: str | os.PathLike[str], scale: float = 1.0, fps: float | None = None, y_down: bool = False
    ) -> Tracks:
        """Reads a table. Where a fish was lost for a while it goes straight on to where it was seen again.

        Args:
            path: Path of the .csv.
            scale: Metres in one of its units.
            fps: Frames a second, for a table whose frames are times in seconds; left out, they say it.
            y_down: Whether y counts down, as in pictures, and not up, as in ours.

        Raises:
            SceneError: With one line that tells the line, the column, what was found and what is allowed.
        """
        text = decoded(read_bytes(path, MOST_TRACK_BYTES, "a table of tracks", str(path)))
        rows = rows_of(text, str(path), scale, fps, y_down)
        frames, names = rows.frames, rows.names
        ids = tuple(dict.fromkeys(names))
        if len(ids) > MOST_FISHES:
            raise SceneError(f"{len(ids)} fishes", f"up to {MOST_FISHES}", key="id", file=str(path))
        first, count = min(frames), max(frames) - min(frames) + 1
        if count * len(ids) > MOST_TRACKED:
            raise SceneError(f"{count} frames of {len(ids)} fishes", f"up to {MOST_TRACKED} places", file=str(path))
        column = {name: number for number, name in enumerate(ids)}
        found = np.full((count, len(ids), 3), np.nan)
        found[np.array(frames) - first, [column[name] for name in names]] = rows.places
        for fish in range(len(ids)):
            seen = np.flatnonzero(np.isfinite(found[:, fish, 0]))
            between = np.arange(seen[0], seen[-1] + 1)
            for axis in range(3):
                found[between, fish, axis] = np.interp(between, seen, found[seen, fish, axis])
        return cls(ids, found, rows.flat, rows.notes, rows.pictured, rows.rate)

    def every(self, stride: int) -> Tracks:
        """The same at one frame of so many: of each fish the first place among them."""
        if stride == 1:
            return self
        whole = -(-len(self.places) // stride) * stride
        padded = np.full((whole, *self.places.shape[1:]), np.nan)
        padded[: len(self.places)] = self.places
        blocks = padded.reshape(-1, stride, *self.places.shape[1:])
        first = np.isfinite(blocks[..., 0]).argmax(axis=1)
        return replace(self, places=np.take_along_axis(blocks, first[:, None, :, None], axis=1)[:, 0])


def write_tracks(recording: Recording, path: str | os.PathLike[str]) -> None:
    """Writes where the fishes of a recording were: as a table (.csv), arrays (.npz) or points of a scene (.usd, .usda).

    A table has no line of a fish that is not there. Places are those of centers of mass in metres; heading is the angle
    of the head from the x-axis and pitch that above the horizontal, in radians.
    """
    suffix = os.path.splitext(path)[1].lower()
    nodes = recording.nodes.astype(float)
    origin, ahead = weighted(MASS_SHARES, nodes), body_frame(nodes)[1][..., 0]
    heading, pitch = np.arctan2(ahead[..., 1], ahead[..., 0]), np.arcsin(np.clip(ahead[..., 2], -1.0, 1.0))
    if suffix == ".npz":
        arrays = {
            "trajectories": np.where(recording.alive[..., None], origin, np.nan).astype(np.float32),
            "heading": heading.astype(np.float32),
            "pitch": pitch.astype(np.float32),
            "intention": recording.intention,
            "alive": recording.alive,
            "body_length": recording.body_length,
            "species": np.array(recording.species),
            "intentions": np.array(Recording.INTENTIONS),
            "frames_per_second": np.array(recording.fps),
        }
        write_arrays(path, arrays, packed=True)
        return
    with writing(path) as file:
        if suffix == ".csv":
            file.write(_table(recording, origin, heading, pitch).encode())
        else:
            file.write("".join(_points(recording, origin, ahead)).encode())


def _table(recording: Recording, origin: np.ndarray, heading: np.ndarray, pitch: np.ndarray) -> str:
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(WRITTEN_COLUMNS)
    for frame, fish in np.argwhere(recording.alive).tolist():
        numbers = (*origin[frame, fish], heading[frame, fish], pitch[frame, fish])
        intention = Recording.INTENTIONS[recording.intention[frame, fish]]
        lines.writerow((frame, fish, *(f"{of:.6g}" for of in numbers), recording.species[fish], intention))
    return out.getvalue()


def _points(recording: Recording, origin: np.ndarray, ahead: np.ndarray) -> Iterator[str]:
    """A layer of USD in its text form: points with ids, velocities, headings and intentions over time."""
    frames, fishes = recording.alive.shape
    velocity = np.gradient(origin, axis=0) * recording.fps if frames > 1 else np.zeros_like(origin)
    yield '#usda 1.0\n(\n    defaultPrim = "Fishes"\n    metersPerUnit = 1\n    upAxis = "Z"\n'
    yield f"    startTimeCode = 0\n    endTimeCode = {frames - 1}\n    timeCodesPerSecond = {recording.fps:g}\n)\n\n"
    yield f'def Points "Fishes"\n{{\n    int64[] ids = [{", ".join(map(str, range(fishes)))}]\n'
    yield f"    float[] widths = [{', '.join(f'{of:.6g}' for of in recording.body_length)}] (\n"
    yield '        interpolation = "vertex"\n    )\n'
    for name, of in (("point3f[] points", origin), ("vector3f[] velocities", velocity)):
        yield from _samples(name, [_vectors(row) for row in of])
    yield from _samples("vector3f[] primvars:heading", [_vectors(row) for row in ahead], "vertex")
    yield from _samples("int[] primvars:intention", [_list(row) for row in recording.intention], "vertex")
    yield from _samples("int[] primvars:alive", [_list(row.astype(int)) for row in recording.alive], "vertex")
    yield "}\n"


def _samples(name: str, values: list[str], interpolation: str = "") -> Iterator[str]:
    if interpolation:
        yield f'    {name} (\n        interpolation = "{interpolation}"\n    )\n'
    yield f"    {name}.timeSamples = {{\n"
    for frame, value in enumerate(values):
        yield f"        {frame}: {value},\n"
    yield "    }\n"


def _vectors(rows: np.ndarray) -> str:
    return "[" + ", ".join(f"({x:.7g}, {y:.7g}, {z:.7g})" for x, y, z in rows.tolist()) + "]"


def _list(row: np.ndarray) -> str:
    return "[" + ", ".join(map(str, row.tolist())) + "]"
