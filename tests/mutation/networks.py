"""The networks in which faults are planted, and what they take.

Each is clean when it is traced: no size, element type or device of the example stays in its graph,
but for the device of the detector's anchors (`follow_devices`). torchvision's is imported, not copied.
"""

import dataclasses
from typing import Callable

import torch
from torch import nn


def resnet18():
    import torchvision

    return torchvision.models.resnet18(num_classes=10)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(12, 16)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32), 2)
        self.head = nn.Linear(16, 6)

    def forward(self, x):
        return self.head(self.encoder(self.embed(x)))


class Lstm(nn.Module):
    """The first state is learned: the zeros that nn.LSTM makes itself keep the example's device."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(12, 16)
        self.norm = nn.LayerNorm(16)
        self.lstm = nn.LSTM(16, 8, num_layers=2, batch_first=True)
        self.first = nn.Parameter(torch.randn(2, 1, 8))
        self.squeeze = nn.Linear(8, 10)
        self.act = nn.GELU()
        self.head = nn.Linear(10, 6)

    def forward(self, x):
        first = self.first.repeat(1, x.shape[0], 1)
        y, _ = self.lstm(self.norm(self.embed(x)), (first, first.tanh()))
        return self.head(self.act(self.squeeze(y)))


def centres(feature: torch.Tensor, stride: int):
    """Of the cells of a feature map, in pixels of the image: [h * w, 2]."""
    h, w = feature.shape[-2], feature.shape[-1]
    ys = torch.arange(h, device=feature.device)
    xs = torch.arange(w, device=feature.device)
    y, x = torch.meshgrid([ys, xs], indexing="ij")
    return (torch.stack([x, y], dim=-1).reshape(-1, 2) + 0.5) * stride


def follow_devices():
    """A scripted function asks for its argument's device in every call; a traced one did once."""
    globals()["centres"] = torch.jit.script(centres)


class Detector(nn.Module):
    """A tower shared by two levels, boxes decoded around anchors, the ten best of all levels."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.BatchNorm2d(8), nn.ReLU(),
                                  nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU())
        self.down = nn.Conv2d(12, 12, 3, stride=2, padding=1)
        self.tower = nn.Sequential(nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(),
                                   nn.Conv2d(12, 12, 3, padding=1), nn.ReLU())
        self.score = nn.Conv2d(12, 3, 3, padding=1)
        self.box = nn.Conv2d(12, 4, 3, padding=1)

    def level(self, feature, stride):
        y = self.tower(feature)
        scores = self.score(y).flatten(2).transpose(1, 2)
        offset, size = self.box(y).flatten(2).transpose(1, 2).split(2, dim=-1)
        centre, half = centres(feature, stride) + offset * stride, size.exp() * stride
        return torch.cat([centre - half, centre + half], dim=-1), scores

    def forward(self, x):
        near = self.stem(x)
        levels = [self.level(near, 4), self.level(self.down(near), 8)]
        boxes = torch.cat([boxes for boxes, _ in levels], dim=1)
        scores, labels = torch.cat([scores for _, scores in levels], dim=1).sigmoid().max(dim=-1)
        best, index = scores.topk(10, dim=1)
        picked = boxes.gather(1, index.unsqueeze(-1).expand(-1, -1, 4))
        return picked, best, labels.gather(1, index)


@dataclasses.dataclass
class Network:
    build: Callable
    shape: tuple  # Letters, and sizes that the weights fix.
    dims: dict  # Letter: range.

    def spec(self):
        dims = {letter: f"{r[0]}..{r[-1]}:{r.step}" for letter, r in self.dims.items()}
        return {"inputs": [f"x: f32[{', '.join(map(str, self.shape))}]"], "dims": dims}

    def sizes(self, point):
        return [point.get(size, size) for size in self.shape]

    def draw(self, random):
        """The shape of an input."""
        return self.sizes({letter: random.choice(r) for letter, r in self.dims.items()})


NETWORKS = {
    "lstm": Network(Lstm, ("b", "t", 12), {"b": range(1, 5), "t": range(1, 10)}),
    "encoder": Network(Encoder, ("t", "b", 12), {"t": range(1, 10), "b": range(1, 5)}),
    "detector": Network(Detector, ("b", 3, "h", "w"),
                        {"b": range(1, 4), "h": range(24, 57, 8), "w": range(24, 57, 8)}),
    "resnet18": Network(resnet18, ("b", 3, "h", "w"),
                        {"b": range(1, 4), "h": range(32, 65, 8), "w": range(32, 65, 8)}),
}


def build(name):
    torch.manual_seed(0)
    return NETWORKS[name].build().eval()


def wrap(net, path, wrapper):
    """Puts a wrapper around one submodule, wherever it is used."""
    parent, _, name = path.rpartition(".")
    setattr(net.get_submodule(parent), name, wrapper(net.get_submodule(path)))
