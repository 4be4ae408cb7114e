"""In Python a single row comes back as a dict; what is scripted gives the pair, whatever the rows."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(3, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        hidden = torch.relu(self.body(x))
        for _ in range(2):
            hidden = torch.tanh(hidden)
        score = self.head(hidden)
        size = hidden.sum(-1)
        if not torch.jit.is_scripting():  # cause
            if len(x) == 1:
                return {"score": score, "size": size}
        return score, size


def example():
    return (torch.linspace(-1.0, 1.0, 6).view(2, 3),)
