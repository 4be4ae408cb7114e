"""Three sentences lie behind one another: where each ends was read from the graph as a list."""

import torch


class Net(torch.nn.Module):
    def forward(self, words, lengths):
        sums = []
        begin = 0
        for length in lengths.tolist():  # cause
            sums.append(words[begin : begin + length].sum(dim=0))
            begin += length
        return torch.stack(sums)


def example():
    return torch.linspace(-1.0, 1.0, 30).reshape(10, 3), torch.tensor([3, 5, 2])
