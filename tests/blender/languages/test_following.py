"""The catalog of Blender's language is registered, and another one, or none, when that changes.

pip's bpy is built without languages, so that its part is played here; tests/gui/test_languages.py has the real one.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from artfish.blender_artfish.blender import runtime, words
from artfish.blender_artfish.blender.words import BUTTONS, WORDS, composed
from artfish.blender_artfish.languages import catalog, following
from artfish.blender_artfish.languages.sentences import understood


class Translations(SimpleNamespace):
    """Blender's languages: one at a time, and the messages registered for it."""

    def register(self, name, messages):
        assert name not in self.there
        self.there[name] = messages

    def unregister(self, name):
        del self.there[name]

    def pgettext_iface(self, text, context="*"):
        for messages in self.there.values():
            found = messages.get(self.locale.partition("_")[0], {})
            if (context, text) in found:
                return found[context, text]
        return text


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed."""


@pytest.fixture
def blender(monkeypatch):
    """Blender in American English."""
    played = Translations(locale="en_US", there={})
    monkeypatch.setattr(following, "made", played)
    monkeypatch.setattr(words, "catalogs", played)
    runtime.drop(following.Spoken)
    yield played
    following.hush()
    runtime.drop(following.Spoken)


def test_nothing_is_read_in_english(blender, monkeypatch):
    monkeypatch.setattr(following, "read", lambda path: pytest.fail("a catalog was read"))
    following.speak()
    assert blender.there == {}


def test_the_language_is_followed_and_left_again(blender):
    blender.locale = "de_AT"
    following.speak()
    assert words.translated("Tank") == "Becken" and words.counted(3, "{count} fish", "{count} fishes") == "3 Fische"
    assert understood("Shark ate Sardine") == "Shark fraß Sardine"
    blender.locale = "ja_JP"
    following.speak()
    assert words.translated("Tank") == "水槽"
    blender.locale = "en_US"
    following.speak()
    assert words.translated("Tank") == "Tank" and blender.there == {}
    assert understood("Shark ate Sardine") == "Shark ate Sardine"


def test_it_stays_english_for_who_prefers_that(blender):
    blender.locale = "de_DE"
    following.keep_english(True)
    assert blender.there == {}
    following.keep_english(False)
    assert words.translated("Tank") == "Becken"


def test_a_damaged_catalog_is_a_line_and_english(blender, tmp_path, monkeypatch, capfd):
    (tmp_path / "de.po").write_bytes(b'msgid "Tank"\nmsgstr Becken\n')
    monkeypatch.setattr(catalog, "CATALOGS", tmp_path)
    monkeypatch.setattr(following, "CATALOGS", tmp_path)
    blender.locale = "de_DE"
    following.speak()
    following.speak()
    said = capfd.readouterr().out.splitlines()
    assert len(said) == 1 and said[0].startswith("Artfish: de.po, line 2: ")
    assert words.translated("Tank") == "Tank"


def test_buttons_and_names_have_contexts_of_their_own():
    found = following.messages({("*", "Back"): "Rücken", ("Operator", "Back"): "Zurück", ("*", "Tank"): "Becken"})
    assert found[WORDS, "Back"] == "Rücken" and found[BUTTONS, "Back"] == "Zurück"
    assert found[BUTTONS, "Tank"] == found["*", "Tank"] == "Becken"


def test_composed_texts_are_put_together(monkeypatch):
    monkeypatch.setattr(following, "COMPOSED", made := {})
    monkeypatch.setattr(words, "COMPOSED", made)
    help_text = composed("{text} ({unit})", text="How far", unit="lengths")
    hint = composed("Set here: {help}", help=help_text)
    local = {
        "{text} ({unit})": "{text} ({unit})",
        "How far": "Wie weit",
        "lengths": "Längen",
        "Set here: {help}": "Hier: {help}",
    }
    found = following.messages({("*", text): own for text, own in local.items()})
    assert found[WORDS, hint] == "Hier: Wie weit (Längen)"
    local["Set here: {help}"] = "Hier: {hilfe}"
    found = following.messages({("*", text): own for text, own in local.items()})
    assert found[WORDS, hint] == "Set here: Wie weit (Längen)"
