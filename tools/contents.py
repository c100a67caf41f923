"""The list of what the zips of a release hold (SBOM), as CycloneDX: one file for all of them, with digests."""

from __future__ import annotations

import email
import hashlib
import io
import uuid
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LICENSES = {"artfish": "GPL-3.0-or-later", "artfish-kernel": "GPL-3.0-or-later", "scipy": "BSD-3-Clause"}
"""Licences by the names of packages; another package in a zip is an error."""


def write(folder: Path, version: str, moment: int) -> Path:
    """Writes artfish-VERSION.cdx.json beside the zips of a release.

    Args:
        folder: Holds the zips.
        version: Version of the release.
        moment: Time of its commit, in seconds of Unix.

    Returns:
        The file.

    Raises:
        KeyError: A zip holds a wheel whose licence is not known here.
        ValueError: What was written is not as CycloneDX has it.
    """
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_URL, f"artfish-{version}-{moment}"))
    bom.metadata.timestamp = datetime.fromtimestamp(moment, UTC)
    bom.metadata.tools.components.clear()
    whole = component("artfish", version, None, ComponentType.APPLICATION)
    bom.metadata.component = whole
    wheels: dict[str, bytes] = {}
    for archive in sorted(folder.glob("*.zip")):
        with zipfile.ZipFile(archive) as opened:
            wheels |= {name: opened.read(name) for name in opened.namelist() if name.endswith(".whl")}
    parts = [component(*named(data), data, file=Path(name).name) for name, data in wheels.items()]
    for part in sorted(parts, key=lambda part: str(part.bom_ref.value)):
        bom.components.add(part)
    bom.register_dependency(whole, parts)
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the list of contents is not as CycloneDX has it: {error}")
    path = folder / f"artfish-{version}.cdx.json"
    path.write_text(text + "\n", encoding="utf-8")
    return path


def named(data: bytes) -> tuple[str, str]:
    """Name and version of a wheel, by its own metadata."""
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        metadata = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        fields = email.message_from_bytes(wheel.read(metadata))
    return fields["Name"].replace("_", "-"), fields["Version"]


def component(
    name: str, version: str, data: bytes | None, kind: ComponentType = ComponentType.LIBRARY, file: str = ""
) -> Component:
    """One package: its name, version, licence, and where it is a file, that and its SHA-256."""
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(data).hexdigest())] if data else []
    return Component(
        type=kind,
        name=name,
        version=version,
        bom_ref=file or name,
        licenses=[LicenseFactory().make_with_id(LICENSES[name])],
        hashes=hashes,
        description=file or None,
        purl=PackageURL("pypi", None, name, version, {"file_name": file} if file else None),
    )
