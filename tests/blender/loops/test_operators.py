"""Make Loops: a fish with its loops at the cursor, in one go, or nothing at all."""

from collections.abc import Iterator

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake.footprint import ids
from artfish.blender_artfish.blender.jobs import Job
from artfish.blender_artfish.loops.operators import ARTFISH_OT_make_loops

pytestmark = pytest.mark.film


@pytest.fixture
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


def test_a_species_of_the_panel_gets_its_loops_at_the_cursor(registered):
    assert not bpy.ops.artfish.make_loops.poll()
    bpy.ops.artfish.species_pick(name="sardine")
    bpy.context.scene.cursor.location = 1.0, 2.0, 3.0
    assert bpy.ops.artfish.make_loops() == {"FINISHED"}
    root = bpy.context.scene.objects["Sardine"]
    assert np.allclose(root.location, (1.0, 2.0, 3.0))
    assert sum(action.asset_data is not None for action in bpy.data.actions) == 5
    assert len(bpy.data.scenes) == 1


def test_who_gives_up_finds_all_as_it_was(registered):
    bpy.ops.artfish.species_pick(name="sardine")
    before = set(ids())
    job: Job = ARTFISH_OT_make_loops.new_job(None, bpy.context)
    for _ in range(12):
        job.step()
    job.cancel()
    assert set(ids()) == before
