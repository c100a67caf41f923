"""Install the zips of a release as a stranger does, into a clean profile of each of pip's Blenders that is here.

    python tools/installing.py out/release                        in .venv and all of .venv-*
    python tools/installing.py dist --python .venv-5.2/bin/python

Of the zips those for this platform: the extension is enabled, a first shoal is added and baked, and the extension is
taken out again. Nothing may be left registered then, and no file of it in the profile. A zip that brings scipy gets a
Blender that has none, the other one that has it; the package artfish is in neither.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SYSTEM = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}[platform.system()]
PLATFORM = f"{SYSTEM}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"
"""This machine, as Blender names platforms."""
WITHOUT_SCIPY = "-without_scipy"
"""End of the name of a zip for a Blender whose Python has scipy."""
HIDDEN = "artfish", "__editable__"
"""Beginnings of modules of an environment that its Blender has not here."""
FRAMES = 4
# What an extension can leave registered: classes, the properties of a scene, handlers and timers.
SNAPSHOT = """
def registered():
    handlers = [len(getattr(bpy.app.handlers, name)) for name in dir(bpy.app.handlers) if name[0] != "_"
                and isinstance(getattr(bpy.app.handlers, name), list)]
    classes = [cls.__name__ for base in (bpy.types.Operator, bpy.types.Panel, bpy.types.PropertyGroup)
               for cls in base.__subclasses__() if cls.is_registered]
    ours = [name for name in dir(bpy.types) + dir(bpy.ops) if "artfish" in name.lower()]
    return sorted(classes), handlers, ours, sorted(bpy.types.Scene.bl_rna.properties.keys())
"""
SESSION = f"""
import json, os
import bpy
{SNAPSHOT}
def files():
    place = bpy.utils.user_resource("EXTENSIONS")
    return sorted(os.path.relpath(os.path.join(folder, name), place)
                  for folder, _, names in os.walk(place) for name in names)
before = registered()
bpy.ops.extensions.package_install_files(filepath={{archive!r}}, repo="user_default", enable_on_install=True)
enabled = "bl_ext.user_default.artfish" in bpy.context.preferences.addons
scene = bpy.context.scene
scene.frame_end = {FRAMES}
bpy.ops.artfish.add_shoal()
result = list(bpy.ops.artfish.bake())
fishes = sum("artfish_row" in each for each in scene.objects)
repos = bpy.context.preferences.extensions.repos
row = next(row for row, repo in enumerate(repos) if repo.module == "user_default")
bpy.ops.extensions.package_uninstall(repo_index=row, pkg_id="artfish")
left = [name for name in files() if "artfish" in name.lower() or "scipy" in name.lower()]
print(json.dumps({{{{"version": bpy.app.version_string, "enabled": enabled, "result": result, "fishes": fishes,
                    "clean": registered() == before, "left": left}}}}))
"""


class InstallError(Exception):
    """A zip that does not do what it is to, in a line."""


def main() -> int:
    """Installs all zips that fit; says of each what came of it."""
    parser = argparse.ArgumentParser(description="Installs the zips of a release into clean profiles.")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist", help="folder of the zips")
    parser.add_argument("--python", type=Path, nargs="+", help="Pythons that have bpy; all of .venv* if left out")
    arguments = parser.parse_args()
    try:
        for line in install_all(arguments.folder, arguments.python):
            print(line, flush=True)
    except InstallError as error:
        print(f"installing: {error}", file=sys.stderr)
        return 1
    return 0


def environments() -> list[Path]:
    """The Pythons of this checkout that have pip's bpy."""
    script = Path("Scripts", "python.exe") if SYSTEM == "windows" else Path("bin", "python")
    found = [place / script for place in sorted(ROOT.glob(".venv*")) if (place / script).exists()]
    return [python for python in found if packages_of(python)]


def install_all(folder: Path, pythons: Sequence[Path] | None = None) -> Iterator[str]:
    """A line for each zip of a folder that is for this platform, in each Blender.

    Args:
        folder: Folder of the zips.
        pythons: Pythons that have bpy; those of this checkout, or the one that runs, if left out.

    Raises:
        InstallError: There is no such zip or no Blender, or one fails.
    """
    archives = sorted(folder.glob(f"artfish-*-{PLATFORM.replace('-', '_')}*.zip"))
    if not archives:
        raise InstallError(f"no zip for {PLATFORM} in {folder}")
    chosen = list(pythons or environments() or [Path(sys.executable)])
    for archive in archives:
        for python in chosen:
            yield installed(archive, python)


def installed(archive: Path, python: Path) -> str:
    """Installs a zip, uses it and takes it out again; returns a line on it.

    Raises:
        InstallError: It cannot be installed or used, or leaves something.
    """
    with tempfile.TemporaryDirectory(prefix="artfish") as folder:
        modules, profile = Path(folder, "modules"), Path(folder, "profile")
        gather(python, modules, scipy=archive.stem.endswith(WITHOUT_SCIPY))
        found = session(archive, python, modules, profile)
    named = f"{archive.name} in Blender {found.pop('version')}"
    fishes = found.pop("fishes")
    if found != {"enabled": True, "result": ["FINISHED"], "clean": True, "left": []} or not fishes:
        raise InstallError(f"{named}: {fishes} fishes, {json.dumps(found)[:400]}")
    return f"{named}: {fishes} fishes baked, nothing left"


def packages_of(python: Path) -> Path | None:
    """The folder of an environment's modules; None where it has no bpy."""
    code = "import importlib.util as u; s = u.find_spec('bpy'); print(s.origin if s else '')"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()).parents[1] if done.stdout.strip() else None


def gather(python: Path, folder: Path, scipy: bool) -> None:
    """Makes a folder with the modules of an environment, with its scipy or without, and never with artfish.

    Raises:
        InstallError: The environment has no bpy.
    """
    source = packages_of(python)
    if source is None:
        raise InstallError(f"{python} has no bpy")
    folder.mkdir()
    for path in source.iterdir():
        if not path.name.lower().startswith(HIDDEN if scipy else (*HIDDEN, "scipy")):
            (folder / path.name).symlink_to(path)


def session(archive: Path, python: Path, modules: Path, profile: Path) -> dict[str, Any]:
    """The answers of a Blender that has only these modules, and a clean profile, about a zip.

    Raises:
        InstallError: It ends early.
    """
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(profile), "PYTHONPATH": str(modules)}
    code = SESSION.format(archive=str(archive.resolve()))
    done = subprocess.run(
        [python, "-S", "-c", code], env=environment, capture_output=True, text=True, check=False, cwd=modules
    )
    if done.returncode or "Traceback" in done.stderr:
        said = ((done.stdout + done.stderr).strip().splitlines() or ["it does not say why"])[-1]
        raise InstallError(f"{archive.name} in {python}: {said}")
    answer: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return answer


if __name__ == "__main__":
    sys.exit(main())
