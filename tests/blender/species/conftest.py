"""Fixtures of the tests of species: a folder of one's own, a picked species, and the points of a preview."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations
from artfish.blender_artfish.species import library, preview
from artfish.core.form.surfaces import eyes, rest_surfaces
from artfish.core.scene.species import Species

SINGLE_METRES = 1e-6
"""Metres that a point of a fish a metre long may be off in single precision."""


@pytest.fixture(autouse=True)
def scene(fresh_file: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[bpy.types.Scene]:
    """The open scene with the add-on, whose own species lie in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path)
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


@pytest.fixture
def clownfish(scene: bpy.types.Scene) -> Any:
    """The clownfish, picked."""
    assert bpy.ops.artfish.species_pick(name="clownfish") == {"FINISHED"}
    return scene.artfish.species[0]


@pytest.fixture(scope="session")
def near() -> Callable[[Any, Any], bool]:
    """Compares two species to the digits that single precision keeps."""

    def compare(one: Any, other: Any) -> bool:
        if isinstance(one, dict):
            return one.keys() == other.keys() and all(compare(one[key], other[key]) for key in one)
        if isinstance(one, list | tuple):
            return len(one) == len(other) and all(compare(a, b) for a, b in zip(one, other, strict=True))
        if isinstance(one, float):
            return abs(one - other) <= 10.0**-declarations.SIGNIFICANT_DIGITS * abs(one) * 5
        return one == other

    return compare


@pytest.fixture(scope="session")
def points() -> Callable[[bpy.types.Object], dict[str, np.ndarray]]:
    """Control points of a preview as Blender has them, (v * u, 3), by part."""

    def read(root: bpy.types.Object) -> dict[str, np.ndarray]:
        found = {}
        for obj in root.children:
            if obj.type == "SURFACE":
                control_points = obj.data.splines[0].points
                flat = np.empty(4 * len(control_points), dtype=np.float32)
                control_points.foreach_get("co", flat)
                found[obj[preview.PREVIEW_PART]] = flat.reshape(-1, 4)[:, :3]
        return found

    return read


@pytest.fixture(scope="session")
def assert_shows(points: Callable) -> Callable[[bpy.types.Scene, Species], None]:
    """Asserts that the preview's points and eyes are those of the core's surfaces."""

    def check(scene: bpy.types.Scene, species: Species) -> None:
        root = preview.find(scene)
        shown = points(root)
        patches = rest_surfaces(species)
        assert shown.keys() == patches.keys()
        for part, patch in patches.items():
            expected = species.length * np.swapaxes(patch.points, 0, 1).reshape(-1, 3)
            np.testing.assert_allclose(shown[part], expected, atol=SINGLE_METRES * species.length, rtol=0)
        centres, radius, _ = eyes(species)
        parts = {obj.get(preview.PREVIEW_PART): obj for obj in root.children}
        np.testing.assert_allclose(
            parts["eye_left"].location, species.length * centres[0], atol=SINGLE_METRES * species.length
        )
        assert parts["eye_right"].scale.x == pytest.approx(species.length * radius, rel=SINGLE_METRES)

    return check
