"""Assembly: making the parts of a world from a scene, a seed and the species that live there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from ..base.dice import Dice
from ..behavior.character import Cast, Characters
from ..behavior.comfort import Comfort
from ..behavior.decision import Decision
from ..behavior.instructions import Instructions
from ..behavior.intention import BREEDING, MATE, PREDATOR, PREY
from ..behavior.mind import Mind
from ..behavior.pacing import Vigor
from ..behavior.routines.den import Dens
from ..behavior.routines.haunts import Haunts
from ..behavior.routines.host import Hosts
from ..behavior.routines.leave import LEAVING_DICE, Leave
from ..behavior.routines.sleep import Sleep, beds
from ..behavior.routines.struggle import Struggle
from ..behavior.routines.travel import Journeys
from ..behavior.ties import Ties
from ..behavior.timing import Timekeeping
from ..behavior.waters import Waters
from ..habitat.ambient import Ambient
from ..habitat.bubbles import Bubbles
from ..habitat.currents import Current
from ..habitat.growth import ReefGrowth
from ..habitat.hook import BaitedHook
from ..habitat.obstacles import Obstacles
from ..habitat.plankton import PlanktonCloud
from ..habitat.plume import Plume
from ..habitat.seaweed import Weed
from ..habitat.spawn import SpawnCloud
from ..habitat.submarine import Submarine
from ..habitat.tank import WaterBox
from ..motor.center import MotorCenter
from ..motor.helm import Helms
from ..motor.pectorals import FinMotion
from ..perception.navigation.navigator import Navigator
from ..perception.retina.sight import RetinalSight
from ..perception.visual_memory.looking import Lookout
from ..perception.visual_memory.memory import NO_MEMORY, VisualMemory
from ..perception.visual_memory.pieces import ObstaclePieces
from ..scene.direction import Food
from ..scene.scene import Scene
from ..scene.species import Species
from . import stages
from .contact import Skins
from .containment import Bounds
from .detail import DetailControl
from .fishes import Fishes, of_each, of_groups, stock_of
from .fitting import refuse_misfits
from .lives import Lives
from .parts import FishBodies, FishMinds, Parts, Surroundings, WorldModel
from .schedule import Schedule
from .settling import SettlingPlace, settle, upright
from .shoal import Shoal
from .signs import Signs
from .strokes import Strokes
from .tuning import FIRST_PACE

PLACE_DICE, CHOICE_DICE, BODY_DICE, HEADING_DICE, SEX_DICE, WANT_DICE, RIPENESS_DICE = range(7)  # purposes of the dice
STRUGGLE_DICE, SIZE_DICE = 2 << 32, 3 << 32  # and some more, far from those of others


def models_of(scene: Scene, given: Mapping[str, Species]) -> dict[str, Species]:
    """The species of a scene by name, in order: those given, then those beside it, and presets for the rest.

    Raises:
        SceneError: If a species cannot be read.
    """
    names, own = sorted({group.species for group in scene.fishes}), {**scene.models, **given}
    born = [name for name, model in given.items() if scene.breeding is not None and stock_of(model) in names]
    return {name: own[name] if name in own else Species.load(name) for name in dict.fromkeys((*names, *born))}


def assemble(
    scene: Scene,
    seed: int,
    models: dict[str, Species],
    *,
    minds: bool,
    characters: Characters | None = None,
    lived: Mapping[str, np.ndarray] | None = None,
    before: Parts | None = None,
) -> Parts:
    """Fills the tank.

    Args:
        scene: The scene.
        seed: Any whole number; the same scene and seed give the same bits.
        models: The species of the scene by name, as from `models_of`.
        minds: Whether the fishes have minds; else a pilot leads them, and they begin at rest.
        characters: Characters of the fishes; by scene and dice if left out.
        lived: State of lives so far, in a scene with breeding; from the beginning if left out.
        before: Parts of the same scene whose water, and constants of bodies, these go on with; what changes in them
            is that of the beginning now and then.

    Raises:
        SceneError: If fishes and water do not fit, or the seed is no whole number.
    """
    if not whole(seed):
        raise SceneError(shown(seed), "a whole number", key="seed")
    refuse_misfits(scene, models, minds=minds)
    seed, lives = int(seed), None
    if scene.breeding is not None:
        lives = Lives(scene, seed, lived)
        scene = lives.peopled()
    fishes = Fishes.of(scene, models)
    everyone = np.arange(len(fishes.kind))
    bodies, choices = fishes.dice(seed, BODY_DICE), fishes.dice(seed, CHOICE_DICE)
    characters = characters or Characters.from_scene(scene, models, fishes.dice(seed, SEX_DICE))
    browsed = lives is not None or bool((characters.drives["browse"] > 0.0).any())
    water = _Water.of(scene, seed, browsed=browsed) if before is None else _Water.again(before)
    fishes = fishes.grown(scene, characters.sexes, fishes.dice(seed, SIZE_DICE), 1.0 if lives is None else lives.share)
    shoal = _bodies(scene, fishes, lives, before)
    home = _settle(scene, seed, fishes, water, shoal, of_groups(scene, "pace") if minds else np.zeros(len(everyone)))
    hook = BaitedHook(scene.hook, water.tank.size[2], len(everyone)) if scene.hook else None
    retinas = _retinas(scene, models, fishes, characters)
    cast = Cast(characters, fishes.kind, fishes.length, shoal.alive, retinas)
    if lives is not None:
        cast = replace(cast, enabled=BREEDING, adult=lives.adult)
        lives.mortal = BREEDING[characters.types, MATE]
    hosts = Hosts(scene.seaweed, characters.temperament["host"], home, fishes.length)
    ambient = Ambient.from_scene(scene, Obstacles.from_scene(scene, walls=False, movers=water.obstacles.movers))
    luck = fishes.dice(seed, RIPENESS_DICE).uniform(everyone)
    stood = water.tank, water.obstacles
    bed = beds(scene, seed, stood, home, fishes.length)
    bed[hosts.tenants] = hosts.place[hosts.tenants]
    dens = Dens.of(scene, seed, stood, home, fishes.length, characters.temperament["den"] > 0)
    bed[dens.tenants] = dens.place[dens.tenants]
    sleep = Sleep(characters.drives["nocturnal"], ambient, bed, fishes.length, luck)
    if minds and sleep.anybody and before is None:
        _put_to_bed(shoal, sleep, -scene.preroll)
    plume = _plume(seed, characters, water, hook)
    waters = Waters(water.tank, water.obstacles, water.plankton, hook, water.growth, hosts, dens, sleep, plume)
    needs = _Needs.of(scene, seed, fishes, cast, waters, ambient, luck)
    needs.decision.feelings.pace = 1.0 if lives is None else lives.breeding.pace
    mind = Mind(scene, cast, home, fishes.rhythm, choices, needs.decision) if minds else None
    shoal.start_beats(bodies.uniform(everyone, 0.0, 2 * np.pi) if minds else np.zeros(len(everyone)))
    detail = None
    if scene.detail is not None:
        detail = DetailControl(scene.detail, scene.shots, fishes.movers, shoal, fishes.slowness, seed)
        if mind is not None:
            mind.turns.levels = detail.level
    fins = FinMotion(fishes.oaring, bodies.uniform(everyone, 0.0, 2 * np.pi), fishes.wing)
    where, courted = (water.tank, water.obstacles, water.current), bool(lives or needs.decision.courts.any())
    parts = Parts(
        model=WorldModel(scene, seed, models, fishes.numbers, fishes.full, characters),
        water=Surroundings(
            **vars(water),
            spawn=before.water.spawn if before else SpawnCloud(*where, seed, courted),
            hook=hook,
            plume=plume,
            submarine=Submarine(scene.ride) if scene.ride else None,
        ),
        bodies=FishBodies(
            shoal=shoal,
            lives=lives,
            detail=detail,
            skins=Skins(fishes.models, fishes.own, fishes.length),
            motor=MotorCenter(
                fishes.movers, fishes.mover, scene.fluid_viscosity, fishes.slowness, of_groups(scene, "steadiness")
            ),
            helms=Helms(len(everyone)),
            fins=fins,
            bounds=Bounds(shoal, water.tank, water.obstacles, hook),
            doors=(shoal.nodes, shoal.node_velocities),
            signs=Signs(fishes.models, fishes.own, fishes.size, bodies.uniform(everyone, 0.0, 2 * np.pi)),
            strokes=Strokes.none(),
        ),
        minds=FishMinds(
            choices=choices,
            **vars(needs),
            mind=mind,
            retinas=retinas,
            **_memories(scene, models, cast, water, needs.decision),
        ),
        schedule=Schedule(scene),
        frame=-scene.preroll_frames,
        recorded=False,
        events=[],
    )
    _give_ways(parts, home)
    if mind is not None and scene.instructions:
        mind.instructions = Instructions(scene, cast, needs.decision, mind.navigator)
    if mind is not None and mind.director.timed:
        beat, restless = fishes.rhythm[0], characters.temperament["ram_breathing"] > 0.0
        mind.director.timing = Timekeeping(scene, Vigor.of(beat, parts.bodies.motor.sprints, restless), beat)
    _begin(parts)
    return parts


def whole(value: object) -> bool:
    """True if this is a whole number; true and false are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


