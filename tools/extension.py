"""Build the extension's installable zips into dist/, with the packager that ships inside pip's bpy.

    python tools/extension.py [--platform linux-x64] [--output dist] [--without-scipy | --with-scipy]

Two zips a platform, each with the kernel's own wheel (tools/kernel.py), independent of Python. One brings an unmodified
scipy wheel for every Python of Blender's own builds there; Blender unpacks the one that fits, and refuses the zip
if none does. The other brings none, for a Blender whose own Python has scipy, as Linux distributions build it. Its
contents are listed in CONTENTS, so that nothing gets in by oversight.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / ".cache" / "wheels"
CONTENTS = (
    "__init__.py",
    "version.py",
    "blender_manifest.toml",
    "LICENSE",
    "README.md",
    "core/**/*.py",
    "core/photo/segmentation.npz",
    "blender_artfish/**/*.py",
    "blender_artfish/declarations.json",
    "blender_artfish/languages/*.po",
    "presets/*/*.json",
    "presets/*/*/*.json",
    "presets/*/*.obj",
    "presets/*/*.png",
)
SCIPY = "1.17.1"  # works with numpy 1.26 of Blender 4.5 and 5.0, and with numpy 2 of those after
NO_COMPILER = 3  # the exit code of tools/kernel.py


@dataclass(frozen=True)
class ZipPlatform:
    """A platform of the zips.

    Attributes:
        tag: Tag of its scipy wheels.
        pythons: Pythons of Blender's own builds there, from 4.5 on: 3.11 in 4.5 and 5.0, 3.13 after. Empty if there
            are only builds of others.
    """

    tag: str
    pythons: tuple[str, ...] = ("3.11", "3.13")


TARGETS = {
    "linux-x64": ZipPlatform("manylinux_2_28_x86_64"),
    "linux-arm64": ZipPlatform("manylinux_2_28_aarch64", ()),
    "windows-x64": ZipPlatform("win_amd64"),
    "windows-arm64": ZipPlatform("win_arm64"),
    "macos-arm64": ZipPlatform("macosx_12_0_arm64"),
    "macos-x64": ZipPlatform("macosx_10_14_x86_64", ("3.11",)),  # Blender 5.0 and later are not built for it
}


def main() -> None:
    """Builds a zip for each requested platform, by default for all."""
    parser = argparse.ArgumentParser(description="Builds the extension's installable zips.")
    parser.add_argument("--platform", choices=TARGETS, help="the only platform to build for")
    parser.add_argument("--output", type=Path, default=ROOT / "dist", help="folder for the zips")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--without-scipy", action="store_true", help="only the zip for a Blender whose Python has it")
    only.add_argument("--with-scipy", action="store_true", help="only the zip that brings it")
    arguments = parser.parse_args()
    for platform in [arguments.platform] if arguments.platform else TARGETS:
        pythons = TARGETS[platform].pythons
        if pythons and not arguments.without_scipy:
            print(build(platform, arguments.output, pythons), flush=True)
        if not arguments.with_scipy:
            print(build(platform, arguments.output, ()), flush=True)


def build(platform: str, output: Path, pythons: Sequence[str]) -> Path:
    """Stages, builds and validates one zip for a platform.

    Args:
        platform: Blender's name of the platform.
        output: Folder for the zip; made if missing.
        pythons: Versions of Python to bring scipy for.

    Returns:
        Path of the zip.
    """
    wheels = [scipy_wheel(platform, python) for python in pythons]
    wheels.append(kernel_wheel(platform))
    version = tomllib.loads((ROOT / "blender_manifest.toml").read_text())["version"]
    without = "" if pythons else "-without_scipy"
    archive = output.resolve() / f"artfish-{version}-{platform.replace('-', '_')}{without}.zip"
    archive.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder), platform, wheels)
        run_packager("build", "--source-dir", folder, "--output-filepath", str(archive))
    run_packager("validate", str(archive))
    return archive


def stage(folder: Path, platform: str, wheels: list[Path]) -> None:
    """Copies the zip's contents into an empty folder and enters platform and wheels in the manifest."""
    for pattern in CONTENTS:
        for source in sorted(ROOT.glob(pattern)):
            target = folder / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    (folder / "wheels").mkdir()
    for wheel in wheels:
        shutil.copyfile(wheel, folder / "wheels" / wheel.name)
    names = ", ".join(f'"./wheels/{wheel.name}"' for wheel in wheels)
    lines = [f'platforms = ["{platform}"]', f"wheels = [{names}]"]
    manifest = folder / "blender_manifest.toml"
    manifest.write_text("\n".join([*lines, "", manifest.read_text()]))


def scipy_wheel(platform: str, python: str) -> Path:
    """The scipy wheel for a platform and Python, downloaded on first use."""
    tag = TARGETS[platform].tag
    folder = WHEELS / f"{platform}-{python}"
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    download += ["--only-binary", ":all:", "--platform", tag, "--python-version", python, "--dest", str(folder)]
    if not any(folder.glob(f"scipy-{SCIPY}-*.whl")):
        subprocess.run([*download, f"scipy=={SCIPY}"], check=True)
    return next(folder.glob(f"scipy-{SCIPY}-*.whl"))


def kernel_wheel(platform: str) -> Path:
    """The kernel's wheel for a platform; exits with the reason if no compiler here can build it."""
    folder = WHEELS / f"{platform}-kernel"
    make = [sys.executable, str(ROOT / "tools" / "kernel.py"), "--platform", platform, "--wheel", str(folder)]
    result = subprocess.run([*make, "--out", str(ROOT / ".cache" / "kernel")], stdout=subprocess.DEVNULL, check=False)
    if result.returncode == NO_COMPILER:
        sys.exit(f"no zip for {platform} without its kernel")
    result.check_returncode()
    return max(folder.glob("*.whl"), key=lambda wheel: wheel.stat().st_mtime)


def run_packager(*arguments: str) -> None:
    """Runs Blender's own packager, like `blender --command extension`."""
    spec = importlib.util.find_spec("bpy")
    if spec is None or spec.origin is None:
        sys.exit("building the extension needs bpy: python3 tools/environment.py makes an environment with it")
    packager = next(Path(spec.origin).parent.glob("*/scripts/addons_core/bl_pkg/cli/blender_ext.py"))
    result = subprocess.run([sys.executable, str(packager), *arguments], capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"the packager refused to {arguments[0]}:\n{result.stdout}{result.stderr}")


if __name__ == "__main__":
    main()
