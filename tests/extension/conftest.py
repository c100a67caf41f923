"""The extension as an animator gets it: the zip, a Blender with a clean profile, and no scipy but the zip's own."""

import importlib.util
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = {"Linux": "linux", "Windows": "windows", "Darwin": "macos"}[platform.system()]
PLATFORM = f"{SYSTEM}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> Path:
    """The zip for this machine."""
    output = tmp_path_factory.mktemp("dist")
    tool = [sys.executable, ROOT / "tools" / "extension.py", "--platform", PLATFORM, "--output", output]
    subprocess.run(tool, check=True)
    (path,) = output.glob("*.zip")
    return path


@pytest.fixture(scope="session")
def modules(tmp_path_factory) -> Path:
    """A folder with this environment's modules, except scipy and artfish."""
    folder = tmp_path_factory.mktemp("modules")
    spec = importlib.util.find_spec("bpy")
    assert spec is not None and spec.origin is not None, "the extension is tested in pip's bpy"
    for path in Path(spec.origin).parents[1].iterdir():
        if not path.name.lower().startswith(("scipy", "artfish", "__editable__")):
            (folder / path.name).symlink_to(path)
    return folder


@pytest.fixture(scope="session")
def profile(tmp_path_factory, archive, modules) -> Path:
    """A clean profile into which the zip was installed."""
    folder = tmp_path_factory.mktemp("profile")
    code = f"""
import importlib.util, json
import bpy
assert importlib.util.find_spec("scipy") is None and importlib.util.find_spec("artfish") is None
bpy.ops.extensions.package_install_files(filepath={str(archive)!r}, repo="user_default", enable_on_install=True)
print(json.dumps("bl_ext.user_default.artfish" in bpy.context.preferences.addons))
"""
    assert run(code, folder, modules) is True
    return folder


@pytest.fixture
def blender(profile, modules) -> Callable[[str], Any]:
    """Runs code in a fresh Blender that has the extension installed, not enabled; returns what `answer` is then."""

    def in_blender(code: str) -> Any:
        head = "import json, sys\nimport bpy, addon_utils\nMODULE = 'bl_ext.user_default.artfish'\n"
        return run(f"{head}{code}\nprint(json.dumps(answer))", profile, modules)

    return in_blender


def run(code: str, profile: Path, modules: Path) -> Any:
    """Runs code in a fresh Python without site-packages; returns its last line, read as JSON."""
    environment = {**os.environ, "BLENDER_USER_RESOURCES": str(profile), "PYTHONPATH": str(modules)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # Blender compiles an extension once, when it is first enabled
    result = subprocess.run(
        [sys.executable, "-S", "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0 and "Traceback" not in result.stderr, result.stdout + result.stderr
    return json.loads(result.stdout.splitlines()[-1])
