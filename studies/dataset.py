"""A small detector that learns from labelled pictures alone, and what murky water and hiding cost it.

    python -m artfish.studies.dataset make FOLDER --pictures 2000     pictures of 256 x 144, by artfish dataset
    python -m artfish.studies.dataset train FOLDER                    a detector from nothing; prints the tables

It needs the extra `learn` (PyTorch) and Blender's bpy. The detector is a U-Net of a few hundred thousand weights that
says where the middles of fishes are, and how large boxes there are (Zhou et al. 2019, Objects as Points). It is judged
on seeds that it has not seen, and on a scene that it has not seen, over fishes of more than 12 pixels of which at least
half is seen; others count neither way.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SIZE = 256, 144
STRIDE = 4
LEAST_PIXELS, LEAST_SEEN = 12.0, 0.5
"""Longer side of a box, and share that is seen, of fishes that count."""
FRAMES, EVERY = 73, 24
FIRST_TEST_SEED = 5000
"""Seeds from which on pictures are for judging."""
TEST_SHARE = 0.15
MOST_FOUND = 100
OVERLAP = 0.5
ROUNDS, BATCH, RATE = 30, 16, 2e-3
MEAN = 0.45
NEAR_MIDDLE = 0.5
"""Height of a bell above which a cell says how large its fish's box is."""

FISHES = ("sardine", "butterflyfish", "clownfish", "parrotfish", "blue_tang", "cardinalfish", "grouper")
OTHERS = ("emperor_angelfish", "sardinella", "striped_cardinalfish", "butterflyfish", "peacock_grouper")
"""Species of the scene that is kept for judging."""
STAGES = {
    "sand": {"scenery": "bare"},
    "garden": {"scenery": "reef", "growth": 0.35},
    "wreck": {"scenery": "wreck", "growth": 0.35},
    "kelp": {"scenery": "kelp", "growth": 0.35},
}
KEPT = "kelp"
"""The scene that nothing is learnt from."""
CAMERAS = [
    {"kind": "fixed", "name": "front", "at": [1.3, -0.7, 0.8], "look_at": [1.3, 1.3, 0.75], "lens": 30},
    {"kind": "bed", "name": "lander", "at": [0.2, 0.2], "height": 0.5, "heading": 0.8, "tilt": 0.12, "lens": 28},
    {"kind": "fixed", "name": "side", "at": [2.5, 1.0, 1.0], "look_at": [1.1, 1.4, 0.6], "lens": 26},
]
VARY = {
    "water.type": {"choices": ["I", "II", "III", "1", "3", "5"]},
    "water.turbidity": {"range": [0.0, 1.0]},
    "light.brightness": {"range": [0.5, 1.0]},
    "stage.snow": {"range": [0.0, 120.0]},
    "stage.seed": {"range": [0, 9999]},
    "picture.rise": {"range": [-0.2, 0.3]},
    "picture.lens": {"range": [0.9, 1.5]},
    "picture.exposure": {"range": [-0.5, 0.7]},
    "picture.noise": {"range": [0.0, 0.03]},
    "picture.quality": {"choices": [0, 70, 90]},
    **{f"fishes[{row}].count": {"range": [1, 6]} for row in range(4)},
}


def scene_of(stage: str) -> dict[str, Any]:
    """A scene with fishes of several species in a tank of two and a half metres."""
    names = OTHERS if stage == KEPT else FISHES
    middles = [(0.8, 1.0, 0.7), (1.6, 1.4, 0.8), (1.3, 0.7, 0.6), (1.8, 1.8, 0.9), (0.7, 1.7, 0.8), (1.3, 1.3, 1.0)]
    return {
        "name": stage,
        "duration": FRAMES / 24.0,
        "preroll": 4.0,
        "tank": {"size": [2.6, 2.6, 1.5]},
        "water": {"type": "II"},
        "stage": STAGES[stage],
        "obstacles": [{"kind": "cylinder", "at": [1.8, 1.2, 0.0], "radius": 0.14, "height": 0.8}],
        "fishes": [
            {"species": name, "count": 1 if "grouper" in name else 3, "at": list(at), "spread": 0.4}
            for name, at in zip(names, [*middles, *middles], strict=False)
        ],
    }


