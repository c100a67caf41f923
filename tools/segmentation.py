"""Teach the network of core/photo/segmentation.py from drawn pictures: `python tools/segmentation.py --hours 1.5`.

It alone needs PyTorch (`pip install ".[learn]"`). Pictures are drawn once, into .cache/segmentation;
every time one is shown it is turned, scaled, mirrored, coloured and lit differently, and some of the anchors that a
person might set are given. The weights go into core/photo/segmentation.npz, to three digits. The present ones were
learned on two cores in an hour, then one more with `--more`, in which 5,000 scenes were new and two of ten fishes were
of the first kind, and then, with `--more --batch 16`, in 610 steps in which four of ten fishes were barred.

Pictures of `fish_pictures` and `fish_scenes` teach; seeds from `FIRST` on, which no test or benchmark uses. Those of
`foreign_pictures` and `barred_pictures` never do: they show how well fishes are found that nothing was learned from.
"""

from __future__ import annotations

import argparse
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from scipy.ndimage import zoom

from artfish.benchmarks.fish_pictures import FishPicture, draw
from artfish.benchmarks.fish_scenes import draw_scene
from artfish.core.photo.segmentation import (
    ANCHOR_MARK_PIXELS,
    FACING_SIGNS,
    FRAME_CENTRE,
    FRAME_COLUMNS,
    FRAME_ROWS,
    WEIGHTS_FILE,
    bells,
)
from artfish.core.photo.view import opponents

POOL = Path(__file__).resolve().parent.parent / ".cache" / "segmentation"

FIRST = 100_000
CANVAS = (192, 256)
"""Rows and columns of the stored pictures."""
LINE = 33
"""Points stored of back and belly."""
CHANNELS = (24, 40, 64, 96)
INPUTS = 9
KINDS = {"pictures": (1, 0.3), "scenes": (2, 0.3), "barred": (2, 0.4)}
"""Kinds of pictures: the number drawn of each, over that of the first, and its share of those shown. The first are
`fish_pictures`, the others `fish_scenes`, of barred fishes last."""
VALIDATION_PICTURES = 64
"""Pictures of each kind held back for validation."""
RATE = 2e-3
"""Initial learning rate; it falls to nothing at the end."""


# Training pictures


def drawn(kind: str, seed: int) -> FishPicture:
    """A training picture."""
    dice = np.random.default_rng((seed, 5))
    if kind == "barred":
        return draw_scene(seed, bool(dice.random() < 0.35), int(dice.integers(110, 257)), barred=True)
    if kind == "scenes":
        return draw_scene(seed, plain=bool(dice.random() < 0.25))
    background = str(dice.choice(["cluttered"] * 5 + ["shaded", "plain"]))
    contrast, grey, fins = float(dice.choice([1.0, 1.0, 0.6, 0.35])), dice.random() < 0.1, dice.random() > 0.1
    blunt, depth = dice.random() < 0.15, dice.uniform(0.6, 1.5)
    return draw(seed, background, 256, None, contrast, grey, fins=fins, blunt=blunt, depth=depth)


def kept(job: tuple[str, int]) -> dict[str, np.ndarray]:
    """A picture on its canvas: image, class of each pixel, its size, nose and tail's root, back and belly."""
    picture = drawn(*job)
    image = picture.image if picture.image.ndim == 3 else np.repeat(picture.image[..., None], 3, axis=2)
    kinds = np.where(picture.body, 1, np.where(picture.fins, 2, 0)).astype(np.uint8)
    scale = min(1.0, CANVAS[0] / image.shape[0])
    if scale < 1.0:
        image = zoom(image, (scale, scale, 1), order=1, grid_mode=True, mode="nearest")
        kinds = zoom(kinds, scale, order=0, grid_mode=True, mode="nearest")
    rows, columns = (min(size, most) for size, most in zip(kinds.shape, CANVAS, strict=True))
    canvas, what = np.zeros((*CANVAS, 3), np.uint8), np.zeros(CANVAS, np.uint8)
    canvas[:rows, :columns] = np.round(255 * np.clip(image, 0.0, 1.0))[:rows, :columns]
    what[:rows, :columns] = kinds[:rows, :columns]
    ends = np.stack([picture.nose, picture.tail.mean(axis=0)])
    lines = np.stack([evenly(line) for line in (picture.back, picture.belly)])
    ends, lines = ((places + 0.5) * scale - 0.5 for places in (ends, lines))
    return {"image": canvas, "what": what, "size": np.array([rows, columns]), "ends": ends, "lines": lines}


