"""Shots of a film that are made side by side are those that are made one after another."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from artfish.blender_artfish.filming import farming, making
from artfish.blender_artfish.filming.farming import shoot_all
from artfish.blender_artfish.filming.making import DONE_ALONE, make
from artfish.core.base.codec import SceneError
from artfish.core.farm.processes import Processes
from artfish.core.studio.film import Film

pytestmark = pytest.mark.film
SCENE = {
    "name": "Two",
    "duration": 1.0,
    "tank": {"size": [3.0, 2.0, 1.5]},
    "fishes": [{"species": "clownfish", "count": 2, "at": [1.5, 1.0, 0.7], "spread": 0.2}],
}


@pytest.fixture
def film(tmp_path):
    """Two stills of a scene beside the film, in a few pixels."""
    (tmp_path / "two.json").write_text(json.dumps(SCENE))
    shots = [{"scene": "two.json", "seconds": 0.1, "start": start} for start in (0.3, 0.6)]
    (tmp_path / "film.json").write_text(json.dumps({"width": 40, "height": 24, "shots": shots}))
    return tmp_path / "film.json"


@pytest.fixture
def no_blender_on_the_path(monkeypatch):
    """The path as it is before Blender is loaded; as `artfish film` has it."""
    monkeypatch.setattr(sys, "path", [path for path in sys.path if Path(path).parts[-2:] != ("scripts", "modules")])


def test_shots_made_side_by_side_are_only_cut_then(film, tmp_path, monkeypatch, no_blender_on_the_path):
    (tmp_path / "out").mkdir()
    shares = []
    with Processes(2) as executor:
        shoot_all(
            executor, str(film), tmp_path / "out", lambda *step: shares.append(step[0]), file=str(film), stills=True
        )
    assert (np.diff(shares) >= 0.0).all() and shares[-1] == pytest.approx(0.97)
    names = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").glob("*/*"))
    assert [name for name in names if name.endswith(DONE_ALONE)] == [f"still_00{row}/{DONE_ALONE}" for row in (1, 2)]

    def nothing(*_):
        raise AssertionError("a shot is made again")

    monkeypatch.setattr(making, "render_picture", nothing)
    monkeypatch.setattr(making, "bake_steps", nothing)
    made = make(Film.load(film), tmp_path / "out", file=str(film), stills=True)
    assert made.sheet.exists() and [path.name for path in made.blends] == ["still_001.blend", "still_002.blend"]


def test_shots_that_are_not_there_are_refused_before_any_is_made(film, tmp_path, monkeypatch):
    monkeypatch.setattr(farming, "results", None)
    with pytest.raises(SceneError, match="shots 2 to 3"):
        shoot_all(Processes(1), str(film), tmp_path, file=str(film), only=(2, 3))
