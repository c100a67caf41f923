"""Words of the interface in Blender's language.

English is written in the code. Blender itself looks up what classes and properties declare and what layouts draw;
what is put together in Python, reported or wrapped goes through `translated`. A text that is annotated as `Message`,
or stands where a `Message` is expected, is one that tools/messages.py collects for the catalogs in
blender_artfish/languages.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import get_annotations
from typing import Any, TypeAlias, get_type_hints
from unicodedata import east_asian_width

import bpy

from .package import ADD_ON

Message: TypeAlias = str
"""A text in English that is shown in Blender's language."""
catalogs: Any = bpy.app.translations  # by the stubs its functions return nothing
NO_LINE_START = "、。，．・：；？！ー）」』】〕々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]%"
"""Letters with which no line begins."""

WORDS, BUTTONS = "Artfish", "Artfish Operator"
"""Contexts of the add-on's words and of labels of its operators.

They are not Blender's own, whose catalogs come first: in them Lead is a metal and Second a part of a minute.
"""
COMPOSED: dict[str, tuple[Message, dict[str, Message]]] = {}
"""Texts of properties that are composed of others: the pattern, and what is put in, each translated by itself."""


def translated(text: Message, /, **values: object) -> str:
    """A text in Blender's language; English where there is no translation.

    Args:
        text: The English text, with a placeholder such as {count} for each value.
        values: What is put in, in the notation of `str.format`.
    """
    local: str = catalogs.pgettext_iface(text, WORDS) if text else text
    if not values:
        return local
    try:
        return local.format(**values)
    except (KeyError, IndexError, ValueError):  # a fault in a catalog
        return text.format(**values)


def in_blenders_words(text: str, context: str | None) -> str:
    """A label of Blender's own in its language."""
    label: str = catalogs.pgettext_iface(text, context) if text else text
    return label


def label_of(operator: Any) -> str:
    """The label of an operator, in Blender's language."""
    label: str = catalogs.pgettext_iface(operator.bl_label, BUTTONS)
    return label


def in_own_context(cls: Any) -> None:
    """Has Blender look up the label of a class, and the names of its properties, among the add-on's words."""
    cls.bl_translation_context = BUTTONS if issubclass(cls, bpy.types.Operator) else WORDS
    for each in cls.__mro__:
        if each.__module__.startswith(ADD_ON):
            own = get_annotations(each)
            if any(isinstance(annotation, str) for annotation in own.values()):
                own = {name: made for name, made in get_type_hints(each).items() if name in own}
            for name, made in own.items():
                if hasattr(made, "keywords"):
                    made.keywords.setdefault("translation_context", WORDS)
                    each.__annotations__[name] = made


def counted(count: int, one: Message, many: Message, /, **values: object) -> str:
    """A text in Blender's language for one thing or for several, which it may name as {count}."""
    return translated(one if count == 1 else many, count=count, **values)


def composed(pattern: Message, /, **parts: Message) -> str:
    """The English text of a property, whose translation is composed of those of its parts."""
    text = pattern.format(**parts)
    COMPOSED[text] = pattern, parts
    return text


def listed(texts: Iterable[Message]) -> str:
    """Texts in Blender's language, one after the other, with "and" before the last."""
    *most, last = map(translated, texts)
    return translated("{most} and {last}", most=", ".join(most), last=last) if most else last


def wrapped(text: str, letters: int) -> list[str]:
    """A text in lines of so many Latin letters; a letter of East Asian writing takes the room of two.

    Such writing has no spaces, so that a line ends after any of its letters, unless the next may not begin one.
    """
    lines, line = [], ""
    for word in _words(text):
        if line and room(line + word.rstrip()) > letters:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()] if line.strip() else lines


def room(text: str) -> int:
    """The room that a text takes, in Latin letters."""
    return sum(2 if _is_wide(letter) else 1 for letter in text)


def _words(text: str) -> list[str]:
    """The pieces between which a line may end: words with the spaces behind them, and single wide letters."""
    found: list[str] = []
    for letter in text:
        before = found[-1][-1] if found else ""
        joins = before not in ("", " ") and not _is_wide(letter) and not _is_wide(before)
        if joins or found and letter in NO_LINE_START + " ":
            found[-1] += letter
        else:
            found.append(letter)
    return found


def _is_wide(letter: str) -> bool:
    return east_asian_width(letter) in "WF"
