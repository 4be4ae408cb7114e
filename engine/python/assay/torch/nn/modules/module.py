"""Module: the base of every network and every layer."""
from collections import OrderedDict
from typing import Optional

from assay import _engine as _C
from ..._package import torch
from ...utils import hooks
from ..parameter import Parameter
from ._module_state import ModuleState, _EXTRA_STATE_KEY_SUFFIX, _IncompatibleKeys, _WrappedHook
from ._module_tree import ModuleTree

_global_forward_pre_hooks = OrderedDict()
_global_forward_hooks = OrderedDict()
_global_backward_hooks = OrderedDict()
_global_is_full_backward_hook = None

# Told of plain attributes that are assigned, while a trace is recorded (torch/jit/_escapes).
written = None


def register_module_forward_pre_hook(hook):
    """`hook(module, input)` runs before the forward of every module."""
    return hooks.register(_global_forward_pre_hooks, hook)


def register_module_forward_hook(hook):
    """`hook(module, input, output)` runs after the forward of every module."""
    return hooks.register(_global_forward_hooks, hook)


def register_module_full_backward_hook(hook):
    """Kept for models that register one: assay has no backward pass that would call it."""
    return hooks.register(_global_backward_hooks, hook)


register_module_backward_hook = register_module_full_backward_hook


def _addindent(text, spaces):
    first, *rest = text.split('\n')
    return '\n'.join([first, *(' ' * spaces + line for line in rest)])


def _forward_unimplemented(self, *input):
    raise NotImplementedError(f"{type(self).__name__} cannot be called: its class defines no forward()")


def _check_kind(value, wanted, role):
    """What stands in a registry is of its class, or None."""
    if value is not None and not isinstance(value, wanted):
        raise TypeError(f"{role} must be a {wanted.__name__} or None, got {torch.typename(value)}")


def _in_order(of_all, own):
    """The hooks of every module, then those of one; they may remove themselves meanwhile."""
    return [*of_all.values(), *own.values()]


def _discard_name(name, *collections):
    for collection in collections:
        if isinstance(collection, dict):
            collection.pop(name, None)
        else:
            collection.discard(name)


