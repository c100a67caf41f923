"""Growth forms of a reef, as vertices and faces: each about 1 m high, to be placed many times.

The forms are those by which corals are classified (Veron, Corals of the World, 2000): branching, table, massive,
foliose, columnar and encrusting; beside them sea fans, whips and fingers, sponges, anemones and rubble.
Nothing here needs Blender.
"""

from __future__ import annotations

import numpy as np

from .shapes import Shape, dome, grid, join, rough, tube, unit

FULL_TURN = 2 * np.pi


def branches(draws: np.random.Generator, levels: int, spread: float, radius: float) -> Shape:
    """A branching coral 1 m high."""
    shapes: list[Shape] = []

    def grow(start: np.ndarray, direction: np.ndarray, length: float, thickness: float, level: int) -> None:
        end = start + length * direction
        path = start + np.linspace(0.0, 1.0, 4)[:, None] * (end - start)
        path[1:3] += 0.06 * length * draws.normal(size=(2, 3))
        tip = 0.05 if level == levels else 0.75
        shapes.append(tube(path, thickness * np.array([1.0, 0.92, 0.84, tip])))
        if level == levels:
            return
        for _ in range(draws.integers(2, 4)):
            turn = direction + spread * draws.normal(size=3) * (1.0, 1.0, 0.8) + (0.0, 0.0, 0.25)
            grow(end, turn / np.linalg.norm(turn), length * draws.uniform(0.65, 0.9), 0.75 * thickness, level + 1)

    for _ in range(5):
        lean = np.array([*(0.7 * spread * draws.normal(size=2)), 1.0])
        grow(np.zeros(3), lean / np.linalg.norm(lean), 0.3, radius, 1)
    return _metre_high(join(shapes))


def sea_fan(draws: np.random.Generator) -> Shape:
    """A gorgonian: ribs that fork in one plane, joined into a net by thin cross ribs."""
    shapes: list[Shape] = []
    tips: list[tuple[np.ndarray, float]] = [(np.array([0.0, 0.0, 0.0]), 0.0)]
    for level in range(8):
        grown = []
        for start, lean in tips:
            forks = 2 if level < 5 and (level < 2 or draws.uniform() < 0.75) else 1
            for fork in range(forks):
                turn = lean + (0.36 * (2 * fork - 1) if forks == 2 else 0.0) + 0.08 * draws.normal()
                turn = float(np.clip(turn, -1.35, 1.35))
                length = 0.15 * draws.uniform(0.8, 1.2)
                end = start + length * np.array([np.sin(turn), 0.03 * draws.normal(), np.cos(turn)])
                thick = 0.022 * 0.8**level
                shapes.append(tube(np.stack([start, 0.5 * (start + end), end]), thick * np.array([1.0, 0.9, 0.8]), 5))
                grown.append((end, turn))
        for (one, _), (other, _) in zip(grown, grown[1:], strict=False):
            if np.linalg.norm(one - other) < 0.16:
                shapes.append(tube(np.stack([one, other]), np.array([0.004, 0.004]), 4))
        tips = grown
    return _metre_high(join(shapes))


def table(draws: np.random.Generator) -> Shape:
    """A plate on a stalk, like Acropora under light from above, bristling with short branches."""
    radius = np.array([0.0, 0.5, 0.95, 1.25, 1.38, 1.4, 1.3, 0.85, 0.4, 0.2, 0.17, 0.3])
    height = np.array([0.86, 0.87, 0.9, 0.93, 0.93, 0.9, 0.86, 0.76, 0.62, 0.4, 0.1, -0.1])
    plate = _turned(radius, height, 48)
    turn = np.linspace(0.0, FULL_TURN, 48, endpoint=False)
    lobes = 1.0 + 0.16 * rough(np.stack([np.cos(turn), np.sin(turn)], axis=-1), 0.9, draws)
    points = plate[0].reshape(len(radius), 48, 3)
    points[:, :, :2] *= lobes[None, :, None]
    points[:7, :, 2] += 0.05 * rough(points[:7, :, :2].reshape(-1, 2), 0.8, draws).reshape(7, 48)
    shapes = [(points.reshape(-1, 3), plate[1])]
    for _ in range(230):
        away, way = 1.32 * np.sqrt(draws.uniform()), draws.uniform(0.0, FULL_TURN)
        reach = away * np.interp(way, np.append(turn, FULL_TURN), np.append(lobes, lobes[0]))
        foot = np.array([reach * np.cos(way), reach * np.sin(way), 0.84 + 0.045 * away])
        up = np.array([0.35 * foot[0], 0.35 * foot[1], 1.0]) + 0.15 * draws.normal(size=3)
        shapes.append(tube(np.stack([foot, foot + 0.11 * up]), np.array([0.035, 0.012]), 5))
    return _metre_high(join(shapes))


