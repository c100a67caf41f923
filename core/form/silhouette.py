"""Where in a picture the fish is, fins and all.

Fish and scenery are told apart by transparency, by a background that varies smoothly, or, in clutter, by the ellipse
whose inside differs most in colour from its outside; a minimum cut then draws the silhouette.
"""

from __future__ import annotations

import numpy as np
from scipy import ndimage
from scipy.cluster.vq import kmeans2, vq
from scipy.fft import irfft2, next_fast_len, rfft2
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order, maximum_flow

from .view import View

CLUSTERS = 40
SMALLNESS = 0.6
"""Between 0, the ellipse that tells most about colours, and 1, the one that tells most for its size."""

STRAY, NOISE = 0.2, 0.06
"""The most of a picture's border that may be off a plain background, and how far the rest may stray from it."""
SHADE, HUE, SLOPE = 0.6, 0.06, 0.035
"""The most by which a shadow darkens a plain background, how far its hue may be off, and how steeply, a pixel, it may
become darker."""
SOME, LEFT, LOST = 0.05, 0.35, 0.03
"""Least shares of a silhouette that are shadow, if there is one, and fish, and the most of the fish that may come off
with the shadow."""
CREVICE = 0.04
"""What is narrower than twice this share of the root of the fish's area, and runs into it, is fish and no shadow."""


def silhouette(view: View, seed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray | None, bool]:
    """Where the fish is, fins and all.

    Args:
        view: What is looked at.
        seed: Where the fish is roughly known to be, (h, w) bool, or None.

    Returns:
        The silhouette (h, w) bool; the number of each pixel's colour among at most `CLUSTERS` (h, w); whether the
        background was plain, so that the silhouette can be trusted.
    """
    groups = palette(view.colour)
    if view.alpha is not None:
        return _main_part(view.alpha > 0.5, seed), groups, True
    plain = _against_plain(view.colour)
    if plain is not None:
        return _main_part(_cut(plain[0], view.colour, 1.5) > 0, seed), groups, True
    mask = _ellipse_of_contrast(groups) if seed is None else seed
    for turn in range(6):
        unary = 1.2 * log_ratio(groups, mask, _ring(mask)) + _nearness(mask, 1.4 if turn < 3 else 1.8)
        new = _main_part(_cut(unary, view.colour, 2.0) > 0, mask)
        if new.mean() < 0.01:
            break
        mask = new
    return mask, groups, False


def unshaded(mask: np.ndarray, view: View) -> np.ndarray:
    """A silhouette (h, w) on a plain background without the soft shadow that the fish throws on it.

    A shadow is the ground, darker, and without an edge: from where the ground is in the light it is got at over
    nothing but gentle slopes, whereas a fish that is grey on grey begins with a step.

    Args:
        mask: The silhouette with its shadow, (h, w) bool.
        view: What is looked at.
    """
    plain = _against_plain(view.colour)
    if plain is None:
        return mask
    ground = plain[1]
    colour, slope = view.colour, SLOPE * min(view.step, 1.0)
    smooth = ndimage.gaussian_filter(colour, (1.0, 1.0, 0.0))
    size = np.maximum((ground * ground).sum(axis=2), 1e-6)
    darker = 1.0 - (smooth * ground).sum(axis=2) / size
    other = np.linalg.norm(smooth - (1.0 - darker)[..., None] * ground, axis=2)
    slopes = [ndimage.gaussian_filter(colour, (1.0, 1.0, 0.0), order=order) for order in ((0, 1, 0), (1, 0, 0))]
    steep = np.sqrt(sum((slope**2).sum(axis=2) for slope in slopes))
    gentle = (darker > 0.0) & (darker < SHADE) & (other < HUE) & (steep < slope)
    gentle = ndimage.binary_opening(gentle | ~mask, np.ones((3, 3), dtype=bool))
    shade = ndimage.binary_propagation(~ndimage.binary_dilation(mask), mask=gentle)
    rest = ndimage.binary_opening(mask & ~shade, iterations=2)
    lit = _main_part(rest, None)
    if lit.sum() < LEFT * mask.sum() or rest.sum() - lit.sum() > LOST * mask.sum():
        return mask  # a fish that is as pale as the ground in places is not to fall to pieces
    if (shade & mask).sum() < SOME * mask.sum():
        return mask
    return ndimage.binary_fill_holes(closed(lit, CREVICE) & mask)


def closed(mask: np.ndarray, share: float) -> np.ndarray:
    """The mask with bays that are narrower than twice this share of the root of its area."""
    radius = share * np.sqrt(mask.sum())
    margin = int(radius) + 2
    wide = ndimage.distance_transform_edt(~np.pad(mask, margin)) <= radius
    return (ndimage.distance_transform_edt(wide) > radius)[margin:-margin, margin:-margin] | mask


