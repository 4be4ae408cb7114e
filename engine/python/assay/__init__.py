"""Runs exported neural networks, and code written for PyTorch, without PyTorch.

    import assay
    net = assay.load("net.pt")
    print(net(x))

`assay.torch` is the face of PyTorch over assay's engine. The program `assay python model.py` runs a
script to which that is `torch`.
"""

import importlib

from . import _engine

__version__ = _engine.__version__


def load(path, map_location=None):
    """The module that a TorchScript archive holds: callable, with its parameters and methods."""
    return importlib.import_module(".torch.jit", __name__).load(path, map_location=map_location)


def __getattr__(name):
    if name == "torch":
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module 'assay' has no attribute '{name}'")
