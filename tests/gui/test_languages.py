"""The interface in German and in Japanese, in a Blender that has these languages."""

import pytest


@pytest.fixture(scope="module")
def session(blender):
    """One session, whose results all tests read."""
    return blender("languages", size="1280x800")


def test_it_speaks_blenders_language(session):
    english, german, japanese = session["english"], session["de"], session["ja"]
    assert english == [*english[:2], "Which fishes", "3 fishes", "Set Speed (m/s)", "Fear 0.31, flees above 0.25"]
    assert german[:4] == ["Fische hinzufügen", "Art", "Welche Fische", "3 Fische"]
    assert german[4] == "Geschwindigkeit (m/s) festlegen" and german[5] == "Furcht 0.31, flieht ab 0.25"
    assert japanese[0] == "魚を追加" and all(one != other for one, other in zip(english, japanese, strict=True))


def test_it_stays_english_where_that_is_preferred_and_after_it_was_disabled(session):
    assert session["kept"] == session["english"] and session["again"] == session["de"]
    assert session["gone"] == session["english"][:2]


@pytest.mark.parametrize("language", ["de", "ja"])
def test_the_sidebar_is_drawn(session, language):
    assert session.picture(language)
