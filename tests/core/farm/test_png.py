"""Pictures as PNG files: what is read from one is what was written, in full colour or in few."""

import struct
import zlib

import numpy as np
import pytest

from artfish.core.farm.png import png_bytes, write, write_small


def parts(content: bytes) -> dict[bytes, bytes]:
    """The chunks of a file, each with the sum that it must have."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = {}, 8
    while at < len(content):
        (size,) = struct.unpack(">I", content[at : at + 4])
        name, data = content[at + 4 : at + 8], content[at + 8 : at + 8 + size]
        assert struct.unpack(">I", content[at + 8 + size : at + 12 + size])[0] == zlib.crc32(name + data)
        found[name] = data
        at += 12 + size
    return found


@pytest.fixture
def pixels():
    """A picture of 7 rows and 11 columns."""
    return np.random.default_rng(5).random((7, 11, 3))


def test_full_colour_is_kept_to_a_255th(tmp_path, pixels):
    write(tmp_path / "a.png", pixels)
    found = parts((tmp_path / "a.png").read_bytes())
    assert struct.unpack(">IIBBBBB", found[b"IHDR"]) == (11, 7, 8, 2, 0, 0, 0)
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(7, 1 + 33)
    assert (lines[:, 0] == 2).all()  # each line is the difference to the one above
    rows = np.cumsum(lines[:, 1:].astype(int), axis=0) % 256
    assert np.abs(rows.reshape(7, 11, 3) / 255 - pixels).max() <= 0.5 / 255 + 1e-9


@pytest.mark.parametrize("packing", [1, 9])
def test_sixteen_bits_keep_numbers_to_a_65535th(pixels, packing):
    found = parts(png_bytes(pixels, bits=16, packing=packing))
    assert struct.unpack(">IIBBBBB", found[b"IHDR"]) == (11, 7, 16, 2, 0, 0, 0)
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(7, 1 + 66)
    rows = np.cumsum(lines[:, 1:].astype(int), axis=0).astype(np.uint8).view(">u2")
    assert np.abs(rows.reshape(7, 11, 3) / 65535 - pixels).max() <= 0.5 / 65535 + 1e-9


def test_few_colours_are_a_palette(tmp_path):
    pixels = np.zeros((16, 16, 3))
    pixels[:, 8:] = (1.0, 0.5, 0.0)
    write_small(tmp_path / "a.png", pixels)
    found = parts((tmp_path / "a.png").read_bytes())
    palette = np.frombuffer(found[b"PLTE"], np.uint8).reshape(-1, 3)
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), np.uint8).reshape(16, 17)
    assert np.abs(palette[lines[:, 1:]] / 255 - pixels).max() < 2 / 255
