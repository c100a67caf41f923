"""Sentences of the simulation in Blender's language: it makes them in English, and they are recognised by patterns.

A catalog has the patterns in a context of their own, with {0}, {1}, ... in place of what the simulation puts in, which
may be a sentence or a word of the catalog again. What no pattern fits stays as it is.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import lru_cache

from ..blender import runtime
from .catalog import DEFAULT, Key

SIMULATION = "Simulation"
"""The context of the simulation's sentences."""
COLON = ": "
"""Between what is spoken of and what is said of it."""
KEPT_SENTENCES = 2000
"""Sentences whose translations are kept."""


class Sentences:
    """The patterns of the catalog in use.

    Attributes:
        known: Translations of sentences and words without placeholders.
        patterns: Pattern and translation of the others; those with most words of their own come first.
    """

    def __init__(self) -> None:
        """Start with none: the simulation's English stays."""
        self.known: dict[str, str] = {}
        self.patterns: list[tuple[re.Pattern[str], str]] = []


def learn(found: Mapping[Key, str]) -> None:
    """Takes the patterns of a catalog in place of those before."""
    sentences = runtime.of(Sentences)
    own = {text: local for (context, text), local in found.items() if context == SIMULATION}
    plain = {text: local for (context, text), local in found.items() if context == DEFAULT}
    sentences.known = plain | {text: local for text, local in own.items() if "{" not in text}
    ordered = sorted((text for text in own if "{" in text), key=_letters, reverse=True)
    sentences.patterns = [(_pattern(text), own[text]) for text in ordered]
    understood.cache_clear()


@lru_cache(maxsize=KEPT_SENTENCES)
def understood(text: str) -> str:
    """A sentence of the simulation in Blender's language; as it is where nothing fits."""
    sentences = runtime.of(Sentences)
    if text in sentences.known:
        return sentences.known[text]
    for pattern, local in sentences.patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            return local.format(*map(understood, match.groups()))
    head, colon, rest = text.partition(COLON)
    return f"{understood(head)}{COLON}{understood(rest)}" if rest else text


def _pattern(text: str) -> re.Pattern[str]:
    """The look of a sentence that was made of a pattern."""
    parts = [(re.escape(words), name) for words, name, _, _ in string.Formatter().parse(text)]
    put_in = "(.*?)" if COLON in text else f"((?:(?!{COLON}).)*?)"  # a sentence within another has its own pattern
    return re.compile("".join(words + (put_in if name is not None else "") for words, name in parts), re.DOTALL)


def _letters(text: str) -> int:
    """The letters of a pattern that are its own."""
    return sum(len(words) for words, _, _, _ in string.Formatter().parse(text))
