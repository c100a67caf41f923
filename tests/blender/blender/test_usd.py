"""USD's own library is found beside Blender, and Python's search for modules stays as it was."""

import subprocess
import sys

import numpy as np
import pytest

from artfish.blender_artfish.blender import usd

pytestmark = pytest.mark.versions


def test_python_looks_for_modules_where_it_did():
    """In a new process, as this one may know the library already."""
    code = (
        "import sys, bpy; before = list(sys.path); from artfish.blender_artfish.blender.usd import usd_library; "
        "library = usd_library(); assert sys.path == before; print(sorted(library), library['Usd'].GetVersion())"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1].startswith(str(sorted(usd.MODULES)))  # Blender may say something first


def test_a_blender_without_it_has_none(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "pxr"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(usd, "_bring_along", lambda: None)
    monkeypatch.setattr(usd, "import_module", lambda name: (_ for _ in ()).throw(ImportError(name)))
    assert usd.usd_library() is None


def test_what_goes_and_comes_is_seen_in_between_only():
    library = usd.usd_library()
    stage = library["Usd"].Stage.CreateInMemory()
    absent = np.array([True, True, False, False, True, False])
    shown = library["UsdGeom"].Mesh.Define(stage, "/Fish")
    usd.key_visibility(library, shown.GetPrim(), absent, 11)
    seen = [library["UsdGeom"].Imageable(shown).ComputeVisibility(11 + frame) != "invisible" for frame in range(6)]
    assert seen == (~absent).tolist()
    always = library["UsdGeom"].Mesh.Define(stage, "/Other")
    usd.key_visibility(library, always.GetPrim(), np.zeros(6, bool), 11)
    assert not always.GetVisibilityAttr().HasAuthoredValue()
