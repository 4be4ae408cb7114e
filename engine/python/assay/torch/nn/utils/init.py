"""Modules without their initial values."""
import inspect

from ... import torch
from ..modules import Module


def skip_init(module_cls, *args, **kwargs):
    """A module whose initial values are not to be relied on; making it draws no random numbers."""
    if not issubclass(module_cls, Module):
        raise RuntimeError(f'Expected a Module; got {module_cls}')
    if 'device' not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    state = torch.get_rng_state()
    module = module_cls(*args, **kwargs)
    torch.set_rng_state(state)
    return module