def evenly(line: np.ndarray) -> np.ndarray:
    """Points (LINE, 2) at even distances along a line (n, 2)."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    at = np.linspace(0.0, way[-1], LINE)
    return np.stack([np.interp(at, way, line[:, k]) for k in range(2)], axis=1)


def pool(kind: str, count: int, first: int = FIRST) -> dict[str, np.ndarray]:
    """A number of pictures of a kind, drawn unless they are stored."""
    path = POOL / f"{kind}_{first}_{count}.npz"
    if not path.exists():
        POOL.mkdir(parents=True, exist_ok=True)
        with ProcessPoolExecutor() as workers:
            every = list(workers.map(kept, [(kind, first + k) for k in range(count)], chunksize=50))
        np.savez(path, **{name: np.stack([one[name] for one in every]) for name in every[0]})
    with np.load(path) as stored:
        return dict(stored)


@dataclass
class Batch:
    """A batch: inputs (n, 9, h, w) and targets (n, 4, h, w).

    Attributes:
        shown: Colours, mask of the picture, marks of anchors, and its facing.
        targets: Body, fins, nose and tail's root, 0 to 1.
        anchored: Number of marked anchors of nose, tail's root, back and belly, (n,).
    """

    shown: torch.Tensor
    targets: torch.Tensor
    anchored: np.ndarray


class Teacher:
    """Makes batches of several pools' pictures."""

    def __init__(self, pools: list[dict[str, np.ndarray]]) -> None:
        """Take over the pools."""
        self.of = np.concatenate([np.full(len(each["what"]), k) for k, each in enumerate(pools)])
        stacked = {name: np.concatenate([each[name] for each in pools]) for name in pools[0]}
        self.image, self.what = torch.from_numpy(stacked["image"]), torch.from_numpy(stacked["what"])
        self.size, self.ends, self.lines = stacked["size"], stacked["ends"], stacked["lines"]
        fish = stacked["what"] > 0
        self.low = np.stack([fish.any(axis=1).argmax(axis=1), fish.any(axis=2).argmax(axis=1)], axis=1)
        far = [fish.any(axis=axis)[:, ::-1].argmax(axis=1) for axis in (1, 2)]
        self.high = np.array(CANVAS[::-1]) - 1 - np.stack(far, axis=1)

    def batch(self, which: np.ndarray, dice: np.random.Generator, varied: bool = True) -> Batch:
        """A batch of these pictures (n,)."""
        ways = [self._way(k, dice) for k in which]
        turn, shift = np.stack([way[0] for way in ways]), np.stack([way[1] for way in ways])
        known = np.stack([way[2] for way in ways])
        rgb, body, fins, there = self._seen(which, turn, shift)
        places = np.concatenate([self.ends[which], self.lines[which].reshape(len(which), -1, 2)], axis=1)
        places = np.einsum("nij,npj->npi", np.linalg.inv(turn), places - shift[:, None]) + FRAME_CENTRE
        ends, lines = places[:, :2], places[:, 2:].reshape(len(which), 2, LINE, 2)
        if varied:
            rgb = recoloured(rgb, dice)
        marks = self._marks(ends, lines, known, dice)
        faces = np.where(
            dice.random(len(which)) < 0.25,
            np.where(ends[:, 0, 0] < ends[:, 1, 0], FACING_SIGNS["left"], FACING_SIGNS["right"]),
            0.0,
        )
        faces = torch.from_numpy(faces.astype(np.float32))[:, None, None, None].expand(-1, 1, FRAME_ROWS, FRAME_COLUMNS)
        shown = torch.cat([levelled(rgb, there, dice if varied else None), there, marks, faces], dim=1)
        heat = torch.from_numpy(np.stack([bells(ends[:, k], 2.5) for k in range(2)], axis=1).astype(np.float32))
        return Batch(shown, torch.cat([body, fins, heat], dim=1), known.sum(axis=1))

    def _way(self, k: int, dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A random placement of a picture, as turn and place of the frame's centre, and the given anchors."""
        nose, tail = self.ends[k]
        luck, shift = dice.random(), dice.normal(0.0, 3.0, 2)
        size = np.array([FRAME_COLUMNS, FRAME_ROWS])
        if dice.random() < 0.35:  # all of the picture
            whole = self.size[k][::-1]
            scale, angle = (whole / size).max() * dice.uniform(1.0, 1.12), dice.normal(0.0, 0.06)
            middle = 0.5 * (whole - 1.0) + shift
            known = np.full(4, luck < 0.3) if not 0.3 <= luck < 0.4 else dice.random(4) < 0.5
        else:  # the fish, close by
            known = np.full(4, luck < 0.35) if not 0.35 <= luck < 0.55 else dice.random(4) < 0.5
            if 0.35 <= luck < 0.5:
                known = np.array([True, True, False, False])
            box = self.high[k] - self.low[k] + 1.0
            angle, scale = dice.normal(0.0, 0.16), (box / size).max() / dice.uniform(0.5, 0.98)
            middle = 0.5 * (self.high[k] + self.low[k]) + dice.uniform(-0.4, 0.4, 2) * (scale * size - box)
            if known[:2].all() and dice.random() < 0.75:  # level, as at the second look
                axis = tail - nose
                length = np.hypot(*axis)
                angle = np.arctan2(axis[1], abs(axis[0])) * np.sign(axis[0]) + dice.normal(0.0, 0.05)
                scale = max(length / (FRAME_COLUMNS * dice.uniform(0.5, 0.72)), box[1] / (0.98 * FRAME_ROWS))
                middle = nose + 0.58 * axis + dice.normal(0.0, 0.03 * length, 2)
        longer, mirror = np.exp(dice.normal(0.0, 0.06)), dice.choice([-1.0, 1.0])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return turn @ np.diag([scale * longer * mirror, scale / longer]), middle, known

    def _seen(self, which: np.ndarray, turn: np.ndarray, shift: np.ndarray) -> list[torch.Tensor]:
        """Colours, body, fins and mask of the picture, (n, 3 or 1, h, w), in the frame."""
        far = 2.0 / (np.array(CANVAS[::-1]) - 1.0)
        lay = np.concatenate([far[:, None] * turn * FRAME_CENTRE, (far * shift - 1.0)[..., None]], axis=2)
        shape = [len(which), 1, FRAME_ROWS, FRAME_COLUMNS]
        grid = F.affine_grid(torch.from_numpy(lay).float(), shape, align_corners=True)
        what = self.what[which][:, None]
        there = torch.zeros(len(which), 1, *CANVAS)
        for row, (rows, columns) in enumerate(self.size[which]):
            there[row, :, :rows, :columns] = 1.0
        colour = self.image[which].permute(0, 3, 1, 2).float() / 255.0
        stack = torch.cat([colour, (what == 1).float(), (what == 2).float(), there], dim=1)
        seen = F.grid_sample(stack, grid, align_corners=True)
        scale = torch.from_numpy(np.sqrt(np.abs(np.linalg.det(turn)))).float()
        small = scale > 1.3  # a picture shown smaller is blurred, as by a view
        if small.any():
            step = torch.from_numpy(far).float() * 0.25
            corners = torch.tensor([(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)]) * step
            near = [grid[small] + corner * scale[small, None, None, None] for corner in corners]
            each = [F.grid_sample(stack[small], at, align_corners=True) for at in near]
            seen[small] = torch.stack(each).mean(dim=0)
        return [seen[:, :3], seen[:, 3:4], seen[:, 4:5], (seen[:, 5:] > 0.99).float()]

    def _marks(self, ends: np.ndarray, lines: np.ndarray, known: np.ndarray, dice: np.random.Generator) -> torch.Tensor:
        """Gaussian marks of anchors, (n, 4, h, w), as precise as a person sets them."""
        marks = np.zeros((len(ends), 4, FRAME_ROWS, FRAME_COLUMNS), dtype=np.float32)
        for row, kind in np.argwhere(known):
            off = 0.006 * np.hypot(*(ends[row, 1] - ends[row, 0]))
            points = ends[row, kind, None] if kind < 2 else lines[row, kind - 2, self._stations(dice)]
            marks[row, kind] = bells(points + dice.normal(0.0, off, points.shape), ANCHOR_MARK_PIXELS).max(axis=0)
        return torch.from_numpy(marks)

    def _stations(self, dice: np.random.Generator) -> np.ndarray:
        """Random stations of anchors along back or belly."""
        count = 1 if dice.random() < 0.75 else int(dice.integers(2, 4))
        return np.where(dice.random(count) < 0.3, LINE // 2, dice.integers(5, 29, count))


def recoloured(rgb: torch.Tensor, dice: np.random.Generator) -> torch.Tensor:
    """Pictures (n, 3, h, w) with other colours, light and grain."""
    count = len(rgb)
    mixing = np.zeros((count, 3, 3), dtype=np.float32)
    for each in mixing:
        colours = np.eye(3)[dice.permutation(3)] if dice.random() < 0.4 else np.eye(3)
        saturation = 0.0 if dice.random() < 0.1 else np.exp(dice.normal(0.0, 0.35))
        each[:] = 1.0 / 3.0 + saturation * (colours - 1.0 / 3.0)
        if saturation and dice.random() < 0.3:
            each += dice.normal(0.0, 0.08, (3, 3))
    grey = torch.from_numpy(np.ptp(mixing, axis=1).max(axis=1) < 1e-6)
    rgb = torch.einsum("nij,njhw->nihw", torch.from_numpy(mixing), rgb).clamp(1e-4, 1.3)
    gamma = np.exp(dice.normal(0.0, 0.22, (count, 3, 1, 1))).astype(np.float32)
    one = (dice.random(count) < 0.6) | grey.numpy()
    gamma[one] = gamma[one, :1]
    rgb = rgb ** torch.from_numpy(gamma)
    negative = torch.from_numpy(dice.random(count) < 0.08)
    rgb[negative] = 1.0 - rgb[negative]
    down, right = torch.meshgrid(torch.linspace(-1, 1, FRAME_ROWS), torch.linspace(-1, 1, FRAME_COLUMNS), indexing="ij")
    slope = torch.from_numpy(dice.normal(0.0, 0.12, (2, count, 1, 1, 1)).astype(np.float32))
    rgb = rgb * (1.0 + slope[0] * down + slope[1] * right)
    blurred = F.avg_pool2d(F.pad(rgb, (1, 1, 1, 1), mode="replicate"), 3, 1)
    share = np.where(dice.random((count, 1, 1, 1)) < 0.3, dice.random((count, 1, 1, 1)), 0.0).astype(np.float32)
    rgb = rgb + torch.from_numpy(share) * (blurred - rgb)
    grain = dice.normal(0.0, 1.0, rgb.shape).astype(np.float32) * (0.05 * dice.random((count, 1, 1, 1)) ** 2)
    grain[grey.numpy()] = grain[grey.numpy(), :1]
    return rgb + torch.from_numpy(grain.astype(np.float32))


def levelled(rgb: torch.Tensor, there: torch.Tensor, dice: np.random.Generator | None) -> torch.Tensor:
    """Lightness and two colour differences (n, 3, h, w), about 0 to 1, as in a `ReducedPhotograph`."""
    seen = torch.empty_like(rgb)
    for k, (picture, part) in enumerate(zip(rgb, there, strict=True)):
        some = picture[:, ::3, ::3][part[:, ::3, ::3].expand(3, -1, -1) > 0]
        low, high = np.percentile(some.numpy() if len(some) > 50 else picture.numpy(), (1, 99))
        if dice is not None:  # a view is levelled by the whole photograph, not by the frame
            low, high = np.array([low, high]) + (high - low) * dice.uniform([-0.2, -0.06], [0.06, 0.2])
        seen[k] = ((picture - low) / max(high - low, 1e-6)).clamp(-0.5, 1.5)
    return torch.stack(opponents(*seen.unbind(dim=1)), dim=1) * there


# The network


class Convolution(torch.nn.Module):
    """A convolution with batch norm and ReLU."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        """Start with random weights."""
        super().__init__()
        self.kernels = torch.nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = torch.nn.BatchNorm2d(outputs)

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        """Outputs (n, outputs, h / stride, w / stride)."""
        return F.relu(self.norm(self.kernels(picture)))

    def folded(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Matrix (9 inputs, outputs) and bias of the convolution with its norm folded in."""
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        matrix = (self.kernels.weight * scale[:, None, None, None]).flatten(1).T
        return matrix, self.norm.bias - scale * self.norm.running_mean


class Network(torch.nn.Module):
    """The U-Net that core/photo/segmentation.py runs, layer by layer of the same names."""

    def __init__(self) -> None:
        """Start with random weights."""
        super().__init__()
        a, b, c, d = CHANNELS
        sizes = {"stem": (INPUTS, a, 2), "l1": (a, a), "d2": (a, b, 2), "l2": (b, b), "d3": (b, c, 2), "l3": (c, c)}
        sizes |= {"d4": (c, d, 2), "l4": (d, d), "l4b": (d, d), "u3": (d + c, c), "u3b": (c, c), "u2": (c + b, b)}
        sizes |= {"u2b": (b, b), "u1": (b + a, a), "u1b": (a, a), "u0": (a + INPUTS, 16)}
        self.layers = torch.nn.ModuleDict({name: Convolution(*size) for name, size in sizes.items()})
        self.glob, self.last = torch.nn.Linear(d, d), torch.nn.Conv2d(16, 4, 3, 1, 1)

    def forward(self, frame: torch.Tensor) -> torch.Tensor:
        """Logarithms of odds (n, 4, h, w)."""
        layers, ways = self.layers, [frame]
        for first, second in (("stem", "l1"), ("d2", "l2"), ("d3", "l3"), ("d4", "l4")):
            ways.append(layers[second](layers[first](ways[-1])))
        deep = ways.pop()
        deep = layers["l4b"](F.relu(deep + self.glob(deep.mean(dim=(2, 3)))[:, :, None, None]))
        for first, second in (("u3", "u3b"), ("u2", "u2b"), ("u1", "u1b")):
            deep = layers[second](layers[first](joined(deep, ways.pop())))
        return self.last(layers["u0"](joined(deep, ways.pop())))

    def recall(self, path: Path, shown: torch.Tensor) -> None:
        """Load stored weights; norms, which are not stored, are set from these pictures (n, 9, h, w)."""
        with np.load(path, allow_pickle=False) as stored:
            kept = {name: torch.from_numpy(stored[name].astype(np.float32)) for name in stored.files}
        with torch.no_grad():
            for name, layer in {"last": self.last, **{n: each.kernels for n, each in self.layers.items()}}.items():
                layer.weight.copy_(kept[name].T.reshape(layer.weight.shape))
            self.last.bias.copy_(kept["last bias"])
            self.glob.weight.copy_(kept["glob"].T)
            self.glob.bias.copy_(kept["glob bias"])
            watched = [
                each.kernels.register_forward_hook(_renorm(each, kept[f"{n} bias"])) for n, each in self.layers.items()
            ]
            self.eval()(shown)
        for hook in watched:
            hook.remove()
        self.train()

    def store(self, path: Path) -> None:
        """Write the weights as half-precision numbers."""
        kept = {name: layer.folded() for name, layer in self.layers.items()}
        kept["glob"] = (self.glob.weight.T, self.glob.bias)
        kept["last"] = (self.last.weight.flatten(1).T, self.last.bias)
        flat = {name: matrix for name, (matrix, _) in kept.items()}
        flat |= {f"{name} bias": bias for name, (_, bias) in kept.items()}
        np.savez_compressed(path, **{name: each.detach().numpy().astype(np.float16) for name, each in flat.items()})


def _renorm(layer: Convolution, bias: torch.Tensor) -> Callable:
    """A hook that sets a layer's norm to preserve its convolution but for a bias (outputs,)."""

    def watch(_: torch.nn.Module, __: tuple, made: torch.Tensor) -> None:
        mean, spread = made.mean(dim=(0, 2, 3)), made.var(dim=(0, 2, 3))
        layer.norm.running_mean.copy_(mean)
        layer.norm.running_var.copy_(spread)
        layer.norm.weight.copy_(torch.sqrt(spread + layer.norm.eps))
        layer.norm.bias.copy_(bias + mean)

    return watch


def joined(small: torch.Tensor, large: torch.Tensor) -> torch.Tensor:
    """Channels of a picture half as large, upsampled, and those of another."""
    return torch.cat([F.interpolate(small, scale_factor=2, mode="nearest"), large], dim=1)


def loss(odds: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The loss: cross entropy everywhere, weighted at the ends, and the part of body and guess not shared."""
    entropy = F.binary_cross_entropy_with_logits(odds, targets, reduction="none")
    guess, body = torch.sigmoid(odds[:, 0]), targets[:, 0]
    shared = (guess * body).sum(dim=(1, 2))
    either = (guess + body - guess * body).sum(dim=(1, 2))
    apart = 1.0 - ((shared + 1.0) / (either + 1.0)).mean()
    ends = (entropy[:, 2:] * (1.0 + 20.0 * targets[:, 2:])).mean()
    return 2.0 * entropy[:, 0].mean() + 0.5 * entropy[:, 1].mean() + 4.0 * ends + apart


def learn(hours: float, pictures: int, more: bool, batch: int = 32, seed: int = 0) -> None:
    """Train for so long on so many pictures, from scratch or from the stored weights."""
    torch.manual_seed(seed)
    teacher = Teacher([pool(kind, times * pictures) for kind, (times, _) in KINDS.items()])
    shares = [share for _, share in KINDS.values()]
    kinds = [np.flatnonzero(teacher.of == k) for k in range(teacher.of.max() + 1)]
    network = Network().to(memory_format=torch.channels_last)
    rate = RATE
    if more:
        rate *= 0.2
        network.recall(
            WEIGHTS_FILE,
            teacher.batch(np.concatenate([kind[:128] for kind in kinds]), np.random.default_rng(seed)).shown,
        )
    mean = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.99 if more else 0.998), use_buffers=True
    )
    descent = torch.optim.AdamW(network.parameters(), rate, weight_decay=1e-2)
    shown: queue.Queue[Batch] = queue.Queue(6)

    def show() -> None:
        dice = np.random.default_rng(seed)
        while True:
            which = [dice.choice(kinds[k][:-VALIDATION_PICTURES]) for k in dice.choice(len(kinds), batch, p=shares)]
            shown.put(teacher.batch(np.array(which), dice))

    threading.Thread(target=show, daemon=True).start()
    begun, reported, step = time.time(), time.time(), 0
    while (past := (time.time() - begun) / (3600.0 * hours)) < 1.0:
        for group in descent.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (1.0 - past) ** 0.9 + 1e-5
        each = shown.get()
        with torch.autocast("cpu", torch.bfloat16):
            odds = network(each.shown.to(memory_format=torch.channels_last))
        descent.zero_grad()
        loss(odds.float(), each.targets).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        descent.step()
        mean.update_parameters(network)
        step += 1
        if time.time() - reported > 120.0:
            reported = time.time()
            mean.module.store(WEIGHTS_FILE)
            print(f"{60 * past * hours:5.1f} min, {step} steps: {how_well(mean.module, teacher, kinds)}", flush=True)
    mean.module.store(WEIGHTS_FILE)
    print(f"{step} steps: {how_well(mean.module, teacher, kinds)}")


def how_well(network: Network, teacher: Teacher, kinds: list[np.ndarray]) -> str:
    """Mean overlap of held-back bodies, without anchors and with all four."""
    network.eval()
    found = []
    for kind in kinds:
        batch = teacher.batch(kind[-VALIDATION_PICTURES:], np.random.default_rng(5), varied=False)
        with torch.no_grad():
            guess, body = network(batch.shown)[:, 0] > 0.0, batch.targets[:, 0] > 0.5
        overlap = ((guess & body).sum(dim=(1, 2)) / (guess | body).sum(dim=(1, 2)).clamp_min(1)).numpy()
        found.append("{:.3f} {:.3f}".format(*(overlap[batch.anchored == count].mean() for count in (0, 4))))
    network.train()
    return ", ".join(found)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--hours", type=float, default=1.5, help="how long to learn")
    arguments.add_argument(
        "--pictures",
        type=int,
        default=6000,
        help="how many to draw of the first kind; twice of the others",
    )
    arguments.add_argument("--more", action="store_true", help="go on from what was learned before")
    arguments.add_argument("--batch", type=int, default=32, help="how many pictures a step shows")
    options = arguments.parse_args()
    learn(options.hours, options.pictures, options.more, options.batch)
