"""A module called with other tensors than its own."""
import contextlib
import warnings

from ..._package import torch

__all__ = ['functional_call']


def _owner(module, path):
    """The module that has the last name of a dotted path, and that name."""
    owner, _, name = path.rpartition('.')
    for part in owner.split('.') if owner else ():
        module = getattr(module, part)
    return module, name


def _warn_of_tied(module, tensors):
    given = {}
    for path, tensor in tensors.items():
        owner, name = _owner(module, path)
        own = getattr(owner, name, None)
        if own is not None and given.setdefault(own, tensor) is not tensor:
            warnings.warn(f"'{path}' is tied to another name, but the two are given different tensors")


@contextlib.contextmanager
def _reparametrize_module(module, tensors):
    """Puts the given tensors in the places of the module's own; what the module assigns goes into the dictionary."""
    _warn_of_tied(module, tensors)
    places = []  # the registry, name, path and own tensor of each replaced one
    for path, tensor in tensors.items():
        owner, name = _owner(module, path)
        registry = next((r for r in (owner._parameters, owner._buffers) if name in r), owner.__dict__)
        places.append((registry, name, path, registry.get(name)))
        registry[name] = tensor
    try:
        yield
    finally:
        for registry, name, path, own in reversed(places):
            tensors[path] = registry[name]
            registry[name] = own


def functional_call(module, parameters_and_buffers, args, kwargs=None):
    """Calls `module` with the tensors of a dictionary, by dotted names, in place of its own."""
    if torch.jit.is_tracing() or isinstance(module, torch.jit.ScriptModule):
        raise RuntimeError("functional_call takes a module of Python, outside of a trace: not a compiled one")
    args = args if isinstance(args, tuple) else (args,)
    with _reparametrize_module(module, parameters_and_buffers):
        return module(*args, **(kwargs or {}))
