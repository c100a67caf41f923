"""Write the catalogs in blender_artfish/languages: every message of the interface, and what it is in each language.

    python tools/messages.py              brings all catalogs up to date: new messages are left empty, old ones go
    python tools/messages.py fr           makes one for French, to be filled in
    python tools/messages.py --check      exit 1 if a message is missing or superfluous in a catalog, or not translated

Messages are found by rule: in what is registered with Blender, the labels, names and descriptions of classes and
properties; in the source, texts that layouts draw and all that is annotated as `Message` (blender/words.py); and the
lines of presets. Needs bpy.
"""

from __future__ import annotations

import argparse
import json
import os
import string
from collections.abc import Iterator
from inspect import get_annotations
from pathlib import Path
from typing import Any

import bpy
from core_sentences import found_in_core
from sources import found_in_source

from artfish import blender_artfish
from artfish.blender_artfish.blender.declarations import DECLARATIONS
from artfish.blender_artfish.blender.words import COMPOSED, WORDS
from artfish.blender_artfish.languages.catalog import BUTTON, CATALOGS, DEFAULT, Key, entries, languages
from artfish.blender_artfish.scene.properties import preset_items
from artfish.blender_artfish.species import library

ROOT = Path(__file__).resolve().parent.parent
PRESETS = ROOT / "presets"
REGISTERED_ON: list[Any] = [*bpy.types.ID.__subclasses__(), bpy.types.WindowManager]
PREFIX = "artfish"
"""Beginning of the names of properties that the add-on gives to Blender's own classes."""
HEAD = r"""# Artfish in another language: msgid is the English, msgstr what is shown instead.
# Placeholders such as {count} stay as they are. python tools/messages.py brings this file up to date.
msgid ""
msgstr ""
"Language: %s\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"""
Found = dict[Key, list[str]]
"""Messages by context and text, in order, each with the files that they are in."""


def main() -> None:
    """Writes or checks the catalogs."""
    parser = argparse.ArgumentParser(description="Brings the catalogs of messages up to date.")
    parser.add_argument("language", nargs="?", help="a language to make a catalog for")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if anything would change")
    arguments = parser.parse_args()
    found = messages()
    faults = []
    for language in sorted({*languages(), *filter(None, [arguments.language])}):
        path = CATALOGS / f"{language}.po"
        text = catalog(found, language)
        if arguments.check:
            faults += faults_of(found, language)
            if path.read_text(encoding="utf-8") != text:
                faults.append(f"{path.name} is not up to date: python tools/messages.py")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            empty = sum(not entry for entry, _ in list(entries(path).values())[1:])
            print(f"{path.name}: {len(found)} messages, {empty} of them not translated")
    print(*faults, sep="\n", flush=True)
    os._exit(bool(faults))  # pip's bpy may not end by itself once classes were registered


def messages() -> Found:
    """All messages of the interface, sorted by the file in which each is first."""
    blender_artfish.register()
    try:
        pairs = [*registered(), *composed(), *found_in_source(ROOT), *of_presets(), *found_in_core(ROOT)]
    finally:
        blender_artfish.unregister()
    found: Found = {}
    for key, place in pairs:
        if key[1].strip() and any(letter.isalpha() for letter in key[1]):
            places = found.setdefault(key, [])
            places += [place] if place not in places else []
    whole = set(COMPOSED)
    return {key: places for key, places in sorted(found.items(), key=lambda item: item[1][0]) if key[1] not in whole}


def registered() -> Iterator[tuple[Key, str]]:
    """The words of the add-on's classes and properties, each with its file."""
    for room in blender_artfish.rooms():
        for cls in room.CLASSES:
            place = _file(cls.__module__)
            button = issubclass(cls, bpy.types.Operator)
            yield (BUTTON if button else DEFAULT, getattr(cls, "bl_label", "")), place
            if button:
                yield (DEFAULT, _rna(cls).description), place
            own = {name for each in cls.__mro__ if "artfish" in each.__module__ for name in get_annotations(each)}
            declared = _rna(cls).properties
            theirs = set() if button else set(_rna(cls.__base__).properties.keys())
            for name in [name for name in list(declared.keys()) if name in own - theirs]:
                yield from _of_property(declared[name], place)
    for cls in REGISTERED_ON:
        for made in cls.bl_rna.properties:
            if made.identifier.startswith(PREFIX):
                yield from _of_property(made, "blender_artfish/__init__.py")


