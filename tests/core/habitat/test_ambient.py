"""Light and warmth of the water: Beer and Lambert's law, shade, the thermocline and sources."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError
from artfish.core.habitat.ambient import Ambient, around
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tuning import PENUMBRA_RADIANS
from artfish.core.scene.water import Light

DEPTH = 4.0
PILLAR = {"kind": "cylinder", "at": [4.0, 4.0, 0.0], "radius": 0.5, "height": 4.0}


def ambient(**scene) -> Ambient:
    made = Scene.from_dict({"tank": {"size": [10, 8, DEPTH]}, **scene})
    return Ambient.from_scene(made, Obstacles.from_scene(made))


def at(*places) -> np.ndarray:
    return np.array(places, dtype=float)


def test_light_fades_by_beer_and_lamberts_law():
    water = ambient(light={"brightness": 0.8, "attenuation": 0.3})
    depth = np.array([0.0, 0.5, 1.0, 3.0, 4.0])
    places = np.stack((np.full(5, 2.0), np.full(5, 3.0), DEPTH - depth), axis=1)
    assert water.brightness(places) == pytest.approx(0.8 * np.exp(-0.3 * depth), rel=1e-12)
    assert water.brightness(at([2, 3, DEPTH + 1])) == pytest.approx(0.8)  # no brighter above the surface


def test_it_answers_for_places_in_any_shape():
    water = ambient(obstacles=[PILLAR], light={"direction": [1, 0, -1]}, temperature={"bottom": 10})
    places = np.random.default_rng(0).uniform(0, DEPTH, (3, 5, 3))
    for field in (water.brightness, water.temperature):
        assert field(places).shape == (3, 5)
        assert field(places).ravel() == pytest.approx(field(places.reshape(-1, 3)), rel=1e-14)


def test_only_the_diffuse_share_of_light_reaches_into_the_shade():
    lit, dim = (
        ambient(light={"diffuse": 0.2}),
        ambient(obstacles=[PILLAR], light={"diffuse": 0.2, "direction": [1, 0, -1]}),
    )
    behind = at([5.0, 4.0, 1.0], [5.5, 4.2, 2.0], [6.0, 3.8, 0.5])
    assert dim.brightness(behind) == pytest.approx(0.2 * lit.brightness(behind), rel=1e-12)
    clear = at([3.0, 4.0, 1.0], [5.5, 6.0, 2.0], [5.5, 2.0, 2.0], [7.9, 4.0, 1.0])  # before, beside, beyond
    assert dim.brightness(clear) == pytest.approx(lit.brightness(clear), rel=1e-12)


def test_a_low_pillar_throws_a_short_shadow():
    low = ambient(obstacles=[{**PILLAR, "height": 1.0}], light={"direction": [1, 0, -1]})
    assert low.sunlit(at([5.0, 4.0, 0.2], [5.0, 4.0, 1.2], [6.2, 4.0, 0.2])).tolist() == [0.0, 1.0, 1.0]


def test_with_the_sun_overhead_an_upright_pillar_dims_only_what_is_close_by():
    places = at([4.6, 4.0, 1.0], [5.0, 4.0, 1.0], [3.0, 4.0, 0.1])
    # 0.1 m beside 3 m of pillar: the sun's lower rays are hidden.
    assert ambient(obstacles=[PILLAR]).sunlit(places) == pytest.approx([0.1 / (3 * PENUMBRA_RADIANS), 1, 1], rel=1e-9)


def test_the_shadow_has_a_soft_edge():
    slant = ambient(obstacles=[PILLAR], light={"direction": [1, 0, -1]})
    aside = np.linspace(0.0, 1.2, 61)
    places = np.stack((np.full(61, 6.0), 4.0 + aside, np.full(61, 0.5)), axis=1)
    found = slant.sunlit(places)
    t = np.linspace(0.01, 3.5 * np.sqrt(2), 5000)[:, None]
    passes = np.hypot(2.0 - t / np.sqrt(2), aside) - 0.5  # distance of the ray from the mantle
    exact = np.clip((passes / (PENUMBRA_RADIANS * t)).min(axis=0), 0.0, 1.0)
    # The least step is a quarter of the penumbra's width, so half of it may lie between a step and the nearest place.
    assert np.abs(found - exact).max() < 0.125
    assert (found[aside < 0.5] == 0).all() and (found[aside > 0.95] == 1).all()
    assert (np.diff(found) > -0.02).all()


def test_the_middle_of_the_thermocline_has_the_mean_of_the_layers():
    water = ambient(temperature={"surface": 26, "bottom": 10, "depth": 1.5, "thickness": 0.4})
    middle = DEPTH - 1.5
    found = water.temperature(
        at([1, 1, middle], [1, 1, 0.0], [1, 1, DEPTH], [1, 1, middle + 0.2], [9, 7, middle - 0.2])
    )
    assert found[0] == pytest.approx(18.0, abs=1e-12)
    assert found[1:3] == pytest.approx([10.0, 26.0], abs=1e-4)
    assert (found[3] - found[4]) / 16 == pytest.approx(np.tanh(1.0), rel=1e-12)  # three quarters


def test_sources_add_up_and_fade_to_half_at_their_radius():
    vent = {"at": [2, 2, 0], "strength": 12.0, "radius": 0.5}
    seep = {"at": [8, 2, 0], "strength": -4.0, "radius": 1.0}
    water = ambient(temperature={"surface": 20, "bottom": 20, "sources": [vent, seep]})
    places = at([2, 2, 0], [2.5, 2, 0], [2, 2, 1], [8, 2, 0], [8, 3, 0], [5, 7, 4])
    assert water.temperature(places) == pytest.approx([32, 26, 20 + 12 / 16, 16, 18, 20], abs=1e-3)


def test_a_scene_that_says_nothing_is_even_and_light():
    water = ambient()
    places = np.random.default_rng(1).uniform(0, DEPTH, (50, 3))
    assert (water.temperature(places) == 24.0).all()
    assert (water.brightness(places) > 0.5).all()


def test_the_change_across_a_span_is_exact_for_what_is_known():
    water = ambient(
        light={"attenuation": 0.5}, temperature={"sources": [{"at": [2, 2, 2], "strength": 8, "radius": 1}]}
    )
    places, span = at([6, 4, 2], [1, 1, 3]), np.array([0.2, 0.4])
    value, change = around(water.brightness, places, span)
    assert value == pytest.approx(water.brightness(places), rel=1e-15)
    assert change[:, :2] == pytest.approx(np.zeros((2, 2)), abs=1e-15)
    assert change[:, 2] == pytest.approx(2 * water.brightness(places) * np.sinh(0.25 * span), rel=1e-12)
    towards = around(water.temperature, at([1.5, 2, 2]), np.array([0.1]))[1][0]
    slope = 8 * 2.0**-0.25 * 2 * 0.5 * np.log(2)  # of 8 * 2^-x² at x = 0.5
    assert towards == pytest.approx([0.1 * slope, 0, 0], rel=1e-2, abs=1e-12)  # x varies by a tenth about 0.5


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (
            {"light": {"direction": [1, 0, 0.2]}},
            r"light\.direction: found .* allowed one that leads down",
        ),
        ({"light": {"direction": [0, 0, 0]}}, r"light\.direction: found .*not all zeros"),
        ({"light": {"brightness": 2}}, r"light\.brightness: found 2, allowed a number from 0 to 1"),
        ({"temperature": {"surface": 99}}, r"temperature\.surface: found 99, allowed a number from -2 to 60 °C"),
        ({"temperature": {"sources": [{"at": [1, 1, 9]}]}}, r"temperature\.sources\[0\]\.at: found .*in the tank"),
        ({"temperature": {"sources": [{}]}}, r"temperature\.sources\[0\]\.at: found nothing"),
    ],
)
def test_bad_input_is_one_clear_line(section, message):
    with pytest.raises(SceneError, match=message):
        Scene.from_dict(section)


def test_light_and_warmth_are_written_and_read_back():
    light = {"brightness": 0.5, "direction": [1.0, 0.0, -1.0]}
    warmth = {"bottom": 12.0, "sources": [{"at": [1, 1, 1], "strength": -3.0}]}
    scene = Scene.from_dict({"light": light, "temperature": warmth})
    assert Scene.from_dict(scene.to_dict()) == scene
    assert scene.light == Light(0.5, direction=(1.0, 0.0, -1.0))
