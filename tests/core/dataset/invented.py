"""An invented data set: flat fishes that pass a stone and each other, with labels that are true of the pictures."""

import json
from pathlib import Path

import numpy as np

from artfish.core.dataset.rle import encoded_all
from artfish.core.farm.png import write

KEYPOINTS = ("nose", "eye", "back_1", "back_2", "fork")
SKELETON = [[0, 1], [0, 2], [2, 3], [3, 4]]
ALONG = np.array([1.0, 0.7, 0.35, -0.4, -1.15])
"""Places of keypoints along half a body's length, from the middle."""
SPECIES = [
    {"name": "sardine", "common_name": "Sardine", "latin_name": "Sardina pilchardus"},
    {"name": "grouper", "common_name": "Grouper", "latin_name": "Epinephelus marginatus"},
]
COLOURS = np.array([[0.72, 0.8, 0.82], [0.55, 0.42, 0.3]])
INTENTIONS = ("school", "wander", "escape", "eat")


def invent(folder, films=2, cameras=("left", "right"), frames=(1, 6, 11, 16, 21), fishes=6, size=(160, 90), seed=7):
    """Writes a set into a folder, but for what is made of labels at the end.

    Args:
        folder: The folder.
        films: Films, with seeds from `seed` on.
        cameras: Names of cameras.
        frames: Labelled frames of each film.
        fishes: Fishes of each film: the last is tiny, the one before stays behind the stone.
        size: Width and height of pictures.
        seed: Seed of the first film.

    Returns:
        The folder, as a path.
    """
    folder, listed = Path(folder), []
    for own in range(seed, seed + films):
        name = f"s{own:04d}"
        noise = round(0.01 * (own % 7), 3)
        variation = {"picture.noise": noise, "water.kind": "coast" if own % 2 else "ocean"}
        listed.append({"name": name, "seed": own, "frames": list(frames), "variation": variation})
        for place, camera in enumerate(cameras):
            for frame in frames:
                label(folder, name, own, camera, place, frame, fishes, size, noise)
    data = {
        "format": 1,
        "artfish": "1.0.0",
        "scene": "invented",
        "title": "Invented reef",
        "size": list(size),
        "samples": 16,
        "fps": 24,
        "species": SPECIES,
        "keypoints": list(KEYPOINTS),
        "skeleton": SKELETON,
        "cameras": [{"name": camera} for camera in cameras],
        "films": listed,
        "formats": ["coco", "mot", "yolo"],
        "vary": {"picture.noise": {"range": [0, 0.06]}, "water.kind": {"choices": ["coast", "ocean"]}},
    }
    save(folder / "dataset.json", data)
    return folder


def label(folder, film, seed, camera, place, frame, fishes, size, noise):
    """Draw a picture, and write it with its labels."""
    wide, high = size
    dice = np.random.default_rng(seed)
    rows, columns = np.indices((3 * high, 3 * wide)) + 0.5
    rows, columns = rows - high, columns - wide  # so that a fish may leave the picture
    inside = np.zeros(rows.shape, bool)
    inside[high : 2 * high, wide : 2 * wide] = True
    stone = (columns / wide - 0.55 + 0.08 * place) ** 2 / 0.018 + (rows / high - 0.8) ** 2 / 0.14 < 1
    front, wholes, facts = np.zeros(rows.shape, np.int64), [], []
    for fish in range(fishes):
        kind, turn, pace = int(fish % 4 == 3), dice.uniform(-0.35, 0.35), dice.uniform(-1.0, 1.0)
        half = wide * (0.12 if kind else 0.055) * dice.uniform(0.8, 1.2)
        middle = dice.uniform(0.0, 1.0, 2) * (wide, 0.8 * high) + (0.1, 0.1 * high)
        if fish == fishes - 2:
            middle, pace, half, turn = np.array([(0.55 - 0.08 * place) * wide, 0.95 * high]), 0.0, 0.02 * wide, 0.0
        if fish == fishes - 1:
            middle, half, pace = np.array([0.2 * wide + 0.3, 0.3 * high]), 1.1, 0.4
        middle = middle + ((pace + 0.1 * np.sign(pace)) * 0.008 * frame * wide - 0.05 * place * wide, 0.0)
        ahead = np.array([np.cos(turn), np.sin(turn)]) * (1 if pace >= 0 else -1)
        x = (columns - middle[0]) * ahead[0] + (rows - middle[1]) * ahead[1]
        y = (rows - middle[1]) * ahead[0] - (columns - middle[0]) * ahead[1]
        tail = (x < -0.8 * half) & (x > -1.3 * half) & (abs(y) < 0.7 * (-0.7 * half - x))
        whole = (x / half) ** 2 + (y / (0.33 * half)) ** 2 < 1
        whole |= tail
        wholes.append(whole)
        points = middle + half * ALONG[:, None] * ahead
        facts.append((kind, points, pace, half))
    for number, whole in enumerate(wholes, start=1):  # later ones are nearer; the stone is before the last but one
        front[whole] = number
        if number == fishes - 1:
            front[stone] = -1
    marks = np.where(front > 0, front, 0)[high : 2 * high, wide : 2 * wide]
    texts = encoded_all(marks, np.arange(1, fishes + 1))
    found = [about(fish, facts[fish], wholes[fish], front, inside, texts[fish], size, frame) for fish in range(fishes)]
    stem = f"{film}/{camera}/{frame:05d}"
    paint(folder / f"pictures/{stem}.png", front[high : 2 * high, wide : 2 * wide], facts, noise)
    data = {
        "format": 1,
        "picture": f"pictures/{stem}.png",
        "width": wide,
        "height": high,
        "film": film,
        "seed": seed,
        "camera": camera,
        "frame": frame,
        "time": (frame - 1) / 24,
        "optics": {"lens": 35.0},
        "water": {"absorption": [0.3, 0.1, 0.05], "scattering": [0.1, 0.1, 0.1], "visibility": 10.0 + seed % 5},
        "conditions": {"picture.noise": noise, "turbidity": 0.2},
        "fishes": [fish for fish in found if fish],
        "events": [{"kind": "eaten", "fish": 0, "other": 3}] if frame == 11 else [],
    }
    save(folder / f"labels/{stem}.json", data)


