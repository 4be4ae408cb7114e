"""Modules without their initial values."""
import inspect

from ..._package import torch
from ..modules import Module


def skip_init(module_cls, *args, **kwargs):
    """A module whose initial values are not to be relied on; making it draws no random numbers."""
    if not issubclass(module_cls, Module):
        raise RuntimeError(f'{module_cls} is no class of modules')
    taken = inspect.signature(module_cls).parameters
    if 'device' not in taken:
        raise RuntimeError(f"{module_cls.__name__} takes no argument 'device', which skip_init needs")
    state = torch.get_rng_state()
    module = module_cls(*args, **kwargs)
    torch.set_rng_state(state)
    return module