@dataclass(frozen=True, eq=False)
class _Water:
    """The tank and what is in its water, by the names that `Surroundings` has for them."""

    tank: WaterBox
    obstacles: Obstacles
    current: Current
    plankton: PlanktonCloud
    growth: ReefGrowth
    weed: Weed
    bubbles: Bubbles

    @classmethod
    def of(cls, scene: Scene, seed: int, browsed: bool) -> _Water:
        """The water of a scene, with growth on what stands in it if anybody bites at that."""
        tank, obstacles, current = WaterBox.from_scene(scene), Obstacles.from_scene(scene), Current.from_scene(scene)
        plankton = PlanktonCloud(scene.plankton, tank, obstacles, current, seed)
        plankton.enlarge(scene.plankton.count + sum(of.count for of in scene.events if isinstance(of, Food)))
        growth = ReefGrowth.from_scene(scene, tank, obstacles, seed) if browsed else ReefGrowth(np.zeros((0, 3)))
        weed = Weed(scene.seaweed, tank, obstacles, current, seed)
        bubbles = Bubbles(scene.bubbles, tank, obstacles, current, seed)
        return cls(tank, obstacles, current, plankton, growth, weed, bubbles)

    @classmethod
    def again(cls, parts: Parts) -> _Water:
        """The water of other parts."""
        return cls(*(getattr(parts.water, field.name) for field in fields(cls)))


