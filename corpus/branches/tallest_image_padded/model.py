"""As tallest_image, with the padding left to an operator that follows both pictures."""

import torch
from torch.nn.utils.rnn import pad_sequence


class Net(torch.nn.Module):
    def forward(self, first, second):
        return pad_sequence([first, second], batch_first=True)


def example():
    return torch.linspace(-1.0, 1.0, 20).reshape(5, 4), torch.linspace(1.0, 2.0, 12).reshape(3, 4)
