"""Heredity: Mendel's laws, Haldane's of linkage, mutation as declared, and children that pass every check."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from artfish.cli import main
from artfish.core.base.codec import SceneError
from artfish.core.genetics.genes import gene_map
from artfish.core.genetics.genome import (
    Genome,
    bred,
    child,
    crossed,
    differing,
    gamete,
    gametes,
    genome_of,
    pure,
    species_of,
    wild,
)
from artfish.core.genetics.tuning import CROSSINGS, MUTATION_SHARE, WILD_SHARE
from artfish.core.scene.ancestry import AlleleDifference, Ancestry
from artfish.core.scene.species import Species

GAMETES = 20_000


def alike(one, other, where=""):
    """Asserts that two species as JSON holds them are alike to rounding, but for names."""
    for key, value in one.items():
        if key in ("name", "common_name", "latin_name", "model", "fitted", "traits", "ancestry"):
            continue
        if isinstance(value, dict):
            alike(value, other[key], key)
        elif isinstance(value, str) or value is None:
            assert other[key] == value, (where, key)
        else:
            assert np.allclose(other[key], value, rtol=0, atol=1e-12), (where, key)


def test_however_much_mutation_is_asked_for_some_genes_stay():
    numbers = np.repeat(pure(Species.load("tuna")).mother.numbers[None], 200, axis=0)
    _, _, mutates = gametes(numbers, numbers, np.arange(200), mutation=1e6)
    assert 0.5 < mutates.mean() < 0.7


@pytest.mark.parametrize("name", Species.names())
def test_what_is_seen_of_a_pure_or_wild_fish_is_its_species(name):
    species = Species.load(name)
    for genome in (pure(species), wild(species, 7)):
        made = species_of(genome, species, name)
        assert made.name == name
        alike(species.to_dict(), made.to_dict())


def test_pure_parents_have_gametes_as_they_are():
    genome = pure(Species.load("tuna"))
    assert gamete(genome, 5, mutation=0.0).same(genome.mother)


def test_each_gene_comes_from_either_copy_at_even_odds():
    second = crossed(np.arange(GAMETES))
    # A share of coin throws is off by 4.5 of its deviations once in 150 000 times; there are some 270 genes.
    assert np.abs(second.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / np.sqrt(GAMETES)


def test_groups_are_inherited_independently():
    genes = gene_map()
    starts = crossed(np.arange(GAMETES))[:, genes.begins].astype(float)
    linked = np.corrcoef(starts.T) - np.eye(starts.shape[1])
    assert np.abs(linked).max() < 4.5 / np.sqrt(GAMETES)


def test_groups_cross_over_as_often_as_declared_and_never_within_the_shape():
    genes, second = gene_map(), crossed(np.arange(GAMETES))
    turns = second[:, 1:] != second[:, :-1]
    inner = ~genes.begins[1:]
    bound = np.array([gene.bound for gene in genes.order])[1:]
    assert not turns[:, bound].any()
    for group in {gene.group for gene in genes.order}:
        own = inner & np.array([gene.group == group for gene in genes.order])[1:]
        chance = CROSSINGS * genes.gaps[1:][own]
        deviation = np.sqrt((chance * (1.0 - chance)).sum() / GAMETES)
        assert abs(turns[:, own].sum(axis=1).mean() - CROSSINGS) < 4.5 * deviation


def test_genes_recombine_by_how_far_apart_they_are():
    """Haldane 1919, for crossings thrown gap by gap: r = (1 - product of (1 - 2 p)) / 2."""
    genes, second = gene_map(), crossed(np.arange(GAMETES))
    rows = [row for row, gene in enumerate(genes.order) if gene.group == "gait"]
    for near, far in pairwise(rows[:: len(rows) // 4]):
        share = (second[:, near] != second[:, far]).mean()
        expected = 0.5 * (1.0 - np.prod(1.0 - 2.0 * CROSSINGS * genes.gaps[near + 1 : far + 1]))
        assert share == pytest.approx(expected, abs=4.5 * 0.5 / np.sqrt(GAMETES))


def test_as_many_genes_mutate_as_declared_and_as_many_differ_in_wild_fishes():
    numbers = pure(Species.load("sardine")).mother.numbers
    many = np.repeat(numbers[None], 2000, axis=0)
    _, _, mutates = gametes(many, many, np.arange(2000))
    places = mutates.size
    assert mutates.mean() == pytest.approx(MUTATION_SHARE, abs=4.5 * np.sqrt(MUTATION_SHARE / places))
    off = differing(many, np.arange(2000))
    able = (off != 0).any(axis=0)
    genes = gene_map()
    firsts = np.unique(genes.of_number, return_index=True)[1]
    share = (off[:, firsts] != 0)[:, able[firsts]].mean()
    assert share == pytest.approx(WILD_SHARE, abs=4.5 * 0.5 / np.sqrt(2000 * able[firsts].sum()))


def test_children_of_two_pure_species_are_between_them_and_alike_and_grandchildren_are_not():
    one, other = Species.load("sardine"), Species.load("tuna")
    first, genome = child((pure(one), pure(other)), one, "first", 1, mutation=0.0)
    again, _ = child((pure(one), pure(other)), one, "first", 2, mutation=0.0)
    assert first.to_dict() == again.to_dict()
    assert first.rhythm.tail_beat == pytest.approx(0.5 * (one.rhythm.tail_beat + other.rhythm.tail_beat))
    assert first.length == pytest.approx(0.5 * (one.length + other.length))
    grandchildren = [child((genome, genome), first, "second", seed, mutation=0.0)[0] for seed in range(8)]
    assert len({round(each.rhythm.tail_beat, 9) for each in grandchildren}) == 3  # one's, the other's, and between


def test_the_same_seed_gives_the_same_child():
    parents = tuple(wild(Species.load(name), 3) for name in ("clownfish", "blue_tang"))
    base = Species.load("clownfish")
    children = [child(parents, base, "kid", seed, mutation=3.0)[0].to_dict() for seed in (4, 4, 5)]
    assert children[0] == children[1] != children[2]


def test_children_of_any_two_pass_every_check():
    names = [name for name in Species.names() if name != "thesis"]
    dice = np.random.default_rng(12)
    for seed in range(25):
        one, other = (str(name) for name in dice.choice(names, 2))
        parents = wild(Species.load(one), seed), wild(Species.load(other), seed)
        made, genome = child(parents, Species.load(one), "kid", seed, mutation=4.0)
        assert Species.from_dict(made.to_dict()) == made
        assert isinstance(genome, Genome)


def test_numbers_that_are_no_species_are_refused():
    genome = pure(Species.load("sardine"))
    genome.mother.numbers[:] = gene_map().span[1]
    with pytest.raises(SceneError):
        species_of(genome, Species.load("sardine"), "kid")


def test_a_bred_fish_hands_down_from_its_file_what_is_not_seen_of_it(tmp_path):
    one, other = Species.load("emperor_angelfish"), Species.load("reef_shark")
    made = bred(one, other, "kid", 3)
    assert (made.ancestry.mother, made.ancestry.father) == ("emperor_angelfish", "reef_shark")
    made.save(tmp_path / "kid.json")
    read = Species.load(tmp_path / "kid.json")
    assert read == made
    genome = genome_of(replace(made, ancestry=Ancestry(differences=made.ancestry.differences)))
    alike(made.to_dict(), species_of(genome, made, "kid").to_dict())
    # Both copies come back, of which one is hidden behind the other.
    row = [gene.key for gene in gene_map().wholes].index("looks.pattern")
    patterns = {gamete(genome, seed, mutation=0.0).wholes[row] for seed in range(20)}
    assert patterns == {one.looks.pattern, other.looks.pattern} and len(patterns) == 2
    assert made.looks.pattern in patterns


def test_who_is_edited_after_breeding_moves_both_copies():
    made = bred(Species.load("clownfish"), Species.load("blue_tang"), "kid", 3)
    longer = replace(made, length=made.length * 1.1)
    assert species_of(genome_of(longer), longer, "kid").length == pytest.approx(longer.length)


@pytest.mark.parametrize(
    "one, key",
    [
        (AlleleDifference("rhythm.swing", (1.0,)), r"ancestry.differences\[0\].gene"),
        (AlleleDifference("rhythm.lag", (1.0, 2.0)), r"ancestry.differences\[0\].gene"),
        (AlleleDifference("looks.pattern", (17.0,)), r"ancestry.differences\[0\].by"),
        (AlleleDifference("form.back", (1.0, 2.0)), r"ancestry.differences\[0\].by"),
        (AlleleDifference("looks.bands", (1.0, 2.0, 3.0)), r"ancestry.differences\[0\].by"),
    ],
)
def test_an_ancestry_that_is_none_is_refused_in_a_line(one, key):
    species = replace(Species.load("sardine"), ancestry=Ancestry(differences=(one,)))
    with pytest.raises(SceneError, match=key):
        genome_of(species)


def test_the_command_writes_as_many_children_as_are_asked_for(tmp_path, capsys):
    words = ["breed", "sardine", "tuna", "-o", str(tmp_path), "--children", "2", "--seed", "5", "--name", "fry"]
    assert main(words) == 0
    paths = capsys.readouterr().out.split()
    assert [Species.load(path).name for path in paths] == ["fry_1", "fry_2"]
    assert Species.load(paths[0]).to_dict() == bred(Species.load("sardine"), Species.load("tuna"), "fry_1", 5).to_dict()