@dataclass(frozen=True, eq=False)
class _Needs:
    """The needs of the fishes: their wants and their comfort, by the names that `FishMinds` has for them."""

    chances: Dice
    decision: Decision
    comfort: Comfort
    leave: Leave

    @classmethod
    def of(
        cls, scene: Scene, seed: int, fishes: Fishes, cast: Cast, waters: Waters, ambient: Ambient, luck: np.ndarray
    ) -> _Needs:
        chances = fishes.dice(seed, WANT_DICE)
        comfort = Comfort(cast.characters, ambient, cast.length)
        leave = Leave(fishes.dice(seed, LEAVING_DICE))
        struggle = Struggle(fishes.dice(seed, STRUGGLE_DICE)) if scene.hook else None
        decision = Decision(cast, waters, chances, comfort, leave, struggle, luck, Ties.of(scene))
        return cls(chances, decision, comfort, leave)


def _bodies(scene: Scene, fishes: Fishes, lives: Lives | None, before: Parts | None) -> Shoal:
    """The bodies of all fishes, at rest, with the constants of species that other parts have worked out already."""
    known, haste = None if before is None else before.bodies.shoal, 1.0 if lives is None else lives.haste
    dt = 1.0 / (scene.fps * scene.substeps)
    of = fishes.movers, fishes.mover, fishes.length, dt, scene.fluid_viscosity
    return Shoal(*of, before=known, haste=haste)


def _plume(seed: int, characters: Characters, water: _Water, hook: BaitedHook | None) -> Plume | None:
    """The smells that drift; None where no fish follows any."""
    if not (characters.drives["scent"] > 0.0).any():
        return None
    return Plume(water.tank, water.obstacles, water.current, water.plankton, hook, seed)


def _retinas(
    scene: Scene, models: Mapping[str, Species], fishes: Fishes, characters: Characters
) -> RetinalSight | None:
    """The eyes of those that see with images; None where nobody does."""
    sees = [vision == "retina" for vision in of_each(scene, models, "vision")]
    if not any(sees):
        return None
    sight = characters.drives["sight"] * fishes.length
    return RetinalSight(np.flatnonzero(sees), sight, fishes.length, len(scene.bodies))


def _memories(
    scene: Scene, models: Mapping[str, Species], cast: Cast, water: _Water, decision: Decision
) -> dict[str, Any]:
    """The memories of what fishes have seen, and the eyes that fill them, by their names in `FishMinds`."""
    rules = of_each(scene, models, "visual_memory")
    if all(rule is None for rule in rules):
        return {"memory": None, "lookout": None}
    types, drives, movers = cast.characters.types, cast.characters.drives, water.obstacles.movers
    feared = (types == PREY)[:, None] & (types == PREDATOR)
    memory = VisualMemory(rules, feared, ObstaclePieces.of(scene, movers), len(water.plankton))
    eyes = Lookout(memory, decision.sightings.vision, drives["smell"] * cast.length, movers)
    return {"memory": memory, "lookout": eyes}


