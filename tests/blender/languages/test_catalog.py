"""Catalogs: what is read of a PO file, what is refused in one line, and that those here are complete."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from artfish.blender_artfish.languages.catalog import (
    CATALOGS,
    CatalogError,
    entries,
    language_for,
    languages,
    read,
)

ROOT = Path(__file__).resolve().parents[3]
HEAD = 'msgid ""\nmsgstr "Language: xx\\n"\n\n'
ALIKE = {
    "de": {
        *(
            "Alpha h",
            "Alpha l",
            "Artfish",
            "Cache",
            "Constraints",
            "Cursor",
            "Dolly",
            "Film",
            "Form",
            "Format",
            "Frame",
        ),
        *("Frames", "Hunger", "Index", "Iris", "JSON in UTF-8", "Kelp", "Libido", "Live", "Mesh", "Mutation", "Name"),
        *("Pause", "Plankton", "Population", "Radius", "Rate", "Relief", "Start", "Station", "Stereo", "Takes"),
        *("Threads", "Warm", "Ring 1", "Ring 2", "Ring 3", "Ring 4", "Ring 5", "Sardine", "Cousto", "Go Fish"),
        *("Alembic (.abc)", "USD (.usdc)", "glTF (.glb)", "COCO", "YOLO"),
    },
    "ja": {"Artfish", "Alembic (.abc)", "USD (.usdc)", "glTF (.glb)", "COCO", "YOLO"},
}
"""Messages that are the same in a language as in English; others are so if they have no word of four letters."""


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed."""


@pytest.fixture
def written(tmp_path):
    """Writes a catalog and returns its path."""

    def write(text: str, head: str = HEAD) -> Path:
        path = tmp_path / "xx.po"
        path.write_text(head + text, encoding="utf-8")
        return path

    return write


def test_a_catalog_is_read_as_an_editor_writes_it(written):
    path = written(
        '# by somebody\n#: a.py\nmsgctxt "Operator"\nmsgid "Bake"\nmsgstr "Backen"\n\n'
        '#: b.py\nmsgid ""\n"A \\"long\\" "\n"line\\\\\\n"\nmsgstr "Eine \\"lange\\" "\n"Zeile\\\\\\n"\n\n'
        '#, fuzzy\nmsgid "Hook"\nmsgstr "Haken?"\n\nmsgid "Tank"\nmsgstr ""\n\n#~ msgid "old"\n#~ msgstr "alt"\n'
    )
    assert read(path) == {("Operator", "Bake"): "Backen", ("*", 'A "long" line\\\n'): 'Eine "lange" Zeile\\\n'}
    assert [key[1] for key in entries(path)][1:] == ["Bake", 'A "long" line\\\n', "Hook", "Tank"]


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ('msgid "Bake"\nmsgstr Backen\n', 5, "Backen"),
        ('msgid "Bake"\n\nmsgid "Hook"\nmsgstr "Haken"\n', 5, "without"),
        ('msgid "Bake"\nmsgstr "a"\nmsgstr "b"\n', 6, "msgstr"),
        ('msgid "Bake"\nmsgstr "a"\n\nmsgid "Bake"\nmsgstr "b"\n', 8, "again"),
        ('msgid "one"\nmsgid_plural "many"\nmsgstr "b"\n', 5, "msgid_plural"),
        ('msgid "a\\q"\nmsgstr "b"\n', 4, "q"),
        ('"Bake"\n', 4, "Bake"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(written, text, line, found):
    with pytest.raises(CatalogError) as caught:
        read(written(text))
    said = str(caught.value)
    assert said.startswith(f"xx.po, line {line}: found ") and found in said and "\n" not in said


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_a_file_that_is_no_text_is_refused(tmp_path, content):
    path = tmp_path / "xx.po"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CatalogError, match="xx.po: found a file that cannot be read"):
        read(path)


def test_a_locale_has_the_catalog_of_its_language():
    assert {"de", "ja"} <= set(languages())
    named = {
        "de_DE": "de",
        "de_AT": "de",
        "ja_JP": "ja",
        "ja": "ja",
        "sr@latin": "",
        "en_US": "",
        "DEFAULT": "",
        "": "",
    }
    assert {locale: language_for(locale) for locale in named} == named


@pytest.mark.film
def test_every_message_of_the_interface_is_in_every_catalog_and_no_other():
    command = [sys.executable, str(ROOT / "tools" / "messages.py"), "--check"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("language", languages())
def test_what_is_translated_is_no_longer_english(language):
    found = read(CATALOGS / f"{language}.po")
    alike = {text for (_, text), local in found.items() if text == local and has_words(text)}
    assert len(found) > 3000
    assert alike == ALIKE.get(language, set())


def has_words(text: str) -> bool:
    """True of a text with a word of four letters or more beside its placeholders."""
    return re.search("[A-Za-z]{4}", re.sub(r"\{[^}]*\}", "", text)) is not None
