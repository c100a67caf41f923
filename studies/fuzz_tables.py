"""Tables of tracks in any program's dialect are read as they were written, or are refused in one line.

Each trial draws where some fishes were, and how a program writes that: encoding, line ends, separators of values
and decimals, quotation marks, names, blanks, gaps, the order of columns, further ones, and frames as numbers or as
times. The table must be read as drawn. Then bytes of it are changed, and it must be read soundly or refused in
one line. Some are followed, by fishes whose recording is read again. Each trial is the same for the same seed;
failed cases are kept in out/fuzz, and an interrupted study resumes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..core.base.codec import LONGEST_LINE, SceneError
from ..core.recording import Recording
from ..core.scene.species import Species
from ..core.studio.following import follow
from ..core.studio.tracks import Tracks
from .finding import Finding, counted
from .fuzz_files import damaged
from .resuming import resumed

TABLES = 300
KEPT = Path("out") / "fuzz"
DAMAGES = 12  # of each table
FOLLOWED = 0.15  # share of the tables
FPS = 1.0, 24.0, 25.0, 29.97, 30.0, 60.0, 120.0, 240.0, 500.0, 1000.0, 4000.0
CODINGS = "utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"
ENDS = "\n", "\r\n", "\r"
BLANKS = (
    *("", "NA", "N/A", "n/a", "None", "null", "NULL", "nan", "NaN", "-nan", "-nan(ind)", "nan(snan)", "1.#QNAN"),
    *("-1.#IND", "inf", "-inf", "Inf", "Infinity", ".", "-", "--", "missing"),
)
NAMES = (
    "a",
    "b",
    "0",
    "1",
    "10",
    "fish 3",
    "Ähre",
    "Ährë",
    "é",
    "è",
    "x" * 90,
    "1e3",
    "1.0",
    "#2",
    "'",
    "None of us",
    "ñ|b",
)
EXTRA = "likelihood", "area", "comment", "x_head", "time", ""
SPECIES = Species.load("sardine")


@dataclass
class TrackTable:
    """A table and its content.

    Attributes:
        content: Its bytes.
        ids: Names of its fishes in order of appearance.
        places: Positions, (frames, fish, 3) metres, NaN where the table has none.
        how: Options to read it with: scale, fps and y_down.
    """

    content: bytes
    ids: tuple[str, ...]
    places: np.ndarray
    how: dict[str, float] = field(default_factory=dict)


def drawn(dice: np.random.Generator) -> TrackTable:
    """A table in some program's dialect."""
    fishes, frames = int(dice.integers(1, 6)), int(dice.integers(1, 40))
    fps, scale = float(dice.choice(FPS)), float(dice.choice([1.0, 0.01, 0.001, 0.0254, 1e-6]))
    flat, down, timed = (bool(dice.random() < share) for share in (0.7, 0.3, 0.15))
    places = _paths(dice, frames, fishes, scale, fps)
    if flat:
        places[..., 2] = 0.0
    there = dice.random((frames, fishes)) > dice.choice([0.0, 0.1, 0.5])
    there[dice.integers(frames), :] = True
    names = [str(name) for name in dice.choice(NAMES, fishes, replace=False)]
    first = 0 if timed else int(dice.choice([0, 1, 500]))
    columns = ["frame", "id", "x", "y", *([] if flat else ["z"])]
    lines, ids, last = [], dict[str, None](), np.zeros(fishes, dtype=int)
    written = np.full(places.shape, np.nan)
    blank, digits = str(dice.choice(BLANKS)), int(dice.integers(3, 9))
    numbered = dice.random() < 0.1
    for frame, fish in (pair for pair in np.ndindex(frames, fishes)):
        gone = not there[frame, fish]
        if gone and dice.random() < 0.5:
            continue  # some programs leave the line out
        units = places[frame, fish] / scale
        texts = [f"{value:.{digits}f}" if dice.random() < 0.9 else f"{value:.{digits}e}" for value in units]
        if not gone:
            written[frame, fish] = [float(text) * scale for text in texts]
            ids.setdefault(names[fish])
            last[fish] = frame
        else:
            texts = [blank] * 3 if dice.random() < 0.7 else [texts[0], blank, blank]
        when = f"{frame / fps:.6f}" if timed else f"{first + frame}.0" if numbered else str(first + frame)
        lines.append([when, names[fish], *texts[: 2 if flat else 3]])
    if flat:
        written[..., 2] = np.where(np.isfinite(written[..., 0]), 0.0, np.nan)
    if down:
        written[..., 1] *= -1.0
    rows = [names.index(name) for name in ids]
    content = _laid_out(dice, columns, lines)
    seen = np.flatnonzero(np.isfinite(written[:, rows, 0]).any(axis=1))
    how = {"scale": scale, "fps": fps, "y_down": down}
    return TrackTable(content, tuple(ids), written[seen[0] : seen[-1] + 1, rows], how)


