"""The compact form: the same surfaces without clamped ends, which Blender's own exporters live through."""

import subprocess
import sys

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.fish import surfaces

pytestmark = [pytest.mark.versions, pytest.mark.film]

EXPORT = """
import sys, bpy
bpy.ops.wm.open_mainfile(filepath=sys.argv[1], use_scripts=False)
bpy.ops.wm.alembic_export(filepath=sys.argv[2], as_background_job=False)
"""


def facets() -> dict[str, np.ndarray]:
    """Vertices of every surface as it is drawn at this frame, by the names of its objects."""
    found = {}
    for obj in bpy.data.objects:
        if obj.type == "SURFACE":
            evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            places = np.empty(3 * len(evaluated.to_mesh().vertices), np.float32)
            evaluated.to_mesh().vertices.foreach_get("co", places)
            found[obj.name] = places.reshape(-1, 3)
    return found


def test_what_is_drawn_is_what_clamped_surfaces_are(swimming, monkeypatch):
    film, found = swimming("clownfish", frames=6), []
    for clamped in (False, True):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        if clamped:
            monkeypatch.setattr(surfaces, "unclamp", lambda surface, *places: list(places))
        bake(film, form="compact", stage=False)
        assert all(obj.data.splines[0].use_endpoint_u == clamped for obj in bpy.data.objects if obj.type == "SURFACE")
        bpy.context.scene.frame_set(4)
        found.append(facets())
    assert len(found[0]) == 7 and found[0].keys() == found[1].keys()
    for name, places in found[0].items():
        np.testing.assert_allclose(places, found[1][name], atol=2e-6 * film.body_length[0])


def test_blenders_alembic_exporter_writes_it_and_does_not_abort(tmp_path, swimming):
    bake(swimming("clownfish", frames=6), tmp_path / "fish.blend", form="compact", stage=False)
    files = [str(tmp_path / name) for name in ("fish.blend", "fish.abc")]
    done = subprocess.run([sys.executable, "-c", EXPORT, *files], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-500:]
    content = (tmp_path / "fish.abc").read_bytes()
    assert b"AbcGeom_NuPatch" in content and len(content) > 50_000 and b"endpoint_u" not in content
