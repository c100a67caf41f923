"""Surfaces around another body: as they were around the same one, and as much higher and wider as it is."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core.genetics.clothing import clothed
from artfish.core.scene.species import Species


@pytest.mark.parametrize("name", ["sardine", "reef_shark", "moray"])
def test_around_the_same_body_nothing_changes(name):
    species = Species.load(name)
    made = clothed(species, species).form
    for key in ("back", "belly", "half_width", "caudal"):
        assert np.allclose(getattr(made, key), getattr(species.form, key), atol=1e-12)


def test_a_higher_body_has_higher_outlines_and_a_taller_tail():
    species = Species.load("sardine")
    body = replace(
        species.body,
        half_heights=tuple(1.5 * height for height in species.body.half_heights),
        tail_half_height=1.2 * species.body.tail_half_height,
    )
    made = clothed(species, replace(species, body=body)).form
    assert np.allclose(np.array(made.back)[1:, 1], 1.5 * np.array(species.form.back)[1:, 1])
    assert np.allclose(np.array(made.back)[:, 0], np.array(species.form.back)[:, 0])
    assert np.allclose(np.array(made.caudal)[:, 1], 1.2 * np.array(species.form.caudal)[:, 1])
    assert made.half_width == species.form.half_width
