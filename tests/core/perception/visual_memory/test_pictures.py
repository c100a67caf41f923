"""Missing and hidden in chance worlds, against the second picture of Kuffner & Latombe (1999), §5, drawn in full."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.perception.retina.drawing import EyeView, Shapes, draw
from artfish.core.perception.retina.lens import lens_of
from artfish.core.perception.visual_memory.pictures import CyclopeanImages
from artfish.core.perception.visual_memory.pieces import own
from artfish.core.world import stages

SIZE = 160
EYE, PILLARS, LOOKS = (5.0, 5.0, 2.0), 7, 6
HARDLY = 40
"""Pixels of a picture, a sixth of a hundredth, up to which it may show a piece of which no point is in sight."""


def picture(watcher, pillars):
    """Which of some pillars (at, radius, height) each pixel sees, -1 for none, and metres to it, (size, size) both."""
    none = np.zeros((0, 3))
    shapes = Shapes(none, none.astype(np.int32), np.zeros(0, dtype=bool), np.zeros((0, 4)), pillars, None)
    return draw(watcher.view, lens_of(SIZE), shapes)


def pieces_at(watcher, marks, far, pillar, feet, mark=0):
    """Which piece of a pillar that stands at these feet each pixel sees, -1 for none."""
    found = np.full(marks.shape, -1)
    there = marks == mark
    rays = np.moveaxis(lens_of(SIZE).rays, 0, -1).reshape(SIZE, SIZE, 3)[there] * far[there][:, None].astype(float)
    places = watcher.view.origin + rays @ watcher.view.frame.T
    found[there] = watcher.memory.pieces.at(pillar, own(np.array([*feet, 1.0, 0.0, 0.0, 0.0]), places))
    return found


class Chance:
    """A world of pillars that somebody moves at random, and a fish in their middle that turns at random."""

    def __init__(self, watch, seed):
        self.dice = np.random.default_rng(seed)
        self.radius = self.dice.uniform(0.15, 0.6, PILLARS)
        pillars = [{"at": self.feet().tolist(), "radius": r, "height": 1.5, "motion": []} for r in self.radius.tolist()]
        self.watcher = watcher = watch(pillars)
        self.where = {row: np.array(each["at"]) for row, each in enumerate(pillars)}
        watcher.parts.minds.lookout.vision.sight[:] = 100.0
        watcher.grain = 0.01

    def feet(self):
        while True:
            at = self.dice.uniform(1.0, 9.0, 2)
            if np.hypot(*(at - 5.0)) > 1.2:
                return np.array([*at, self.dice.uniform(0.5, 2.2)])

    def change(self):
        """Moves some pillars, turns the fish, and draws what it sees."""
        watcher = self.watcher
        for row in range(PILLARS):
            if self.dice.random() < 0.4:
                self.where[row] = self.feet()
                watcher.move(row, self.where[row])
        angle = self.dice.uniform(-np.pi, np.pi)
        watcher.put(EYE, (np.cos(angle), np.sin(angle), 0.0))
        watcher.t += 0.2
        self.swimmers = stages.perceive(watcher.parts)
        self.now = stages.surroundings_of(watcher.parts, self.swimmers)
        watcher.view = EyeView(self.swimmers.nose[0], self.swimmers.frames[0])
        self.pillars = np.array([[*self.where[row], self.radius[row], 1.5] for row in range(PILLARS)])
        self.marks, self.far = picture(watcher, self.pillars)
        identity = np.where(self.marks >= 0, self.marks + 2, 0)
        view = watcher.view
        maps, nothing = (identity[None], self.far[None], lens_of(SIZE)), np.full((1, PILLARS + 3), np.inf)
        return CyclopeanImages(*maps, view.origin[None], view.frame[None], nothing, PILLARS + 2, 0.01)

    def in_sight(self):
        """V: which pieces the picture shows, (p,) bool."""
        seen = np.zeros(len(self.watcher.memory.pieces), dtype=bool)
        for row in range(PILLARS):
            found = pieces_at(self.watcher, self.marks, self.far, row, self.where[row], row)
            seen[found[found >= 0]] = True
        return seen

    def expected(self, pieces, upon=None):
        """V_M: of how many pixels each of some remembered pieces would be, drawn alone or upon ranges, (p,)."""
        watcher, motion = self.watcher, self.watcher.memory.piece_motion[0]
        best, shown = (np.full((SIZE, SIZE), np.inf) if upon is None else upon.copy()), np.full((SIZE, SIZE), -1)
        for piece in np.flatnonzero(pieces).tolist():
            row = int(watcher.memory.pieces.obstacle[piece])
            feet = motion[np.searchsorted(watcher.memory.moving, piece), :3]
            marks, far = picture(watcher, np.array([[*feet, self.radius[row], 1.5]]))
            nearer = (pieces_at(watcher, marks, far, row, feet) == piece) & (far < best)
            best, shown = np.where(nearer, far, best), np.where(nearer, piece, shown)
        return np.bincount(shown[shown >= 0], minlength=len(pieces))


def blank(memory, pieces):
    """No fish, these pieces, no food."""
    return np.zeros((1, memory.fish_time.shape[1]), bool), pieces[None], np.zeros((1, memory.food_time.shape[1]), bool)


def missed(chance, seen, pictures=None):
    """Mask of the pieces that the memory expects to see and does not, where it sees those of `seen`, (p,) bool."""
    memory = chance.watcher.memory
    glance = chance.watcher.parts.minds.lookout.glance(np.zeros(1, dtype=int), chance.now, chance.swimmers, pictures)
    found = np.zeros(len(seen), dtype=bool)
    found[memory.moving] = glance.missed(*blank(memory, seen))[1][0]
    return found


@pytest.fixture(scope="module")
def cases(watch):
    """Pieces that are remembered and not seen in chance worlds, (4, piece).

    Pixels of each in the second picture drawn in full, and in that of what is elsewhere, drawn upon the first one; then
    whether it is missed by rays and by images.
    """
    found = []
    for seed in range(8):
        chance = Chance(watch, seed)
        memory, me = chance.watcher.memory, np.zeros(1, dtype=int)
        for _ in range(LOOKS):
            pictures, seen = chance.change(), chance.in_sight()
            assert (
                chance.watcher.parts.minds.lookout.glance(me, chance.now, chance.swimmers, pictures).pieces() == seen
            ).all()
            memory.observe(me, chance.watcher.t, chance.now, *blank(memory, seen))
            known = ~np.isnan(memory.piece_time[0])
            away = (memory.piece_motion[0, :, :7] != chance.now.pieces[:, :7]).any(axis=1)
            full, less = chance.expected(known), chance.expected(known & ~seen & away, chance.far)
            cheap = missed(chance, seen), missed(chance, seen, pictures)
            unseen = known & ~seen
            found.append(np.stack([full, less, *cheap], axis=1)[unseen])
            gone = unseen & (full > 0)
            memory.miss(me, np.zeros((1, 1), bool), gone[None], np.zeros((1, 0), bool))
    return np.concatenate(found).T


@pytest.mark.film
def test_only_what_is_remembered_elsewhere_has_to_be_drawn_and_upon_the_first_picture(cases):
    """The proof in `looking`, by drawing: the same X as by the paper's second picture of all that is remembered."""
    full, less, _, _ = cases
    assert (less == full).all() and (full > 0).sum() > 30 and (full == 0).sum() > 60


