"""Tracing with tensors that have a shape and no elements, so that programs can ask for sizes."""

import builtins
import functools
import warnings

from ..._package import torch
from .._patching import Patcher, find_proxy
from .._symbolic_trace import Tracer
from ..graph_module import GraphModule
from ..node import map_aggregate
from ..proxy import Attribute, Proxy


def _same(x, *args, **kwargs):
    return x


def _embedding(module, ids):
    return torch.empty(*ids.shape, module.weight.shape[-1], device="meta")


def _where(condition, x, y):
    shape = torch.broadcast_tensors(*(one.to(device="meta") for one in (condition, x, y)))[0].shape
    return torch.empty(shape, dtype=torch.result_type(x, y), device="meta")


def _same_of_module(module, x):
    return x


# How the result of some functions and modules looks, where their own code asks for elements.
manual_meta_overrides = {
    torch.nn.Embedding: _embedding, torch.nn.LayerNorm: _same_of_module, torch.nn.ReLU: _same_of_module,
    torch.relu: _same, torch.nn.functional.relu: _same, torch.abs: _same, torch.where: _where,
}  # fmt: skip


class MetaProxy(Proxy):
    """A proxy that answers what its shape and dtype are."""

    def install_tensor_meta(self, tensor_meta):
        self._tensor_meta = tensor_meta

    def _known(self):
        return self.__dict__.get("_tensor_meta")

    def size(self, dim=None):
        own = () if dim is None else (dim,)
        if self._known() is not None:
            return self._known().size(*own)
        return self.tracer.create_proxy("call_method", "size", (self, *own), {})

    def dim(self):
        if self._known() is not None:
            return self._known().dim()
        return self.tracer.create_proxy("call_method", "dim", (self,), {})

    def _attribute(self, name):
        if self._known() is not None:
            return getattr(self._known(), name)
        return self.tracer.create_proxy("call_function", builtins.getattr, (self, name), {})

    shape = property(lambda self: self._attribute("shape"))
    dtype = property(lambda self: self._attribute("dtype"))
    device = property(lambda self: MetaDeviceAttribute(self, "device"))

    def __getattr__(self, k):
        if k == "_tensor_meta":
            raise AttributeError(k)
        return MetaAttribute(self, k)


class MetaAttribute(Attribute, MetaProxy):
    """As Attribute, of a MetaProxy."""


class MetaDeviceAttribute(MetaAttribute):
    """`x.device`, which is the device "meta" where shapes are found."""


def proxys_to_metas(v):
    """What stands for a value where shapes are found."""
    if isinstance(v, MetaDeviceAttribute):
        return "meta"
    if isinstance(v, Proxy):
        if getattr(v, "_known", lambda: None)() is None:
            raise AssertionError("the shape of %s is not known" % v)
        return v._known()
    return v


class MetaTracer(Tracer):
    """Traces with the given tensors of the device "meta" in the arguments' places."""

    allow_insert_stateless_mods = True
    _TORCH_METHODS_TO_PATCH = ["arange", "zeros", "ones", "full_like", "eye"]
    _reads_values = False

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        made = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        if kind == "placeholder":
            if target in self.meta_args:
                made.install_tensor_meta(self.meta_args[target])
            return made
        if kind == "output":
            return made
        self._reads_values = True
        try:
            given, named = map_aggregate(args, proxys_to_metas), dict(map_aggregate(kwargs, proxys_to_metas))
            if target in self.orig_fns and "device" in named:
                named["device"] = "meta"
            made.install_tensor_meta(self._run(kind, target, given, named))
        except Exception as error:
            warnings.warn("the shape of what %s %s gives is not known: %s" % (kind, target, error))
        finally:
            self._reads_values = False
        return made

    def _run(self, kind, target, args, kwargs):
        """What a node gives, of tensors without elements."""
        if kind == "call_function":
            return manual_meta_overrides.get(target, target)(*args, **kwargs)
        if kind == "call_method":
            return getattr(args[0], target)(*args[1:], **kwargs)
        if kind == "call_module":
            module = self.root.get_submodule(target)
            special = manual_meta_overrides.get(type(module))
            if special is not None:
                return special(module, *args, **kwargs)
            return torch.nn.utils.stateless.functional_call(module, _without_elements(module), args, kwargs)
        value = self.root
        for part in target.split("."):
            value = getattr(value, part)
        return value.to(device="meta")

    def getattr(self, attr, attr_val, parameter_proxy_cache):
        if self._reads_values:
            return attr_val
        return super().getattr(attr, attr_val, parameter_proxy_cache)

    def call_module(self, m, forward, args, kwargs):
        if self._reads_values:
            return forward(*args, **kwargs)
        return super().call_module(m, forward, args, kwargs)

    def path_of_module(self, mod):
        """A module without state that the program makes as it runs becomes part of the traced one."""
        try:
            return super().path_of_module(mod)
        except NameError:
            if not self.allow_insert_stateless_mods or list(mod.parameters()) or list(mod.buffers()):
                raise
        number = 0
        while hasattr(self.root, "%s_%d" % (type(mod).__name__.lower(), number)):
            number += 1
        self.prev_module = "%s_%d" % (type(mod).__name__.lower(), number)
        self.root.add_module(self.prev_module, mod)
        return self.prev_module

    def proxy(self, node):
        return MetaProxy(node, self)

    def trace(self, root, meta_args, concrete_args=None):
        if not isinstance(meta_args, dict):
            raise AssertionError("meta_args has a tensor of the device meta for each argument's name")
        self.meta_args, self.orig_fns = meta_args, set()
        with Patcher() as patcher:
            for name in self._TORCH_METHODS_TO_PATCH:
                original = getattr(torch, name)
                self.orig_fns.add(original)
                patcher.patch(vars(torch), name, _recorded_constructor(original))
            graph = super().trace(root, concrete_args)
        graph._tracer_extras = {"meta_args": meta_args}
        return graph


def _without_elements(module):
    members = list(module.named_parameters()) + list(module.named_buffers())
    return {name: value.to(device="meta") for name, value in members}


def _recorded_constructor(function):
    @functools.wraps(function)
    def construct(*args, **kwargs):
        proxy = find_proxy(args, kwargs)
        if proxy is None:
            return function(*args, **kwargs)
        return proxy.tracer.create_proxy("call_function", function, args, kwargs)

    return construct


def symbolic_trace(root, meta_args=None, concrete_args=None):
    """As torch.fx.symbolic_trace, with a tensor of the device "meta" for each argument that has sizes."""
    tracer = MetaTracer()
    graph = tracer.trace(root, meta_args, concrete_args)
    name = type(root).__name__ if isinstance(root, torch.nn.Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