def massive(draws: np.random.Generator) -> Shape:
    """A heap of lobes grown into each other, like Porites."""
    shapes = []
    for _ in range(7):
        way, away = draws.uniform(0.0, FULL_TURN), draws.uniform(0.0, 0.55)
        size = draws.uniform(0.45, 0.7) * np.array([1.0, 1.0, 1.15 - 0.5 * away])
        points, faces = dome(tuple(size), 0.06, 0.6, draws, rows=18, columns=28)
        shapes.append((points + (away * np.cos(way), away * np.sin(way), 0.3 * (1.0 - away)), faces))
    return _metre_high(join(shapes))


def leaves(draws: np.random.Generator) -> Shape:
    """Whorls of thin plates that open upwards like a cabbage: foliose coral, or a red alga."""
    shapes = []
    for row in range(11):
        inner, begin = row / 11, draws.uniform(0.0, FULL_TURN)
        along, up = np.meshgrid(np.linspace(0.0, draws.uniform(1.4, 2.4), 16), np.linspace(0.0, 1.0, 9), indexing="ij")
        angle = begin + along
        edge = np.maximum(np.sin(np.pi * along / along.max()), 0.0) ** 0.4
        wave = 0.07 * up * np.sin(6.0 * along + draws.uniform(0.0, FULL_TURN))
        radius = 0.12 + (0.95 - 0.6 * inner) * up**1.4 * (0.55 + 0.45 * edge) + wave
        height = (0.55 + 0.45 * inner) * up**0.8 * (0.6 + 0.4 * edge) + wave
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=-1)
        shapes.append((points.reshape(-1, 3), grid(16, 9)))
    return _metre_high(join(shapes))


def columns(draws: np.random.Generator) -> Shape:
    """Pillar coral: blunt columns side by side, the tallest 1 m high."""
    shapes = []
    for _ in range(9):
        foot = _foot(draws, 0.22)
        tall, wide = draws.uniform(0.45, 1.0), draws.uniform(0.07, 0.11)
        share = np.array([0.0, 0.2, 0.4, 0.6, 0.8, 0.92, 0.98, 1.0])
        path = foot + share[:, None] * tall * np.array([0.35 * foot[0], 0.35 * foot[1], 1.0])
        points, faces = tube(path, wide * np.array([1.15, 1.0, 1.02, 1.0, 0.98, 0.8, 0.45, 0.03]), 12)
        shapes.append((points + 0.012 * rough(points, 0.12, draws)[:, None] * (1.0, 1.0, 0.2), faces))
    return _metre_high(join(shapes))


def fingers(draws: np.random.Generator) -> Shape:
    """Soft coral: plump fingers on a fleshy foot."""
    shapes = [_turned(np.array([0.5, 0.42, 0.36, 0.3, 0.2, 0.0]), np.array([-0.05, 0.1, 0.22, 0.32, 0.38, 0.4]), 20)]
    for _ in range(46):
        way, out = draws.uniform(0.0, FULL_TURN), np.sqrt(draws.uniform())
        foot = np.array([0.34 * out * np.cos(way), 0.34 * out * np.sin(way), 0.34 - 0.2 * out])
        lean = np.array([1.1 * out * np.cos(way), 1.1 * out * np.sin(way), 1.0]) + 0.18 * draws.normal(size=3)
        tall = draws.uniform(0.3, 0.6) * (1.15 - 0.4 * out)
        share = np.array([0.0, 0.3, 0.6, 0.85, 0.96, 1.0])[:, None]
        path = foot + share * tall * lean / np.linalg.norm(lean) + 0.06 * share**2 * draws.normal(size=3)
        shapes.append(tube(path, 0.052 * np.array([0.9, 1.0, 1.0, 0.85, 0.5, 0.03]), 7))
    return _metre_high(join(shapes))


