"""A signal is smoothed up to four times, until a step changes little: the example decides how often."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.smooth = torch.nn.Conv1d(1, 1, 3, padding=1, bias=False)
        self.smooth.weight = torch.nn.Parameter(torch.tensor([[[0.25, -0.5, 0.25]]]))

    def forward(self, x):
        for _ in range(4):  # cause
            step = self.smooth(x)
            x = x + step
            if bool(step.abs().max() < 0.3):
                break
        return x


def example():
    return (torch.tensor([[[0.0, 3.0, 0.0, 1.0, 2.0, -1.0]]]),)
