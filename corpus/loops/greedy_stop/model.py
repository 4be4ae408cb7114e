"""A decoder stops as soon as every row has said the last word: as many steps as the example took."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.steps = 5

    def forward(self, state):
        said = []
        for _ in range(self.steps):  # cause
            state = torch.stack([state[:, 1], state[:, 0] * 0.5, state[:, 2] + 0.4], 1)
            said.append(state.softmax(-1))
            if bool((state.argmax(-1) == 2).all()):
                break
        return torch.stack(said, 1)


def example():
    return (torch.tensor([[1.0, 0.8, 0.1], [0.5, 0.2, -0.1]]),)
