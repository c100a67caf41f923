"""The folder where worlds with levels of detail cache the captured motion of species."""

from __future__ import annotations

import os

import bpy

from .package import EXTENSION

REPERTOIRE_CACHE = "ARTFISH_CACHE"
"""The variable's name in core.replicas.capture, repeated here so that registering does not load it."""


def register() -> None:
    """Sets the folder, unless it is set already, or Artfish is no installed extension and so has no folder."""
    if REPERTOIRE_CACHE in os.environ or not EXTENSION.startswith("bl_ext."):
        return
    try:
        os.environ[REPERTOIRE_CACHE] = bpy.utils.extension_path_user(EXTENSION, path="repertoires")
    except (ValueError, OSError):
        return


CLASSES = ()
