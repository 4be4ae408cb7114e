"""Parts come as a list: its trace takes as many as the example had."""

import torch


class Net(torch.nn.Module):
    def forward(self, parts):
        stacked = torch.cat(parts)  # cause
        return stacked.mean(dim=0)


def example():
    x = torch.linspace(-1.0, 1.0, 8).reshape(2, 4)
    return ([x, x + 1, x + 2],)
