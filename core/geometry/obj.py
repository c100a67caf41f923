"""Wavefront .obj files: what they say of vertices and faces."""

from __future__ import annotations

import os

import numpy as np

from ..base.codec import SceneError

MOST_OBJ_BYTES = 64 << 20  # of a file


def read_obj(path: str | os.PathLike[str]) -> tuple[np.ndarray, list[list[int]]]:
    """The vertices and faces of a Wavefront .obj file; whatever else it holds is passed over.

    Args:
        path: Of the file.

    Returns:
        Vertices as they stand there, (n, 3), and the rows of the corners of each face.

    Raises:
        SceneError: It cannot be read, or a line makes no sense.
    """
    name, allowed = repr(os.path.basename(path)), "a Wavefront .obj file of a closed mesh"
    try:
        if os.path.getsize(path) > MOST_OBJ_BYTES:
            raise SceneError(f"{name}, larger than {MOST_OBJ_BYTES >> 20} MB", allowed)
        with open(path, encoding="utf-8", errors="replace") as stream:
            lines = stream.read().splitlines()
    except OSError as error:
        raise SceneError(f"{name} ({error.strerror or error})", allowed) from None
    vertices: list[list[float]] = []
    faces: list[list[int]] = []
    for number, line in enumerate(lines, start=1):
        kind, *words = line.split() or ("",)
        try:
            if kind == "v":
                x, y, z = map(float, words[:3])
                vertices.append([x, y, z])
            elif kind == "f":
                corners = [int(word.partition("/")[0]) for word in words]
                faces.append([corner - 1 if corner > 0 else len(vertices) + corner for corner in corners])
        except ValueError:
            raise SceneError(f"{line[:40]!r} in line {number} of {name}", allowed) from None
    return np.array(vertices, dtype=float).reshape(-1, 3), faces
