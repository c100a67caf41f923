import numpy as np
import pytest

from artfish.core.base.state import Stateful, Together


class Lamp(Stateful):
    _STATE = ("light",)

    def __init__(self, light):
        self.light = np.array(light)


class Clock(Stateful):
    _STATE = ("hour",)

    def __init__(self, hour):
        self.hour = hour


def test_several_are_saved_as_one_and_each_goes_back_to_its_own():
    lamp, clock = Lamp([1.0, 2.0]), Clock(3)
    both = Together(lamp, clock)
    state = both.state()
    assert set(state) == {"light", "hour"}
    light = lamp.light
    light[0], clock.hour = 5.0, 8
    both.restore(state)
    assert lamp.light is light and light.tolist() == [1.0, 2.0] and clock.hour == 3
    with pytest.raises(ValueError, match="light"):
        both.restore({**state, "light": np.zeros(3)})


def test_a_key_may_have_another_name_than_the_attribute():
    class Dimmed(Lamp):
        _KEYS = {"light": "brightness"}

    lamp = Dimmed([1.0, 2.0])
    state = lamp.state()
    assert set(state) == {"brightness"}
    lamp.light[0] = 5.0
    lamp.restore(state)
    assert lamp.light.tolist() == [1.0, 2.0]
