import numpy as np
import pytest

from artfish.core.base.state import Stateful, Together, state


class Lamp(Stateful):
    light: np.ndarray = state("f8", "lamp", 2, begin=0.5)
    flicker: np.ndarray = state("f8", "lamp", unset=np.nan)

    def __init__(self, lamps):
        self._fill(lamp=lamps)


class Clock(Stateful):
    hour: int = state("i8", low=0, high=23)
    alarm: np.ndarray | None = state("f8", 2, late=True)

    def __init__(self):
        self._fill()


def test_fields_begin_as_they_are_declared():
    lamp, clock = Lamp(3), Clock()
    assert lamp.light.tolist() == [[0.5, 0.5]] * 3 and np.isnan(lamp.flicker).all() and lamp.flicker.shape == (3,)
    assert type(clock.hour) is int and clock.hour == 0 and clock.alarm is None
    assert not hasattr(Lamp, "light") and list(Lamp.STATE) == ["light", "flicker"]


def test_several_are_saved_as_one_and_each_goes_back_to_its_own():
    lamp, clock = Lamp(1), Clock()
    both = Together(lamp, clock)
    saved = both.state()
    assert set(saved) == set(both.declared()) == {"light", "flicker", "hour", "alarm"}
    light = lamp.light
    light[:], clock.hour, clock.alarm = 5.0, 8, np.ones(2)
    then = both.state()
    both.restore({**saved, "alarm": np.zeros(2)})
    assert lamp.light is light and light.tolist() == [[0.5, 0.5]] and clock.hour == 0 and clock.alarm.tolist() == [0, 0]
    other = Clock()
    other.restore(then)
    assert other.hour == 8 and other.alarm.tolist() == [1.0, 1.0]
    other.alarm[0] = 2.0
    assert then["alarm"].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="light"):
        both.restore({**saved, "light": np.zeros(3)})
    with pytest.raises(KeyError, match="hour"):
        both.restore({"light": saved["light"], "flicker": saved["flicker"]})


def test_a_key_may_have_another_name_than_the_attribute():
    class Dimmed(Lamp):
        light: np.ndarray = state("f8", "lamp", key="brightness")
        shade: np.ndarray = state("?", "lamp", begin=True)

    lamp = Dimmed(2)
    saved = lamp.state()
    assert list(saved) == ["brightness", "flicker", "shade"]
    lamp.light[0], lamp.shade[:] = 5.0, False
    lamp.restore(saved)
    assert lamp.light.tolist() == [0.0, 0.0] and lamp.shade.all()
    assert list(Lamp.STATE) == ["light", "flicker"] and Lamp.STATE["light"].key == "light"


def test_rows_of_fishes_are_copied_wherever_their_axis_stands():
    class Gills(Stateful):
        open: np.ndarray = state("f8", 2, "fish")
        place: np.ndarray = state("f8", "fish", 3)

        def __init__(self, fishes):
            self._fill(fish=fishes)

    ours, theirs = Gills(4), Gills(4)
    theirs.open += 1.0
    theirs.place += 1.0
    ours.copy_rows(theirs, np.array([1, 3]))
    assert ours.open.tolist() == [[0, 1, 0, 1]] * 2 and ours.place.tolist() == [[0] * 3, [1] * 3] * 2


def test_arrays_are_lengthened_wherever_their_size_stands():
    class Larder(Stateful):
        eaten: np.ndarray = state("f8", "fish", "meal", unset=np.nan)
        whole: np.ndarray = state("?", "meal", begin=True)
        fat: np.ndarray = state("f4", "fish")

        def __init__(self):
            self._fill(fish=2, meal=1)

        def enlarge(self, meals):
            self._lengthen("meal", meals)

    larder = Larder()
    larder.eaten[:], larder.whole[:] = 3.0, False
    fat = larder.fat
    larder.enlarge(3)
    larder.enlarge(2)
    assert (
        larder.eaten.shape == (2, 3) and larder.eaten[:, 0].tolist() == [3, 3] and np.isnan(larder.eaten[:, 1:]).all()
    )
    assert larder.whole.tolist() == [False, True, True] and larder.whole.dtype == bool and larder.fat is fat
