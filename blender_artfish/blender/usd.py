"""USD's own library, which Blender brings along: its modules, and when something is seen in a file."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import bpy
import numpy as np

MODULES = "Gf", "Tf", "Usd", "UsdGeom", "UsdUtils", "Vt"
INVISIBLE, INHERITED = "invisible", "inherited"
"""Tokens of USD."""


def usd_library() -> dict[str, Any] | None:
    """Modules of USD's library by their names; None in a Blender that was built without it."""
    try:
        if "pxr" not in sys.modules:
            _bring_along()
        return {name: import_module(f"pxr.{name}") for name in MODULES}
    except ImportError:
        return None


def _bring_along() -> None:
    """Make the package known that lies beside Blender: Blender as a module of Python has it, but does not look there.

    Where there is none, Python's own search goes on as ever.
    """
    places = sorted(Path(bpy.utils.resource_path("LOCAL")).glob("python/**/site-packages"))
    spec = PathFinder.find_spec("pxr", [str(place) for place in places])
    if spec is None or spec.loader is None:
        return
    sys.modules["pxr"] = package = module_from_spec(spec)
    try:
        spec.loader.exec_module(package)
    except BaseException:
        del sys.modules["pxr"]
        raise


def key_visibility(library: dict[str, Any], prim: Any, absent: np.ndarray, first: int) -> None:
    """Have a prim seen only while it is there.

    Args:
        library: USD's modules.
        prim: The prim.
        absent: True for each frame at which it is not there, (frames,) bool.
        first: The frame of the file at which they begin.
    """
    if not absent.any():
        return
    visibility = library["UsdGeom"].Imageable(prim).CreateVisibilityAttr()
    visibility.Clear()
    for frame in np.flatnonzero(np.diff(absent, prepend=~absent[:1])):
        visibility.Set(INVISIBLE if absent[frame] else INHERITED, float(first + frame))
