import torch


def double(x):
    return x * torch.full((), 2.0)
