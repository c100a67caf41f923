"""Sentences of the simulation are recognised, with what was put in, in any order of the other language."""

import pytest

from artfish.blender_artfish.languages.catalog import CATALOGS, languages, read
from artfish.blender_artfish.languages.sentences import SIMULATION, learn, understood
from artfish.core.base.codec import allowed
from artfish.core.base.declaration import Declared
from artfish.core.events import COURTSHIP_STAGES, EVENT_KINDS


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed."""


@pytest.fixture(autouse=True)
def english():
    """English again afterwards."""
    yield
    learn({})


def test_a_pattern_takes_what_was_put_in():
    learn({(SIMULATION, "{0} ate {1}"): "{1}, eaten by {0}", (SIMULATION, "late"): "spät", ("*", "Food"): "Futter"})
    assert understood("Shark 2 ate Sardine 14") == "Sardine 14, eaten by Shark 2"
    assert understood("Shark ate Food") == "Futter, eaten by Shark"
    assert understood("Shark slept") == "Shark slept"
    learn({})
    assert understood("Shark 2 ate Sardine 14") == "Shark 2 ate Sardine 14"


def test_the_pattern_with_most_words_of_its_own_is_taken():
    learn({(SIMULATION, "{0}: {1}"): "A {0} {1}", (SIMULATION, "{0}: fear {1}"): "B {0} {1}"})
    assert understood("Shark: fear 0.31") == "B Shark 0.31" and understood("Shark: gone") == "A Shark gone"


@pytest.mark.parametrize("language", languages())
def test_every_event_is_said_in_every_language(language, swimming):
    learn(read(CATALOGS / f"{language}.po"))
    recording = swimming("sardine", "reef_shark", frames=2)
    more = {"goal": "Target", "run": 1, "late": 0.31, "off": 0.1, "father": 1, "cause": "age", "act": "hide"}
    more |= {"stage": COURTSHIP_STAGES[0], "relation": "fear", "strength": 0.4}
    for kind in EVENT_KINDS:
        said = recording.described({"kind": kind, "fish": 0, "other": 1, **more})
        assert understood(said) != said, said


@pytest.mark.parametrize("language", languages())
def test_what_is_allowed_is_said_in_every_language(language):
    learn(read(CATALOGS / f"{language}.po"))
    for kind in ("number", "integer", "keyed", "flag", "text"):
        said = allowed(Declared(kind, "", low=0.0, high=4.0, unit="lengths"))
        assert understood(said) != said, said
