"""Build the documentation site into out/site, strictly: a broken link or a page that no other leads to ends it.

    python tools/site.py [--output out/site]

Pages are those of docs/, with CONTRIBUTING.md and CHANGELOG.md beside them, and one for each public name of Python, of
its docstring. They are laid out in .cache/site, where links to files that are no pages become links to the repository
(`Repository` in pyproject.toml); every page's own list of links is its part of the contents.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / ".cache" / "site"
CONFIGURATION = ROOT / "docs" / "site"
ROOT_PAGES = ("CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")
"""Pages that stand at the root of the repository; on the site their names are in small letters."""
CONTENTS = "index.md", "manual/index.md", "python/index.md"
"""Pages whose lists of links are the contents of the site, from the top."""
PYTHON = {
    "artfish.core": "scenes, worlds, recordings",
    "artfish.core.body.anatomy": "the masses, springs and muscles of a body",
    "artfish.core.photo.snake_grid": "a fish in a photograph",
    "artfish.core.studio.among": "some fishes of a recording live anew among the others",
    "artfish.core.studio.film": "shot lists",
    "artfish.core.farm.running": "many worlds on any executor",
    "artfish.core.farm.takes": "takes and their scores",
    "artfish.core.genetics.genome": "genomes, gametes and children",
    "artfish.blender_artfish.bake.writer": "keyframes, from a Python that has bpy",
}
"""Modules whose public names have a page, and what they are for."""
PYTHON_LINK = "- [Python](python/index.md): the names that scripts are written with."
BEFORE = "- [Recordings]"
"""The line of the first page before which that of Python stands, whose pages are on the site alone."""
LINK = re.compile(r"(?<=\]\()([^)\s#]*)(#[^)\s]*)?(?=\))")


class BrokenLinksError(Exception):
    """Links that lead nowhere, a line each."""


def main() -> int:
    """Lays the pages out and has Sphinx build them."""
    parser = argparse.ArgumentParser(description="Builds the documentation site.")
    parser.add_argument("--output", type=Path, default=ROOT / "out" / "site", help="folder for the site")
    arguments = parser.parse_args()
    try:
        count = lay_out()
    except BrokenLinksError as error:
        print(error)
        return 1
    known = STAGE.with_name("site.doctrees")
    for old in (arguments.output, known):  # what an earlier build knows would get into this one
        shutil.rmtree(old, ignore_errors=True)
    build = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html"]
    folders = ["-d", str(known), str(STAGE), str(arguments.output)]
    built = subprocess.run([*build, *folders], check=False)
    if built.returncode == 0:
        print(f"site: {count} pages, {arguments.output / 'index.html'}")
    return built.returncode


def lay_out() -> int:
    """Writes all pages and pictures of the site into .cache/site.

    Returns:
        The number of pages.

    Raises:
        BrokenLinksError: A link of a page leads to no file.
    """
    shutil.rmtree(STAGE, ignore_errors=True)
    STAGE.mkdir(parents=True)
    shutil.copy(CONFIGURATION / "conf.py", STAGE)
    shutil.copytree(CONFIGURATION / "static", STAGE / "static")
    (STAGE / "checkout").symlink_to(ROOT, target_is_directory=True)
    broken: list[str] = []
    pages = {
        place: led(source.read_text(encoding="utf-8"), source.relative_to(ROOT), Path(place), broken)
        for source, place in sources().items()
    }
    pages["index.md"] = pages["index.md"].replace(BEFORE, f"{PYTHON_LINK}\n{BEFORE}")
    for place, text in (pages := pages | python_pages()).items():
        target = STAGE / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text + (contents(text) if place in CONTENTS else ""), encoding="utf-8")
    if broken:
        raise BrokenLinksError("\n".join(broken))
    for picture, place in pictures().items():
        target = STAGE / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, target)
    return len(pages)


def sources() -> dict[Path, str]:
    """The places on the site of the repository's pages."""
    docs = ROOT / "docs"
    pages = {path: path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))}
    return pages | {ROOT / name: name.lower() for name in ROOT_PAGES}


def pictures() -> dict[Path, str]:
    """The places on the site of the repository's pictures: those of docs/, and the thumbnails of presets."""
    found = {}
    for folder, at in (("docs", "docs"), ("presets", ".")):
        files = (path for kind in ("png", "jpg", "svg") for path in sorted((ROOT / folder).rglob(f"*.{kind}")))
        found |= {path: path.relative_to(ROOT / at).as_posix() for path in files}
    return found


def led(text: str, source: Path, place: Path, broken: list[str]) -> str:
    """The text of a page with its links as they are on the site.

    Args:
        text: The page.
        source: Its place in the repository.
        place: Its place on the site.
        broken: Takes up a line for each link that leads nowhere.
    """
    places = sources() | pictures()

    def lead(link: re.Match[str]) -> str:
        to, anchor = link[1], link[2] or ""
        if not to or "://" in to or to.startswith("mailto:"):
            return link[0]
        target = Path(os.path.normpath(ROOT / source.parent / to))
        if target in places:
            return os.path.relpath(places[target], place.parent) + anchor
        if not target.exists():
            broken.append(f"{source}: {to} leads nowhere")
        return f"{address()}/{'tree' if target.is_dir() else 'blob'}/main/{target.relative_to(ROOT).as_posix()}{anchor}"

    return LINK.sub(lead, text)


def address() -> str:
    """Where the repository is to be found."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]


def contents(text: str) -> str:
    """The contents that a page's lists of links are, a hidden directive for each heading above a list."""
    parts = []
    caption, pages = "", []
    for line in [*text.splitlines(), "## "]:
        heading = re.match(r"## +(.*)|\*\*(.+)\*\*$", line)
        if heading:
            if pages:
                parts.append("\n".join(["\n```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```\n"]))
            caption, pages = heading[1] or heading[2] or "", []
        if link := re.match(r"- \[[^]]*\]\(([^)#:]+)\.md\)", line):
            pages.append(link[1])
    return "\n".join(parts).replace(":caption: \n", "")


def python_pages() -> dict[str, str]:
    """A page for each module whose names others use, and the page that lists them."""
    lines = ["# Python\n", "The names that scripts are written with; all else may change between versions.\n"]
    pages = {}
    for name, purpose in PYTHON.items():
        module = import_module(name)
        public = getattr(module, "__all__", None)
        members = ":members:" + (f" {', '.join(public)}" if public else "")
        own = [members, ":imported-members:"] if public else [members]
        body = "\n".join(["```{eval-rst}", f".. automodule:: {name}", *(f"   {line}" for line in own), "```"])
        page = f"python/{name.removeprefix('artfish.').replace('.', '-')}.md"
        title = purpose[0].upper() + purpose[1:]
        pages[page] = f"# {title}\n\n`{name}`\n\n{body}\n"
        lines.append(f"- [{title}]({Path(page).name}): `{name}`.")
    return {"python/index.md": "\n".join(lines) + "\n", **pages}


if __name__ == "__main__":
    sys.exit(main())
