"""The compiled elementary functions have the bits of NumPy's form, which the ground floor holds against the truth."""

import numpy as np
import pytest

from artfish.core.base import elementary
from artfish.core.body import kernel

RNG = np.random.default_rng(2)
NUMBERS = np.concatenate(
    (
        RNG.uniform(-10.0, 10.0, 20_000),
        RNG.uniform(-800.0, 800.0, 20_000),
        RNG.choice((-1.0, 1.0), 20_000) * 10.0 ** RNG.uniform(-320.0, 300.0, 20_000),
        np.arange(-64.0, 64.0) * np.pi / 8.0,
        (0.0, -0.0, 5e-324, np.inf, -np.inf, np.nan),
    )
)
SETS = {
    "sin_and_cos": (NUMBERS, NUMBERS[np.abs(NUMBERS) < 1.5e6]),
    "exp": (NUMBERS,),
    "log": (NUMBERS, NUMBERS[NUMBERS > 1e-300][:-1]),
    "arctan2": (NUMBERS, NUMBERS[np.abs(NUMBERS) < 1e299]),
}
"""By function: all numbers, and those alone that the compiled form does itself."""


@pytest.mark.skipif(not kernel.available, reason=kernel.reason or "no library")
@pytest.mark.parametrize("name", SETS)
def test_the_compiled_form_has_the_bits_of_the_other(name, monkeypatch):
    function = getattr(elementary, name)
    for numbers in SETS[name]:
        arguments = (numbers, RNG.permutation(numbers)) if name == "arctan2" else (numbers,)
        results = []
        for functions in (kernel.loaded.elementary, {}):
            monkeypatch.setattr(elementary, "compiled", functions)
            with np.errstate(all="ignore"):
                results.append(np.array(function(*arguments)))
        assert np.array_equal(*results, equal_nan=True)
        known = ~np.isnan(results[0])
        assert np.array_equal(*(np.signbit(result[known]) for result in results))


@pytest.mark.skipif(not kernel.available, reason=kernel.reason or "no library")
def test_whatever_has_a_compiled_form_uses_it():
    assert set(elementary.compiled) == (set(SETS) if kernel.name != "numpy" else set())
    for name, (*_, own) in SETS.items():
        rows = np.stack([own] * 3)
        assert kernel.loaded.elementary[name](rows.ctypes.data, len(own)) == 0
