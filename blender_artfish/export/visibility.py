"""When fishes are seen in USD: Blender's exporter writes it for no mesh that bones or shape keys move.

It is written afterwards by USD's own library, which Blender brings along.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..blender.usd import key_visibility, usd_library


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


def _write_layer(modules: dict[str, Any], path: Path, absent: Mapping[str, np.ndarray], first: int) -> None:
    """Write it into a layer."""
    stage = modules["Usd"].Stage.Open(str(path))
    for prim in stage.Traverse():
        own = absent.get(prim.GetParent().GetName())
        if own is not None and prim.IsA(modules["UsdGeom"].Mesh):
            key_visibility(modules, prim, own, first)
    stage.GetRootLayer().Save()
