"""Haunts: to a shelter that it remembers, back to where food was, and at who comes about its home."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import EAT, ESCAPE, WANDER
from artfish.tests.core.perception.navigation.test_navigator import box

HOLE = 0.23, 0.25
"""Metres, of the door: wide enough for a clownfish and for no grouper."""
SIZE, SEED = (3.2, 1.4, 0.8), 3
AT, HEAD = (1.8, 0.6, 0.27), (1.1, 0.7, 0.4)
"""Where the door begins in the wall that shuts off the end of the tank, and where a clownfish is before it."""


def cave() -> dict:
    """A wall across the tank with a door, as one mesh."""
    (x, y, z), (wide, high) = AT, HOLE
    parts = [((0.0, 0.0), (y, SIZE[2])), ((y + wide, 0.0), (SIZE[1] - y - wide, SIZE[2]))]
    parts += [((y, 0.0), (wide, z)), ((y, z + high), (wide, SIZE[2] - z - high))]
    boxes = [box([0.0, *at], [0.1, *size]) for at, size in parts]
    vertices = [[v + a for v, a in zip(one, part["at"], strict=True)] for part in boxes for one in part["vertices"]]
    faces = [[8 * row + corner for corner in face] for row, part in enumerate(boxes) for face in part["faces"]]
    return {"kind": "mesh", "at": [x, 0.0, 0.0], "vertices": vertices, "faces": faces}


def world(fishes, obstacles=(), size=(3.0, 2.0, 0.8), **more) -> World:
    data = {"tank": {"size": list(size)}, "fishes": fishes, "obstacles": list(obstacles)} | more
    return World(Scene.from_dict(data), seed=SEED)


def one(at, **mind) -> dict:
    """A clownfish that remembers what it sees."""
    wants = {"mind": {"hunger": 0.0} | mind}
    return {"species": "clownfish", "at": list(at), "heading": [1, 0, 0], "visual_memory": {}} | wants


def live(w: World, seconds: float) -> np.ndarray:
    """Where everybody is at every frame in metres, (frame, fish, 3)."""
    found = []
    for _ in range(round(24 * seconds)):
        w.step()
        found.append(w.center_of_mass.copy())
    return np.array(found)


@pytest.fixture(scope="module")
def hunted():
    """A clownfish that is hunted before a cave, and the moment at which that begins."""
    grouper = {"species": "grouper", "size": 1.0, "at": [0.5, 0.4, 0.4], "heading": [1, 0.2, 0]}
    predator = grouper | {"mind": {"hunger": 0.9, "confusion": 0.0}}
    w = world([one(HEAD, shelter=1), predator], [cave()], SIZE)
    return w, w.moment()


def sheltered(place: np.ndarray) -> bool:
    return bool(place[0] > AT[0] + 0.1)


@pytest.mark.film
@pytest.mark.parametrize("shelter", [True, False])
def test_who_flees_makes_for_a_shelter_that_it_has_seen_and_needs_no_goal_for_that(hunted, shelter, monkeypatch):
    w, moment = hunted
    w.go_back(moment)
    monkeypatch.setattr(w.parts.minds.mind.haunts, "_shelters", np.array([shelter, False]))
    places = live(w, 4.0)
    assert w.parts.minds.mind.director.journeys is None
    assert sheltered(places[-1, 0]) == shelter


@pytest.mark.film
def test_who_has_reached_its_shelter_waits_there_and_all_goes_on_to_the_bit(hunted):
    w, moment = hunted
    w.go_back(moment)
    live(w, 4.0)
    there = w.moment()
    nodes = []
    for _ in range(2):
        w.go_back(there)
        haunts, mind = w.parts.minds.mind.haunts, w.parts.minds.mind
        w.parts.minds.decision.feel(np.array([0]), None, None, 1.0)
        places = live(w, 1.0)[:, 0]
        assert mind.decision.generator.intention[0] == ESCAPE and mind.steering.hold[0]
        assert sheltered(haunts.refuge[0]) and np.linalg.norm(places - haunts.refuge[0], axis=1).max() < 0.15
        nodes.append(w.parts.bodies.shoal.nodes.copy())
    assert np.array_equal(*nodes)


def test_only_a_few_look_for_a_shelter_in_one_frame():
    w = world([one((1.0, 0.7, 0.4), shelter=1) | {"count": 4, "spread": 0.2}])
    live(w, 0.5)
    w.parts.minds.decision.feel(np.arange(4), None, None, 1.0)
    sought = []
    for _ in range(12):
        w.step()
        sought.append(np.count_nonzero(w.parts.minds.mind.haunts._sought > 0.0))
    assert max(np.diff([0, *sought])) == 1 and sought[-1] == 4


def forager(forage: int, species: str = "clownfish") -> World:
    """One that smells nothing from where it is, and swims away from where food is."""
    fish = one((2.2, 1.0, 0.4), hunger=0.9, smell=4, forage=forage) | {"species": species}
    if species != "clownfish":
        fish["size"] = 0.3
    return world([fish], plankton={"count": 8, "at": [0.5, 1.0, 0.4], "spread": 0.05})


def remember_food(w: World) -> None:
    memory = w.parts.minds.memory
    memory.food_time[0], memory.food_motion[0, :, :3] = 0.0, w.parts.water.plankton.place


@pytest.mark.film
@pytest.mark.parametrize(("forage", "knows"), [(1, True), (1, False), (0, True)])
def test_who_is_hungry_goes_back_to_where_it_remembers_food(forage, knows):
    w = forager(forage)
    if knows:
        remember_food(w)
    places = live(w, 5.0)[:, 0]
    goes_back = norm_to_food(places[-1]) < norm_to_food(places[0]) - 0.2
    assert goes_back == (bool(forage) and knows)
    assert w.parts.minds.decision.generator.intention[0] == (EAT if forage else WANDER)


def norm_to_food(place: np.ndarray) -> float:
    return float(np.linalg.norm(place - (0.5, 1.0, 0.4)))


def test_who_hunts_fishes_goes_back_to_no_plankton():
    w = forager(1, "grouper")
    remember_food(w)
    live(w, 0.5)
    assert np.isnan(w.parts.minds.mind.navigator.destination).all()


def neighbours(*others, territory: float = 8.0) -> World:
    """One that is at home in the middle of the water, and others beside it."""
    return world([one((1.5, 1.0, 0.4), territory=territory), *others], size=(3.0, 2.0, 0.8))


def frightened(w: World, seconds: float = 2.0) -> np.ndarray:
    """Whom anybody has startled, (fish,) bool."""
    found = np.zeros(len(w.alive), dtype=bool)
    for _ in range(round(24 * seconds)):
        w.step()
        found |= w.parts.minds.decision.feelings.mood.offset[:, 2] > 0.5
    return found


BESIDE, FAR = (1.7, 1.0, 0.4), (2.7, 1.0, 0.4)


def test_who_comes_about_its_home_is_driven_off():
    w = neighbours(one(BESIDE))
    assert frightened(w).tolist() == [False, True]
    assert w.parts.minds.mind.decision.generator.intention[1] == ESCAPE


@pytest.mark.parametrize(
    ("other", "territory"),
    [(one(FAR), 8.0), (one(BESIDE) | {"species": "cardinalfish"}, 8.0), (one(BESIDE), 0.0)],
    ids=["out of it", "of another kind", "it holds none"],
)
def test_nobody_else_is_driven_off(other, territory):
    assert not frightened(neighbours(other, territory=territory)).any()


def test_of_two_that_hold_the_same_water_neither_is_driven_off_and_a_trespasser_is():
    assert not frightened(neighbours(one(BESIDE, territory=8.0))).any()
    w = neighbours(one(FAR, territory=4.0))
    w.parts.minds.mind.haunts._home[1] = (2.8, 1.8, 0.4)  # at home elsewhere
    w.parts.bodies.shoal.put(np.array([1]), np.array([BESIDE]), np.eye(3)[None], np.zeros(1))
    assert frightened(w)[1]