@pytest.mark.film
@pytest.mark.parametrize("row", [2, 3], ids=["rays", "images"])
def test_what_is_missed_is_what_the_second_picture_misses(cases, row):
    """By rays, or by points held against the ranges of the one picture; slivers may be between points or pixels."""
    full, cheap = cases[0], cases[row] > 0
    assert cheap[full > HARDLY].all()
    assert (cheap == (full > 0)).mean() > 0.95


def test_a_fish_that_sees_with_images_remembers_what_they_show_and_misses_what_has_gone():
    """Fig. 5, 7 and 9 with `vision: "retina"`, in a world that runs."""
    pillar = {"kind": "cylinder", "radius": 0.2, "height": 1.0, "motion": []}
    fish = {"species": "clownfish", "at": [4, 4, 1.5], "heading": [1, 0, 0], "vision": "retina"}
    scene = {
        "tank": {"size": [8, 8, 3]},
        "fishes": [{**fish, "visual_memory": {"model": "basic"}}, {"species": "clownfish", "at": [4.5, 4.4, 1.5]}],
        "obstacles": [{**pillar, "at": [5, 4, 1.0]}, {**pillar, "at": [6, 4, 1.0]}, {**pillar, "at": [4, 5.5, 1.0]}],
        "plankton": {"count": 1, "at": [4.3, 3.9, 1.5], "spread": 0, "size": 0.02},
    }
    world = World(Scene.from_dict(scene), seed=1)
    world.step()
    memory = world.parts.minds.memory

    def known():
        return set(memory.pieces.obstacle[memory.remembered(0).piece].tolist())

    seen = world.visual_memory(0)
    assert {one["kind"] for one in seen} == {"fish", "obstacle", "food"} and known() == {0, 2}
    world.move_obstacle(0, (7.0, 1.0, 1.0), jumps=True)
    world.move_obstacle(2, (7.0, 7.0, 1.0), jumps=True)
    for _ in range(8):
        world.step()
    assert 1 in known()
    at = {tuple(np.round(pose[:2], 6)) for pose in memory.remembered(0).pose}
    assert (5.0, 4.0) not in at and (4.0, 5.5) not in at
    again = World(Scene.from_dict(scene), seed=1)
    again.step()
    assert again.visual_memory(0) == seen
