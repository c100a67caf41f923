"""The chart shows the mental state and the intentions of the recording."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.blender_artfish.mind import chart, swatches


@pytest.mark.parametrize("side", [120, 250, 480])
def test_chart_shows_the_numbers(recording, side):
    frames = np.arange(48)
    moods = {"hunger": 0.2 + 0.6 * frames / 47, "libido": np.full(48, 0.5), "fear": np.where(frames < 24, 0.0, 0.9)}
    moods["effort"] = np.full(48, 0.1)
    arrays = {name: getattr(recording, name).copy() for name in moods}
    for name, values in moods.items():
        arrays[name][:, 1] = values
    mine = replace(recording, **arrays)
    pixels = chart.paint(mine, 1, 0, side, side)
    assert pixels.shape == (side, side, 4) and pixels.min() >= 0 and pixels.max() <= 1
    at = chart.Frame.of(side, side)
    for frame in (8, 20, 30, 44):
        column = round(at.column(frame, (0, 47)))
        for name in ("fear", "libido", "hunger", "effort"):  # none hides another in these frames
            row = round(at.row(moods[name][frame]))
            assert np.allclose(pixels[row, column, :3], swatches.MOODS[name], atol=0.03), (name, frame)
        between = round(at.row(0.5 * (moods["hunger"][frame] + 0.5)))
        assert np.allclose(pixels[between, column, :3], chart.PLOT_COLOUR, atol=0.2)


def test_chart_shows_what_it_was_about_and_the_frame(recording):
    rows = np.arange(48) // 7
    intention = recording.intention.copy()
    intention[:, 0] = rows
    pixels = chart.paint(replace(recording, intention=intention), 0, 29, 300, 300)
    at = chart.Frame.of(300, 300)
    colours = list(swatches.INTENTIONS.values())
    middle = sum(at.band) // 2
    for frame in (3, 10, 17, 24, 31, 38, 45):
        column = round(at.column(frame, (0, 47)))
        assert np.allclose(pixels[middle, column, :3], colours[rows[frame]], atol=1e-6)
    bright = (pixels[at.low : at.high, :, :3] > 0.9).all(axis=(0, 2))
    assert bright.any() and np.abs(np.flatnonzero(bright) - at.column(29, (0, 47))).max() <= at.scale


def test_chart_of_a_long_film_goes_along_with_it(recording):
    assert chart.shown(48, 10, 24.0) == (0, 47)
    assert chart.shown(4800, 0, 24.0) == (0, 479)
    assert chart.shown(4800, 4799, 24.0) == (4320, 4799)
    first, last = chart.shown(4800, 2000, 24.0)
    assert last - first == 479 and first < 2000 < last
    assert chart.paint(recording.until(1), 0, 0, 100, 100).shape == (100, 100, 4)
