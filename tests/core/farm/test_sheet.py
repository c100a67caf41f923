"""The contact sheet: a row for each take, with fishes where they are and paths that lead where they went."""

import struct
import zlib

import numpy as np

from artfish.core.farm.sheet import (
    GROUND,
    SHEET_MARGIN,
    SKETCH_COLUMNS,
    SKETCH_ROWS,
    TITLE_ROWS,
    SheetRow,
    about_fishes,
    colours_of,
    contact_sheet,
    moment_picture,
    moments_of_sheet,
    path_picture,
    small_sheet,
    whole_tank,
)
from artfish.core.farm.views import fish_view
from artfish.core.farm.wishes import WishedCamera
from artfish.tests.core.farm.scenes import CAMERA, staged

APART = [[2, 2, 1.5], [3, 2.4, 1.5], [4, 2, 1.5]]


def test_a_fish_is_drawn_where_the_camera_has_it():
    recording = staged([[1, 2, 1.5], [1, 2, 2.2], [4, 2, 1.5]])
    camera = WishedCamera(**CAMERA)
    picture = moment_picture(recording, 0, camera).pixels
    ys, xs = np.nonzero((picture == colours_of(recording)[2]).all(axis=-1))
    view = fish_view(recording, camera, np.array([0]))
    middle = 0.5 * (view.low + view.high)[0, 2]
    assert abs(xs.mean() - (0.5 * SKETCH_COLUMNS + middle[0] * SKETCH_ROWS)) < 3
    assert abs(ys.mean() - (0.5 - middle[1]) * SKETCH_ROWS) < 3
    size = (view.high - view.low)[0, 2, 0] * SKETCH_ROWS
    assert abs(np.ptp(xs) - size) < 3


def test_the_whole_tank_is_in_the_picture_if_no_camera_is_wished():
    corners = [[x, y, z] for x in (0.3, 5.7) for y in (0.3, 3.7) for z in (0.3, 2.7)]
    for places in (corners[:3], corners[3:6], corners[5:]):
        recording = staged(places)
        view = fish_view(recording, whole_tank(recording), np.array([0]))
        assert view.there.all() and (view.beyond == 0).all()


def test_paths_lead_from_where_fishes_began_to_where_they_end():
    places = np.broadcast_to(np.array(APART, dtype=float), (48, 3, 3)).copy()
    places[:, 2, 0] = np.linspace(1, 5, 48)
    picture = path_picture(staged(places)).pixels
    colour = colours_of(staged(places))[2] - np.array(GROUND)
    fade = ((picture - np.array(GROUND)) @ colour) / (colour @ colour)
    on = np.abs(picture - np.array(GROUND) - fade[..., None] * colour).max(axis=-1) < 1e-9
    ys, xs = np.nonzero(on & (fade > 0.1))
    order = np.argsort(xs)
    assert np.ptp(xs) > 4 / 6 * 0.8 * 0.94 * 270  # of the 6 m that the tank is long
    assert fade[ys[order[0]], xs[order[0]]] < fade[ys[order[-1]], xs[order[-1]]]


def test_the_three_moments_are_about_what_was_wished():
    recording = staged(APART)
    assert moments_of_sheet(SheetRow("", recording, 1.0)) == [0, 24, 47]
    assert moments_of_sheet(SheetRow("", recording, None)) == [8, 24, 39]


def test_a_sheet_is_a_picture_file_with_a_row_for_each_take(tmp_path):
    rows = [SheetRow("1 take 0", staged(APART), 1.0), SheetRow("2 take 1", staged(APART), None)]
    contact_sheet(rows, tmp_path / "sheet.png", WishedCamera(**CAMERA))
    content = (tmp_path / "sheet.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert (width, height) == (
        4 * (SKETCH_COLUMNS + SHEET_MARGIN) + SHEET_MARGIN,
        2 * (SKETCH_ROWS + TITLE_ROWS + SHEET_MARGIN) + SHEET_MARGIN,
    )
    begin = content.index(b"IDAT")
    (length,) = struct.unpack(">I", content[begin - 4 : begin])
    assert len(zlib.decompress(content[begin + 4 : begin + 4 + length])) == height * (3 * width + 1)
    contact_sheet(rows, tmp_path / "again.png", WishedCamera(**CAMERA))
    assert (tmp_path / "again.png").read_bytes() == content


def test_a_small_sheet_shows_all_fishes_at_all_its_moments():
    recording = staged(APART)
    row = SheetRow("", recording, None)
    width, height = struct.unpack(">II", small_sheet(row)[16:24])
    assert (width, height) == (2 * SKETCH_COLUMNS + SHEET_MARGIN, 2 * SKETCH_ROWS + SHEET_MARGIN)
    camera = about_fishes(recording, moments_of_sheet(row))
    near, far = (np.array(one.at) - np.array(one.look_at) for one in (camera, whole_tank(recording)))
    assert np.linalg.norm(near) < np.linalg.norm(far)
    for frame in moments_of_sheet(row):
        pixels = moment_picture(recording, frame, camera).pixels
        for colour in colours_of(recording):
            assert (np.abs(pixels - colour).max(axis=2) < 0.02).any()
