"""The former place of torch.ao.quantization."""

from .ao import quantization as _there


def __getattr__(name):
    return getattr(_there, name)
