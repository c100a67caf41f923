"""Where worlds with levels of detail keep what they have captured of species: in the extension's own folder."""

from __future__ import annotations

import os

import bpy

from .package import EXTENSION

REPERTOIRE_CACHE = "ARTFISH_CACHE"
"""As core.replicas.capture has it, which registering is not to wait for."""


def register() -> None:
    """Names the folder, unless somebody has, or Artfish is no installed extension and has no place of its own."""
    if REPERTOIRE_CACHE in os.environ or not EXTENSION.startswith("bl_ext."):
        return
    try:
        os.environ[REPERTOIRE_CACHE] = bpy.utils.extension_path_user(EXTENSION, path="repertoires")
    except (ValueError, OSError):
        return


CLASSES = ()
