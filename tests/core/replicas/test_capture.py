"""Captures of a species: cycles whose ends meet, of all that it does, and the transitions between them."""

import dataclasses

import numpy as np
import pytest

from artfish.core import SceneError, Species
from artfish.core.body.anatomy import LOWER_TIP_NODE, MIRROR_NODES, UPPER_TIP_NODE, body_frame
from artfish.core.replicas import capture as capturing
from artfish.core.replicas.capture import capture, kept, remembered
from artfish.core.replicas.repertoire import GAITS, POSES, Repertoire
from artfish.core.replicas.tuning import PACES

pytestmark = pytest.mark.film


def rows(repertoire, gait, turning=False):
    """Segments of a gait, straight ahead or turning, on the level."""
    of_gait = (repertoire.gait == GAITS.index(gait)) & (repertoire.climb == 0)
    return np.flatnonzero(of_gait & ((repertoire.turn != 0) == turning))


def test_the_ends_of_every_cycle_meet(sardine):
    """The step from the last pose to the first is no longer than others."""
    _, found = sardine
    steady = found.gait != GAITS.index("start")
    for values in (found.nodes[steady].reshape(-1, POSES, 69), found.attitude[steady], found.place[steady]):
        steps = np.abs(np.roll(values, -1, axis=1) - values).max(axis=2)
        assert (steps[:, -1] <= 1.5 * steps[:, :-1].max(axis=1) + 1e-6).all()
    assert np.median(found.closure) < 0.02 and found.closure[rows(found, "swim")].max() < 0.25


def test_poses_are_seen_from_the_fishs_own_frame(sardine):
    _, found = sardine
    origin, frames = body_frame(found.poses.astype(float))
    assert np.abs(origin).max() < 1e-3 and np.abs(frames - np.eye(3)).max() < 1e-2


def test_it_swims_the_faster_the_higher_its_pace(sardine):
    _, found = sardine
    swims = rows(found, "swim")
    swims = swims[np.argsort(found.pace[swims])]
    assert found.pace[swims].tolist() == [*PACES, 2.0]
    assert (np.diff(found.velocity[swims, 0]) > 0.1).all() and (np.diff(found.seconds[swims]) < 0).all()


def test_what_goes_straight_is_alike_on_both_sides(sardine):
    _, found = sardine
    mirrored = found.mirrored()
    for row in rows(found, "swim"):
        assert found.yaw[row] == 0 and found.velocity[row, 1] == 0
        assert np.allclose(found.nodes[row], mirrored.nodes[row], atol=1e-6)
    assert np.allclose(found.nodes[0], found.nodes[0][:, MIRROR_NODES] * (1, -1, 1), atol=1e-3)


def test_sharper_turns_turn_faster(sardine):
    _, found = sardine
    for pace in PACES:
        turns = [row for row in rows(found, "swim", turning=True) if found.pace[row] == pace]
        gradual, _, sharp = found.yaw[turns]
        assert 0.2 < gradual < sharp


def test_other_gaits_are_what_they_are_called(sardine):
    _, found = sardine
    (glide,), (brake,), (retreat,), (start,) = (rows(found, gait, gait == "start") for gait in GAITS[1:])
    assert found.velocity[glide, 0] > found.velocity[brake, 0] > 0 > found.velocity[retreat, 0]
    tail = 0.5 * (found.nodes[:, :, UPPER_TIP_NODE, 1] + found.nodes[:, :, LOWER_TIP_NODE, 1])
    assert np.ptp(tail[glide]) < 0.02 < 0.15 < np.ptp(tail[rows(found, "swim")[-2]])
    assert np.ptp(tail[start]) > 0.3 and found.seconds[start] < 0.3
    climbs = found.climb != 0
    path = np.arctan2(found.velocity[climbs, 2], found.velocity[climbs, 0])
    assert np.allclose(path, found.climb[climbs], atol=np.radians(10))


def test_a_fish_slows_down_in_longer_than_it_brakes(sardine):
    _, found = sardine
    assert found.response("coast") > 2.0 * found.response("brake") > 0.0
    assert 0.0 < found.response("surge") < 5.0 and 0.8 < found.response("slope") < 1.2


def test_the_books_own_fish_neither_bursts_nor_starts_and_has_the_same_bits_twice():
    thesis = Species.load("thesis")
    one, other = capture(thesis), capture(thesis)
    assert one.nodes.tobytes() == other.nodes.tobytes() and one.responses.tobytes() == other.responses.tobytes()
    assert one.pace.max() == 1.0 and not (one.gait == GAITS.index("start")).any()


def test_a_folder_keeps_it_until_the_numbers_change(made_up, tmp_path, monkeypatch):
    made = []

    def pretend(species):
        made.append(species.name)
        return dataclasses.replace(made_up, species=species.name, digest=capturing.digest_of(species))

    monkeypatch.setattr(capturing, "capture", pretend)
    sardine = Species.load("sardine")
    first = kept(sardine, tmp_path)
    assert kept(sardine, tmp_path).nodes.tobytes() == first.nodes.tobytes() and len(made) == 1
    (path,) = tmp_path.iterdir()
    path.write_bytes(b"damaged")
    assert kept(sardine, tmp_path).species == "sardine" and len(made) == 2
    swifter = dataclasses.replace(sardine, rhythm=dataclasses.replace(sardine.rhythm, tail_beat=3.3))
    kept(swifter, tmp_path)
    (path,) = tmp_path.iterdir()
    assert len(made) == 3 and Repertoire.load(path, swifter).digest != first.digest


def test_a_world_captures_a_species_once_and_keeps_it_in_the_folder_of_the_cache(made_up, tmp_path, monkeypatch):
    made = []

    def pretend(species):
        made.append(species.name)
        return dataclasses.replace(made_up, species=species.name, digest=capturing.digest_of(species))

    sardine, folder = Species.load("sardine"), tmp_path / "artfish" / "repertoires"
    monkeypatch.setattr(capturing, "capture", pretend)
    monkeypatch.setattr(capturing, "_remembered", {})
    monkeypatch.delenv(capturing.REPERTOIRE_CACHE, raising=False)
    assert remembered(sardine) is remembered(sardine) and len(made) == 1
    monkeypatch.setenv(capturing.REPERTOIRE_CACHE, str(folder))
    for times in (2, 2):
        capturing._remembered.clear()
        assert remembered(sardine).nodes.tobytes() == made_up.nodes.tobytes() and len(made) == times
    assert len(list(folder.iterdir())) == 1
    capturing._remembered.clear()
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(capturing.REPERTOIRE_CACHE, str(tmp_path / "file" / "below"))
    assert remembered(sardine).species == "sardine" and len(made) == 3


def test_a_body_that_keeps_to_no_cycle_is_refused(monkeypatch):
    monkeypatch.setattr(capturing, "MOST_OPEN_LENGTHS", 0.0)
    with pytest.raises(SceneError, match="thesis: found a cycle whose ends miss each other"):
        capture(Species.load("thesis"))
