"""Draws calls of torchvision's operators, for record.py."""
import contextlib

import torch

with contextlib.suppress(ModuleNotFoundError):  # Beside a later PyTorch, which records other operators.
    import torchvision  # noqa: F401  Its operators.

TYPES = {"f16": torch.float16, "f32": torch.float32, "f64": torch.float64}


def boxes(d, count, side, low=0):
    corner = [[d.random.randint(low, 4 * side) / 4 for _ in range(2)] for _ in range(count)]
    return torch.tensor([[x, y, x + d.random.randint(low, 3 * side) / 4, y + d.random.randint(low, 3 * side) / 4]
                         for x, y in corner], dtype=TYPES[d.dtype]).reshape(count, 4)


def suppression(d):
    d.dtype = d.one(["f32", "f32", "f64", "f16"])
    count = d.one([0, 1, 6])
    return [boxes(d, count, 4), d.tensor(count, low=0), d.one([0.1, 0.25, 0.5])]


def regions(channels):
    def draw(d):
        d.dtype = d.one(["f32", "f32", "f64"])
        count = d.one([1, 2, 0])
        images = torch.tensor([[d.random.randint(0, 1)] for _ in range(count)], dtype=TYPES[d.dtype]).reshape(count, 1)
        bins = d.one([[1, 1], [2, 2], [2, 1], [1, 3]])
        tail = [d.one([0, -1, 1, 2])] if "align" in d.name else []
        tail += [d.chance(0.5)] if d.name.endswith("::roi_align") else []
        return [d.tensor(2, channels(bins), d.one([3, 4]), 3), torch.cat([images, boxes(d, count, 3, -4)], 1),
                d.one([1.0, 0.5, 0.25]), *bins, *tail]
    return draw


def deformed(d):
    d.dtype = d.one(["f32", "f32", "f64"])
    groups, moved = d.one([(1, 1), (1, 2), (2, 1)])
    tall, wide = d.one([(2, 2), (1, 2), (2, 1)])
    steps, pads, spread = [d.one([1, 2]), 1], [d.one([0, 1]), 0], [1, d.one([1, 1, 2])]
    high = (3 + 2 * pads[0] - (tall - 1) * spread[0] - 1) // steps[0] + 1
    broad = (4 + 2 * pads[1] - (wide - 1) * spread[1] - 1) // steps[1] + 1
    used = d.chance(0.5)
    taps = moved * tall * wide
    mask = d.tensor(1, taps, high, broad) if used else d.tensor(1, 1)
    # Not NaN, nor infinite: torchvision reads there.
    moves = d.tensor(1, 2 * taps, high, broad, low=0, high=14) - 1.75
    return [d.tensor(1, 2, 3, 4), d.tensor(2, 2 // groups, tall, wide), moves,
            mask, d.tensor(2), *steps, *pads, *spread, groups, moved, used]


CALLS = {
    "torchvision::nms": suppression,
    "torchvision::roi_align": regions(lambda bins: 2), "torchvision::roi_pool": regions(lambda bins: 2),
    "torchvision::ps_roi_align": regions(lambda bins: 2 * bins[0] * bins[1]),
    "torchvision::ps_roi_pool": regions(lambda bins: 2 * bins[0] * bins[1]),
    "torchvision::deform_conv2d": deformed,
}