def mushroom(draws: np.random.Generator) -> Shape:
    """Leather coral: a folded cap on a stalk."""
    radius = np.array([0.0, 0.35, 0.65, 0.9, 1.0, 0.95, 0.7, 0.35, 0.27, 0.3])
    height = np.array([0.78, 0.8, 0.88, 0.97, 0.92, 0.84, 0.7, 0.5, 0.2, -0.08])
    points, faces = _turned(radius, height, 64)
    way = np.arctan2(points[:, 1], points[:, 0])
    out = np.hypot(points[:, 0], points[:, 1])
    folds = int(draws.integers(6, 10))
    fold = np.sin(folds * way + 0.8 * np.sin(2 * way + draws.uniform(0, FULL_TURN))) * np.maximum(out - 0.35, 0.0)
    points[:, 2] += 0.26 * fold
    points[:, :2] *= (1.0 - 0.12 * fold)[:, None]
    return _metre_high((points, faces))


def crust(draws: np.random.Generator) -> Shape:
    """Encrusting coral: a low, lobed skin over its ground, some five times as wide as high."""
    points, faces = dome((1.0, 1.0, 0.3), 0.1, 0.5, draws, rows=14, columns=44)
    way = np.arctan2(points[:, 1], points[:, 0])
    lobes = 1.0 + 0.3 * rough(np.stack([np.cos(way), np.sin(way)], axis=-1), 0.8, draws)
    points[:, :2] *= 2.4 * lobes[:, None]
    points[:, 2] *= 1.0 + 0.6 * rough(points, 0.5, draws)
    return _metre_high((points, faces))


def sponges(draws: np.random.Generator) -> Shape:
    """A cluster of hollow tubes, the tallest 1 m high."""
    shapes = []
    for _ in range(6):
        foot = _foot(draws, 0.16)
        tall, wide = draws.uniform(0.5, 1.0), draws.uniform(0.09, 0.15)
        rise = np.array([0.0, 0.25, 0.6, 0.95, 1.0, 0.97, 0.6, 0.3])
        radii = wide * np.array([0.6, 0.75, 0.9, 1.0, 0.92, 0.78, 0.7, 0.3])
        path = foot + rise[:, None] * (tall * np.array([foot[0], foot[1], 1.0]))
        # The wall turns back down inside; its rings stay level, where those of a tube would fold at the rim.
        angle = np.linspace(0, FULL_TURN, 14, endpoint=False)
        level = np.stack([np.cos(angle), np.sin(angle), np.zeros(14)], axis=-1)
        ring = path[:, None] + radii[:, None, None] * level
        shapes.append((ring.reshape(-1, 3), grid(len(path), 14, closed=True)))
    return _metre_high(join(shapes))


def barrel(draws: np.random.Generator) -> Shape:
    """A barrel sponge, ribbed, and hollow at the top."""
    radius = np.array([0.28, 0.36, 0.46, 0.52, 0.5, 0.44, 0.4, 0.34, 0.3, 0.2, 0.0])
    height = np.array([-0.05, 0.15, 0.4, 0.65, 0.85, 0.97, 1.0, 0.96, 0.8, 0.5, 0.4])
    points, faces = _turned(radius, height, 60)
    way = np.arctan2(points[:, 1], points[:, 0])
    ribs = 0.07 * np.sin(15 * way + 1.5 * rough(points, 0.5, draws)) + 0.06 * rough(points, 0.3, draws)
    outer = np.repeat(np.arange(len(radius)) < 7, 60)
    points[:, :2] *= (1.0 + np.where(outer, ribs, 0.3 * ribs))[:, None]
    return _metre_high((points, faces))


def whips(draws: np.random.Generator) -> Shape:
    """Sea whips: long thin stems that bend."""
    shapes = []
    for _ in range(9):
        share = np.linspace(0.0, 1.0, 9)[:, None]
        lean = np.array([*(0.22 * draws.normal(size=2)), 1.0])
        bend = _foot(draws, 0.3)
        path = _foot(draws, 0.05) + share * draws.uniform(0.6, 1.0) * lean + share**2 * bend
        shapes.append(tube(path, 0.014 * np.array([1.3, 1.1, 1, 1, 1, 0.95, 0.9, 0.8, 0.2]), 5))
    return _metre_high(join(shapes))


