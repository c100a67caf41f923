"""Fixtures of the tests in a real Blender: the extension installed once, and sessions led by drivers.

A session runs outside this process, see tools/gui.py; a test sees the results that its driver wrote down.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "gui.py"
OUT = ROOT / "out" / "gui"
LONGEST = "shot", "tutorial", "crowd", "panels", "direction", "snake_grid", "adopt_tutorial", "quality"
"""Files of tests whose sessions take longest, which begin first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts the files whose sessions take longest first."""
    rank = {f"test_{name}": row for row, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path.stem, len(LONGEST)))


@dataclass(frozen=True)
class Session:
    """Results and pictures of a driver's session.

    Attributes:
        results: The values passed to `result`, by name.
        folder: Holds its pictures and blender.log.
    """

    results: dict[str, Any]
    folder: Path

    def __getitem__(self, name: str) -> Any:
        """One of the results."""
        return self.results[name]

    def picture(self, name: str) -> Path:
        """The path of a picture; asserts that it exists and is not empty."""
        path = self.folder / f"{name}.png"
        assert path.exists() and path.stat().st_size > 500, f"no picture {path}"
        return path


@pytest.fixture(scope="session")
def tool() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs tools/gui.py; sessions draw in one thread, since others run beside them."""
    environment = os.environ | {"LP_NUM_THREADS": "0"}

    def run(*arguments: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, TOOL, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    return run


@pytest.fixture(scope="session")
def profile(tmp_path_factory, tool) -> Path:
    """A home folder with the extension installed and enabled."""
    folder = tmp_path_factory.mktemp("gui") / "home"
    made = tool("profile", folder)
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="session")
def blender(profile, tool) -> Callable[..., Session]:
    """Runs a driver and returns its session, in out/gui/DRIVER; fails the test where the session went wrong."""

    def session(driver: str, size: str = "1040x1000", seconds: float = 600, allow: tuple[str, ...] = ()) -> Session:
        out = OUT / Path(driver).stem
        options = [f"--allow={line}" for line in allow]
        ran = tool("run", driver, "--profile", profile, "--out", out, "--size", size, "--seconds", seconds, *options)
        assert ran.returncode == 0, ran.stderr
        return Session(json.loads((out / "results.json").read_text()), out)

    return session