def make(folder: Path, pictures: int, workers: int | None = None) -> None:
    """Has `artfish dataset` make the sets of all scenes: so many pictures to learn from, and some to judge by."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cameras.json").write_text(json.dumps(CAMERAS))
    (folder / "vary.json").write_text(json.dumps(VARY))
    a_film = len(range(1, FRAMES + 1, EVERY)) * len(CAMERAS)
    learnt = [stage for stage in STAGES if stage != KEPT]
    films = max(1, round(pictures / a_film / len(learnt)))
    judged = max(1, round(TEST_SHARE * films))
    for stage in STAGES:
        (folder / f"{stage}.json").write_text(json.dumps(scene_of(stage)))
        spans = [(FIRST_TEST_SEED, judged if stage != KEPT else 2 * judged)]
        spans += [(0, films)] if stage != KEPT else []
        for first, count in spans:
            out = folder / f"{stage}_{'test' if first else 'train'}"
            seeds = f"{first}-{first + count - 1}"
            words = ["dataset", str(folder / f"{stage}.json"), "-o", str(out), "--seeds", seeds]
            words += ["--every", str(EVERY), "--size", f"{SIZE[0]}x{SIZE[1]}", "--samples", "3", "--format", "coco"]
            words += ["--cameras", str(folder / "cameras.json"), "--vary", str(folder / "vary.json")]
            words += ["--workers", str(workers)] if workers else []
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-m", "artfish.cli", *words], check=True)
            print(f"{out.name}: {count * a_film} pictures in {time.perf_counter() - begun:.0f} s", flush=True)


@dataclass(frozen=True)
class Known:
    """A picture and the boxes in it.

    Attributes:
        pixels: (3, rows, columns) uint8.
        cover: Where fishes are seen, (rows, columns) uint8 of 0 and 1.
        boxes: Left, top, right, bottom, (n, 4).
        counts: Whether each counts, (n,).
        hidden: Share of each that is hidden, (n,).
        visibility: Metres.
        stage: Name of its scene.
    """

    pixels: np.ndarray
    cover: np.ndarray
    boxes: np.ndarray
    counts: np.ndarray
    hidden: np.ndarray
    visibility: float
    stage: str


def read(folder: Path, part: str) -> Iterator[Known]:
    """The pictures of all sets of a part, "train" or "test"."""
    from ..blender_artfish.dataset.pictures import read_pixels

    for root in sorted(folder.glob(f"*_{part}")):
        for path in sorted(root.glob("labels/*/*/*.json")):
            labels = json.loads(path.read_text())
            pixels = np.rint(255 * read_pixels(root / labels["picture"])).astype(np.uint8).transpose(2, 0, 1)
            cover = (read_pixels(root / labels["mask"])[..., 0] > 0).astype(np.uint8)
            seen = [fish for fish in labels["fishes"] if fish["seen"]]
            boxes = np.array([fish["seen"]["box"] for fish in seen], dtype=float).reshape(-1, 4)
            shown = np.array([fish["seen"]["share"] >= LEAST_SEEN for fish in seen], dtype=bool)
            counts = shown & large(boxes[:, 2:])
            boxes[:, 2:] += boxes[:, :2]
            hidden = np.array([fish["hidden"] for fish in seen])
            stage = root.name.rpartition("_")[0]
            yield Known(pixels, cover, boxes, counts, hidden, labels["water"]["visibility"], stage)


def large(sides: np.ndarray) -> np.ndarray:
    """Which boxes of sides (n, 2) are large enough to count, (n,)."""
    return np.asarray(sides.max(axis=1, initial=0.0) > LEAST_PIXELS)


def network() -> Any:
    """The detector: from pictures (n, 3, 144, 256) to maps (n, 6, 36, 64).

    The maps are of middles, logarithms of sizes in cells, shifts of the middle in cells, and where fishes are.
    """
    import torch
    from torch import nn

    def block(inside: int, outside: int, stride: int = 1, reach: int = 1) -> nn.Module:
        layers: list[nn.Module] = []
        for first, last, step in ((inside, outside, stride), (outside, outside, 1)):
            dilation = reach if step == 1 else 1
            layers += [nn.Conv2d(first, last, 3, step, dilation, dilation, bias=False), nn.BatchNorm2d(last)]
            layers += [nn.ReLU(inplace=True)]
        return nn.Sequential(*layers)

    class Detector(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stem = block(3, 16, 2)
            self.down = nn.ModuleList([block(16, 32, 2), block(32, 64, 2), block(64, 96, 2)])
            self.around = nn.Sequential(
                nn.Conv2d(96, 96, 3, 1, 3, 3, bias=False), nn.BatchNorm2d(96), nn.ReLU(inplace=True)
            )
            self.up = nn.ModuleList([block(96 + 64, 64), block(64 + 32, 32)])
            self.head = nn.Conv2d(32, 6, 1)
            self.head.bias.data[0] = -3.0

        def forward(self, shown: Any) -> Any:
            levels = [self.stem(shown)]
            for down in self.down:
                levels.append(down(levels[-1]))
            deep = levels[3] + self.around(levels[3])
            for up, beside in zip(self.up, (levels[2], levels[1]), strict=True):
                wide = nn.functional.interpolate(deep, size=beside.shape[2:], mode="nearest")
                deep = up(torch.cat([wide, beside], dim=1))
            return self.head(deep)

    return Detector().to(memory_format=torch.channels_last)


def targets(boxes: Sequence[np.ndarray], counts: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """Maps that the detector is to give of the boxes of some pictures.

    Returns:
        Bells at middles (n, rows, columns); the box of each cell's fish in cells (n, 4, rows, columns) as left, top,
        right and bottom; its weight (n, rows, columns); where middles are, and which cells count.
    """
    rows, columns = SIZE[1] // STRIDE, SIZE[0] // STRIDE
    bells = np.zeros((len(boxes), rows, columns), np.float32)
    sides = np.zeros((len(boxes), 4, rows, columns), np.float32)
    weights, there, passed = np.zeros_like(bells), np.zeros_like(bells), np.ones_like(bells)
    y, x = np.mgrid[:rows, :columns]
    for number, (own, counted) in enumerate(zip(boxes, counts, strict=True)):
        for box in own[~counted] / STRIDE:
            left, top = np.maximum(box[:2], 0.0).astype(int)
            passed[number, top : int(box[3]) + 1, left : int(box[2]) + 1] = 0.0
        for box in own[counted] / STRIDE:
            middle = 0.5 * (box[:2] + box[2:])
            column, row = min(int(middle[0]), columns - 1), min(int(middle[1]), rows - 1)
            spread = np.maximum((box[2:] - box[:2]) / 6.0, 0.6)
            bell = np.exp(-0.5 * (((x - column) / spread[0]) ** 2 + ((y - row) / spread[1]) ** 2))
            near = (bell > NEAR_MIDDLE) & (bell > bells[number])
            weights[number][near] = bell[near]
            sides[number][:, near] = box[:, None]
            bells[number] = np.maximum(bells[number], bell)
            there[number, row, column] = 1.0
    return bells, sides, weights, there, np.maximum(passed, there)


def varied(some: Sequence[Known], dice: np.random.Generator) -> tuple[Any, ...]:
    """Pictures in another light, mirrored, moved and scaled, with their cover, boxes, and which of these count."""
    import torch
    from torch.nn import functional as F

    size = np.array(SIZE, dtype=float)
    zoom = np.exp(dice.uniform(-0.25, 0.4, len(some)))
    mirror = np.where(dice.random(len(some)) < 0.5, -1.0, 1.0)
    shift = dice.uniform(-1.0, 1.0, (len(some), 2)) * (np.abs(1.0 - 1.0 / zoom) + 0.05)[:, None]
    placed = np.zeros((len(some), 2, 3), np.float32)  # from places in the new picture, -1 to 1, to the old
    placed[:, 0, 0], placed[:, 1, 1], placed[:, :, 2] = mirror / zoom, 1.0 / zoom, shift
    shown = torch.from_numpy(np.stack([one.pixels for one in some])).float() / 255.0 - MEAN
    cover = torch.from_numpy(np.stack([one.cover for one in some])).float()[:, None]
    grid = F.affine_grid(torch.from_numpy(placed), list(shown.shape), align_corners=False)
    shown = F.grid_sample(shown, grid, align_corners=False)
    cover = F.avg_pool2d(F.grid_sample(cover, grid, align_corners=False), STRIDE)[:, 0]
    light = dice.uniform(0.7, 1.3, (len(some), 1, 1, 1)) * dice.uniform(0.85, 1.15, (len(some), 3, 1, 1))
    shown = (shown + MEAN) * torch.from_numpy(light.astype(np.float32)) - MEAN
    shown = shown + torch.from_numpy(dice.uniform(0.0, 0.02, (len(some), 1, 1, 1)).astype(np.float32)) * torch.randn(
        shown.shape
    )
    boxes, counts = [], []
    for number, one in enumerate(some):
        ends = (2.0 * one.boxes.reshape(-1, 2, 2) / size - 1.0 - shift[number]) * zoom[number]
        ends[..., 0] *= mirror[number]
        ends = np.sort(0.5 * (ends + 1.0) * size, axis=1).reshape(-1, 4)
        inside = ends.clip(0.0, [*SIZE, *SIZE])
        sides, whole = inside[:, 2:] - inside[:, :2], ends[:, 2:] - ends[:, :2]
        left = sides.prod(axis=1) / np.maximum(whole.prod(axis=1), 1e-9)
        kept = left > 0.0
        boxes.append(inside[kept])
        counts.append((one.counts & large(sides) & (left >= LEAST_SEEN))[kept])
    return shown.contiguous(memory_format=torch.channels_last), cover, boxes, counts


def loss_of(found: Any, cover: Any, boxes: Sequence[np.ndarray], counts: Sequence[np.ndarray]) -> Any:
    """The loss of maps (n, 6, rows, columns) beside what is known of the pictures."""
    import torch
    from torch.nn import functional as F

    bells, sides, weights, there, passed = (torch.from_numpy(of) for of in targets(boxes, counts))
    chance = torch.sigmoid(found[:, 0]).clamp(1e-4, 1 - 1e-4)
    # The focal loss of Zhou et al. 2019, eq. 1.
    hits = -torch.log(chance) * (1 - chance) ** 2 * there
    misses = -torch.log(1 - chance) * chance**2 * (1 - bells) ** 4 * (1 - there) * passed
    many = there.sum().clamp(min=1.0)
    # Generalised intersection over union (Rezatofighi et al. 2019).
    half = 0.5 * torch.exp(found[:, 1:3].clamp(-3, 5))
    y, x = torch.meshgrid(torch.arange(found.shape[2]), torch.arange(found.shape[3]), indexing="ij")
    middle = torch.stack([x, y])[None] + found[:, 3:5]
    low, high = middle - half, middle + half
    shared = (torch.minimum(high, sides[:, 2:]) - torch.maximum(low, sides[:, :2])).clamp(min=0.0).prod(dim=1)
    areas = (high - low).prod(dim=1) + (sides[:, 2:] - sides[:, :2]).prod(dim=1) - shared
    around = (torch.maximum(high, sides[:, 2:]) - torch.minimum(low, sides[:, :2])).prod(dim=1)
    off = 1.0 - shared / areas.clamp(min=1e-6) + (around - areas) / around.clamp(min=1e-6)
    off = (off * weights).sum() / weights.sum().clamp(min=1.0)
    covered = F.binary_cross_entropy_with_logits(found[:, 5], cover)
    return (hits.sum() + misses.sum()) / many + 2.0 * off + covered


def train(known: Sequence[Known], rounds: int = ROUNDS, seed: int = 0) -> Any:
    """A detector that has learnt from some pictures, the mean of its last steps."""
    import torch

    torch.manual_seed(seed)
    dice = np.random.default_rng(seed)
    detector = network()
    steps = rounds * -(-len(known) // BATCH)
    decay = max(1.0 - 50.0 / steps, 0.0)
    average = torch.optim.swa_utils.AveragedModel(
        detector, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(decay), use_buffers=True
    )
    weights = sum(part.numel() for part in detector.parameters())
    print(f"{len(known)} pictures to learn from, {weights:,} weights", flush=True)
    optimizer = torch.optim.AdamW(detector.parameters(), lr=RATE, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for number in range(rounds):
        order, total = dice.permutation(len(known)), 0.0
        begun = time.perf_counter()
        for first in range(0, len(known), BATCH):
            some = [known[row] for row in order[first : first + BATCH]]
            shown, cover, boxes, counts = varied(some, dice)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                found = detector(shown)
            loss = loss_of(found.float(), cover, boxes, counts)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            average.update_parameters(detector)
            schedule.step()
            total += loss.item() * len(some)
        print(f"round {number + 1}: loss {total / len(known):.3f}, {time.perf_counter() - begun:.0f} s", flush=True)
    return average.module.eval()


def boxes_in(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Boxes (n, 4) and their chances (n,) in maps (5, rows, columns): at local maxima, the likeliest first."""
    chance = 1.0 / (1.0 + np.exp(-maps[0]))
    wide = np.pad(chance, 1)
    around = np.max([wide[i : i + len(chance), j : j + chance.shape[1]] for i in range(3) for j in range(3)], axis=0)
    rows, columns = np.nonzero((chance >= around) & (chance > 0.02))
    order = np.argsort(-chance[rows, columns], kind="stable")[:MOST_FOUND]
    rows, columns = rows[order], columns[order]
    size = 0.5 * np.exp(maps[1:3, rows, columns].clip(-3, 5))
    middle = np.stack([columns, rows]) + maps[3:5, rows, columns]
    return STRIDE * np.concatenate([middle - size, middle + size]).T, chance[rows, columns]


