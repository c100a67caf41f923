"""Conditions: values drawn by seed and key, noise as said, and what is refused."""

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.base.codec import Place, SceneError
from artfish.core.dataset.conditions import PictureConditions, applied, noisy, varies_of

FILE = {
    "water.turbidity": {"range": [0.0, 1.0]},
    "picture.noise": {"range": [0.0, 0.1]},
    "picture.background": {"choices": ["scene", "white"]},
}


@pytest.fixture(scope="module")
def reef():
    return Scene.load("reef")


def test_values_depend_on_seed_and_key_alone(reef):
    varies = varies_of(FILE, reef)
    drawn = [varies.drawn(seed) for seed in range(40)]
    assert drawn == [varies.drawn(seed) for seed in range(40)]
    alone = varies_of({"picture.noise": FILE["picture.noise"]}, reef)
    assert [values["picture.noise"] for values in drawn] == [alone.drawn(seed)["picture.noise"] for seed in range(40)]
    spread = [values["water.turbidity"] for values in drawn]
    assert 0.0 <= min(spread) < 0.2 and 0.8 < max(spread) <= 1.0
    assert {values["picture.background"] for values in drawn} == {"scene", "white"}


def test_values_come_into_scene_and_conditions(reef):
    scene, conditions = applied(reef.to_dict(), varies_of(FILE, reef).drawn(5), Place("reef"))
    again = Scene.from_dict(scene, "reef")
    assert again.water.turbidity == varies_of(FILE, reef).drawn(5)["water.turbidity"]
    assert 0.0 <= conditions.noise <= 0.1 and isinstance(conditions, PictureConditions)


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({"picture.fog": {"range": [0, 1]}}, "unknown key 'fog'"),
        ({"picture.noise": {"range": [0, 3]}}, "from 0 to 0.5"),
        ({"picture.background": {"choices": ["sky"]}}, "picture.background"),
        ({"waters": {"range": [0, 1]}}, "unknown key"),
    ],
)
def test_what_is_refused(reef, data, line):
    with pytest.raises(SceneError, match=line):
        varies_of(data, reef, "vary.json")


def test_noise_has_the_strength_that_is_said():
    grey = np.full((200, 200, 3), 0.5)
    made = noisy(grey, 0.04, (1, 2))
    # The standard error of a standard deviation of n draws is its share 1 / sqrt(2 n).
    assert made.std() == pytest.approx(0.04, rel=5 / np.sqrt(2 * grey.size))
    assert (noisy(grey, 0.04, (1, 2)) == made).all() and (noisy(grey, 0.04, (1, 3)) != made).any()
    assert noisy(grey, 0.0, (1,)) is grey
    assert noisy(np.full((200, 200, 3), 0.125), 0.04, (3,)).std() == pytest.approx(0.02, rel=0.05)
