"""Names of shoals, which follow their species until an animator gives them others."""

from __future__ import annotations

import re
from typing import Any

import bpy

from ..blender.handlers import notify
from ..species import library


def renamed(settings: Any, context: bpy.types.Context) -> None:
    """Calls a shoal by its new species if it was called by its old one, then notifies listeners.

    Args:
        settings: Its `ArtfishShoal`; a species that there is not, as while its name is half typed, names nothing.
        context: The context.
    """
    shoal, known = settings.id_data, library.names(context.scene)
    stem, label = re.sub(r"\.\d+$", "", shoal.name), library.label(settings.species)
    if settings.species in known and stem != label and stem in map(library.label, known):
        shoal.name = label
    notify(settings, context)
