"""Commands of a second Blender without a window, or of the Python that bpy runs in, that load this package by its path.

No extension is enabled there, and no file of the animator's is opened.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy

BARE_OPTIONS = ("--background", "--factory-startup", "--offline-mode", "--python-exit-code", "1")
"""Options of a Blender that runs a line of Python and ends."""
_LOAD = """
import importlib, importlib.util, sys, types
import bpy  # which finds what the extension's wheels hold
above = {package!r}.split(".")[:-1]
for end in range(1, len(above) + 1):
    sys.modules.setdefault(".".join(above[:end]), types.ModuleType(".".join(above[:end])))
spec = importlib.util.spec_from_file_location({package!r}, {init!r})
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[spec.name])
"""


def command(package: str, code: str) -> list[str]:
    """The command of a process that runs lines of Python.

    Args:
        package: Name by which it has this package; within the code, `spec.name`.
        code: The lines.
    """
    init = str(Path(__file__).parents[2] / "__init__.py")
    lines = _LOAD.format(package=package, init=init) + code
    if not bpy.app.binary_path:
        return [sys.executable, "-c", lines]
    return [bpy.app.binary_path, *BARE_OPTIONS, "--python-expr", lines]
