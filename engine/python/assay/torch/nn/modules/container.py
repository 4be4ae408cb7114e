"""Modules that hold other modules, or parameters, as lists and dictionaries."""
import operator
import warnings
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from itertools import chain

from ..._package import torch
from ..parameter import Parameter
from .module import Module


def _position(index, size):
    """A place in 0..size-1 for an index that may count from the end."""
    index = operator.index(index)
    if not -size <= index < size:
        raise IndexError(f'index {index} is out of range')
    return index % size


def _named_pairs(given, owner, mappings):
    """Pairs of key and value of a mapping or of an iterable of pairs."""
    if not isinstance(given, Iterable):
        raise TypeError(f"{owner}.update takes a mapping or pairs, got a {type(given).__name__}")
    if isinstance(given, mappings):
        yield from given.items()
        return
    for place, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{owner}.update takes pairs; at place {place} it got a {type(pair).__name__}")
        if len(pair) != 2:
            raise ValueError(f"{owner}.update takes pairs; at place {place} it got {len(pair)} elements")
        yield pair[0], pair[1]


class Container(Module):
    """What held modules before Sequential, ModuleList and ModuleDict."""

    def __init__(self, **kwargs):
        super().__init__()
        warnings.warn("nn.Container does nothing that nn.Module does not: derive from nn.Module")
        for name, module in kwargs.items():
            self.add_module(name, module)


class _NumberedModules:
    """What Sequential and ModuleList share: children in order, which a deletion numbers anew."""

    def _key(self, index):
        return list(self._modules)[_position(index, len(self))]

    def __setitem__(self, idx, module):
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx):
        for key in list(self._modules)[idx] if isinstance(idx, slice) else [self._key(idx)]:
            delattr(self, key)
        self._modules = OrderedDict((str(i), module) for i, module in enumerate(self._modules.values()))

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key):
        removed = self[key]
        del self[key]
        return removed

    def _insert(self, index, module):
        moved = [self._modules[str(i)] for i in range(index, len(self))]
        self._modules.update((str(i), each) for i, each in enumerate([module, *moved], index))


class Sequential(_NumberedModules, Module):
    """Calls its modules one after the other, each with what the one before gave."""

    def __init__(self, *args):
        super().__init__()
        named = len(args) == 1 and isinstance(args[0], OrderedDict)
        for name, module in args[0].items() if named else enumerate(args):
            self.add_module(str(name), module)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def _check_other(self, other):
        if not isinstance(other, Sequential):
            raise ValueError(f'only a Sequential can be added to a Sequential, not a {type(other).__name__}')

    def __add__(self, other):
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other):
        self._check_other(other)
        return self.extend(list(other))

    def _check_factor(self, factor):
        if not isinstance(factor, int):
            raise TypeError(f"a Sequential is repeated an integer number of times, not {factor!r}")
        if factor <= 0:
            raise ValueError(f"a Sequential is repeated once or more, not {factor} times")

    def __mul__(self, other):
        self._check_factor(other)
        return Sequential(*list(self) * other)

    def __rmul__(self, other):
        return self.__mul__(other)

    def __imul__(self, other):
        self._check_factor(other)
        return self.extend(list(self) * (other - 1))

    def forward(self, input):
        for module in self:
            input = module(input)
        return input

    def insert(self, index, module):
        if not isinstance(module, Module):
            raise AssertionError(f'only a Module can be inserted, not a {type(module).__name__}')
        if not -len(self) <= index <= len(self):
            raise IndexError(f'there is no place {index} among {len(self)} modules')
        self._insert(index + len(self) if index < 0 else index, module)
        return self

    def extend(self, sequential):
        for module in sequential:
            self.append(module)
        return self


