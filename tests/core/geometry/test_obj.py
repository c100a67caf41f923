"""Wavefront .obj files, as programs write them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from artfish.core.base.codec import SceneError
from artfish.core.geometry.obj import read_obj

CUBE = np.array(list(product((0.0, 1.0), repeat=3)))
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
POINTS = "".join(f"v {x} {y} {z}\n" for x, y, z in CUBE)


@pytest.fixture
def read(tmp_path):
    """Reads what an .obj file of these bytes or this text says."""

    def read(content):
        path = tmp_path / "rock.obj"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_obj(path)

    return read


def test_faces_may_be_counted_from_the_end_of_the_file(read):
    vertices, faces = read(POINTS + "\n".join("f " + " ".join(str(c - 8) for c in face) for face in SIDES))
    assert np.array_equal(vertices, CUBE) and faces == SIDES


@pytest.mark.parametrize(
    "line",
    [
        *("v 0 0", "v 0 0 nan", "v 1e300 0 0", "v -1e400 0 0", "v 1,5 0 0"),
        *("f 1 b 2", "f 0 1 2", "f 1 2 -9", f"f 1 2 {'3' * 400}", f"f 1 2 {'3' * 9999}"),
    ],
)
def test_a_line_that_makes_no_sense_is_named_and_not_quoted(read, line):
    with pytest.raises(SceneError) as refused:
        read(POINTS + line)
    assert (
        str(refused.value) == "found no sense in line 9 of 'rock.obj', allowed a Wavefront .obj file of a closed mesh"
    )


def test_more_than_a_mesh_may_have_is_refused_while_reading(read):
    with pytest.raises(SceneError, match="found more triangles in 'rock.obj', allowed up to 100000"):
        read(POINTS + "f " + "1 2 3 " * 34_000)
    with pytest.raises(SceneError, match="found more vertices in 'rock.obj', allowed up to 300000"):
        read("v 0 0 0\n" * 300_001)
