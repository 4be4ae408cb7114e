"""As step_embedding, with the type taken from the sample by an operator."""

import torch


class Net(torch.nn.Module):
    def forward(self, sample, steps):
        angles = steps[:, None] * torch.tensor([1.0, 0.1])
        embedding = torch.cat([angles.sin(), angles.cos()], dim=1)
        return sample + embedding.type_as(sample)


def example():
    return torch.linspace(-1.0, 1.0, 12).reshape(3, 4), torch.tensor([0, 3, 10])
