"""Parameters that are computed from others whenever they are read."""
import copyreg
from collections.abc import Sequence
from contextlib import contextmanager
from copy import deepcopy

from assay import _engine as _C
from ..._package import torch
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
    _check_tensor(result, f"what {what} returns")
    if result.dtype != dtype:
        raise ValueError(f"{what} may not change the dtype {dtype} to {result.dtype}, unless it is registered as "
                         "unsafe")
    if result.shape != shape:
        raise ValueError(f"{what} may not change the shape {shape} to {result.shape}, unless it is registered as "
                         "unsafe")


def _check_tensor(value, what):
    if not isinstance(value, Tensor):
        raise ValueError(f"{what} must be a tensor, got a {type(value).__name__}")


def _check_inverse_dtype(value, original, name):
    if value.dtype != original.dtype:
        raise ValueError(f"right_inverse gives {value.dtype} for {name}, which is {original.dtype}")


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, and the original that they start from."""

    def __init__(self, modules, original, unsafe=False):
        if len(modules) == 0:
            raise ValueError("a ParametrizationList needs at least one parametrization")
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
        self.is_tensor = isinstance(new, Tensor)
        if self.is_tensor:
            self.ntensors = 1
            _check_inverse_dtype(new, original, "the original")
            if new is not original:
                original.data = new
            _register_parameter_or_buffer(self, 'original', original)
            return
        if not isinstance(new, Sequence):
            raise ValueError(f"right_inverse must give one or more tensors, got a {type(new).__name__}")
        self.ntensors = len(new)
        for name, part in zip(self._names(), new):
            _check_tensor(part, f"what right_inverse gives for {name}")
            if isinstance(original, Parameter):
                part = Parameter(part)
            part.requires_grad_(original.requires_grad)
            _register_parameter_or_buffer(self, name, part)

    def _names(self):
        """The attributes with the originals."""
        return ['original'] if self.is_tensor else [f'original{i}' for i in range(self.ntensors)]

    def right_inverse(self, value):
        """Changes the originals so that the parametrized tensor becomes `value`."""
        with torch.no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, 'right_inverse'):
                    raise RuntimeError(f"cannot be assigned: {type(module).__name__} has no right_inverse")
                value = module.right_inverse(value)
            values = [value] if self.is_tensor else value
            if not isinstance(values, Sequence) or len(values) != self.ntensors:
                raise ValueError(f"right_inverse must give {self.ntensors} tensors")
            for name, tensor in zip(self._names(), values):
                original = getattr(self, name)
                _check_tensor(tensor, f"what right_inverse gives for {name}")
                _check_inverse_dtype(tensor, original, name)
                original.data = tensor

    def forward(self):
        if torch.jit.is_scripting():
            raise RuntimeError("a parametrized tensor cannot be had from compiled code: remove_parametrizations before")
        else:
            first, *others = self
            value = first(*[getattr(self, name) for name in self._names()])
            for module in others:
                value = module(value)
            return value


def _inject_new_class(module):
    """Gives the module a class of its own, which can hold properties for its parametrized tensors."""
    cls = module.__class__

    def deep_copied(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = memo[id(self)] = type(self).__new__(type(self))
        made.__dict__.update(deepcopy(self.__dict__, memo))
        slots = [name for name in copyreg._slotnames(type(self)) if hasattr(self, name)]
        for name in slots:
            object.__setattr__(made, name, deepcopy(getattr(self, name), memo))
        return made

    def getstate(self):
        raise RuntimeError('a parametrized module is not pickled: save its state_dict()')

    members = {'__getstate__': getstate}
    if not hasattr(cls, '__deepcopy__'):
        members['__deepcopy__'] = deep_copied
    module.__class__ = type(f'Parametrized{cls.__name__}', (cls,), members)


def _inject_property(module, tensor_name):
    assert not hasattr(module, tensor_name)

    def get(self):
        compute = self.parametrizations[tensor_name]
        if not _cache_enabled:
            return compute()
        if _C._get_tracing_state():
            raise RuntimeError('trace outside of parametrize.cached(): its values would become constants')
        key = (id(module), tensor_name)
        if key not in _cache:
            _cache[key] = compute()
        return _cache[key]

    def set(self, value):
        of_tensor = self.parametrizations[tensor_name]
        of_tensor.right_inverse(value)

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
        chain = module.parametrizations[tensor_name]
        chain.append(parametrization)
        chain.unsafe |= unsafe
        return module
    if tensor_name not in {**module._buffers, **module._parameters}:
        raise ValueError(f"'{tensor_name}' is neither a parameter nor a buffer of {module}")
    chain = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        _inject_new_class(module)
        module.parametrizations = ModuleDict()
    _inject_property(module, tensor_name)
    module.parametrizations[tensor_name] = chain
    return module


def is_parametrized(module, tensor_name=None):
    parametrizations = getattr(module, 'parametrizations', None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Makes the tensor an ordinary one again: with its present value, or the original."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"'{tensor_name}' is not parametrized in {module}")
    chain = module.parametrizations[tensor_name]
    if chain.is_tensor:
        tensor = chain.original
        if leave_parametrized:
            with torch.no_grad():
                tensor.data = getattr(module, tensor_name)
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        tensor = Parameter(value) if chain.original0.requires_grad else value
    else:
        raise ValueError(f"'{tensor_name}' is computed from {chain.ntensors} originals, none of which can "
                         "take its place: leave_parametrized must be True")
    delattr(module.__class__, tensor_name)
    del module.parametrizations[tensor_name]
    _register_parameter_or_buffer(module, tensor_name, tensor)
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
