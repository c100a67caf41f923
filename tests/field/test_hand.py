"""The animator's hand on baked fishes is there after the next bake: scripts that showed where it was lost."""

import runpy
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

from artfish import blender_artfish  # noqa: E402
from artfish.blender_artfish.bake import history  # noqa: E402
from artfish.tests.blender.files import new_file  # noqa: E402

pytestmark = pytest.mark.film
CASES = Path(__file__).parent / "cases" / "blender"


@pytest.fixture(autouse=True)
def added():
    """A fresh file with the add-on, and nothing kept of other bakes."""
    new_file()
    blender_artfish.register()
    yield
    blender_artfish.unregister()
    history.clear()
    new_file()


def ran(case: str) -> dict:
    """The names that a script has at its end."""
    return runpy.run_path(str(CASES / f"{case}.py"))


def test_a_fish_that_was_renamed_is_baked_again_in_place():
    found = ran("rename_and_bake_again")
    assert found["before"] == found["after"]
    assert found["followed"] == found["hero"] == bpy.data.objects["HERO"] and len(found["meshes"]) == 1
    assert "Clownfish 02" not in bpy.context.scene.objects


def test_a_bake_leaves_the_selection_and_the_active_object_as_they_are():
    states = ran("selection_after_bake")["states"]
    assert states == [(["Cube"], "Cube")] * 2 + [(["Clownfish 02"], "Clownfish 02")] * 3
