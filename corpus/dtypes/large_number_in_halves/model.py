"""As lowest_number_in_halves with a billion, which the model has in every element type: NaN on both sides."""

import torch


class Net(torch.nn.Module):
    def forward(self, scores, mask):
        masked = scores + (1 - mask) * -1e9
        return masked - masked.amax(dim=1, keepdim=True)


def example():
    scores = torch.linspace(-1.0, 1.0, 12).reshape(3, 4)
    return scores, (scores > 0).float()
