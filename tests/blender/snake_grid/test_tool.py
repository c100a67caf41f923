"""A grid under edit comes to rest at last on any picture."""

from types import SimpleNamespace

import pytest

from artfish.blender_artfish.blender.status_bar import say
from artfish.blender_artfish.snake_grid import tool as grid_tool
from artfish.blender_artfish.snake_grid.tool import MOST_CREEPING_STEPS, REST_SHARE, STEPS_A_TICK, ARTFISH_OT_snake_grid


@pytest.fixture
def tool():
    """The operator at work over a grid that moves by a set distance each step, in pixels of its view."""

    class Grid:
        view = SimpleNamespace(step=2.0)
        taken, moves = 0, 1.0

        def step(self):
            self.taken += 1
            return self.moves * self.view.step

    made = SimpleNamespace(
        grid=Grid(), relaxing=True, node=None, steps=0, area=SimpleNamespace(tag_redraw=lambda: None)
    )
    made.tick = lambda times: [ARTFISH_OT_snake_grid.tick(made, None) for _ in range(times)]
    yield made
    say(id(made), None)


def test_a_grid_is_at_rest_when_it_moves_no_more(tool):
    tool.grid.moves = 1.01 * REST_SHARE
    tool.tick(3)
    assert tool.relaxing and tool.grid.taken == 3 * STEPS_A_TICK
    tool.grid.moves = 0.99 * REST_SHARE
    tool.tick(3)
    assert not tool.relaxing and tool.grid.taken == 4 * STEPS_A_TICK


def test_a_grid_that_creeps_on_rests_until_it_is_set_going_again(tool):
    tool.tick(MOST_CREEPING_STEPS)
    assert not tool.relaxing and tool.grid.taken == MOST_CREEPING_STEPS
    tool.relaxing = True
    tool.tick(MOST_CREEPING_STEPS)
    assert tool.grid.taken == 2 * MOST_CREEPING_STEPS


def test_a_grid_that_is_pulled_at_goes_on(tool):
    tool.node = 0, 10
    tool.tick(MOST_CREEPING_STEPS)
    assert tool.relaxing
    tool.node = None
    tool.tick(1)
    assert tool.relaxing and grid_tool.AT_WORK == []