def about(fish, facts, whole, front, inside, text, size, frame):
    """The labels of a fish, or None if nothing of it would be in the picture."""
    (kind, points, pace, half), (wide, high) = facts, size
    if not (whole & inside).any():
        return None
    all_pixels, seen = int(whole.sum()), whole & inside & (front == fish + 1)
    others, counts = np.unique(front[whole & inside & ~seen], return_counts=True)
    by = [
        {"fish": int(who) - 1 if who > 0 else -1, "share": int(n) / all_pixels}
        for who, n in zip(others, counts, strict=True)
    ]
    keypoints = []
    for x, y in points:
        row, column = int(np.floor(y)), int(np.floor(x))
        there = 0 <= row < high and 0 <= column < wide
        v = 0 if not there else 2 if front[row + high, column + wide] == fish + 1 else 1
        keypoints.append([float(x), float(y), v, 0.1, 0.2, 0.3] if v else [0.0, 0.0, 0, 0.1, 0.2, 0.3])
    own = None
    if seen.any():
        own = {"box": box_of(seen, wide, high), "pixels": int(seen.sum()), "share": int(seen.sum()) / all_pixels}
        own["rle"] = {"size": [high, wide], "counts": text}
    return {
        "fish": fish,
        "track": fish + 1,
        "species": SPECIES[kind]["name"],
        "length": round(2.0 * half / wide, 3),
        "sex": ("female", "male")[fish % 2],
        "seen": own,
        "whole": {"box": [float(number) for number in box_of(whole, wide, high)], "pixels": all_pixels},
        "cut_off": int((whole & ~inside).sum()) / all_pixels,
        "hidden": int((whole & inside & ~seen).sum()) / all_pixels,
        "hidden_by": sorted(by, key=lambda other: -other["share"]),
        "tiny": bool(0 < seen.sum() < 4),
        "keypoints": keypoints,
        "pose": {"place": [0.1, 0.2, 0.3], "attitude": [1.0, 0.0, 0.0, 0.0], "bending": [0.0]},
        "intention": INTENTIONS[(fish + frame // 10) % 4],
        "hunger": round(0.1 * (fish % 7), 2),
        "fear": 0.0,
        "libido": 0.1,
        "speed": round(abs(pace) * 2.0, 3),
        "beat": 0.5,
    }


def box_of(mask, wide, high):
    """Left, top, width and height of a mask that has the picture in its middle."""
    rows, columns = np.nonzero(mask)
    left, top = int(columns.min()) - wide, int(rows.min()) - high
    return [left, top, int(columns.max()) - wide - left + 1, int(rows.max()) - high - top + 1]


def paint(path, front, facts, noise):
    """Write the picture: water that darkens downwards, a stone, fishes with a shade of their own."""
    high = len(front)
    pixels = np.empty((*front.shape, 3))
    pixels[:] = np.linspace((0.16, 0.42, 0.5), (0.03, 0.13, 0.2), high)[:, None]
    pixels[front < 0] = (0.17, 0.2, 0.2)
    for number, (kind, *_) in enumerate(facts, start=1):
        pixels[front == number] = COLOURS[kind] * (0.65 + 0.05 * (number % 6))
    pixels += noise * np.random.default_rng(1).standard_normal(pixels.shape)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, pixels)


def save(path, data):
    """Write JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data), encoding="utf-8")


def changed(path, change):
    """Have a function change the JSON of a file."""
    data = json.loads(path.read_text())
    change(data)
    save(path, data)
