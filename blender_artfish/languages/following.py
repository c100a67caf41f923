"""The catalog of Blender's language, registered with Blender, and another one when the language changes."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import glances, runtime
from ..blender.package import EXTENSION
from ..blender.words import BUTTONS, COMPOSED, WORDS
from .catalog import BUTTON, CATALOGS, DEFAULT, CatalogError, Key, language_for, read
from .sentences import SIMULATION, learn

made: Any = bpy.app.translations  # by the stubs its functions return nothing


class Spoken:
    """The language whose catalog Blender has.

    Attributes:
        language: Its name; "" for English.
        registered: Whether Blender has it, which it has not where a catalog is damaged.
        english: Whether the interface stays English whatever Blender's language is.
        follows: What subscribes to Blender's language.
    """

    def __init__(self) -> None:
        """English, as long as nothing is registered."""
        self.language, self.registered, self.english, self.follows = "", False, False, object()


def speak() -> None:
    """Registers the catalog of Blender's language in place of that which was registered."""
    spoken = runtime.of(Spoken)
    code = "" if spoken.english else language_for(made.locale or "")
    if code == spoken.language:
        return
    hush()
    if code:
        try:
            found = read(CATALOGS / f"{code}.po")
            made.register(EXTENSION, {code: messages(found)})
            learn(found)
            spoken.registered = True
        except CatalogError as error:
            print(f"Artfish: {error}: its words stay English")
        spoken.language = code
    glances.forget()


def hush() -> None:
    """Takes the catalog out: the interface is English."""
    spoken = runtime.of(Spoken)
    if spoken.registered:
        made.unregister(EXTENSION)
        learn({})
    spoken.language, spoken.registered = "", False


def keep_english(english: bool) -> None:
    """Has the interface stay English, or speak Blender's language again."""
    runtime.of(Spoken).english = english
    speak()


def messages(found: dict[Key, str]) -> dict[Key, str]:
    """The messages that Blender gets of a catalog: in its own and in the add-on's contexts, and with composed texts."""
    words = {text: local for (context, text), local in found.items() if context == DEFAULT}
    labels = {text: local for (context, text), local in found.items() if context == BUTTON}
    words |= {
        text: _composed(pattern, parts, words) for text, (pattern, parts) in COMPOSED.items() if text not in words
    }
    own = (WORDS, labels | words), (DEFAULT, labels | words), (BUTTONS, words | labels), (BUTTON, words | labels)
    both = {(context, text): local for context, those in own for text, local in those.items()}
    return both | {key: local for key, local in found.items() if key[0] not in (DEFAULT, BUTTON, SIMULATION)}


def _composed(pattern: str, parts: dict[str, str], words: dict[str, str]) -> str:
    """A composed text; its pattern stays English where the catalog's has other placeholders."""
    local = {name: _part(part, words) for name, part in parts.items()}
    try:
        return words.get(pattern, pattern).format(**local)
    except (KeyError, IndexError, ValueError):
        return pattern.format(**local)


def _part(part: str, words: dict[str, str]) -> str:
    """A part of a composed text, which may be composed itself."""
    if part in words or part not in COMPOSED:
        return words.get(part, part)
    return _composed(*COMPOSED[part], words)


CLASSES = ()


def register() -> None:
    """Speaks Blender's language, and follows it."""
    key: Any = bpy.types.PreferencesView, "language"
    bpy.msgbus.subscribe_rna(key=key, owner=runtime.of(Spoken).follows, args=(), notify=speak, options={"PERSISTENT"})
    speak()


def unregister() -> None:
    """Takes the catalog out and follows no more."""
    bpy.msgbus.clear_by_owner(runtime.of(Spoken).follows)
    hush()
    runtime.drop(Spoken)