def overlaps(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Intersection over union of boxes (n, 4) and (m, 4), (n, m)."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    shared = np.maximum(high - low, 0.0).prod(axis=2)
    areas = [np.maximum(of[:, 2:] - of[:, :2], 0.0).prod(axis=1) for of in (one, other)]
    return shared / np.maximum(areas[0][:, None] + areas[1][None] - shared, 1e-9)


@dataclass
class Judged:
    """Boxes that a detector found in some pictures.

    Attributes:
        chances: Of boxes that are right or wrong, (n,).
        right: Which are right, (n,).
        known: Fishes that count.
    """

    chances: np.ndarray
    right: np.ndarray
    known: int

    @property
    def precision(self) -> float:
        """Average precision: the area below the precision at each recall, made to fall (as COCO has it)."""
        if not self.known:
            return float("nan")
        order = np.argsort(-self.chances, kind="stable")
        right = np.cumsum(self.right[order])
        recall, precision = right / self.known, right / np.arange(1, len(order) + 1)
        falling = np.maximum.accumulate(precision[::-1])[::-1]
        levels = np.linspace(0.0, 1.0, 101)
        at = np.searchsorted(recall, levels, side="left")
        return float(np.where(at < len(falling), np.append(falling, 0.0)[np.minimum(at, len(falling))], 0.0).mean())


def judge(
    known: Sequence[Known], found: Sequence[tuple[np.ndarray, np.ndarray]], hidden: tuple[float, float] = (0.0, 1.0)
) -> Judged:
    """Matches boxes that were found to fishes, the likeliest first; what fits a fish that does not count is passed.

    Fishes count of which a share within a range is hidden.
    """
    chances, right, total = [], [], 0
    for one, (boxes, chance) in zip(known, found, strict=True):
        counts = one.counts & (one.hidden >= hidden[0]) & (one.hidden <= hidden[1])
        total += int(counts.sum())
        shared = overlaps(boxes, one.boxes)
        free = np.ones(len(one.boxes), dtype=bool)
        for row in range(len(boxes)):
            fits = np.where(free & (shared[row] >= OVERLAP), shared[row] + counts, -1.0)
            best = int(np.argmax(fits)) if len(fits) else -1
            if best >= 0 and fits[best] > 0.0:
                free[best] = False
                if counts[best]:
                    chances.append(chance[row])
                    right.append(True)
            elif not len(one.boxes) or shared[row, ~counts].max(initial=0.0) < 0.3:
                chances.append(chance[row])
                right.append(False)
    return Judged(np.array(chances), np.array(right, dtype=bool), total)


def report(known: Sequence[Known], detector: Any) -> float:
    """Prints the tables of pictures for judging; returns the average precision over all."""
    import torch

    found = []
    with torch.no_grad():
        for one in known:
            shown = torch.from_numpy(one.pixels[None].astype(np.float32) / 255.0 - MEAN)
            found.append(boxes_in(detector(shown)[0].numpy()))
    pairs = list(zip(known, found, strict=True))

    def line(name: str, rows: list[Any], hidden: tuple[float, float] = (0.0, 1.0)) -> float:
        judged = judge([one for one, _ in rows], [two for _, two in rows], hidden)
        print(f"| {name} | {len(rows)} | {judged.known} | {judged.precision:.2f} |")
        return judged.precision

    print("| pictures | how many | fishes | AP50 |\n|---|---|---|---|")
    whole = line("all, seeds not seen", pairs)
    line("of scenes that were learnt from", [pair for pair in pairs if pair[0].stage != KEPT])
    line(f"of a scene that was not ({KEPT}, other species)", [pair for pair in pairs if pair[0].stage == KEPT])
    ends = np.quantile([one.visibility for one in known], [1 / 3, 2 / 3])
    for low, high in ((ends[1], np.inf), (ends[0], ends[1]), (0.0, ends[0])):
        words = f"visibility {low:.0f} m and more" if np.isinf(high) else f"visibility {low:.0f} to {high:.0f} m"
        line(words, [pair for pair in pairs if low <= pair[0].visibility < high])
    line("fishes that nothing hides", pairs, (0.0, 0.0))
    line("fishes of which a tenth or more is hidden", pairs, (0.1, 1.0))
    return whole


def main() -> None:
    """Makes pictures, or learns from them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "train"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--workers", type=int)
    options = parser.parse_args()
    if options.what == "make":
        make(options.folder, options.pictures, options.workers)
    else:
        report(list(read(options.folder, "test")), train(list(read(options.folder, "train")), options.rounds))


if __name__ == "__main__":
    main()
