"""The first state of a recurrent layer is made where the input is, which for the graph is the export's device."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = torch.nn.GRUCell(3, 4)

    def forward(self, x):
        state = torch.zeros(x.shape[0], 4, device=x.device)  # cause
        return self.cell(x, state)


def example():
    return (torch.linspace(-1.0, 1.0, 6).reshape(2, 3),)
