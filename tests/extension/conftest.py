"""The extension as an animator gets it: the zip, a Blender with a clean profile, and no scipy but the zip's own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from artfish.tests.project.tools import tool

ROOT = Path(__file__).resolve().parents[2]
installing = tool("installing")


def zipped(output: Path, which: str) -> Path:
    """The zip for this machine, with scipy or without."""
    command = [sys.executable, ROOT / "tools" / "extension.py", "--platform", installing.PLATFORM, which]
    subprocess.run([*command, "--output", output], check=True)
    (path,) = output.glob("*.zip")
    return path


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> Path:
    """The zip for this machine."""
    return zipped(tmp_path_factory.mktemp("dist"), "--with-scipy")


@pytest.fixture(scope="session")
def archive_without_scipy(tmp_path_factory) -> Path:
    """The zip for a Blender on this machine whose own Python has scipy."""
    return zipped(tmp_path_factory.mktemp("dist"), "--without-scipy")


@pytest.fixture(scope="session")
def modules(tmp_path_factory) -> Path:
    """A folder with this environment's modules, except scipy and artfish."""
    folder = tmp_path_factory.mktemp("here") / "modules"
    installing.gather(Path(sys.executable), folder, scipy=False)
    return folder


@pytest.fixture(scope="session")
def profile(tmp_path_factory, archive, modules) -> Path:
    """A clean profile into which the zip was installed."""
    folder = tmp_path_factory.mktemp("profile")
    assert json.loads(run(INSTALL.format(archive=str(archive)), folder, modules).splitlines()[-1]) is True
    return folder


INSTALL = """
import importlib.util, json
import bpy
assert importlib.util.find_spec("scipy") is None and importlib.util.find_spec("artfish") is None
bpy.ops.extensions.package_install_files(filepath={archive!r}, repo="user_default", enable_on_install=True)
print(json.dumps("bl_ext.user_default.artfish" in bpy.context.preferences.addons))
"""


@pytest.fixture
def refused(tmp_path, modules):
    """Installs a zip that Blender cannot enable, into a clean profile; returns all that Blender prints of it."""

    def install(archive: Path) -> str:
        done = started(INSTALL.format(archive=str(archive)), tmp_path / "profile", modules)
        assert done.returncode
        return done.stdout + done.stderr

    return install


class Blender:
    """A fresh Blender for each call that has the extension installed, not enabled.

    Attributes:
        output: The output of the last one.
    """

    def __init__(self, profile: Path, modules: Path):
        self.profile, self.modules, self.output = profile, modules, ""

    def __call__(self, code: str) -> Any:
        """Runs code; returns the value of `answer` after it."""
        head = "import json, sys\nimport bpy, addon_utils\nMODULE = 'bl_ext.user_default.artfish'\n"
        self.output = run(f"{head}{code}\nprint(json.dumps(answer))", self.profile, self.modules)
        return json.loads(self.output.splitlines()[-1])


@pytest.fixture
def blender(profile, modules) -> Blender:
    return Blender(profile, modules)


def run(code: str, profile: Path, modules: Path) -> str:
    """Runs code in a fresh Python without site-packages; asserts that it succeeds, and returns its output."""
    result = started(code, profile, modules)
    assert result.returncode == 0 and "Traceback" not in result.stderr, result.stdout + result.stderr
    return result.stdout


def started(code: str, profile: Path, modules: Path) -> subprocess.CompletedProcess[str]:
    """Runs code in a fresh Python without site-packages."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(profile), "PYTHONPATH": str(modules)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # Blender compiles an extension once, when it is first enabled
    return subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, check=False
    )
