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
    """The module that a TorchScript archive holds, as a Model."""
    return Model(importlib.import_module(".torch.jit", __name__).load(path, map_location=map_location))


class Model:
    """A loaded module. Called with numpy's arrays (also inside of lists, tuples and dicts) it gives
    arrays, without copying either; called with tensors it gives tensors. All else (parameters, methods,
    graph, code) is the module's own."""

    def __init__(self, module):
        self.module = module

    def __call__(self, *args, **kwargs):
        seen = []
        result = self.module(*_each(args, _tensor_of, seen), **_each(kwargs, _tensor_of, seen))
        return _each(result, _array_of, []) if seen else result

    def __getattr__(self, name):
        return getattr(self.module, name)

    def __repr__(self):
        return repr(self.module)


def _each(value, change, seen):
    """The value with each leaf changed; `seen` tells that an array was among them."""
    if isinstance(value, dict):
        return {key: _each(item, change, seen) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_each(item, change, seen) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_each(item, change, seen) for item in value)
    return change(value, seen)


def _tensor_of(value, seen):
    # numpy's own, told without importing it.
    if type(value).__module__ == "numpy" and type(value).__name__ == "ndarray":
        seen.append(True)
        return importlib.import_module(".torch", __name__).from_numpy(value)
    return value


def _array_of(value, _):
    return value.detach().numpy() if isinstance(value, _engine.TensorBase) else value


def __getattr__(name):
    if name == "torch":
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module 'assay' has no attribute '{name}'")
