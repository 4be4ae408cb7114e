"""As initial_state, with the size itself: the state has a row for each input."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = torch.nn.Linear(4, 6)
        self.inner = torch.nn.Linear(6, 6, bias=False)

    def forward(self, x):
        state = torch.zeros(x.shape[0], 6)
        for _ in range(2):
            state = torch.tanh(self.inward(x) + self.inner(state))
        return state


def example():
    return (torch.linspace(-1.0, 1.0, 12).reshape(3, 4),)
