"""The preset scenes live through what their sections of the book tell, with any seed (Tu 1999, §10.1-10.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..core.behavior.routines.courtship import COURTSHIP_STAGES
from ..core.habitat.obstacles import Obstacles
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

TOUCH = 0.05  # lengths that a node may be inside something
MOST_OF_A_SHOAL = 200
"""Most fishes of a preset's shoal simulated, where all of them would teach no more, and take minutes."""
EAT, ESCAPE, MATE, SCHOOL = map(Recording.INTENTIONS.index, ("eat", "escape", "mate", "school"))


def tried(name: str) -> Scene:
    """A preset with no more than the first `MOST_OF_A_SHOAL` of each of its shoals."""
    scene = Scene.load(name)
    fishes = (
        replace(
            group,
            count=min(group.count, MOST_OF_A_SHOAL),
            members=tuple(one for one in group.members if one.index < MOST_OF_A_SHOAL),
        )
        for group in scene.fishes
    )
    return replace(scene, fishes=tuple(fishes))


def lived(name: str, seed: int) -> Recording:
    """The full recording of a preset, without interference."""
    return World(Scene.load(name), seed=seed).simulate()


def depth_of(recording: Recording) -> np.ndarray:
    """Greatest depth of each fish inside a wall, a pillar, a rock or the bed, in lengths, (fish,)."""
    nodes, scene = recording.nodes.astype(float), recording.scene
    beyond = np.maximum(-nodes, nodes - scene.tank.size).max(axis=-1)
    inside = -Obstacles.from_scene(scene).distance(nodes)[0]
    return np.maximum(beyond, inside).max(axis=(0, 2)) / recording.body_length


def kinds(recording: Recording, kind: str) -> list[dict]:
    """Its events of a kind."""
    return [event for event in recording.events if event["kind"] == kind]


def rows(recording: Recording, *species: str) -> np.ndarray:
    """Rows of the fishes of these species."""
    return np.flatnonzero(np.isin(recording.species, species))


def sound(recording: Recording) -> bool:
    """True if all of it is finite and in its water."""
    return bool(np.isfinite(recording.nodes).all() and depth_of(recording).max() < TOUCH)


def cousto(seed: int) -> dict[str, bool]:
    """A world of courtship, grazing, schools and a shark."""
    recording = lived("cousto", seed)
    shark, prey = rows(recording, "reef_shark")[0], rows(recording, "sardinella", "striped_cardinalfish")
    pacifists = np.setdiff1d(np.arange(len(recording.species)), [shark, *prey])
    stages = [event["stage"] for event in kinds(recording, "courtship")]
    schooling = (recording.intention == SCHOOL) & recording.alive
    hunts = recording.intention[:, shark] == EAT
    after = recording.target[hunts, shark]
    return {
        "is sound": sound(recording),
        "courtship begins with looping": stages[:1] == ["looping"],
        "five meals": len(kinds(recording, "fed")) >= 5,
        "pacifists flee nobody": not (recording.intention[:, pacifists] == ESCAPE).any(),
        "a fifth of the prey's time in schools": bool(schooling[:, prey].sum() > 0.2 * recording.alive[:, prey].sum()),
        "the shark hunts one of the school": len(after) > 2 * recording.fps and bool(np.isin(after, prey).any()),
        "they flee": bool((recording.intention[:, prey] == ESCAPE).any()),
        "a pair circles": "circling" in stages,
        "it is still a world afterwards": bool(recording.alive[-1].sum() >= len(recording.species) - 4),
        "only the shark eats": all(event["fish"] == shark for event in kinds(recording, "eaten")),
    }


def preying(seed: int) -> dict[str, bool]:
    """A predator preys and its prey flees and schools; others graze undisturbed."""
    recording = lived("preying", seed)
    prey, peaceful = rows(recording, "striped_cardinalfish"), rows(recording, "butterflyfish", "blue_tang", "clownfish")
    intention = recording.intention[:, prey][recording.alive[:, prey]]
    hungry, eaten = recording.hunger[:, 0] > 0.5, kinds(recording, "eaten")
    return {
        "prey flees and schools": bool((intention == ESCAPE).any() and (intention == SCHOOL).any()),
        "it hunts a quarter of the time that it is hungry": bool((recording.intention[hungry, 0] == EAT).mean() > 0.25),
        "it catches one": bool(eaten),
        "it changes its mind less than 20 times a minute": bool(
            (np.diff(recording.intention[:, 0]) != 0).sum() < 20 * len(recording.intention) / recording.fps / 60
        ),
        "only it eats, and only prey": all(event["fish"] == 0 and event["other"] in prey for event in eaten),
        "the peaceful live and flee nobody": bool(
            recording.alive[:, peaceful].all() and not (recording.intention[:, peaceful] == ESCAPE).any()
        ),
        "three meals": len(kinds(recording, "fed")) >= 3,
    }


