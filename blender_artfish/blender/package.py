"""Location of this package: its name as Blender loads it, and the folder of its presets."""

from __future__ import annotations

from pathlib import Path

ADD_ON = __name__.rsplit(".", 2)[0]
"""The name of the add-on's package, within which its pages are imported."""
EXTENSION = ADD_ON.rpartition(".")[0]
"""The name of the whole package: "artfish", or one within "bl_ext" where it is an installed extension."""
PRESETS = Path(__file__).resolve().parents[2] / "presets"
"""The folder of the presets, with a subfolder for each kind."""
