"""A length made an int once is a literal in dozens of places of three layers: one cause, told once."""

import torch


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)

    def forward(self, x, length):
        query = self.mix(x).view(-1, length, 2, 2).transpose(1, 2)
        key = x.view(-1, length, 2, 2).permute(0, 2, 3, 1)
        value = x.view(-1, length, 2, 2).transpose(1, 2)
        scores = torch.matmul(query, key) / length
        scores = scores + torch.ones(length, length).triu(1) * -100
        mixed = torch.matmul(scores.softmax(dim=3), value)
        return x + mixed.transpose(1, 2).reshape(-1, length, 4)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(3)])

    def forward(self, x):
        length = int(x.shape[1])  # cause
        for layer in self.layers:
            x = layer(x, length)
        return x


def example():
    return (torch.linspace(-1.0, 1.0, 40).reshape(2, 5, 4),)
