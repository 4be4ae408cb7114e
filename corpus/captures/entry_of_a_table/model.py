"""A schedule is looked up at the step that a tensor holds, in a helper that knows nothing of the graph."""

import math

import torch


class Schedule:
    def __init__(self, steps=8):
        self.kept = [math.cos(0.18 * (i + 1)) ** 2 for i in range(steps)]
        self.before = [1.0, *self.kept[:-1]]

    def at(self, step):
        step = step[0].item()  # cause
        return self.kept[step], self.before[step]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.schedule = Schedule()

    def forward(self, x, step):
        kept, before = self.schedule.at(step)
        clean = (x - math.sqrt(1 - kept) * torch.tanh(x)) / math.sqrt(kept)
        return math.sqrt(before) * clean + math.sqrt(1 - before) * torch.tanh(x)


def example():
    return torch.linspace(-2.0, 2.0, 8).reshape(2, 4), torch.tensor([5, 5])
