"""Many wants: the last that counts has its way, as if each were looked at in turn."""

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.base.keys import at_time
from artfish.core.behavior.mood import MOOD_NAMES
from artfish.core.behavior.wants import Wants

FISHES = 6


def rows(group: int, member: int | None) -> np.ndarray:
    own = np.arange(3 * group, 3 * group + 3)
    return own if member is None else own[[member]]


def one_by_one(wants, t: float) -> np.ndarray:
    keyed = np.full((FISHES, 3), np.nan)
    for want in wants:
        if t >= want.begins and (want.until is None or t < want.until):
            keyed[rows(want.fishes, want.member), MOOD_NAMES.index(want.want)] = at_time(want.keys, t)
    return keyed


def drawn(dice: np.random.Generator) -> dict:
    times = np.sort(dice.choice([-1.0, 0.0, 0.5, 1.0, *dice.uniform(-2, 3, 4)], int(dice.integers(1, 5))))
    keys = [[float(time), float(dice.random())] for time in times] if dice.random() < 0.8 else float(dice.random())
    want = {"fishes": int(dice.integers(2)), "want": str(dice.choice(MOOD_NAMES)), "keys": keys}
    want |= {"member": int(dice.integers(3))} if dice.random() < 0.5 else {}
    return want | ({"until": float(dice.choice([0.0, 0.5, 1.0, dice.uniform(-1, 3)]))} if dice.random() < 0.5 else {})


@pytest.mark.parametrize("seed", range(40))
def test_all_at_once_is_as_one_after_the_other_to_the_bit(seed):
    dice = np.random.default_rng(seed)
    groups = [{"species": "sardine", "count": 3, "at": [2, 2, 1]}] * 2
    wants = Scene.from_dict({"fishes": groups, "wants": [drawn(dice) for _ in range(dice.integers(0, 25))]}).wants
    found = np.full((FISHES, 3), np.nan)
    both = Wants(wants, rows)
    for t in (-1.0, -0.25, 0.0, 0.1, 0.5, 0.7, 1.0, 2.9, 100.0):
        both.moods(t, found)
        assert found.tobytes() == one_by_one(wants, t).tobytes()
