"""A row is cut where marks stand; the trace has the example's cuts, and so as many parts at all marks."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, marks):
        cuts = marks.nonzero().flatten().tolist()  # cause
        parts = torch.tensor_split(x, cuts)
        return torch.stack([part.sum().relu() for part in parts]).sum() + x


def example():
    return torch.linspace(-1.0, 1.0, 6), torch.arange(6) == 2
