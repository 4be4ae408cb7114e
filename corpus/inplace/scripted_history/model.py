"""A list of the caller's is filled until it is long enough: scripted code fills a copy of it."""

from typing import List

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(3, 4)

    def remember(self, state, history: List[torch.Tensor]):
        if len(history) < 3:
            history.append(state)  # cause

    def forward(self, x, state, history: List[torch.Tensor]):
        state = self.cell(x, state)
        self.remember(state, history)
        return state, torch.stack(history).mean(0)


def example():
    return torch.ones(2, 3), torch.zeros(2, 4), [torch.ones(2, 4), torch.zeros(2, 4)]
