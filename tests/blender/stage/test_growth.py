"""Forms of growth stand on their foot and are made of sound faces."""

import inspect

import numpy as np
import pytest

from artfish.blender_artfish.stage import growth

FORMS = {
    name: form
    for name, form in vars(growth).items()
    if inspect.isfunction(form)
    and form.__module__ == growth.__name__
    and not name.startswith("_")
    and name != "branches"
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_stands_on_its_foot(name):
    vertices, faces = FORMS[name](np.random.default_rng(1))
    assert np.isfinite(vertices).all() and len(vertices) < 8000
    assert faces.min() >= 0 and faces.max() < len(vertices)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    assert (low[:2] < 0).all() and (high[:2] > 0).all() and -1.0 < low[2] < 0.05
    assert high[2] == pytest.approx(1.0) if name not in ("rubble", "outcrop") else 0.05 < high[2] < 1.4


@pytest.mark.parametrize("name", FORMS)
def test_a_form_goes_by_its_seed(name):
    one, again, other = (FORMS[name](np.random.default_rng(seed))[0] for seed in (1, 1, 2))
    assert np.array_equal(one, again) and not np.array_equal(one, other)


def test_a_fan_is_flat_and_a_table_wide():
    fan, _ = growth.sea_fan(np.random.default_rng(0))
    assert np.ptp(fan[:, 1]) < 0.15 * np.ptp(fan[:, 0])
    plate, _ = growth.table(np.random.default_rng(0))
    wide = np.hypot(*plate[:, :2].T)
    assert wide[plate[:, 2] > 0.7].max() > 3.0 * wide[plate[:, 2] < 0.3].max()
