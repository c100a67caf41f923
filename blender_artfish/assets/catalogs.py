"""The catalogs of the asset library, whose numbers are the same wherever it is made, and their file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from uuid import NAMESPACE_DNS, uuid5

from ...core.base.files import replacing
from .registering import CATALOG_FILE

_HEAD = """# This is an Asset Catalog Definition file for Blender.
#
# Empty lines and lines starting with `#` will be ignored.
# The first non-ignored line should be the version indicator.
# Other lines are of the format "UUID:catalog/path/for/assets:simple catalog name"

VERSION 1

"""


class Catalog(StrEnum):
    """Paths of the catalogs that assets are in; Blender shows those above them by itself."""

    SWIMMING = "Artfish/Fishes/Swimming"
    STILL = "Artfish/Fishes/Still"
    SCHOOLS = "Artfish/Schools"
    CORALS = "Artfish/Corals"
    ROCKS = "Artfish/Rocks"
    WRECKAGE = "Artfish/Wreckage"
    WEEDS = "Artfish/Weeds"
    STAGES = "Artfish/Stages"
    SKINS = "Artfish/Materials/Skin"
    WATERS = "Artfish/Materials/Water and Light"
    GROUNDS = "Artfish/Materials/Ground"
    NODE_GROUPS = "Artfish/Node Groups"


def uuid_of(catalog: str) -> str:
    """The number of a catalog, which follows from its path."""
    return str(uuid5(uuid5(NAMESPACE_DNS, "artfish"), catalog))


def write_catalogs(folder: Path) -> None:
    """Write the file of all catalogs into a folder."""
    lines = [f"{uuid_of(each)}:{each}:{each.replace('/', '-')}\n" for each in Catalog]
    with replacing(folder / CATALOG_FILE) as part:
        part.write_text(_HEAD + "".join(lines), encoding="utf-8")
