"""The first name of the snake grid, on which scripts rely."""

from artfish.core.form import snake_grid as first_name
from artfish.core.photo import snake_grid


def test_it_is_the_snake_grid_of_photographs():
    assert first_name.fit_grid is snake_grid.fit_grid
