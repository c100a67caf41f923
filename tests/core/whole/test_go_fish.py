"""The film Go Fish! tells the story of the book's: a fish is built, fishes feed, a hook comes down, one is caught."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.body.anatomy import NOSE_NODE
from artfish.core.studio.camera_work import check_expected, filmed
from artfish.core.studio.film import FISH_MODELS, Film

pytestmark = pytest.mark.film
FILM = Film.load("go_fish")
SECONDS = 13.5
"""Until the fish is out of the water; the bite is after nine of them, and no shorter scene has it."""
HOOK_SHOTS = [shot for shot in FILM.shots if shot.subject.event == "hooked"]


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The hook comes down, is bitten, and draws up a fish."""
    scene = Scene.load("go_fish")
    return World(scene, seed=HOOK_SHOTS[0].seed).simulate(frames=round(SECONDS * scene.fps))


def test_it_is_as_long_as_the_book_says_and_builds_a_fish_from_within():
    assert FILM.seconds == pytest.approx(124.0)
    seen = [drawing for shot in FILM.shots for drawing in shot.shows]
    built = list(dict.fromkeys(seen))
    assert built[: len(FISH_MODELS)] == list(FISH_MODELS)
    assert built[len(FISH_MODELS) :] == ["wire", "film"]
    fisheye = {shot.shows[0] for shot in FILM.shots if shot.fisheye}
    assert fisheye == {"wire", "film"}


def test_the_hook_comes_down_is_bitten_and_draws_the_fish_up(recording):
    down, near, bite, pull = HOOK_SHOTS
    for shot in HOOK_SHOTS:
        check_expected(recording, shot, filmed(recording, shot))
    assert bite.expects == ("hooked",)
    path = filmed(recording, down)
    frames = path.frames.astype(int)
    hook = recording.hook[frames, -1].astype(float)
    across, above, ahead = path.picture(hook[:, None])
    inside = ((np.abs(across) < 0.5) & (np.abs(above) < 0.5 * 9 / 16) & (ahead > 0.0))[:, 0]
    assert inside[-1] and inside.mean() > 0.5 and hook[0, 2] - hook[-1, 2] > 1.0
    (fish,) = path.rows
    away = np.linalg.norm(recording.nodes[:, fish, NOSE_NODE] - recording.hook[:, -1], axis=-1)
    approach = filmed(recording, near).frames.astype(int)
    assert away[approach[-1]] < away[approach[0]]
    rise = filmed(recording, pull)
    drawn = recording.nodes[rise.frames.astype(int), fish].mean(axis=1)
    assert drawn[-1, 2] - drawn[0, 2] > 0.8
    across, above, _ = rise.picture(drawn[:, None].astype(float))
    assert ((np.abs(across) < 0.45) & (np.abs(above) < 0.45 * 9 / 16)).mean() > 0.9
