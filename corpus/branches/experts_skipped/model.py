"""Experts that no row was routed to are left out: which ones, the trace has decided."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(5)
        self.experts = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))

    def forward(self, x, route):
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows = (route == number).nonzero().flatten()
            if rows.numel() == 0:  # cause
                continue
            out = out.index_add(0, rows, expert(x[rows]))
        return out


def example():
    return torch.linspace(-1.0, 1.0, 8).reshape(4, 2), torch.tensor([0, 2, 0, 2])
