"""Traits: each from 0 to 1, with a word at both ends."""

from dataclasses import fields

import pytest

from artfish.core.base.codec import Place, SceneError, decode
from artfish.core.scene.traits import Traits


def test_a_dozen_traits_have_words_at_both_ends():
    assert 11 <= len(fields(Traits)) <= 14
    words = [word for field in fields(Traits) for word in field.metadata["declared"].ends]
    assert len(words) == len(set(words)) == 2 * len(fields(Traits)) and all(words)


def test_a_trait_is_in_the_middle_unless_it_is_said():
    traits = decode(Traits, {"build": 0.2}, Place("eel"))
    assert traits == Traits(build=0.2)
    assert {getattr(Traits(), field.name) for field in fields(Traits)} == {0.5}


def test_more_than_all_is_refused():
    with pytest.raises(SceneError, match=r"eel: traits.boldness: found 1.2, allowed a number from 0 to 1"):
        decode(Traits, {"boldness": 1.2}, Place("eel", "traits"))
