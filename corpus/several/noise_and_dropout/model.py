"""In training noise is added, and then units are dropped; traced in eval, the graph does neither."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        hidden = self.layer(x)
        if self.training:  # cause
            hidden = hidden + 0.1 * torch.randn_like(hidden)
        return torch.nn.functional.dropout(hidden, 0.5, self.training)  # cause


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
