"""Catalogs of messages: PO files as translators' editors write them, one a language, named after it.

Of gettext's format this reads what the catalogs need: contexts, messages over several lines, comments, and entries
that are marked as obsolete or fuzzy, which do not count. Plural forms are not used: a message for one and another for
several are two messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

CATALOGS = Path(__file__).resolve().parent
"""The folder of the catalogs."""
DEFAULT, BUTTON = "*", "Operator"
"""The context of messages that name none, and that of operators' labels, as Blender calls them."""
KEYWORDS = "msgctxt", "msgid", "msgstr"
LINE = re.compile(r'(?:(\w+)\s+)?"((?:[^"\\]|\\["\\nt])*)"')
ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\\\": "\\"}
Key = tuple[str, str]
"""Context and English text of a message."""


class CatalogError(ValueError):
    """A catalog that cannot be read; its text is one line."""


def languages() -> list[str]:
    """The languages that have a catalog, as Blender or the standard ISO 639 names them."""
    return sorted(path.stem for path in CATALOGS.glob("*.po"))


def language_for(locale: str) -> str:
    """The language of a locale, such as de for de_AT, if it has a catalog; "" if not."""
    there = languages()
    return next((name for name in (locale, locale.partition("_")[0], locale.partition("@")[0]) if name in there), "")


def read(path: Path) -> dict[Key, str]:
    """The translations in a catalog; messages without one are left out.

    Raises:
        CatalogError: The file is missing, damaged, or not of this format.
    """
    return {key: text for key, (text, fuzzy) in entries(path).items() if text and not fuzzy and key[1]}


def entries(path: Path) -> dict[Key, tuple[str, bool]]:
    """All entries of a catalog in its order: the translation, "" if there is none, and whether it is marked fuzzy.

    Raises:
        CatalogError: The file is missing, damaged, or not of this format.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise CatalogError(f"{path.name}: found a file that cannot be read, allowed a PO file in UTF-8") from None
    found: dict[Key, tuple[str, bool]] = {}
    for number, entry, fuzzy in _entries(path.name, text):
        if entry.keys() - {"msgctxt"} != {"msgid", "msgstr"}:
            raise _error(path.name, number, "an entry without msgid or msgstr", "both")
        key = entry.get("msgctxt", DEFAULT), entry["msgid"]
        if key in found:
            raise _error(path.name, number, f"{key[1][:60]!r} again", "each message once")
        found[key] = entry["msgstr"], fuzzy
    return found


def _entries(name: str, text: str) -> Iterator[tuple[int, dict[str, str], bool]]:
    """The entries of a catalog, each with its last line and whether it is marked fuzzy."""
    entry: dict[str, str] = {}
    keyword, fuzzy = "", False
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        comment = line.startswith("#")
        if entry and (not line or comment or line.startswith(("msgctxt", "msgid")) and "msgstr" in entry):
            yield number, entry, fuzzy
            entry, keyword, fuzzy = {}, "", False
        if comment:
            fuzzy = fuzzy or line.startswith("#,") and "fuzzy" in line
            continue
        if not line:
            continue
        match = LINE.fullmatch(line)
        if match is None or not (match[1] or keyword):
            raise _error(name, number, f"{line[:60]!r}", "a keyword and a text in quotation marks")
        if match[1]:
            keyword = match[1]
            if keyword not in KEYWORDS or keyword in entry:
                raise _error(name, number, keyword, "msgctxt, msgid and msgstr, each once")
            entry[keyword] = ""
        said = match[2]
        entry[keyword] += re.sub(r"\\.", lambda found: ESCAPES[found[0]], said) if "\\" in said else said
    if entry:
        yield number, entry, fuzzy


def _error(name: str, line: int, found: str, allowed: str) -> CatalogError:
    return CatalogError(f"{name}, line {line}: found {found}, allowed {allowed}")
