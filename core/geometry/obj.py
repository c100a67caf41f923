"""Wavefront .obj files, as the programs that write them differ: what they say of vertices and faces.

The reader is ours, as those of libraries cut polygons into fans or come with far more than the extension carries.
"""

from __future__ import annotations

import codecs
import io
import os
from array import array
from collections.abc import Iterator

import numpy as np

from ..base.codec import SceneError
from ..base.files import read_bytes
from .triangles import MOST_TRIANGLES

MOST_OBJ_BYTES = 64 << 20  # of a file
MOST_OBJ_VERTICES = 3 * MOST_TRIANGLES  # as many as there are where no two triangles share one
FARTHEST_VERTEX = 1e6  # from the mesh's own origin along an axis, in its own unit


def read_obj(path: str | os.PathLike[str]) -> tuple[np.ndarray, list[list[int]]]:
    """The vertices and faces of a Wavefront .obj file; whatever else it holds is passed over.

    Lines may be continued after a backslash, comments may follow anything, and the text may begin with a byte order
    mark.

    Args:
        path: Path of the file, which is read only if it is a regular one of up to 64 MB.

    Returns:
        Vertices as they stand there, (n, 3), and the rows of the corners of each face.

    Raises:
        SceneError: If it cannot be read, holds too much, or a line makes no sense; nothing of it is quoted.
    """
    name, allowed = repr(os.path.basename(path)), "a Wavefront .obj file of a closed mesh"
    try:
        content = read_bytes(path, MOST_OBJ_BYTES, allowed, "")
    except SceneError as error:
        raise SceneError(f"{name} ({error.found})", error.allowed) from None
    vertices, faces, triangles = array("d"), [], 0
    for number, (kind, *words) in _lines(content):
        try:
            if kind == "v":
                vertices.extend(map(_coordinate, words[:3]))
                if len(words) < 3:
                    raise ValueError
            elif kind in ("f", "fo"):  # "fo" in files of the format's first years
                faces.append([_row(word, len(vertices) // 3) for word in words])
                triangles += max(0, len(words) - 2)
        except ValueError:
            raise SceneError(f"no sense in line {number} of {name}", allowed) from None
        if len(vertices) > 3 * MOST_OBJ_VERTICES:
            raise SceneError(f"more vertices in {name}", f"up to {MOST_OBJ_VERTICES}")
        if triangles > MOST_TRIANGLES:
            raise SceneError(f"more triangles in {name}", f"up to {MOST_TRIANGLES}")
    return np.array(vertices, dtype=float).reshape(-1, 3), faces


def _lines(content: bytes) -> Iterator[tuple[int, list[str]]]:
    """The words of each line that has any, with its number; continued ones are joined, comments left out."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    stream = io.TextIOWrapper(io.BytesIO(content), "utf-16" if wide else "utf-8-sig", "replace")
    begun: list[str] = []
    for number, line in enumerate(stream, start=1):
        text, _, _ = line.partition("#")
        text = text.rstrip()
        begun += text.removesuffix("\\").split()
        if begun and not text.endswith("\\"):
            yield number, begun
            begun = []
    if begun:
        yield number, begun


def _coordinate(word: str) -> float:
    value = float(word)
    if not abs(value) <= FARTHEST_VERTEX:
        raise ValueError
    return value


def _row(word: str, vertices: int) -> int:
    """The row of a corner such as 3, 3/1/2 or -1, counted from 1 or back from the last of the vertices so far."""
    corner = int(word.partition("/")[0])
    if not -vertices <= corner <= MOST_OBJ_VERTICES or corner == 0:
        raise ValueError
    return corner - 1 if corner > 0 else vertices + corner
