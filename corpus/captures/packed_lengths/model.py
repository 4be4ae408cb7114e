"""A recurrent layer runs over packed sequences: their lengths, given as a list, are a constant tensor."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(2, 3, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths.tolist(), batch_first=True, enforce_sorted=False)  # cause
        states, _ = self.gru(packed)
        return pad_packed_sequence(states, batch_first=True)[0]


def example():
    return torch.linspace(-1.0, 1.0, 30).reshape(3, 5, 2), torch.tensor([3, 5, 2])
