"""Tracing: running a function with proxies for its arguments."""

import copy
import inspect
import math
import types
import warnings

from ..utils import _pytree as pytree
from .._package import torch
from ._names import official
from ._patching import Patcher, patch_automatically, patch_wrapped, recorded_method, wrap  # noqa: F401
from ._patching import _wrapped_fns_to_patch, _wrapped_methods_to_patch  # noqa: F401
from .graph import Graph, _PyTreeCodeGen, _PyTreeInfo
from . import graph_module
from .graph_module import GraphModule
from .node import base_types
from .proxy import ParameterProxy, Proxy, TracerBase

__all__ = ["Tracer", "symbolic_trace", "wrap", "PH", "ProxyableClassMeta"]

VARIABLE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS

# The module calls and attribute reads of a model, while nothing is traced.
_module_call, _module_getattr = torch.nn.Module.__call__, torch.nn.Module.__getattr__
_proxyable_classes = {}


class ProxyableClassMeta(type):
    """Metaclass of classes whose construction may be traced: given proxies it becomes a node."""

    def __init__(cls, name, bases, attrs):
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args, **kwargs):
        found = []
        pytree.tree_map(lambda v: found.append(v.tracer) if isinstance(v, Proxy) else None, [args, kwargs])
        if not found:
            return super().__call__(*args, **kwargs)
        if len(set(map(id, found))) != 1:
            raise AssertionError("%s was given proxies of different traces" % cls.__name__)
        return found[0].create_proxy("call_function", cls, args, kwargs)


class PHBase:
    """An argument that stays an argument within concrete_args."""

    def __repr__(self):
        return "PH"


class PHWithMeta(PHBase):
    """As PH; its attributes go to the placeholder's meta data."""

    def __init__(self, ph_key=None):
        super().__init__()
        self.ph_key = ph_key


PH = PHBase()


def _assert_is_none(value, msg):
    assert value is None, msg


