"""When fishes are seen in USD: Blender's exporter writes it for no mesh that bones or shape keys move.

It is written afterwards by USD's own library, which Blender brings along.
"""

from __future__ import annotations

import sys
import tempfile
import zipfile
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import bpy
import numpy as np

INVISIBLE, INHERITED = "invisible", "inherited"
"""Tokens of USD."""


def usd_library() -> dict[str, Any] | None:
    """Modules of USD's library by their names; None in a Blender that was built without it."""
    names = ("Usd", "UsdGeom", "UsdUtils")
    places = sorted(Path(bpy.utils.resource_path("LOCAL")).glob("python/**/site-packages"))
    added = [str(place) for place in places if str(place) not in sys.path]
    sys.path.extend(added)  # Blender as a module of Python has it, but does not look there
    try:
        return {name: import_module(f"pxr.{name}") for name in names}
    except ImportError:
        return None
    finally:
        for place in added:
            sys.path.remove(place)


def write(path: Path, absent: Mapping[str, np.ndarray], first: int) -> None:
    """Have meshes of a USD file seen only while they are there.

    Args:
        path: The file, also a package with its pictures.
        absent: By the name of the object above a mesh, True for each frame at which it is not there, (frames,) bool.
        first: The frame of the file at which they begin.
    """
    found = usd_library() if any(each.any() for each in absent.values()) else None
    if found is None:
        return
    if path.suffix != ".usdz":
        _write_layer(found, path, absent, first)
        return
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(path) as package:
            names = package.namelist()
            package.extractall(folder)
        _write_layer(found, Path(folder) / names[0], absent, first)  # the first is the layer that is opened
        made = Path(folder) / f"{path.stem} anew.usdz"
        found["UsdUtils"].CreateNewUsdzPackage(str(Path(folder) / names[0]), str(made))
        path.write_bytes(made.read_bytes())


def _write_layer(modules: Mapping[str, Any], path: Path, absent: Mapping[str, np.ndarray], first: int) -> None:
    """Write it into a layer."""
    stage = modules["Usd"].Stage.Open(str(path))
    for prim in stage.Traverse():
        own = absent.get(prim.GetParent().GetName())
        if own is None or not own.any() or not prim.IsA(modules["UsdGeom"].Mesh):
            continue
        visibility = modules["UsdGeom"].Imageable(prim).CreateVisibilityAttr()
        visibility.Clear()
        for frame in np.flatnonzero(np.diff(own, prepend=~own[:1])):
            visibility.Set(INVISIBLE if own[frame] else INHERITED, float(first + frame))
    stage.GetRootLayer().Save()