def _give_ways(parts: Parts, home: np.ndarray) -> None:
    """Lets fishes find their way that remember what they see, if they have goals or haunts; homes in metres, (fish, 3).

    Raises:
        SceneError: If a goal is of a fish that remembers nothing.
    """
    minds, model = parts.minds, parts.model
    if minds.mind is None:
        return
    director, drives, length = minds.mind.director, model.characters.drives, np.array(parts.bodies.shoal.length)
    forgetful = np.ones(len(length), dtype=bool) if minds.memory is None else minds.memory.row_of == NO_MEMORY
    goals, pursuits, led = director.goals, director.pursuits, np.zeros(len(length), dtype=bool)
    ways = [(goal.row, "sought" if goal.sought else "planned", goal.whom) for goal in goals]
    for row, way, whom in (*ways, *pursuits):
        if (whom & forgetful).any():
            found, instead = f"{shown(way)} for fishes that remember nothing", "visual_memory for these fishes"
            raise SceneError(found, f"straight, or {instead}", f"direction[{row}].way", model.scene.source)
    for goal in goals:
        led |= goal.whom
    for row, way, whom in pursuits:
        if (whom & led).any():
            found = f"{shown(way)} for fishes that another entry leads by a way"
            raise SceneError(found, "straight, or one such entry a fish", f"direction[{row}].way", model.scene.source)
        led |= whom
    goes_back = ~forgetful & ((drives["shelter"] > 0) | (drives["forage"] > 0) | (drives["territory"] > 0))
    instructed = np.zeros(len(length), dtype=bool)
    for entry in model.scene.instructions:
        instructed[model.scene.rows[entry.fishes]] = True
    if minds.memory is None or not (led.any() or goes_back.any() or (instructed & ~forgetful).any()):
        return
    navigator = Navigator(minds.memory, length, drives["sight"] * length, parts.water.tank, parts.water.obstacles)
    minds.mind.navigator = navigator
    if goes_back.any():
        hunts = model.characters.types == PREDATOR
        minds.mind.haunts = Haunts(navigator, drives, hunts, parts.bodies.shoal.kind, home, length)
        minds.decision.forages = minds.mind.haunts.forages
    if led.any():
        minds.mind.director.journeys = Journeys(goals, navigator, len(length))


def _settle(scene: Scene, seed: int, fishes: Fishes, water: _Water, shoal: Shoal, pace: np.ndarray) -> np.ndarray:
    """Puts the fishes in their places, which are returned in metres, (fish, 3), at paces in lengths a second."""
    around = SettlingPlace(fishes.length, water.tank, water.obstacles)
    draws = fishes.dice(seed, PLACE_DICE), fishes.dice(seed, HEADING_DICE)
    place, heading = settle(scene.fishes, around, *draws, pace)
    shoal.put(np.arange(len(place)), place, upright(heading), pace * fishes.length)
    return place


def _put_to_bed(shoal: Shoal, sleep: Sleep, t: float) -> None:
    """Has those begin in bed whose time it is to sleep at `t` seconds of the film."""
    sleep.ambient.at(t)
    sleepers = np.flatnonzero(sleep.judge(np.arange(len(shoal))))
    ahead = shoal.frames(shoal.nodes)[1][sleepers, :, 0]
    shoal.put(sleepers, sleep.bed[sleepers], upright(ahead), np.zeros(len(sleepers)))


def _begin(parts: Parts) -> None:
    """Prepares the first frame: no fish in a wall, none there that enters later, all adrift with the water."""
    water, bodies = parts.water, parts.bodies
    shoal = bodies.shoal
    if water.submarine is not None and not water.submarine.is_there(parts.t):
        water.obstacles.movers.put(len(water.obstacles.movers) - 1, stages.OUT_OF_THE_WAY, water.submarine.turn)
    if parts.minds.mind is not None:
        bodies.bounds.hold(shoal.nodes)
        stages.feel_keys(parts)
    shoal.alive[parts.schedule.waiting] = False
    bodies.doors = shoal.nodes, shoal.node_velocities
    everyone = np.arange(len(shoal))
    shoal.push(everyone, stages.adrift(parts, everyone, shoal.nodes))
    if bodies.detail is not None:
        bodies.detail.begin(shoal, parts.t, 0.0 if parts.minds.mind is None else FIRST_PACE, parts.period)
    stages.record(parts, stages.keep_time(parts))
