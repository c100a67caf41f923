from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from artfish.core.base.arrays import array, arrays_of, conform, optional_of
from artfish.core.base.codec import SceneError


@dataclass(frozen=True, kw_only=True)
class Census:
    place: np.ndarray = array("f4", "fish", 3)
    food: np.ndarray = array("i4", "fish", low=-1, high="particle", begin=-1, optional=True)
    sex: np.ndarray = array("i1", "fish")
    town: str


def test_arrays_are_declared_as_fields():
    assert list(arrays_of(Census)) == ["place", "food", "sex"] and optional_of(Census) == ("food",)
    food = arrays_of(Census)["food"]
    assert (food.kind, food.shape, food.low, food.high) == ("i4", ("fish",), -1, "particle")
    assert food.begun({"fish": 2}).tolist() == [-1, -1]
    with pytest.raises(TypeError, match="place"):
        Census(sex=[0], town="Reef")


def test_arrays_become_as_they_are_declared_or_are_named():
    census = Census(place=[[1.0, 2.0, 3.0]] * 2, food=[7, -1], sex=[0, 1], town="Reef")
    assert conform(census) == {"fish": 2}
    assert census.place.dtype == np.float32 and census.sex.dtype == np.int8 and census.food.dtype == np.int32
    other = Census(place=census.place, food=census.food, sex=[0, 1, 1], town="Reef")
    with pytest.raises(SceneError, match=r"sex: found the shape \(3,\), allowed \('fish',\), alike in every array"):
        conform(other)
