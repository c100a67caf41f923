"""The newest Artfish that a scene was saved with, so that an older one can say that it may not know all of it.

The version stands in a custom property of each scene that Artfish has made anything in. An older Artfish that saves the
file leaves a newer one's version there, as what it does not know stays in the file too.
"""

from __future__ import annotations

import re
from typing import Any

import bpy

from ...version import ARTFISH_VERSION
from ..blender.handlers import HandlerTurn, hears
from . import provenance
from .roles import objects_of

WRITER = "artfish_written_by"
"""Property of a scene: the newest version of Artfish that has saved it, or baked into it."""
_VERSION = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}(\.[0-9]{1,6})?")


def sign(scene: bpy.types.Scene) -> None:
    """Writes this version on a scene, unless it has a newer one's."""
    if not newer_writer(scene):
        scene[WRITER] = ARTFISH_VERSION


def newer_writer(scene: bpy.types.Scene) -> str:
    """The version of the Artfish that saved a scene, if it is newer than this one; else ""."""
    said = provenance.of(scene, WRITER)
    return said if _VERSION.fullmatch(said) and _numbers(said) > _numbers(ARTFISH_VERSION) else ""


def _numbers(version: str) -> tuple[int, ...]:
    """The three numbers of a version, of which the last may be left out."""
    numbers = tuple(map(int, version.split(".")))
    return (*numbers, 0)[:3]


def _is_ours(scene: bpy.types.Scene) -> bool:
    """True if an animator has made anything in a scene by Artfish."""
    return bool(provenance.of(scene, provenance.MADE) or scene.artfish.species or objects_of(scene))


@hears(HandlerTurn.RESULTS, "save_pre")
def _before_saving(*_: Any) -> None:
    """Writes this version on the scenes of the file that Artfish has made anything in."""
    for scene in bpy.data.scenes:
        if scene.library is None and _is_ours(scene):
            sign(scene)


CLASSES = ()