def mating(seed: int) -> dict[str, bool]:
    """Couples loop, circle, ascend, nuzzle and spawn, and the larger male wins."""
    recording = lived("mating", seed)
    steps: dict[tuple[int, int], list[str]] = {}
    for event in kinds(recording, "courtship"):
        steps.setdefault((event["fish"], event["other"]), []).append(event["stage"])
    couples = [(event["fish"], event["other"]) for event in kinds(recording, "spawned")]
    circling = [event["fish"] for event in kinds(recording, "courtship") if event["stage"] == "circling"]
    rivals = [fish for fish in circling if fish in (0, 1)]  # the two males that court one female
    return {
        "who spawns went through all stages": all(set(steps[couple]) == set(COURTSHIP_STAGES) for couple in couples),
        "a couple goes through all stages": any(set(stages) == set(COURTSHIP_STAGES) for stages in steps.values()),
        "a couple spawns": bool(couples),
        "the smaller male does not win": rivals[:1] != [1],
    }


def reef(seed: int) -> dict[str, bool]:
    """All stay alive and inside the tank."""
    recording = lived("reef", seed)
    return {
        "many of many kinds": len(recording.species) >= 24 and len(set(recording.species)) >= 5,
        "all live, in their water": bool(recording.alive.all()) and sound(recording),
        "courtship and meals": bool(kinds(recording, "courtship") and kinds(recording, "fed")),
        "they school and mate": bool((recording.intention == SCHOOL).any() and (recording.intention == MATE).any()),
    }


def go_fish(seed: int) -> dict[str, bool]:
    """Fishes feed, a hook descends, the first to bite is caught and drawn to the surface."""
    recording = lived("go_fish", seed)
    bites, meals = kinds(recording, "hooked"), [event["frame"] for event in kinds(recording, "fed")]
    if not bites:
        return dict.fromkeys(("one bites", "it is landed within six seconds", "others feed before and after"), False)
    frame, fish = bites[0]["frame"], bites[0]["fish"]
    gone = np.flatnonzero(~recording.alive[:, fish])
    return {
        "one bites": len(bites) == 1,
        "it is landed within six seconds": len(gone) > 0 and bool(gone[0] < frame + 24 * 6),
        "others feed before and after": bool(meals) and min(meals) < frame < max(meals),
    }


def directed(seed: int) -> dict[str, bool]:
    """They court as the scheduled school passes, and then the grouper comes."""
    recording = lived("directed", seed)
    courts = kinds(recording, "courtship")[0]["frame"] / 24
    school = recording.nodes[:, rows(recording, "sardinella")].mean(axis=(1, 2))
    passes = np.flatnonzero(school[:, 0] > 3.5)[0] / 24
    (grouper,) = rows(recording, "peacock_grouper")
    there = recording.alive[:, grouper]
    background = recording.nodes[20 * 24 :, grouper, :, 1].mean(axis=1) > 3.0
    return {
        "they court as the school passes": bool(abs(courts - passes) <= 0.25),
        "the grouper comes after 18 s": bool(not there[: 18 * 24].any() and there[18 * 24 :].all()),
        "and eats nobody before": all(event["frame"] > 18 * 24 for event in kinds(recording, "eaten")),
        "in the background": bool(background.mean() > 0.8),
    }


HALF = {"a pair circles", "it catches one", "a couple spawns"}
"""Claims required of half of the films; all others are required of five in six."""


def findings(seeds: range = range(6)) -> Iterator[Finding]:
    """Claims about the films."""
    for film in (directed, cousto, preying, mating, reef, go_fish):
        shown = each(film, seeds)
        for claim in shown[0]:
            least = 0.5 if claim in HALF else 5 / 6
            yield counted(f"{film.__name__}: {claim}", [one[claim] for one in shown], least)
