"""Functions of jobs for the tests of the farm; workers import this file by its name."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

JOBS = "artfish.tests.core.farm.farm_jobs"
"""The module path of these functions."""


def square(data: Mapping[str, Any]) -> dict[str, int]:
    """A number and its square."""
    return {"n": data["n"], "square": data["n"] ** 2}


def slow(data: Mapping[str, Any]) -> dict[str, int]:
    """The same, after some seconds."""
    time.sleep(data["seconds"])
    return square(data)


def scaled(data: Mapping[str, Any], common: Mapping[str, Any]) -> float:
    """A number times what all jobs have in common."""
    return data["n"] * common["factor"]


def counted(data: Mapping[str, Any]) -> int:
    """A number; each call leaves a letter in a file, and calls before a number of them fail."""
    with open(data["file"], "a") as stream:
        stream.write("x")
    if len(Path(data["file"]).read_text()) <= data.get("failing", 0):
        raise ValueError("not yet")
    return data["n"]


def dies_once(data: Mapping[str, Any]) -> dict[str, int]:
    """The square of a number; the process dies the first time that it is called."""
    mark = Path(data["file"])
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return square(data)


def dies(data: Mapping[str, Any]) -> None:
    """Ends the process."""
    os._exit(9)


def environment(data: Mapping[str, Any]) -> dict[str, str]:
    """Variables of the environment."""
    return {name: os.environ.get(name, "") for name in data["names"]}
