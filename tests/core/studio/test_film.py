"""Films are data that are read strictly and written without loss."""

import json

import pytest

from artfish.core.base.codec import SceneError
from artfish.core.studio.film import MOVES, Film, FilmShot, Subject


def test_a_film_is_written_and_read_back(tmp_path):
    subject = Subject(event="eaten", nth=-1, pair=True)
    shots = tuple(
        FilmShot(scene="preying", seed=3, subject=subject, move=move, start=-2.0, expects=("eaten",)) for move in MOVES
    )
    film = Film(title="Preying", shots=(*shots, FilmShot(scene="reef", pull=Subject(fish=2), title="The end")))
    film.save(tmp_path / "film.json")
    assert Film.load(tmp_path / "film.json") == film
    assert film.seconds == pytest.approx(4.0 * len(film.shots))


@pytest.mark.parametrize(
    ("shot", "complaint"),
    [
        ({}, "scene"),
        ({"scene": "reef", "move": "zoom"}, "move"),
        ({"scene": "reef", "subject": {"event": "sneezed"}}, "subject.event"),
        ({"scene": "reef", "fade_in": 3, "fade_out": 2}, "fade_out"),
        ({"scene": "reef", "expects": ["eaten", "sneezed"]}, r"expects\[1\]"),
        ({"scene": "reef", "move": "over_shoulder"}, "a subject that is a pair"),
        ({"scene": "reef", "seconds": 0}, "seconds"),
        ({"scene": "reef", "shows": ["bones"]}, r"shows\[0\]"),
        ({"scene": "reef", "shows": ["skin", "masses"]}, "in this order"),
        ({"scene": "reef", "shows": ["film", "skin"]}, "film or wire alone"),
        ({"scene": "reef", "shows": []}, "found nothing"),
        ({"scene": "reef", "shows": ["grid"], "subject": {"pair": True}}, "subject.pair"),
        ({"scene": "reef", "dissolve": 5}, "dissolve"),
        ({"scene": "reef", "speed": 1}, "speed"),
    ],
)
def test_what_is_wrong_with_a_film_is_said_in_a_line(tmp_path, shot, complaint):
    (tmp_path / "film.json").write_text(json.dumps({"shots": [{"scene": "reef"}, shot]}))
    with pytest.raises(SceneError, match=complaint) as error:
        Film.load(tmp_path / "film.json")
    assert r"shots[1]" in str(error.value) and "\n" not in str(error.value)


def test_a_film_has_shots(tmp_path):
    (tmp_path / "film.json").write_text("{}")
    with pytest.raises(SceneError, match="0 shots"):
        Film.load(tmp_path / "film.json")


def test_a_dissolve_takes_its_time_from_two_shots(tmp_path):
    first, second = FilmShot(scene="reef", seconds=3.0), FilmShot(scene="reef", seconds=2.0, dissolve=1.5)
    assert Film(shots=(first, second)).seconds == pytest.approx(3.5)
    with pytest.raises(SceneError, match=r"shots\[2\].dissolve"):
        Film(shots=(first, second, FilmShot(scene="reef", dissolve=1.0)))
    with pytest.raises(SceneError, match=r"shots\[0\].dissolve"):
        Film(shots=(second,))
