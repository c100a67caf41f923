"""The documentation site: its links, its contents, and pages for what scripts are written with."""

import re
from pathlib import Path

import pytest

from artfish.tests.project.tools import tool

ROOT = Path(__file__).resolve().parents[2]
site = tool("site")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """The pages as they are laid out for Sphinx."""
    folder = tmp_path_factory.mktemp("site") / "stage"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site, "STAGE", folder)
        site.lay_out()
    return folder


def test_every_page_is_in_the_contents_once(stage):
    listed = []
    for place in site.CONTENTS:
        text = (stage / place).read_text()
        for block in re.findall(r"```{toctree}\n(.*?)```", text, re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed += [((stage / place).parent / f"{name}.md").resolve() for name in names]
    assert len(listed) == len(set(listed))
    assert set(listed) | {(stage / "index.md").resolve()} == {page.resolve() for page in pages(stage)}


def test_all_pictures_of_pages_are_there(stage):
    shown = 0
    for page in pages(stage):
        for target in re.findall(r"!\[[^]]*\]\(([^)]+)\)", page.read_text()):
            assert (page.parent / target).is_file(), f"{page}: {target}"
            shown += 1
    assert shown > 40


def test_a_link_to_a_file_that_is_no_page_leads_to_the_repository():
    broken = []
    text = "[a](../core/recording.py#L3) [b](manual/bake.md#two) [c](https://x.example)"
    led = site.led(text, Path("docs/x.md"), Path("x.md"), broken)
    assert led == text.replace("../core", f"{site.address()}/blob/main/core")
    assert broken == []


def test_a_link_that_leads_nowhere_is_reported():
    broken = []
    site.led("[a](gone.md)", Path("docs/x.md"), Path("x.md"), broken)
    assert broken == ["docs/x.md: gone.md leads nowhere"]


def test_the_root_pages_of_the_repository_are_pages_of_the_site():
    assert site.led("[c](../CONTRIBUTING.md)", Path("docs/x.md"), Path("deep/x.md"), []) == "[c](../contributing.md)"


def pages(folder):
    return [path for path in folder.rglob("*.md") if "checkout" not in path.parts]