def palette(colour: np.ndarray, there: np.ndarray | None = None) -> np.ndarray:
    """Colours (h, w, c) sorted into at most `CLUSTERS` kinds, (h, w), those that occur where `there` (h, w) says."""
    smooth = ndimage.gaussian_filter(colour, (1.0, 1.0, 0.0))
    light = smooth[..., :1]
    rough = np.sqrt(np.maximum(ndimage.gaussian_filter((colour[..., :1] - light) ** 2, (2.0, 2.0, 0.0)), 0.0))
    every = np.concatenate([smooth, rough], axis=2).reshape(-1, smooth.shape[2] + 1)
    some = every if there is None or there.sum() < 200 else every[there.ravel()]
    some = some[:: max(1, len(some) // 6000)]
    with np.errstate(all="ignore"):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            centres = kmeans2(some, CLUSTERS, minit="++", seed=np.random.default_rng(1), iter=12)[0]
    return vq(every, centres)[0].reshape(colour.shape[:2])


def _against_plain(colour: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """How much each pixel differs from a background that varies smoothly, over 0 on the fish, and that background.

    Returns:
        (h, w) and (h, w, c); None in clutter.
    """
    height, width, _ = colour.shape
    smooth = ndimage.gaussian_filter(colour, (1.0, 1.0, 0.0))
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    terms = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=-1)
    rim = _rim(height, width, 0.05)
    there = rim.copy()
    for _ in range(4):
        flat = np.linalg.lstsq(terms[there], smooth[there], rcond=None)[0]
        ground = terms @ flat
        away = np.linalg.norm(smooth - ground, axis=2)
        spread = 1.48 * np.median(away[there])
        there = rim & (away < np.maximum(4 * spread, 0.03))
    stray = 1.0 - there.sum() / rim.sum()
    if stray > STRAY or spread > NOISE:
        return None
    inner = away[_rim(height, width, 0.12) == 0]
    level = float(np.clip(_otsu(np.minimum(inner, np.percentile(inner, 98))), 4 * spread, np.inf))
    level = max(min(max(0.3 * level, 4 * spread, 0.02), level), 1e-3)
    return np.clip(3.0 * (away - level) / level, -3.0, 3.0), ground


def _rim(height: int, width: int, share: float) -> np.ndarray:
    """The border of a picture, (h, w) bool."""
    wide = max(2, round(share * min(height, width)))
    rim = np.ones((height, width), dtype=bool)
    rim[wide:-wide, wide:-wide] = False
    return rim


def _otsu(values: np.ndarray) -> float:
    """The threshold that parts values into the two most different halves."""
    count, edge = np.histogram(values, 64)
    middle = 0.5 * (edge[1:] + edge[:-1])
    weight = np.cumsum(count) / count.sum()
    mean = np.cumsum(count * middle) / count.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        between = (mean[-1] * weight - mean) ** 2 / (weight * (1 - weight))
    return float(middle[np.nanargmax(np.where(np.isfinite(between), between, -1))])


def _ellipse_of_contrast(groups: np.ndarray) -> np.ndarray:
    """The ellipse whose inside tells most about the colours (the most mutual information), (h, w) bool."""
    shrink = max(1, max(groups.shape) // 90)
    small = groups[shrink // 2 :: shrink, shrink // 2 :: shrink]
    height, width = small.shape
    kinds = np.stack([small == kind for kind in range(CLUSTERS)]).astype(np.float32)
    size = [next_fast_len(2 * n) for n in (height, width)]
    waves = rfft2(kinds, size)
    total, count = kinds.sum(axis=(1, 2))[:, None, None], float(height * width)
    y, x = np.mgrid[-(height // 2) : height - height // 2, -(width // 2) : width - width // 2]
    rows, columns = np.mgrid[0:height, 0:width]
    off = ((columns / width - 0.5) / 0.5) ** 2 + ((rows / height - 0.5) / 0.5) ** 2
    best, found = -np.inf, ((height // 2, width // 2), 0.4 * width, 0.4 * height, 0.0)
    for half in (0.2, 0.26, 0.33, 0.4):
        for flat in (0.2, 0.3, 0.42, 0.58):
            a, b = half * width, half * width * flat
            if b > 0.48 * height:
                continue
            for turn in (-0.2, 0.0, 0.2) if flat < 0.5 else (0.0,):
                along, across = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
                shape = ((along / a) ** 2 + (across / b) ** 2 < 1).astype(np.float32)
                inside = irfft2(waves * rfft2(shape, size), size)[:, height // 2 :, width // 2 :]
                inside = np.clip(inside[:, :height, :width], 0, None)
                share = shape.sum() / count
                unsure = -share * np.log(share) - (1 - share) * np.log(1 - share)
                score = information(inside, total, shape.sum(), count) / unsure**SMALLNESS * (1 - 0.35 * off)
                free = (np.abs(columns - width / 2) < width / 2 - 0.85 * a) & (
                    np.abs(rows - height / 2) < height / 2 - 0.85 * b
                )
                score = np.where(free, score, -np.inf)
                place = np.unravel_index(np.argmax(score), score.shape)
                if score[place] > best:
                    best, found = score[place], ((int(place[0]), int(place[1])), a, b, turn)
    (row, column), a, b, turn = found
    y, x = np.mgrid[0 : groups.shape[0], 0 : groups.shape[1]] / shrink
    x, y = x - column, y - row
    along, across = x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)
    return (along / a) ** 2 + (across / b) ** 2 < 1


def information(inside: np.ndarray, total: np.ndarray, area: float, count: float) -> np.ndarray:
    """Mutual information of colour and being inside, in nats, for every place."""
    outside = np.maximum(total - inside, 0.0)

    def part(joint: np.ndarray, share: float) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(joint > 0.5, joint / count * np.log(joint / (total * share)), 0.0).sum(axis=0)

    return part(inside, area / count) + part(outside, 1 - area / count)


def _ring(mask: np.ndarray) -> np.ndarray:
    """Everything that is not fish."""
    return ~ndimage.binary_dilation(mask, iterations=2)


def log_ratio(groups: np.ndarray, first: np.ndarray, second: np.ndarray, limit: float = 3.0) -> np.ndarray:
    """How much more likely each pixel's colour is in the first place than in the second, as a logarithm.

    How far each pixel belongs to either is told by (h, w), from 0 to 1.
    """
    kinds = groups.ravel()
    one, two = (np.bincount(kinds, there.ravel().astype(float), CLUSTERS) for there in (first, second))
    one, two = (each / max(each.sum(), 1.0) + 0.002 for each in (one, two))
    return np.clip(np.log(one / two), -limit, limit)[groups]


def _nearness(mask: np.ndarray, reach: float) -> np.ndarray:
    """1 in the middle of the fish, falling to -3 beyond `reach` times the ellipse that has its moments."""
    y, x = np.nonzero(mask)
    centre = np.array([x.mean(), y.mean()])
    spread = np.cov(np.stack([x, y])) + np.eye(2)
    rows, columns = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
    away = np.stack([columns, rows], axis=-1) - centre
    far = np.sqrt(np.einsum("hwi,ij,hwj->hw", away, np.linalg.inv(spread), away)) / 2.0  # 1 on a uniform ellipse
    return np.clip(1.0 - 1.0 * far / reach, -0.5, 1.0) - 2.5 * np.clip((far - reach) / 0.4, 0.0, 1.0)


def _cut(unary: np.ndarray, colour: np.ndarray, stiffness: float) -> np.ndarray:
    """The cheapest partition into fish, 1, and scenery, 0: where `unary` says, and cut where colours change."""
    height, width = unary.shape
    number = np.arange(height * width).reshape(height, width)
    smooth = ndimage.gaussian_filter(colour, (0.7, 0.7, 0.0))
    steps = [((smooth[:, 1:] - smooth[:, :-1]) ** 2).sum(axis=2), ((smooth[1:] - smooth[:-1]) ** 2).sum(axis=2)]
    usual = 2.0 * np.mean(np.concatenate([step.ravel() for step in steps])) + 1e-9
    weights = np.concatenate([(stiffness * (0.05 + np.exp(-step / usual))).ravel() for step in steps])
    one = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    two = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    source, sink = height * width, height * width + 1
    fish, flat = unary.ravel() > 0, unary.ravel()
    rows = np.concatenate([one, two, np.full(fish.sum(), source), number.ravel()[~fish]])
    columns = np.concatenate([two, one, number.ravel()[fish], np.full((~fish).sum(), sink)])
    capacity = np.concatenate([weights, weights, flat[fish], -flat[~fish]])
    graph = csr_matrix(((capacity * 1000).astype(np.int32), (rows, columns)), shape=(sink + 1, sink + 1))
    flow = maximum_flow(graph, source, sink, method="dinic").flow  # type: ignore[arg-type]
    left = graph - flow
    left.data = np.maximum(left.data, 0)
    left.eliminate_zeros()
    reached = np.zeros(sink + 1)
    reached[breadth_first_order(left, source, return_predecessors=False)] = 1.0
    return reached[:source].reshape(height, width)


def _main_part(mask: np.ndarray, near: np.ndarray | None) -> np.ndarray:
    """The largest connected part, or the one that has most in common with `near`, without holes."""
    parts, count = ndimage.label(mask)
    if count == 0:
        return mask
    inner = np.ones_like(mask) if near is None or not (mask & near).any() else near
    sizes = np.bincount(parts[inner], minlength=count + 1)
    sizes[0] = 0
    return ndimage.binary_fill_holes(parts == np.argmax(sizes))
