"""The time that each compiled function saves: found for all of them, without changing what a world does."""

import pytest

from artfish.benchmarks.earnings import callers, earned, seconds_of
from artfish.benchmarks.worlds import living, school
from artfish.core.compiled import calling
from artfish.core.world.world import World


def test_every_compiled_function_has_a_caller_that_is_timed():
    assert set(callers()) >= set(calling.functions)


@pytest.mark.film
def test_a_world_is_as_before_and_what_is_not_called_saves_nothing():
    world = living(school(8))
    before, functions = world.nodes, calling.functions
    assert seconds_of(world, 2, [(World, "step")], functions) > 0.0
    assert (world.nodes == before).all()
    found = earned(school(8), 3, 1, {name: callers()[name] for name in ("drive", "retina")})
    assert found["retina"] == 0.0 != found["drive"]
    assert calling.functions is functions and World.step.__name__ == "step"
