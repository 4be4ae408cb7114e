"""Parameters that are computed from others whenever they are read."""
import copyreg
from collections.abc import Sequence
from contextlib import contextmanager
from copy import deepcopy

from assay import _engine as _C
from ... import torch
from ..modules.container import ModuleDict, ModuleList
from ..parameter import Parameter

Tensor = torch.Tensor

__all__ = ['cached', 'ParametrizationList', 'register_parametrization', 'is_parametrized', 'remove_parametrizations',
           'type_before_parametrizations', 'transfer_parametrizations_and_params']

_cache_enabled = 0
_cache = {}


@contextmanager
def cached():
    """Inside a with block each parametrization is computed once."""
    global _cache_enabled
    _cache_enabled += 1
    try:
        yield
    finally:
        _cache_enabled -= 1
        if not _cache_enabled:
            _cache.clear()


def _register_parameter_or_buffer(module, name, tensor):
    if isinstance(tensor, Parameter):
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _check_result(result, dtype, shape, what):
    """A parametrization gives a tensor like the one that it stands for."""
    if not isinstance(result, Tensor):
        raise ValueError(f"{what} must return a tensor. Got {type(result).__name__}.")
    if result.dtype != dtype:
        raise ValueError(f"{what} may not change the dtype {dtype} to {result.dtype}, unless it is registered as "
                         "unsafe")
    if result.shape != shape:
        raise ValueError(f"{what} may not change the shape {shape} to {result.shape}, unless it is registered as "
                         "unsafe")


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, and the original that they start from."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        dtype, shape = original.dtype, original.shape
        with torch.no_grad():
            new = original
            for module in reversed(list(self)):
                if hasattr(module, 'right_inverse'):
                    try:
                        new = module.right_inverse(new)
                    except NotImplementedError:
                        pass
        self._set_originals(original, new)
        if not unsafe:
            _check_result(self(), dtype, shape, 'A parametrization')

    def _set_originals(self, original, new):
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                             f"{type(new).__name__}")
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if original.dtype != new.dtype:
                raise ValueError(f"'right_inverse' may not change the dtype {original.dtype} to {new.dtype}")
            if new is not original:
                original.data = new
            _register_parameter_or_buffer(self, 'original', original)
            return
        for i, part in enumerate(new):
            if not isinstance(part, Tensor):
                raise ValueError("'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                                 f"element {i} of the sequence with type {type(part).__name__}.")
            if isinstance(original, Parameter):
                part = Parameter(part)
            part.requires_grad_(original.requires_grad)
            _register_parameter_or_buffer(self, f'original{i}', part)

    def right_inverse(self, value):
        """Changes the originals so that the parametrized tensor becomes `value`."""
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, 'right_inverse'):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
            values = [value] if self.is_tensor else value
            if not isinstance(values, Sequence) or len(values) != self.ntensors:
                raise ValueError(f"'right_inverse' must return {self.ntensors} tensors")
            names = ['original'] if self.is_tensor else [f'original{i}' for i in range(self.ntensors)]
            for name, tensor in zip(names, values):
                original = getattr(self, name)
                if not isinstance(tensor, Tensor):
                    raise ValueError(f"`right_inverse` should return a tensor. Got {type(tensor).__name__}")
                if tensor.dtype != original.dtype:
                    raise ValueError(f"The tensor returned by `right_inverse` has dtype {tensor.dtype} while "
                                     f"`{name}` has dtype {original.dtype}")
                original.data = tensor

    def forward(self):
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*(getattr(self, f'original{i}') for i in range(self.ntensors)))
        for module in list(self)[1:]:
            x = module(x)
        return x


def _inject_new_class(module):
    """Gives the module a class of its own, which can hold properties for its parametrized tensors."""
    cls = module.__class__

    def deep_copied(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        replica = self.__new__(self.__class__)
        memo[id(self)] = replica
        replica.__dict__ = deepcopy(self.__dict__, memo)
        for slot in copyreg._slotnames(self.__class__):
            if hasattr(self, slot):
                setattr(replica, slot, deepcopy(getattr(self, slot), memo))
        return replica

    def getstate(self):
        raise RuntimeError('a parametrized module is not pickled: save its state_dict()')

    members = {'__getstate__': getstate}
    if not hasattr(cls, '__deepcopy__'):
        members['__deepcopy__'] = deep_copied
    module.__class__ = type(f'Parametrized{cls.__name__}', (cls,), members)


def _inject_property(module, tensor_name):
    assert not hasattr(module, tensor_name)

    def get(self):
        parametrization = self.parametrizations[tensor_name]
        if not _cache_enabled:
            return parametrization()
        if _C._get_tracing_state():
            raise RuntimeError('Cannot trace a model while caching parametrizations.')
        key = (id(module), tensor_name)
        if key not in _cache:
            _cache[key] = parametrization()
        return _cache[key]

    def set(self, value):
        self.parametrizations[tensor_name].right_inverse(value)

    setattr(module.__class__, tensor_name, property(get, set))


def _check_added(module, tensor_name, parametrization):
    """One more parametrization behind others keeps dtype and shape, and so does its inverse."""
    before = getattr(module, tensor_name)
    after = parametrization(before)
    _check_result(after, before.dtype, before.shape, 'A parametrization')
    if hasattr(parametrization, 'right_inverse'):
        try:
            inverse = parametrization.right_inverse(after)
        except NotImplementedError:
            return
        _check_result(inverse, before.dtype, before.shape, 'parametrization.right_inverse')


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """From now on `module.<tensor_name>` is what `parametrization` makes of the original."""
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_added(module, tensor_name, parametrization)
        module.parametrizations[tensor_name].append(parametrization)
        module.parametrizations[tensor_name].unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        parametrizations = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = parametrizations
    else:
        raise ValueError(f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with "
                         f"name '{tensor_name}'")
    return module


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, 'parametrizations', None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes the tensor an ordinary one again: with its present value, or the original."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if parametrizations.is_tensor:
        original = parametrizations.original
        if leave_parametrized:
            with torch.no_grad():
                original.data = getattr(module, tensor_name)
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value) if parametrizations.original0.requires_grad else value
    else:
        raise ValueError("Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in "
                         "terms of a sequence of tensors.")
    delattr(module.__class__, tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, 'parametrizations')
        module.__class__ = module.__class__.__bases__[0]
    return module


def type_before_parametrizations(module):
    return module.__class__.__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Gives `to_module` the parametrizations of another, with the same originals."""
    if is_parametrized(from_module):
        for name in from_module.parametrizations if tensor_name is None else [tensor_name]:
            source = from_module.parametrizations[name]
            if not hasattr(to_module, name):
                setattr(to_module, name, Parameter(getattr(from_module, name)))
            for parametrization in source:
                register_parametrization(to_module, name, parametrization)
            target = to_module.parametrizations[name]
            for original in [key for key in source._parameters if key.startswith('original')]:
                setattr(target, original, getattr(source, original))
    return to_module
