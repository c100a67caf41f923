"""The manual's pictures, out of the GUI tests: python tools/manual.py [--from FOLDER].

Runs the drivers that photograph the panels and follow the tutorial, unless told where `make test-gui` has left their
pictures, and puts what the manual shows into docs/manual, cut and with few colours.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

import gui

MANUAL = gui.CHECKOUT / "docs" / "manual"
DRIVERS = {"panels": "1400x2400", "tutorial": "1200x1500"}
"""Those that take the pictures, with the size of the screen."""
STATES = ("reef", "baked", "new")
"""Of panels, the best first."""
SHRINK = "-resize 1000x> +dither -colors 160 -strip -define png:compression-level=9"
LARGEST = 300_000
"""Bytes of a picture."""


def main() -> int:
    """Takes the pictures, and says which pages lack one."""
    parser = argparse.ArgumentParser(description="The manual's pictures, out of the GUI tests.")
    parser.add_argument("--from", dest="folder", type=Path, help="out/gui, as `make test-gui` leaves it")
    folder = parser.parse_args().folder
    try:
        with tempfile.TemporaryDirectory() as place:
            if folder is None:
                folder = Path(place)
                for name, size in DRIVERS.items():
                    gui.run(gui.find_driver(name), folder / name, None, size, 1500, [])
            return take(folder)
    except gui.GuiError as error:
        gui.say(str(error))
        return 1


def wanted() -> list[str]:
    """The names of the pictures that the pages show, without .png."""
    pages = "\n".join(page.read_text() for page in sorted(MANUAL.glob("*.md")))
    return sorted(set(re.findall(r"!\[[^\]]*\]\(([\w-]+)\.png\)", pages)))


def take(folder: Path) -> int:
    """Puts the pictures into the manual; 1 where a page asks for one that no driver took."""
    lacking = []
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        (work / "home").mkdir()
        for name in wanted():
            names = [f"tutorial/{name}.png", *(f"panels/{name}-{state}.png" for state in STATES)]
            found = next((folder / path for path in names if (folder / path).exists()), None)
            if found is None:
                lacking.append(name)
            else:
                shutil.copyfile(found, work / f"{name}.png")
        shrink = f"cd /gui/work && mogrify {SHRINK.replace('>', chr(92) + '>')} *.png"
        code, said = gui.in_session(gui.make_root(), work, ["sh", "-c", shrink], 120)
        if code:
            raise gui.GuiError(f"pictures cannot be shrunk:\n{said}")
        for path in sorted(work.glob("*.png")):
            size = path.stat().st_size
            if size > LARGEST:
                raise gui.GuiError(f"{path.name}: found {size} bytes, allowed {LARGEST}")
            shutil.copyfile(path, MANUAL / path.name)
    if lacking:
        gui.say(f"no driver took {', '.join(lacking)}")
    return int(bool(lacking))


if __name__ == "__main__":
    sys.exit(main())
