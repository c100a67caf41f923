"""The time that each compiled function saves is found for all of them, and the world goes on as before."""

import importlib
from pathlib import Path

import pytest

from artfish.benchmarks.worlds import living, school
from artfish.core.compiled import calling
from artfish.core.world.world import World

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def earnings(monkeypatch):
    """The tool."""
    monkeypatch.syspath_prepend(TOOLS)
    return importlib.import_module("earnings")


def test_every_compiled_function_has_a_caller_that_is_timed(earnings):
    assert set(earnings.callers()) >= set(calling.functions)


@pytest.mark.film
def test_a_world_is_as_before_and_what_is_not_called_saves_nothing(earnings):
    world = living(school(8))
    before, functions = world.nodes, calling.functions
    assert earnings.seconds_of(world, 2, [(World, "step")], ("glance",)) > 0.0
    assert (world.nodes == before).all()
    found = earnings.earned(school(8), 3, 1, {name: earnings.callers()[name] for name in ("glance", "retina")})
    assert found["retina"] == 0.0 != found["glance"]
    assert calling.functions is functions and World.step.__name__ == "step"
