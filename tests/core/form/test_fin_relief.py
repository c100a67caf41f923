"""The relief of fins: spines where a species has them, rays that fork behind, and nothing without numbers."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.form.fin_relief import FIN_PATCHES, fin_relief, rays_of
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.form.tuning import ROOT_COVER
from artfish.core.scene.relief import NO_RELIEF

ACROSS, OUT = np.linspace(0.0, 1.0, 1201), np.linspace(0.0, 1.0, 65)


def with_relief(name: str, **numbers: float) -> Species:
    return replace(Species.load(name), relief=replace(NO_RELIEF, **numbers))


def bars(profile: np.ndarray) -> int:
    """Number of times that a row of values rises above a half."""
    return int(np.count_nonzero(np.diff((profile > 0.5).astype(int), prepend=0) == 1))


@pytest.mark.parametrize("part", FIN_PATCHES)
def test_no_numbers_no_relief(part):
    field = fin_relief(with_relief("grouper"), part, ACROSS, OUT)
    assert not field.height.any() and not field.ray.any()
    assert not field.beyond.any() or part == "pectoral"  # whose root is round


@pytest.mark.parametrize("name", Species.names())
def test_control_points_know_nothing_of_it(name):
    species = Species.load(name)
    spiny = replace(species, relief=replace(species.relief, dorsal_spines=9, ventral_spines=3, fin_ray=0.003))
    for part, patch in rest_surfaces(species).items():
        assert np.array_equal(patch.points, rest_surfaces(spiny)[part].points)


@pytest.mark.parametrize("name", Species.names())
@pytest.mark.parametrize("part", FIN_PATCHES)
def test_heights_are_those_that_were_declared(name, part):
    species = Species.load(name)
    height = fin_relief(species, part, ACROSS, OUT).height
    spines = {"dorsal": species.relief.dorsal_spines, "ventral": species.relief.ventral_spines}.get(part, 0)
    assert height.min() == 0.0 and not height[:, 0].any()  # the body's skin covers the root
    most = max(species.relief.fin_ray, 0.5 * species.relief.spine * (spines > 0))
    assert 0.5 * most <= height.max() <= most


def test_spines_stand_in_front_and_rays_behind():
    species = with_relief("grouper", fin_ray=0.001, fin_fork=0.5, dorsal_spines=11, dorsal_spiny=0.6, spine=0.006)
    rays = rays_of(species, "dorsal")
    assert rays.spines == 11 and rays.middles[10] < 0.6 < rays.middles[11] and (np.diff(rays.middles) > 0.0).all()
    field = fin_relief(species, "dorsal", ACROSS, OUT)
    front = ACROSS < 0.6
    root, tip = int(0.3 * len(OUT)), -2
    assert bars(field.ray[front, root]) == 11
    soft = len(rays.middles) - 11
    assert bars(field.ray[~front, root]) == soft
    assert bars(field.ray[~front, tip]) >= 3 * soft  # each has forked twice, but where the fin ends
    assert not rays_of(species, "caudal").spines and not rays_of(species, "pectoral").spines


def test_a_spine_is_as_thick_as_it_was_declared_and_pointed():
    species = with_relief("grouper", dorsal_spines=8, dorsal_spiny=0.6, spine=0.008)
    patch = rest_surfaces(species)["dorsal"].points
    across = np.linspace(0.3, 0.45, 4001)
    thickness = []
    for out in (ROOT_COVER, 0.9):
        field = fin_relief(species, "dorsal", across, np.array([out]))
        length = np.linalg.norm(np.diff(patch.mean(axis=0), axis=0), axis=1).sum() * (across[1] - across[0])
        thickness.append(np.count_nonzero(field.height[:, 0] > 0) * length / bars(field.ray[:, 0]))
    assert thickness[0] == pytest.approx(0.008, rel=0.35) and thickness[1] < 0.4 * thickness[0]


def test_the_skin_is_cut_in_behind_each_spine():
    species = with_relief("grouper", dorsal_spines=6, dorsal_spiny=0.6, spine_notch=0.4)
    gone = fin_relief(species, "dorsal", ACROSS, OUT).beyond
    assert not gone[:, OUT < 0.59].any()
    cuts = bars(gone[:, 50])
    assert 5 <= cuts <= 6
    assert not gone[ACROSS > 0.75].any()  # nothing of it between soft rays
    whole = replace(species, relief=replace(species.relief, spine_notch=0.0))
    assert not fin_relief(whole, "dorsal", ACROSS, OUT[:-1]).beyond.any()


def test_rays_that_do_not_fork_stay_one():
    species = with_relief("moray", fin_ray=0.001, fin_fork=1.0)
    field = fin_relief(species, "caudal", ACROSS, OUT)
    assert bars(field.ray[:, 10]) == bars(field.ray[:, -1]) == len(rays_of(species, "caudal").middles)
