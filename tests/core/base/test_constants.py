"""Constants stand for good: one fish's masses are those of all fishes of the process."""

import importlib
import pkgutil

import numpy as np
import pytest

import artfish.core
from artfish.core.body import anatomy

MODULES = [
    one.name
    for one in pkgutil.walk_packages(artfish.core.__path__, "artfish.core.")
    if not one.name.rpartition(".")[2].startswith("artfish_kernel")
]


def test_no_array_with_a_name_in_capitals_can_be_written_to():
    found = {f"{name}.{key}": value for name in MODULES for key, value in vars(importlib.import_module(name)).items()}
    arrays = {key: value for key, value in found.items() if isinstance(value, np.ndarray) and value.ndim}
    constants = {key: value for key, value in arrays.items() if key.rpartition(".")[2].isupper()}
    public = {key: value for key, value in constants.items() if not key.rpartition(".")[2].startswith("_")}
    assert len(public) > 50
    assert [key for key, value in public.items() if value.flags.writeable] == []


def test_masses_stay_as_they_are():
    with pytest.raises(ValueError, match="read-only"):
        anatomy.MASSES[0] = 2.0
    assert anatomy.MASSES[0] == 1.1