def _paths(dice: np.random.Generator, frames: int, fishes: int, scale: float, fps: float) -> np.ndarray:
    """Positions of fishes, (frames, fish, 3) metres: they stand, go straight up, wander or leap."""
    start = dice.uniform(-1.0, 1.0, (1, fishes, 3))
    pace = SPECIES.length * dice.choice([0.0, 0.3, 2.0, 8.0]) / fps
    step = dice.normal(size=(frames, fishes, 3)) * pace
    if dice.random() < 0.2:
        step[..., :2] = 0.0
    if dice.random() < 0.1:
        step *= 30.0
    return np.clip(start + np.cumsum(step, axis=0), -1e9 * scale, 1e9 * scale)


def _laid_out(dice: np.random.Generator, columns: list[str], lines: list[list[str]]) -> bytes:
    """Columns in some order, with others among them, as bytes."""
    more = [str(name) for name in dice.choice(EXTRA, int(dice.integers(0, 3)), replace=False)]
    order = dice.permutation(len(columns) + len(more))
    separator = str(dice.choice([",", ",", ";", "\t"]))
    commas = separator != "," and dice.random() < 0.5
    quoted, spaced = dice.random() < 0.2, dice.random() < 0.2
    upper = dice.random() < 0.2
    rows = [[name.upper() if upper else name for name in (*columns, *more)]]
    rows += [[*line, *("0.5" if dice.random() < 0.8 else "" for _ in more)] for line in lines]
    text, ends = "", ENDS if dice.random() < 0.2 else (str(dice.choice(ENDS)),)
    for number, row in enumerate(rows):
        if commas and number:  # except names, which are no numbers to a program either
            row = [
                text if at == 1 or not text[-1:].isdigit() else text.replace(".", ",") for at, text in enumerate(row)
            ]
        values = [row[at] for at in order]
        if quoted or separator in row[1]:
            values = ['"' + value.replace('"', '""') + '"' for value in values]
        elif spaced:
            values = [f" {value} " for value in values]
        text += separator.join(values) + str(dice.choice(ends))
        if dice.random() < 0.03:
            text += str(dice.choice(ends))
    text = text if dice.random() < 0.8 else text.rstrip("\r\n")
    return text.encode(str(dice.choice(CODINGS)))


def fault(seed: int, keep: Path = KEPT) -> str:
    """The fault in reading a table; "" without one."""
    dice = np.random.default_rng([seed, 1])
    table = drawn(dice)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(table.content)
        found = _misread(path, table) or (_unfollowed(path, table) if dice.random() < FOLLOWED else "")
        for _ in range(0 if found else DAMAGES):
            path.write_bytes(damaged(dice, table.content))
            found = _unsound(path, table)
            if found:
                break
        if found:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"table-{seed}.csv").write_bytes(path.read_bytes())
    return found


def _misread(path: Path, table: TrackTable) -> str:
    """The difference between the table as read and as written; "" without one."""
    try:
        tracks = Tracks.read(path, **table.how)  # type: ignore[arg-type]
    except Exception as error:  # any exception is a finding
        return f"{type(error).__name__}: {error}"[:300]
    if tracks.ids != table.ids:
        return f"fishes {tracks.ids} for {table.ids}"
    if tracks.places.shape != table.places.shape:
        return f"the shape {tracks.places.shape} for {table.places.shape}"
    known = np.isfinite(table.places)
    if not np.allclose(tracks.places[known], table.places[known], rtol=1e-6, atol=1e-9):
        return "fishes at other places"
    seen = known[..., 0]
    spans = np.logical_or.accumulate(seen) & np.logical_or.accumulate(seen[::-1])[::-1]
    return "" if (np.isfinite(tracks.places).all(axis=2) == spans).all() else "fishes that come or go at other times"


def _unsound(path: Path, table: TrackTable) -> str:
    """The fault in reading a damaged table; "" without one."""
    try:
        tracks = Tracks.read(path, **table.how)  # type: ignore[arg-type]
    except SceneError as error:
        line = str(error)
        return "" if line.isprintable() and len(line) <= LONGEST_LINE else f"no clean line: {line[:200]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    lost = np.isinf(tracks.places).any() or not np.isfinite(tracks.places[..., 0]).any(axis=0).all()
    return "a fish that is nowhere, or infinitely far" if lost else ""


def _unfollowed(path: Path, table: TrackTable) -> str:
    """The fault in how fishes follow it; "" without one."""
    try:
        tracks = Tracks.read(path, **table.how)  # type: ignore[arg-type]
        followed = follow(tracks, SPECIES, float(table.how["fps"]))
        followed.recording.save(path.with_suffix(".npz"))
        Recording.load(path.with_suffix(".npz"))
    except SceneError as error:
        return "" if str(error).isprintable() else f"no clean line: {error}"
    except Exception as error:
        return f"followed: {type(error).__name__}: {error}"[:300]
    return "a summary of numbers that are none" if "nan" in followed.summary() else ""


def findings(seeds: range = range(TABLES)) -> Iterator[Finding]:
    """Number of tables read as written, and refused in one line if they make no sense."""
    found = resumed(KEPT / "tables.jsonl", seeds, fault)
    failed = [f"{number}: {what}" for number, what in found.items() if what]
    claim = f"a table of any dialect says what was written, and {DAMAGES} damaged ones are sound or refused in one line"
    yield counted(claim, [not what for what in found.values()], 1.0, "; ".join(failed[:6]).replace("|", "/"))
