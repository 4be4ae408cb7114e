"""As rotary_table, traced beyond the table, which the graph then holds in that length."""

import torch


def table(length):
    angles = torch.arange(length)[:, None] * torch.tensor([1.0, 0.1])
    return angles.cos()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", table(4), persistent=False)

    def forward(self, x):
        rows = self.kept
        if x.shape[1] > rows.shape[0]:
            rows = table(2 * int(x.shape[1]))  # cause
        return x * rows[: x.shape[1]]


def example():
    return (torch.linspace(-1.0, 1.0, 24).reshape(2, 6, 2),)