def anemone(draws: np.random.Generator) -> Shape:
    """A column under a crowd of tentacles with swollen ends, about 1 m high and twice as wide."""
    shapes = [_turned(np.array([0.42, 0.4, 0.55, 0.68, 0.5, 0.0]), np.array([-0.1, 0.12, 0.28, 0.36, 0.33, 0.3]), 24)]
    for _ in range(150):
        turn, out = draws.uniform(0, FULL_TURN), np.sqrt(draws.uniform(0, 1))
        away = unit(turn)
        share = np.linspace(0.0, 1.0, 6)[:, None]
        bend = 0.12 * draws.normal(size=3) * share * (1.0 - share) * 4
        path = 0.6 * out * away + (0, 0, 0.3) + share * (np.array([0, 0, 0.7 - 0.4 * out]) + away * out * 0.6) + bend
        shapes.append(tube(path, 0.035 * np.array([1.0, 1.0, 0.95, 0.9, 1.25, 0.1]), sides=6))
    return _metre_high(join(shapes))


def rubble(draws: np.random.Generator) -> Shape:
    """Broken branches and stones, 2 m across and 0.2 m high: the one form that is not 1 m high."""
    shapes = []
    for row in range(34):
        middle = _foot(draws, 0.5)
        if row % 4 == 0:
            size = draws.uniform(0.05, 0.14)
            points, faces = dome((1.2 * size, size, 0.7 * size), 0.2, 0.1, draws, rows=8, columns=12)
            shapes.append((points + middle, faces))
            continue
        way, long = draws.uniform(0.0, FULL_TURN), draws.uniform(0.12, 0.3)
        side = np.array([np.cos(way), np.sin(way), 0.12 * draws.normal()])
        share = np.linspace(-0.5, 0.5, 4)[:, None]
        path = middle + (0, 0, 0.03) + share * long * side + 0.015 * draws.normal(size=(4, 3))
        shapes.append(tube(path, 0.026 * np.array([0.4, 1.0, 0.9, 0.3]), 6))
    return join(shapes)


def grass(draws: np.random.Generator) -> Shape:
    """A tuft of turf or sea grass: narrow blades that bend outwards."""
    shapes = []
    for _ in range(36):
        way, tall = draws.uniform(0.0, FULL_TURN), draws.uniform(0.5, 1.0)
        foot = _foot(draws, 0.13)
        share = np.linspace(0.0, 1.0, 6)
        bend = draws.uniform(0.1, 0.5) * share**2
        middle = foot + np.stack([bend * np.cos(way), bend * np.sin(way), tall * share], axis=-1)
        wide = 0.022 * np.array([0.7, 1.0, 1.0, 0.9, 0.6, 0.05])
        side = np.array([-np.sin(way), np.cos(way), 0.0])
        points = np.stack([middle - wide[:, None] * side, middle + wide[:, None] * side], axis=1)
        shapes.append((points.reshape(-1, 3), grid(6, 2)))
    return _metre_high(join(shapes))


def outcrop(draws: np.random.Generator) -> Shape:
    """A rock 1 m high and half as wide again, with ledges, to bear a reef."""
    points, faces = dome((0.95, 0.8, 1.0), 0.16, 0.8, draws, rows=34, columns=56)
    ledge = 0.07 * np.sin(9.0 * points[:, 2] + 2.0 * rough(points, 0.7, draws))
    points[:, :2] *= (1.0 + ledge)[:, None]
    return _metre_high((points + 0.03 * rough(points, 0.16, draws)[:, None], faces))


def _foot(draws: np.random.Generator, spread: float) -> np.ndarray:
    """A point (3,) on the ground, about this distance from the middle."""
    return np.array([*(spread * draws.normal(size=2)), 0.0])


def _turned(radius: np.ndarray, height: np.ndarray, sides: int) -> Shape:
    """A surface of revolution about the z axis, with these radii (k,) at these heights (k,)."""
    angle = np.linspace(0.0, FULL_TURN, sides, endpoint=False)
    x, y = radius[:, None] * np.cos(angle), radius[:, None] * np.sin(angle)
    points = np.stack([x, y, np.broadcast_to(height[:, None], x.shape)], axis=-1)
    return points.reshape(-1, 3), grid(len(radius), sides, closed=True)


def _metre_high(shape: Shape) -> Shape:
    """A shape scaled to a height of 1 m."""
    vertices, faces = shape
    return vertices / vertices[:, 2].max(), faces