def _rna(cls: Any) -> Any:
    """Properties that Blender knows of a class; of an operator, of those it is called with."""
    if not issubclass(cls, bpy.types.Operator):
        return cls.bl_rna
    module, name = cls.bl_idname.split(".")
    return getattr(getattr(bpy.ops, module), name).get_rna_type()


def _of_property(made: Any, place: str) -> Iterator[tuple[Key, str]]:
    context = DEFAULT if made.translation_context == WORDS else made.translation_context
    if made.name != made.identifier:  # which Blender calls it where it has no name
        yield (context, made.name), place
    yield (DEFAULT, made.description), place
    if made.type == "ENUM":
        for item in made.enum_items_static:
            yield (context, item.name), place
            yield (DEFAULT, item.description), place


def composed() -> Iterator[tuple[Key, str]]:
    """The patterns and the parts of composed texts."""
    for pattern, parts in COMPOSED.values():
        for text in (pattern, *parts.values()):
            if text not in COMPOSED:
                yield (DEFAULT, text), "blender_artfish/declarations.json"


def of_presets() -> Iterator[tuple[Key, str]]:
    """Names and lines of presets, and the words at both ends of each trait."""
    lines = PRESETS / "gallery" / "scenes.json"
    for _, title, _ in preset_items():
        yield (BUTTON, title), "presets/scenes"
    for line in json.loads(lines.read_text(encoding="utf-8")).values():
        yield (DEFAULT, line), str(lines.relative_to(ROOT).as_posix())
    for name in sorted(library.presets()):
        yield (DEFAULT, library.label(name)), "presets/species"
    for field in DECLARATIONS["Traits"]:
        for end in field["ends"]:
            yield (DEFAULT, end), "blender_artfish/declarations.json"


def _file(module: str) -> str:
    return module.partition(".")[2].replace(".", "/") + ".py"


def catalog(found: Found, language: str) -> str:
    """The text of a language's catalog, with the translations that it has."""
    path = CATALOGS / f"{language}.po"
    there = entries(path) if path.is_file() else {}
    parts = [HEAD % language]
    for (context, text), places in found.items():
        lines = [f"#: {' '.join(places)}"]
        if context != DEFAULT:
            lines.append(f"msgctxt {quoted(context)}")
        local, fuzzy = there.get((context, text), ("", False))
        if fuzzy:
            lines.insert(1, "#, fuzzy")
        parts.append("\n".join([*lines, f"msgid {quoted(text)}", f"msgstr {quoted(local)}"]) + "\n")
    return "\n".join(parts)


def quoted(text: str) -> str:
    """A text as it stands in a catalog."""
    for letter, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(letter, escaped)
    return f'"{text}"'


def faults_of(found: Found, language: str) -> list[str]:
    """The faults of a language's catalog, a line each."""
    there = entries(CATALOGS / f"{language}.po")
    there.pop((DEFAULT, ""), None)
    said = [f"{language}: not there: {key[1]!r}" for key in found if key not in there]
    for key, (local, fuzzy) in there.items():
        if key not in found:
            said.append(f"{language}: superfluous: {key[1]!r}")
        elif not local or fuzzy:
            said.append(f"{language}: not translated: {key[1]!r}")
        elif wrong := unlike(key[1], local):
            said.append(f"{language}: {wrong}: {key[1]!r}, {local!r}")
    return said


def unlike(text: str, local: str) -> str:
    """The way in which a translation differs from its message though it must not; "" if in nothing."""
    if sorted(fields_in(text)) != sorted(fields_in(local)):
        return "other placeholders"
    ends = [(each[: len(each) - len(each.lstrip())], each[len(each.rstrip()) :]) for each in (text, local)]
    if ends[0] != ends[1]:
        return "other spaces at an end"
    if text.count("%") != local.count("%"):
        return "another number of %"
    if local.rstrip()[-1] in ".。" and text.rstrip()[-1] != ".":
        return "a full stop"
    return ""


def fields_in(text: str) -> list[str]:
    """The placeholders of a text, with their format; [...] that are none are left out."""
    try:
        return [f"{name}!{kind}:{form}" for _, name, form, kind in string.Formatter().parse(text) if name is not None]
    except ValueError:
        return ["wrong"]


if __name__ == "__main__":
    main()