class ModuleList(_NumberedModules, Module):
    """A list of modules that registers them."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self += modules

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[str(_position(idx, len(self)))]

    def __iadd__(self, modules):
        return self.extend(modules)

    def __add__(self, other):
        return ModuleList(chain(self, other))

    def insert(self, index, module):
        self._insert(index, module)

    def extend(self, modules):
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend takes an iterable of modules, got a {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self


class ModuleDict(Module):
    """A dictionary of modules that registers them."""

    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def clear(self):
        self._modules.clear()

    def pop(self, key):
        removed = self[key]
        del self[key]
        return removed

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        for key, module in _named_pairs(modules, "ModuleDict", (ModuleDict, Mapping)):
            self[key] = module


def _refuse_call(holder):
    raise RuntimeError(f"a {type(holder).__name__} has no forward: it only holds parameters, use those")


def _as_parameter(value):
    return Parameter(value) if isinstance(value, torch.Tensor) and not isinstance(value, Parameter) else value


def _described(key, value, typename):
    """A line of a parameter container's repr."""
    if not isinstance(value, torch.Tensor):
        return f'  ({key}): Object of type: {type(value).__name__}'
    size = 'x'.join(str(length) for length in value.size())
    device = f' (GPU {value.get_device()})' if value.is_cuda else ''
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f'  ({key}): {kind} containing: [{typename(value)} of size {size}{device}]'


class ParameterList(Module):
    """A list of parameters that registers them; tensors in it become parameters."""

    def __init__(self, values=None):
        super().__init__()
        self._size = 0
        if values is not None:
            self += values

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(self[i] for i in range(*idx.indices(len(self))))
        return getattr(self, str(_position(idx, len(self))))

    def __setitem__(self, idx, param):
        setattr(self, str(_position(idx, len(self))), _as_parameter(param))

    def __len__(self):
        return self._size

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))

    def __iadd__(self, parameters):
        return self.extend(parameters)

    def __dir__(self):
        return [key for key in super().__dir__() if not key.isdigit()]

    def append(self, value):
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values):
        if not isinstance(values, Iterable) or isinstance(values, torch.Tensor):
            raise TypeError(f"ParameterList.extend takes an iterable, got a {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def extra_repr(self):
        return '\n'.join(_described(i, value, lambda tensor: tensor.dtype) for i, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        _refuse_call(self)


class ParameterDict(Module):
    """A dictionary of parameters that registers them; tensors in it become parameters."""

    def __init__(self, parameters=None):
        super().__init__()
        self._keys = {}
        if parameters is not None:
            self.update(parameters)

    def _key_to_attr(self, key):
        if not isinstance(key, str):
            raise TypeError(f"a ParameterDict's keys are strings, got one of type '{type(key).__name__}'")
        return key

    def __getitem__(self, key):
        return getattr(self, self._key_to_attr(key))

    def __setitem__(self, key, value):
        attribute = self._key_to_attr(key)
        self._keys[key] = None
        setattr(self, attribute, _as_parameter(value))

    def __delitem__(self, key):
        del self._keys[key]
        delattr(self, self._key_to_attr(key))

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __reversed__(self):
        return reversed(list(self._keys))

    def __contains__(self, key):
        return key in self._keys

    def copy(self):
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        for key in list(self._keys):
            del self[key]

    def pop(self, key):
        removed = self[key]
        del self[key]
        return removed

    def popitem(self):
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def fromkeys(self, keys, default=None):
        return ParameterDict((key, default) for key in keys)

    def keys(self):
        return self._keys.keys()

    def items(self):
        return ((key, self[key]) for key in self._keys)

    def values(self):
        return (self[key] for key in self._keys)

    def update(self, parameters):
        # A plain dictionary goes in sorted by its keys, whatever its order: that decides the state dict's order.
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            parameters = sorted(parameters.items())
        for key, parameter in _named_pairs(parameters, "ParameterDict", (OrderedDict, ParameterDict)):
            self[key] = parameter

    def extra_repr(self):
        return '\n'.join(_described(key, value, torch.typename) for key, value in self.items())

    def __call__(self, input):
        _refuse_call(self)

    def __or__(self, other):
        merged = self.copy()
        merged.update(other)
        return merged

    def __ror__(self, other):
        merged = other.copy()
        merged.update(self)
        return merged

    def __ior__(self, other):
        self.update(other)
        return self
