"""Proportions scale outlines."""

from dataclasses import replace

import pytest

from artfish.blender_artfish.species import library
from artfish.blender_artfish.species.proportions import PROPORTIONS


@pytest.mark.parametrize("name", PROPORTIONS)
def test_a_proportion_scales_its_outlines_and_nothing_else(scene, clownfish, name):
    before = library.species_of(clownfish)
    grown = getattr(clownfish.form, name) * 1.25
    setattr(clownfish.form, name, grown)
    assert getattr(clownfish.form, name) == pytest.approx(grown, rel=1e-5)
    after = library.species_of(clownfish)
    assert replace(after, form=before.form) == before
    changed = {key for key in before.form.__dict__ if getattr(before.form, key) != getattr(after.form, key)}
    assert changed == {*PROPORTIONS[name].scaled, *PROPORTIONS[name].carried}
    for key, columns in PROPORTIONS[name].scaled.items():
        for old, new in zip(getattr(before.form, key), getattr(after.form, key), strict=True):
            scaled = [1.25 * number if place in columns else number for place, number in enumerate(old)]
            assert new == pytest.approx(scaled, rel=1e-4, abs=1e-7)


def test_a_flat_outline_cannot_be_scaled_and_stays(clownfish):
    for row in clownfish.form.dorsal:
        row.values[1] = 0.0
    clownfish.form.dorsal_size = 0.2
    assert [row.values[1] for row in clownfish.form.dorsal] == [0.0] * len(clownfish.form.dorsal)