class Tracer(TracerBase):
    """Makes the graph of a module or a function. Derived classes say what becomes one node
    (is_leaf_module), and what arguments and proxies are made of."""

    traced_func_name = "forward"

    def __init__(self, autowrap_modules=(math,), autowrap_functions=(), param_shapes_constant=False):
        """Functions of `autowrap_modules` and `autowrap_functions` become nodes where they are given
        proxies. With `param_shapes_constant` the shapes of parameters are constants of the graph."""
        self._autowrap_search = list(autowrap_modules)
        self._autowrap_function_ids = {
            id(value) for module in autowrap_modules for name, value in vars(module).items()
            if callable(value) and not name.startswith("_")
        } | {id(function) for function in autowrap_functions}  # fmt: skip
        self.param_shapes_constant = param_shapes_constant
        self.submodule_paths = None
        self.root, self.graph, self.tensor_attrs = None, None, {}

    def __deepcopy__(self, memo):
        made = type(self).__new__(type(self))
        for name, value in vars(self).items():  # Modules of Python cannot be copied.
            made.__dict__[name] = list(value) if name == "_autowrap_search" else copy.deepcopy(value, memo)
        return made

    # -- For derived classes

    def is_leaf_module(self, m, module_qualified_name):
        """Whether calls of the module become one node: those of torch.nn do, but for Sequential."""
        return official(m.__module__).startswith("torch.nn") and not isinstance(m, torch.nn.Sequential)

    def path_of_module(self, mod):
        """The module's path in the one that is traced; NameError if it is not in there."""
        paths = self.submodule_paths
        if paths is None:
            paths = {known: name for name, known in self.root.named_modules()}
        if mod not in paths:
            raise NameError("a %s is called that is no attribute of the traced module" % type(mod).__name__)
        return paths[mod]

    def call_module(self, m, forward, args, kwargs):
        """What a call of a module gives: a proxy of one node, or what the call of `forward` gives."""
        path = self.path_of_module(m)
        if self.is_leaf_module(m, path):
            return self.create_proxy("call_module", path, args, kwargs)
        return forward(*args, **kwargs)

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        """What reading an attribute of a module gives: a proxy for a parameter, else its value."""
        if isinstance(attr_val, torch.nn.Parameter):
            members = self.root.named_parameters()
        elif isinstance(attr_val, torch.Tensor) and self.proxy_buffer_attributes:
            members = self.root.named_buffers()
        else:
            return attr_val
        return self._proxy_of_member(attr_val, members, parameter_proxy_cache)

    def _module_getattr(self, attr, attr_val, parameter_proxy_cache):
        return self.getattr(attr, attr_val, parameter_proxy_cache)

    def _proxy_of_member(self, value, named, cache):
        for name, member in named:
            if member is not value:
                continue
            if name not in cache:
                make = None
                if self.param_shapes_constant:
                    def make(node):
                        return ParameterProxy(self, node, name, value)
                cache[name] = self.create_proxy("get_attr", name, (), {}, proxy_factory_fn=make)
            return cache[name]
        return value

    def create_arg(self, a):
        root = self.root
        for kind, members in ((torch.nn.Parameter, root.named_parameters), (torch.Tensor, root.named_buffers),
                              (torch.nn.Module, root.named_modules)):
            if isinstance(a, kind):
                name = next((name for name, member in members() if member is a), None)
                if name is not None:
                    return self.create_node("get_attr", name, (), {})
                if kind is torch.nn.Parameter:
                    raise NameError("a parameter is used that the traced module does not have")
                break
        if isinstance(a, (torch.Tensor, _script_object())):
            if a not in self.tensor_attrs:
                self.tensor_attrs[a] = self._keep(a, "_tensor_constant")
            return self.create_node("get_attr", self.tensor_attrs[a], (), {})
        if type(a) in _proxyable_classes:
            return self.create_node("get_attr", self._keep(a, "_%s_constant_" % type(a).__name__), (), {})
        return super().create_arg(a)

    def _keep(self, value, prefix):
        """Makes the value an attribute of the module, under a name that is free."""
        number = 0
        while hasattr(self.root, prefix + str(number)):
            number += 1
        setattr(self.root, prefix + str(number), value)
        return prefix + str(number)

    # -- Tracing

    def trace(self, root, concrete_args=None):
        """The graph of a module or a function. `concrete_args` fixes arguments at values, by name or as
        a tuple; PH in containers there is an argument of its own."""
        if isinstance(root, torch.nn.Module):
            self.root = root
            if not hasattr(type(root), self.traced_func_name):
                raise AssertionError("traced_func_name %s doesn't exist in %s" % (self.traced_func_name, type(root).__name__))
            function = getattr(type(root), self.traced_func_name)
            self.submodule_paths = {module: name for name, module in root.named_modules()}
        else:
            self.root, function = torch.nn.Module(), root
        self.graph = Graph(tracer_cls=type(self))
        self.tensor_attrs = {}
        self._note_tensors(self.root, "")
        if not isinstance(function, types.FunctionType):
            kind = type(function).__name__
            raise AssertionError("modules and Python functions can be traced, not %s" % kind)
        namespace, annotations = function.__globals__, function.__annotations__
        function, args = self.create_args_for_root(function, isinstance(root, torch.nn.Module), concrete_args)
        try:
            with Patcher() as patcher:
                self._patch_modules(patcher)
                patch_wrapped(patcher)
                patch_automatically(patcher, namespace, self._autowrap_function_ids)
                for module in self._autowrap_search:
                    patch_automatically(patcher, vars(module), self._autowrap_function_ids)
                result = self.create_arg(function(*args))
                self.create_node("output", "output", (result,), {}, type_expr=annotations.get("return", None))
        finally:
            self.submodule_paths = None
        return self.graph

    def _note_tensors(self, module, prefix):
        for name, value in vars(module).items():
            if isinstance(value, (torch.Tensor, _script_object())):
                self.tensor_attrs[value] = prefix + name
        for name, child in module.named_children():
            self._note_tensors(child, prefix + name + ".")

    def _patch_modules(self, patcher):
        """Calls of modules, and reads of their parameters, go by this tracer."""
        proxies = {}

        def read(module, name):
            return self._module_getattr(name, _module_getattr(module, name), proxies)

        def call(module, *args, **kwargs):
            def forward(*args, **kwargs):
                return _module_call(module, *args, **kwargs)

            namespace = getattr(getattr(module, "forward", module), "__globals__", {})
            patch_automatically(patcher, namespace, self._autowrap_function_ids)
            return self.call_module(module, forward, args, kwargs)

        patcher.patch_method(torch.nn.Module, "__getattr__", read)
        patcher.patch_method(torch.nn.Module, "__call__", call)

    # -- Arguments

    def create_args_for_root(self, root_fn, is_module, concrete_args=None):
        """(function, arguments to call it with): placeholders, and what is fixed."""
        described = inspect.unwrap(root_fn)
        code, signature = described.__code__, inspect.signature(described)
        total = code.co_argcount + code.co_kwonlyargcount
        names, args = list(code.co_varnames), []
        if is_module:
            if total == 0:
                raise RuntimeError("a method that is traced names its first argument: `self` cannot be part of *args expansion")
            args.append(self.root)
        own_names = names[len(args) : total]
        if isinstance(concrete_args, tuple):
            if len(own_names) != len(concrete_args):
                text = "there are %d arguments, and concrete_args has %d values: it has one for each"
                raise RuntimeError(text % (len(own_names), len(concrete_args)))
            concrete_args = dict(zip(own_names, concrete_args))
        types_of = described.__annotations__
        for name in own_names:
            default = signature.parameters[name].default
            if name in (concrete_args or ()):
                args.append(self._fixed(name, concrete_args[name], default))
            else:
                args.append(self._placeholder(name, default, types_of.get(name)))
        if code.co_kwonlyargcount > 0 or code.co_flags & VARIABLE:
            rest = iter(names[total:])
            if code.co_flags & inspect.CO_VARARGS:
                args.append(self._placeholder("*" + next(rest), inspect.Parameter.empty, None))
            if code.co_flags & inspect.CO_VARKEYWORDS:
                args.append(self._placeholder("**" + next(rest), inspect.Parameter.empty, None))
            wrapped = described is not root_fn and not code.co_flags & VARIABLE
            by_name = names[code.co_argcount : total] if wrapped else None
            root_fn = _of_names(root_fn, by_name) if wrapped else _of_positions(root_fn, len(args))
        leaves, spec = pytree.tree_flatten(tuple(args))
        if all(isinstance(child, pytree.LeafSpec) for child in spec.children_specs):
            return root_fn, args
        return self._flattened(root_fn, names[:total], spec), leaves

    def _placeholder(self, name, default, annotation):
        given = () if default is inspect.Parameter.empty else (default,)
        return self.create_proxy("placeholder", name, given, {}, type_expr=annotation)

    def _fixed(self, name, value, default):
        """An argument at its fixed value: the graph still takes it, and checks it."""
        count = 0

        def fix(leaf):
            nonlocal count
            count += 1
            made = self._placeholder("%s_%d" % (name, count), default, None)
            if isinstance(leaf, PHBase):
                if leaf is not PH:
                    for attribute, held in vars(leaf).items():
                        made.node.meta[attribute] = held
                return made
            self._check_fixed(name, made, leaf)
            return leaf

        return pytree.tree_map(fix, value)

    def _check_fixed(self, name, proxy, value):
        text = "%s has been specialized to have value %s but got another value"
        if isinstance(value, base_types) and not isinstance(value, torch.Tensor):
            torch._assert(proxy == value, text % (name, value))
        elif value is None:
            self.create_proxy("call_function", _assert_is_none, (proxy, text % (name, None)), {})
        else:
            warnings.warn(
                "nothing in the graph checks that %s has the value it was traced with: a %s cannot be compared there"
                % (name, type(value).__name__)
            )

    def _flattened(self, root_fn, names, in_spec):
        """The function of the leaves of its arguments, which gives the leaves of its result."""
        self.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(names, in_spec, None))

        def of_leaves(*leaves):
            result = root_fn(*pytree.tree_unflatten(list(leaves), in_spec))
            leaves, out_spec = pytree.tree_flatten(result)
            codegen = self.graph._codegen
            codegen.pytree_info = codegen.pytree_info._replace(out_spec=out_spec)
            return leaves

        return of_leaves


graph_module.default_tracer = Tracer


def _script_object():
    """The class of TorchScript objects that are no modules; () where there is none."""
    return getattr(torch._C, "ScriptObject", ()) or ()


def _of_names(function, names):
    """A function that takes the last arguments, which have these names, by position too."""

    def call(*args):
        count = len(args) - len(names)
        return function(*args[:count], **dict(zip(names, args[count:])))

    return call


def _of_positions(function, count):
    """A function whose *args and **kwargs are plain parameters, so that a proxy can stand for each."""
    code = function.__code__
    code = code.replace(
        co_argcount=count, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=code.co_flags & ~VARIABLE
    )
    made = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = dict(function.__kwdefaults__ or {})
    return made


def symbolic_trace(root, concrete_args=None):
    """The GraphModule of a module or a function: `Tracer().trace` and its code."""
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
