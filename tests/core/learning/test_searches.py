"""Both searches find the least of a function, from any seed, and go on from their state to the bit."""

import numpy as np
import pytest

from artfish.core.learning.learning import SEARCHES
from artfish.core.learning.tuning import EVOLUTION_STEP


def searched(method, steps, seed=0, search=None):
    begin = np.zeros(31)
    search = search or SEARCHES[method](begin, 32, seed, 15)
    aim = np.linspace(-0.3, 0.3, 31)
    for _ in range(steps):
        search.tell(np.square(search.ask() - aim).sum(axis=1))
    return search


@pytest.mark.parametrize("method", SEARCHES)
@pytest.mark.parametrize("seed", [0, 1])
def test_it_finds_the_least(method, seed):
    begun, found = searched(method, 1, seed), searched(method, 600, seed)
    assert found.score < 0.1 * begun.score
    assert np.square(found.best - np.linspace(-0.3, 0.3, 31)).sum() == pytest.approx(found.score)


@pytest.mark.parametrize("method", SEARCHES)
def test_it_goes_on_from_its_state_to_the_bit(method):
    whole, half = searched(method, 100), searched(method, 60)
    other = searched(method, 0)
    other.restore(half.state())
    other.steps, other.score = int(other.steps), float(other.score)
    assert np.array_equal(searched(method, 40, search=other).best, whole.best)


@pytest.mark.parametrize("method", SEARCHES)
def test_another_seed_goes_another_way(method):
    assert not np.array_equal(searched(method, 5, 1).best, searched(method, 5, 2).best)


def test_evolution_tries_smooth_controls():
    rows = SEARCHES["cma"](np.zeros(31), 32, 0, 15).ask()[:, :-1].reshape(64, 15)
    steps, sizes = np.square(np.diff(rows, axis=1)).mean(), np.square(rows).mean()
    assert steps < 0.5 * sizes  # of independent samples it would be twice their size
    assert sizes == pytest.approx(EVOLUTION_STEP**2, rel=0.3)
