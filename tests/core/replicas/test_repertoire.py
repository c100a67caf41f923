"""A repertoire is data: it comes back to the bit, what is none is refused in a line, and a mirror shows the rest."""

import dataclasses
import subprocess
import sys

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.base.attitude import matrices, rotations_about_up
from artfish.core.base.files import read_arrays, write_arrays
from artfish.core.replicas.repertoire import POSES, SEGMENT_ARRAYS, Repertoire, digest_of


def test_it_comes_back_to_the_bit(made_up, tmp_path):
    made_up.save(tmp_path / "a.npz")
    back = Repertoire.load(tmp_path / "a.npz", Species.load("sardine"))
    assert (back.species, back.digest) == (made_up.species, made_up.digest)
    assert all(getattr(back, name).tobytes() == getattr(made_up, name).tobytes() for name in SEGMENT_ARRAYS)


def test_another_species_is_refused(made_up, tmp_path):
    made_up.save(tmp_path / "a.npz")
    with pytest.raises(
        SceneError, match=r"a\.npz: found a repertoire of another species \(sardine\), allowed one of gr"
    ):
        Repertoire.load(tmp_path / "a.npz", Species.load("grouper"))


def test_a_species_whose_numbers_changed_is_refused(made_up, tmp_path):
    made_up.save(tmp_path / "a.npz")
    sardine = Species.load("sardine")
    swifter = dataclasses.replace(sardine, rhythm=dataclasses.replace(sardine.rhythm, tail_beat=3.3))
    with pytest.raises(SceneError, match="found a repertoire of sardine with other numbers"):
        Repertoire.load(tmp_path / "a.npz", swifter)


def test_what_a_fish_looks_like_does_not_change_how_it_moves():
    sardine = Species.load("sardine")
    assert digest_of(dataclasses.replace(sardine, length=0.2, common_name="Pilchard")) == digest_of(sardine)


def test_a_digest_does_not_depend_on_what_else_was_imported():
    """Tuned numbers count too, of rooms that whoever reads a repertoire may not have entered."""
    says = "from artfish.core.scene.species import Species; from artfish.core.replicas.repertoire import digest_of; "
    command = [sys.executable, "-c", says + "print(digest_of(Species.load('sardine')))"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert found == digest_of(Species.load("sardine"))


def test_a_file_that_is_cut_short_is_refused(made_up, tmp_path):
    path = tmp_path / "a.npz"
    made_up.save(path)
    path.write_bytes(path.read_bytes()[:-2000])
    with pytest.raises(SceneError, match=r"a\.npz: found a damaged or foreign file, allowed a repertoire"):
        Repertoire.load(path)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("nodes", None, "found no nodes"),
        ("nodes", lambda a: a[:, :-1], "nodes: found the shape"),
        ("yaw", lambda a: a + np.nan, "yaw: found a number that is not finite"),
        ("gait", lambda a: a + 40, "gait: found an unknown gait"),
        ("gait", lambda a: a + 1, "gait: found no swimming on a level"),
        ("seconds", lambda a: a * 0, "seconds: found a cycle that lasts no time"),
        ("attitude", lambda a: a * 2, "attitude: found quaternions of another length"),
        ("velocity", lambda a: a + 1e9, "velocity: found numbers that no fish has"),
        ("pace", lambda a: a.astype(str), "found arrays of another kind"),
        ("format", lambda a: a + 1, "format: found a repertoire made by a newer Artfish"),
        ("species", lambda a: np.arange(2), "species: found an array of another kind"),
    ],
)
def test_what_is_no_repertoire_is_refused_in_a_line(made_up, tmp_path, name, change, says):
    made_up.save(tmp_path / "a.npz")
    arrays = read_arrays(tmp_path / "a.npz", "a repertoire")
    if change is None:
        del arrays[name]
    else:
        arrays[name] = change(arrays[name])
    write_arrays(tmp_path / "b.npz", arrays)
    with pytest.raises(SceneError) as error:
        Repertoire.load(tmp_path / "b.npz")
    assert says in str(error.value) and "b.npz" in str(error.value) and "\n" not in str(error.value)


def test_a_repertoire_without_segments_is_none(made_up, tmp_path):
    none = dataclasses.replace(
        made_up,
        **{name: getattr(made_up, name)[:0] for name, one in SEGMENT_ARRAYS.items() if one.shape[0] == "segments"},
    )
    none.save(tmp_path / "a.npz")
    with pytest.raises(SceneError, match="found a repertoire without segments"):
        Repertoire.load(tmp_path / "a.npz")


def test_increments_bring_a_fish_on_as_its_carrier_does(made_up):
    """Equations 6, 7, 10 and 11 as corrected: R' = R M and o' = o + R t."""
    row = 2
    change, way = made_up.increments(row)
    frame, origin = matrices(made_up.attitude[row, 0]), made_up.place[row, 0].copy()
    for pose in range(3 * POSES):
        origin = origin + frame @ way[pose % POSES]
        frame = frame @ change[pose % POSES]
    turned = matrices(rotations_about_up(np.array(made_up.yaw[row] * 3 * made_up.seconds[row])))
    assert np.allclose(frame, turned @ matrices(made_up.attitude[row, 0]), atol=1e-12)
    # The carrier goes round in a circle, of which the last place is three cycles on.
    step, heading, carrier = made_up.seconds[row] / POSES, 0.0, np.zeros(3)
    for _ in range(3 * POSES):
        middle = matrices(rotations_about_up(np.array(heading + 0.5 * made_up.yaw[row] * step)))
        carrier, heading = carrier + step * middle @ made_up.velocity[row], heading + made_up.yaw[row] * step
    assert np.allclose(origin, carrier + turned @ made_up.place[row, 0], atol=1e-12)


def test_a_mirror_shows_turns_to_the_right(made_up):
    mirrored = made_up.mirrored()
    assert mirrored.yaw[2] == -made_up.yaw[2] and mirrored.velocity[2, 1] == -made_up.velocity[2, 1]
    twice = mirrored.mirrored()
    assert all(np.array_equal(getattr(twice, name), getattr(made_up, name)) for name in SEGMENT_ARRAYS)


def test_segments_have_names(made_up):
    assert made_up.names == ("swim 0", "swim 1", "swim 1 turn 57")
    assert made_up.poses.shape == (3 * POSES, 23, 3)