class Module(ModuleTree, ModuleState):
    """Parameters, buffers and child modules, registered by assigning them, and a forward to be overridden."""

    dump_patches = False
    training: bool
    _is_full_backward_hook: Optional[bool]

    def __init__(self):
        # Straight into the object: __setattr__ needs these dictionaries.
        self.__dict__.update(
            training=True, _parameters=OrderedDict(), _buffers=OrderedDict(), _non_persistent_buffers_set=set(),
            _backward_hooks=OrderedDict(), _is_full_backward_hook=None, _forward_hooks=OrderedDict(),
            _forward_pre_hooks=OrderedDict(), _state_dict_hooks=OrderedDict(),
            _load_state_dict_pre_hooks=OrderedDict(), _load_state_dict_post_hooks=OrderedDict(),
            _modules=OrderedDict())

    forward = _forward_unimplemented

    def _registry(self, attribute):
        """One of the dictionaries that __init__ makes."""
        registry = self.__dict__.get(attribute)
        if registry is None:
            raise AttributeError(f"{type(self).__name__}.__init__ must call super().__init__() before it "
                                 "assigns parameters, buffers or modules")
        return registry

    def _check_name(self, kind, name, taken):
        """A name can be registered: a string without a dot that no other attribute has."""
        if not isinstance(name, str):
            raise TypeError(f"a {kind} is registered under a string, not under a {torch.typename(name)}")
        if hasattr(self, name) and name not in taken:
            raise KeyError(f"{type(self).__name__} has an attribute '{name}' that is no {kind}")
        if not name or '.' in name:
            raise KeyError(f"'{name}' cannot name a {kind}: it is empty or has a dot in it")

    def register_buffer(self, name, tensor, persistent=True):
        """Adds a tensor that is state but no parameter; with `persistent` false it stays out of state dicts."""
        buffers = self._registry('_buffers')
        self._check_name('buffer', name, buffers)
        _check_kind(tensor, torch.Tensor, f"buffer '{name}'")
        buffers[name] = tensor
        transient = self._non_persistent_buffers_set
        (transient.discard if persistent else transient.add)(name)

    def register_parameter(self, name, param):
        """Adds a parameter, or None where the module has the name but not this time the parameter."""
        parameters = self._registry('_parameters')
        self._check_name('parameter', name, parameters)
        _check_kind(param, Parameter, f"parameter '{name}'")
        parameters[name] = param

    def add_module(self, name, module):
        """Adds a child module under `name`."""
        _check_kind(module, Module, f"child module '{name}'")
        self._check_name('module', name, self._modules)
        self._modules[name] = module

    def register_module(self, name, module):
        self.add_module(name, module)

    def __getattr__(self, name):
        for registry in ('_parameters', '_buffers', '_modules'):
            members = self.__dict__.get(registry)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        if isinstance(value, Parameter):
            self._registry('_parameters')
            _discard_name(name, own, self._buffers, self._modules, self._non_persistent_buffers_set)
            self.register_parameter(name, value)
        elif name in own.get('_parameters', ()):
            _check_kind(value, Parameter, f"parameter '{name}'")
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            children = self._registry('_modules')
            _discard_name(name, own, self._parameters, self._buffers, self._non_persistent_buffers_set)
            children[name] = value
        else:
            # None, or a tensor for a buffer, takes the place of what is registered.
            for attribute, wanted, kind in _REPLACEABLE:
                if name in own.get(attribute, ()):
                    _check_kind(value, wanted, f"{kind} '{name}'")
                    own[attribute][name] = value
                    return
            object.__setattr__(self, name, value)
            if written is not None:
                written(self, name, value)

    def __delattr__(self, name):
        for registry in (self._parameters, self._buffers, self._modules):
            if name in registry:
                del registry[name]
                if registry is self._buffers:
                    _discard_name(name, self._non_persistent_buffers_set)
                return
        object.__delattr__(self, name)

    def __setstate__(self, state):
        self.__dict__.update(state)
        # Modules pickled by old versions lack the registries that came later.
        self.__dict__.setdefault('_non_persistent_buffers_set', set())
        self.__dict__.setdefault('_is_full_backward_hook', None)
        for name in ('_forward_pre_hooks', '_state_dict_hooks', '_load_state_dict_pre_hooks',
                     '_load_state_dict_post_hooks'):
            self.__dict__.setdefault(name, OrderedDict())

    def register_forward_pre_hook(self, hook):
        """`hook(module, input)` runs before forward; what it returns, if anything, becomes the input."""
        return hooks.register(self._forward_pre_hooks, hook)

    def register_forward_hook(self, hook):
        """`hook(module, input, output)` runs after forward; what it returns, if anything, becomes the output."""
        return hooks.register(self._forward_hooks, hook)

    def register_full_backward_hook(self, hook):
        """Kept for models that register one: assay has no backward pass that would call it."""
        if self._is_full_backward_hook is False:
            raise RuntimeError("a module cannot have a backward hook and a full backward hook")
        self._is_full_backward_hook = True
        return hooks.register(self._backward_hooks, hook)

    def register_backward_hook(self, hook):
        """Kept for models that register one: assay has no backward pass that would call it."""
        if self._is_full_backward_hook is True:
            raise RuntimeError("a module cannot have a backward hook and a full backward hook")
        self._is_full_backward_hook = False
        return hooks.register(self._backward_hooks, hook)

    def _slow_forward(self, *input, **kwargs):
        """Forward while a trace is recorded: what it calls is recorded inside this module's scope."""
        state = _C._get_tracing_state()
        modules = torch.jit._trace._trace_module_map
        scope = modules.get(self) if state and modules is not None else None
        if not scope or isinstance(self, torch.jit.ScriptModule):
            return self.forward(*input, **kwargs)
        state.push_scope(scope)
        try:
            return self.forward(*input, **kwargs)
        finally:
            state.pop_scope()

    def _call_impl(self, *input, **kwargs):
        forward = self._slow_forward if _C._get_tracing_state() else self.forward
        if not (self._forward_hooks or self._forward_pre_hooks or _global_forward_hooks
                or _global_forward_pre_hooks):
            return forward(*input, **kwargs)
        for hook in _in_order(_global_forward_pre_hooks, self._forward_pre_hooks):
            changed = hook(self, input)
            if changed is not None:
                input = changed if isinstance(changed, tuple) else (changed,)
        result = forward(*input, **kwargs)
        for hook in _in_order(_global_forward_hooks, self._forward_hooks):
            changed = hook(self, input, result)
            if changed is not None:
                result = changed
        return result

    __call__ = _call_impl

    def _apply(self, fn):
        """Converts every parameter, gradient and buffer in place by `fn`; a parameter stays the same object."""
        for module in self.children():
            module._apply(fn)
        for parameter in self._parameters.values():
            if parameter is not None:
                with torch.no_grad():
                    parameter.data = fn(parameter)
                    if parameter.grad is not None:
                        parameter.grad.data = fn(parameter.grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn):
        """Calls `fn` with every descendant and then with this module."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def _convert_floating_point(self, convert):
        return self._apply(lambda t: convert(t) if t.is_floating_point() else t)

    def float(self):
        return self._convert_floating_point(lambda t: t.float())

    def double(self):
        return self._convert_floating_point(lambda t: t.double())

    def half(self):
        return self._convert_floating_point(lambda t: t.half())

    def bfloat16(self):
        return self._convert_floating_point(lambda t: t.bfloat16())

    def to_empty(self, *, device):
        """Moves the module to `device` without its values."""
        return self._apply(lambda t: torch.empty_like(t, device=device))

    def to(self, *args, **kwargs):
        """Converts device and dtype of the parameters and buffers; a dtype is for the floating point ones alone."""
        device, dtype, non_blocking, memory_format = _parse_to(*args, **kwargs)
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f'a module is converted to a floating point or complex dtype, not to {dtype}')

        def convert(t):  # PyTorch's name: a trace calls values by those of variables.
            wanted = dtype if t.is_floating_point() or t.is_complex() else None
            if memory_format is not None and t.dim() in (4, 5):
                return t.to(device, wanted, non_blocking, memory_format=memory_format)
            return t.to(device, wanted, non_blocking)

        return self._apply(convert)

    def train(self, mode=True):
        """Sets training mode here and in every descendant."""
        if not isinstance(mode, bool):
            raise ValueError(f"train() takes True or False, got {mode!r}")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=False):
        for parameter in self.parameters():
            if parameter.grad is not None:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad.zero_()

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        """What stands in this module's line when it is printed; one line or several."""
        return ''

    def __repr__(self):
        inside = self.extra_repr()
        children = [f'({name}): {_addindent(repr(module), 2)}' for name, module in self._modules.items()]
        if children or '\n' in inside:
            lines = (inside.split('\n') if inside else []) + children
            inside = ''.join(f'\n  {line}' for line in lines) + '\n'
        return f'{self._get_name()}({inside})'

    def __dir__(self):
        names = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(name for name in names if not name[0].isdigit())

    def _replicate_for_data_parallel(self):
        replica = self.__new__(type(self))
        replica.__dict__ = self.__dict__.copy()
        replica._parameters = OrderedDict()
        replica._buffers = replica._buffers.copy()
        replica._modules = replica._modules.copy()
        replica._is_replica = True
        return replica


_REPLACEABLE = (('_modules', Module, 'child module'), ('_buffers', torch.Tensor, 'buffer'))


def _parse_to(*args, device=None, dtype=None, non_blocking=False, memory_format=None, tensor=None):
    """The arguments of `to`: a tensor to be like, or a device, a dtype, both; then non_blocking."""
    rest = list(args)
    if rest and isinstance(rest[0], torch.Tensor):
        tensor = rest.pop(0)
    if tensor is not None:
        device, dtype = tensor.device, tensor.dtype
    elif rest and isinstance(rest[0], torch.dtype):
        dtype = rest.pop(0)
    elif rest:
        device = rest.pop(0)
        if rest and (rest[0] is None or isinstance(rest[0], torch.dtype)):
            dtype = rest.pop(0)
    if rest:
        non_blocking = rest.pop(0)
    if rest:
        raise TypeError(f"Module.to takes (device, dtype, non_blocking), (dtype, non_blocking) or "
                        f"(tensor, non_blocking), got also {rest}")
    return torch.device(device) if device is not None else None, dtype, non_blocking, memory_format
