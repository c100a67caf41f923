"""Words in Blender's language: put together, counted, and wrapped by the room that letters take."""

import pytest

from artfish.blender_artfish.blender import words
from artfish.blender_artfish.blender.words import counted, listed, room, translated, wrapped


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed."""


@pytest.fixture
def german(monkeypatch):
    """A language with a few words, one of them with a fault."""
    known = {
        "{count} fishes": "{count} Fische",
        "{name} is there": "{nom} ist da",
        "{most} and {last}": "{most} und {last}",
    }

    class Catalogs:
        @staticmethod
        def pgettext_iface(text, context):
            return known.get(text, text)

    monkeypatch.setattr(words, "catalogs", Catalogs)


def test_without_a_translation_it_is_english():
    assert translated("{count:,} vertices", count=12000) == "12,000 vertices"
    assert translated('{"time": 0}') == '{"time": 0}' and translated("") == ""


def test_a_fault_in_a_catalog_costs_the_translation_of_that_text_alone(german):
    assert translated("{name} is there", name="Reef") == "Reef is there"
    assert counted(3, "{count} fish", "{count} fishes") == "3 Fische"
    assert counted(1, "{count} fish", "{count} fishes") == "1 fish"


def test_texts_are_listed(german):
    assert listed(["hook"]) == "hook" and listed(["plankton", "hook", "camera"]) == "plankton, hook und camera"


def test_lines_are_no_longer_than_there_is_room():
    latin = "Ein Hai kommt hinter einem Felsen hervor; ein Schwarm stiebt auseinander"
    assert wrapped(latin, 30) == ["Ein Hai kommt hinter einem", "Felsen hervor; ein Schwarm", "stiebt auseinander"]
    japanese = "岩陰からサメが現れ、群れが散る。海底の丘"
    lines = wrapped(japanese, 20)
    assert "".join(lines) == japanese and len(lines) > 1
    assert all(room(line) <= 20 for line in lines)
    assert not any(line[0] in words.NO_LINE_START for line in lines)


def test_a_word_longer_than_a_line_stands_alone():
    assert wrapped("a Donaudampfschifffahrt b", 10) == ["a", "Donaudampfschifffahrt", "b"]
    assert wrapped("", 10) == []
