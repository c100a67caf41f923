"""The benchmark table: rows of figures with their targets."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from ..core.base.threads import THREADS_CHOICE

MODULES = (
    *("scalar", "mujoco_fish", "bodies", "stability", "gait", "worlds", "levels", "solids", "retinas"),
    *("baking", "crowd", "live"),
)
"""The benchmark modules, in the order of the table."""

# NumPy's products must not start threads of their own where one thread races one thread.
LIBRARIES = ("OPENBLAS_NUM", "OMP_NUM", "MKL_NUM", "BLIS_NUM", "VECLIB_MAXIMUM")
ONE_THREAD = {f"{library}_THREADS": "1" for library in LIBRARIES}
MANY = "worlds", "levels", "baking", "live"
"""Modules measured with all threads of the kernel; all others have one."""


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        name: Name of the measurement.
        value: The figure; None if it could not be measured, with the reason in the note.
        unit: Unit of the figure, "" for a ratio or a count.
        target: Its target: ">= 5", "<= 2", "0.2 to 0.4", or "" for none.
        note: Information needed to judge the figure.
    """

    name: str
    value: float | None
    unit: str = ""
    target: str = ""
    note: str = ""

    def met(self) -> bool | None:
        """True if the figure meets its target; None without target or figure."""
        if self.value is None or not self.target:
            return None
        return self.slack() >= 0.0

    def slack(self) -> float:
        """Distance of the figure inside its target, negative outside; for rows with figure and target."""
        assert self.value is not None
        if " to " in self.target:
            low, high = (float(bound) for bound in self.target.split(" to "))
            return min(self.value - low, high - self.value)
        sign, bound = self.target.split()
        return float(bound) - self.value if sign == "<=" else self.value - float(bound)


class Unavailable(Exception):
    """A benchmark cannot run on this machine; the message says why."""


def explains(name: str) -> Callable[[Callable[..., list[Row]]], Callable[..., list[Row]]]:
    """Decorates a `rows` to yield, if something it needs is missing, one row that says so."""

    def decorate(rows: Callable[..., list[Row]]) -> Callable[..., list[Row]]:
        @wraps(rows)
        def explained(*args: Any, **kwargs: Any) -> list[Row]:
            try:
                return rows(*args, **kwargs)
            except (Unavailable, ImportError) as missing:
                return [Row(name, None, note=f"not run: {missing}")]

        return explained

    return decorate


def measure(module: str, quick: bool = False) -> list[Row]:
    """Rows of one benchmark module, run by `alone.py` in a process of its own with one thread for NumPy."""
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "rows.json"
        command = [sys.executable, "-m", f"{__package__}.alone", module, str(answer), *(["--quick"] if quick else [])]
        threads = ONE_THREAD if module in MANY else {**ONE_THREAD, THREADS_CHOICE: "1"}
        done = subprocess.run(command, env={**os.environ, **threads}, capture_output=True)
        if not answer.exists():
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit {done.returncode}"]
            return [Row(module, None, note=f"failed: {last[0]}")]
        return [Row(**row) for row in json.loads(answer.read_text())]


def write(rows: list[Row], path: Path) -> None:
    """Write rows where `measure` reads them; the file appears whole or not at all."""
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps([asdict(row) for row in rows]))
    draft.replace(path)


def printed(rows: list[Row]) -> str:
    """The rows as aligned columns: name, value, unit, target, whether it is met, note."""
    verdict = {True: "met", False: "MISSED", None: ""}
    cells = [("what", "value", "unit", "target", "", "note")]
    for row in rows:
        value = "-" if row.value is None else f"{row.value:,.4g}" if abs(row.value) < 1e4 else f"{row.value:,.0f}"
        cells.append((row.name, value, row.unit, row.target, verdict[row.met()], row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    lines = []
    for line in cells:
        padded = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        padded[1] = line[1].rjust(widths[1])
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    """Print the benchmark table.

    Args:
        argv: Arguments, those of the process if None.

    Returns:
        0. A target that is missed shows in the table; it is no failure of the command.
    """
    parser = argparse.ArgumentParser(prog="artfish bench", description="Print the benchmark table.")
    parser.add_argument("--only", nargs="+", choices=MODULES, default=MODULES, metavar="X", help=", ".join(MODULES))
    parser.add_argument("--quick", action="store_true", help="short measurements, to see that all of it runs")
    options = parser.parse_args(argv)
    rows: list[Row] = []
    for module in options.only:
        print(f"measuring {module} ...", file=sys.stderr, flush=True)
        rows += measure(module, options.quick)
    print(printed(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
