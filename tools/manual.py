"""The manual's pictures, out of the GUI tests: python tools/manual.py [--from FOLDER].

Runs the drivers that photograph the panels and follow the tutorial, unless given the folder of `make test-gui`'s
pictures, and puts those of the manual into docs/manual, cropped and with few colours.
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
SCREENS = {
    "baked_fishes": "1280x1500",
    "breeding": "1280x1000",
    "character": "1360x1300",
    "cinematographer": "1280x1500",
    "crowd": "1360x1100",
    "direction": "1600x1300",
    "dive": "1280x1000",
    "export": "1400x1100",
    "languages": "1280x800",
    "learning": "1400x1000",
    "live": "1280x1000",
    "loops": "1400x1100",
    "mind": "1280x1300",
    "panels": "1400x2400",
    "preferences": "1280x800",
    "species": "1360x1300",
    "takes": "1040x1500",
    "tutorial": "1200x1500",
}
"""Screen sizes of drivers that need another than usual."""
PICTURES = {
    "adopt": "adopt/adopt",
    "adopt_view": "adopt/adopt_view",
    "bake": "panels/bake-baked",
    "baked_fishes": "baked_fishes/panel",
    "breeding": "breeding/panel",
    "character": "character/character",
    "cinematographer": "cinematographer/cinematographer",
    "crowd": "crowd/panel",
    "crowd-eevee": "crowd/eevee",
    "crowd-view": "crowd/view",
    "direction": "direction/direction",
    "dive": "dive/dive_panel",
    "export": "export/panel",
    "dive_view": "dive/dive_view",
    "field_of_view": "mind/overlay-field",
    "fish_view": "mind/fish_view",
    "gallery": "gallery/sidebar",
    "fish_view-retinas": "retinas/retinas",
    "fish_view-through": "mind/fish_view-through",
    "habits": "panels/habits-reef",
    "languages-de": "languages/de",
    "languages-ja": "languages/ja",
    "learning": "learning/learning",
    "live": "live/live",
    "loops": "loops/assets",
    "memory-known": "memory/memory-100",
    "mind": "mind/mind",
    "overlays": "mind/overlay-mind",
    "physics": "panels/physics-reef",
    "pie": "preferences/pie",
    "preferences": "preferences/page",
    "scene": "panels/scene-reef",
    "shaping": "species/shaping",
    "snake_grid": "panels/snake_grid-reef",
    "takes": "takes/panel",
}
"""Driver and name of each picture; those of the first fish share a pattern, and the timeline is taken by hand."""
HEIGHTS = {"habits": 838}
"""Pixels shown from the top of a picture longer than a page."""
SHRINK = r"-resize 1000x\> +dither -colors 160 -strip -define png:compression-level=9"
LARGEST = 300_000
"""Most bytes of a picture."""


def main() -> int:
    """Takes the pictures; returns 1 if one cannot be taken."""
    parser = argparse.ArgumentParser(description="The manual's pictures, out of the GUI tests.")
    parser.add_argument("--from", dest="folder", type=Path, help="out/gui, as `make test-gui` leaves it")
    folder = parser.parse_args().folder
    try:
        with tempfile.TemporaryDirectory() as place:
            if folder is None:
                folder = Path(place)
                for name in sorted({source.partition("/")[0] for source in sources().values()}):
                    gui.run(gui.find_driver(name), folder / name, None, SCREENS.get(name, gui.SIZE), 1500, [])
            take(folder)
    except gui.GuiError as error:
        gui.say(str(error))
        return 1
    return 0


def sources() -> dict[str, str]:
    """The pictures that the pages show and drivers take, with their sources."""
    pages = "\n".join(page.read_text() for page in sorted(MANUAL.glob("*.md")))
    names = sorted(set(re.findall(r"!\[[^\]]*\]\(([\w-]+)\.png\)", pages)))
    first = {name: f"tutorial/{name}" for name in names if name.startswith("first_fish")}
    return first | {name: PICTURES[name] for name in names if name in PICTURES}


def take(folder: Path) -> None:
    """Puts the available pictures into the manual.

    Raises:
        GuiError: One is too large, or there is none.
    """
    with tempfile.TemporaryDirectory() as place:
        work = Path(place)
        (work / "home").mkdir()
        for name, source in sources().items():
            path = folder / f"{source}.png"
            if path.exists():
                shutil.copyfile(path, work / f"{name}.png")
            else:
                gui.say(f"{name}.png stays as it is: there is no {path}")
        cuts = [
            f"mogrify -crop x{HEIGHTS[name]}+0+0 +repage {name}.png"
            for name in HEIGHTS
            if (work / f"{name}.png").exists()
        ]
        steps = " && ".join(["cd /gui/work", *cuts, f"mogrify {SHRINK} *.png"])
        code, said = gui.in_session(gui.make_root(), work, ["sh", "-c", steps], 120)
        if code:
            raise gui.GuiError(f"pictures cannot be shrunk:\n{said}")
        for path in sorted(work.glob("*.png")):
            size = path.stat().st_size
            if size > LARGEST:
                raise gui.GuiError(f"{path.name}: found {size} bytes, allowed {LARGEST}")
            shutil.copyfile(path, MANUAL / path.name)


if __name__ == "__main__":
    sys.exit(main())
