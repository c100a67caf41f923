"""Shapes of schools are checked as they are written, and read back as they were."""

from __future__ import annotations

import pytest

from artfish.core import Scene, SceneError

TETRAHEDRON = [[1, 1, 1], [3, 1, 1], [1, 3, 1], [1, 1, 3]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
SHAPES = {
    "ball": {"at": [2, 2, 1], "density": [[0, 0.5], [4, 1.5]], "order": 0.2, "milling": [[0, 0], [3, -0.8]]},
    "fill": {"vertices": TETRAHEDRON[0], "faces": TETRAHEDRON[1], "path": [[0, 0, 0, 0], [5, 1, 0, 0]]},
    "stream": {"points": [[1, 1, 1], [4, 4, 1]], "width": [[0, 0.5], [5, 1]], "share": 0.3},
}


def scene_with(entry: dict) -> Scene:
    return Scene.from_dict({"fishes": [{"species": "sardine", "count": 3, "at": [2, 2, 1]}], "direction": [entry]})


@pytest.mark.parametrize("kind", SHAPES)
def test_a_shape_is_read_back_as_it_was(kind):
    scene = scene_with({"kind": kind, "fishes": 0, **SHAPES[kind]})
    assert Scene.from_dict(scene.to_dict()) == scene


@pytest.mark.parametrize(
    ("kind", "changes", "key", "found"),
    [
        ("ball", {"density": None}, "radius", "neither radius nor density"),
        ("ball", {"path": [[0, 1, 1, 1]]}, "at", "both at and path"),
        ("ball", {"order": 1.5}, "order", "1.5"),
        ("ball", {"milling": [[2, 0], [1, 1]]}, "milling[1]", "1.0 s after 2.0 s"),
        ("ball", {"density": 0}, "density", "0"),
        ("fill", {"faces": TETRAHEDRON[1][:3]}, "faces", "an open mesh, with 3 edges such as one of 1 face"),
        ("fill", {"faces": [[0, 1, 7]]}, "faces[0]", "the corner 7"),
        ("stream", {"points": [[1, 1, 1]]}, "points", "1"),
        ("stream", {"points": [[1, 1, 1], [1, 1, 1]]}, "points[0]", "the same place as the next"),
        ("stream", {"width": 0}, "width", "0"),
    ],
)
def test_what_is_no_shape_is_refused(kind, changes, key, found):
    entry = {name: value for name, value in {**SHAPES[kind], **changes}.items() if value is not None}
    with pytest.raises(SceneError) as error:
        scene_with({"kind": kind, "fishes": 0, **entry})
    assert error.value.key == f"direction[0].{key}" and str(error.value.found).startswith(found)
