"""Values that stand for nodes: what is done with them becomes nodes of the graph."""

import dataclasses
import dis
import inspect
import operator
import sys
import traceback

from ._codegen import inplace_methods, magic_methods, reflectable_magic_methods  # noqa: F401
from .._package import torch as root
from ._names import name_for
from .graph import Graph  # noqa: F401
from .node import Node, base_types, map_aggregate
from .operator_schemas import check_for_mutable_operation
from .traceback import format_stack, is_stack_trace_overridden

__all__ = ["TracerBase", "GraphAppendingTracer", "TraceError", "Proxy", "Attribute", "ParameterProxy"]


class TraceError(ValueError):
    """What the program does depends on a value that is not known while it is traced."""


class TracerBase:
    """What makes nodes for proxies."""

    record_stack_traces = False
    trace_asserts = False
    proxy_buffer_attributes = False
    check_mutable_operations = False

    def create_node(self, kind, target, args, kwargs, name=None, type_expr=None):
        if self.check_mutable_operations and kind == "call_function":
            check_for_mutable_operation(target, args, kwargs)
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

    def proxy(self, node):
        return Proxy(node, self)

    def create_proxy(self, kind, target, args, kwargs, name=None, type_expr=None, proxy_factory_fn=None):
        """A node of these arguments, which may hold proxies, as a proxy."""
        args, kwargs = self.create_arg(args), self.create_arg(kwargs)
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise AssertionError("a node takes a tuple of arguments and a dict of keywords")
        node = self.create_node(kind, target, args, kwargs, name, type_expr)
        made = proxy_factory_fn(node) if proxy_factory_fn else self.proxy(node)
        if is_stack_trace_overridden():
            made.node.stack_trace = format_stack()[0]
        elif self.record_stack_traces and not made.node.stack_trace:
            frame = self._find_user_frame()
            if frame:
                made.node.stack_trace = "".join(traceback.StackSummary.extract(traceback.walk_stack(frame)).format()[:1])
        return made

    def _find_user_frame(self):
        """The innermost frame that is neither of this package nor of torch's modules."""
        frame = inspect.currentframe()
        home = __package__.rpartition(".")[0]
        while frame is not None and (str(frame.f_globals.get("__name__")) + ".").startswith(home + "."):
            frame = frame.f_back
        return frame

    def create_arg(self, a):
        """An argument of a node from what the user's code passed: nodes for proxies, the same for what
        a graph can hold. NotImplementedError for anything else."""
        if not isinstance(a, Proxy) and hasattr(type(a), "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, (tuple, list)):
            items = (self.create_arg(item) for item in a)
            if isinstance(a, tuple) and hasattr(type(a), "_fields"):  # Made where the graph runs.
                return self.create_node("call_function", type(a), tuple(items), {})
            return type(a)(items)
        if isinstance(a, dict):
            return {self._key(key): self.create_arg(value) for key, value in a.items()}
        if isinstance(a, slice):
            return slice(*[self.create_arg(item) for item in (a.start, a.stop, a.step)])
        if isinstance(a, range):
            return range(*[self.create_arg(item) for item in (a.start, a.stop, a.step)])
        if isinstance(a, Proxy):
            return a.node
        if dataclasses.is_dataclass(a) and not isinstance(a, type):
            fields = {field.name: self.create_arg(getattr(a, field.name)) for field in dataclasses.fields(a)}
            return self.create_node("call_function", type(a), (), fields)
        if isinstance(a, base_types) or a is None or a is ... or _is_operator(a):
            return a
        raise NotImplementedError("argument of type: %s" % (type(a),))

    def _key(self, key):
        made = self.create_arg(key)

        def refuse(node):
            if isinstance(node, Node):
                raise RuntimeError("the keys of a dict in a graph cannot contain a Node, as %s is" % node)

        map_aggregate(made, refuse)
        return made

    def to_bool(self, obj):
        """What `if proxy:` asks for."""
        raise TraceError(
            "symbolically traced variables cannot be used as inputs to control flow: a graph has no branches. Give the "
            "value in concrete_args, or keep the code that branches in a leaf module or a wrapped function"
        )

    def iter(self, obj):
        """What `for item in proxy:` asks for."""
        raise TraceError(
            "Proxy object cannot be iterated. This is what a loop over a traced value does, and a call with it as "
            "*args or **kwargs: how many items it has is not known while the program is traced"
        )

    def keys(self, obj):
        """What `**proxy` asks for."""
        return Attribute(obj, "keys")()


def _is_operator(value):
    kinds = [getattr(getattr(root, "_ops", None), name, None) for name in ("OpOverload", "OpOverloadPacket")]
    return any(kind is not None and isinstance(value, kind) for kind in kinds)


class GraphAppendingTracer(TracerBase):
    """Adds to a graph that is there already."""

    def __init__(self, graph):
        self.graph = graph


class Proxy:
    """Stands for the value of a node. Operators, methods, attributes and functions of torch make further
    nodes of it; what needs the value itself raises TraceError."""

    def __init__(self, node, tracer=None):
        self.tracer = GraphAppendingTracer(node.graph) if tracer is None else tracer
        self.node = node

    def __repr__(self):
        return "Proxy(%s)" % self.node.name

    def __getattr__(self, k):
        return Attribute(self, k)

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", "__call__", (self,) + args, kwargs)

    def __iter__(self):
        current = _instruction(inspect.currentframe().f_back)
        if current is not None and current[0].opname == "UNPACK_SEQUENCE":
            return (self[i] for i in range(current[0].argval))
        return self.tracer.iter(self)

    def __bool__(self):
        if self.tracer.trace_asserts:
            current = _instruction(inspect.currentframe().f_back)
            if current is not None and _is_assert(current):
                self.tracer.create_proxy("call_function", root._assert, (self, _assert_message(current)), {})
                return True
        return self.tracer.to_bool(self)

    def keys(self):
        return self.tracer.keys(self)

    def __len__(self):
        raise RuntimeError(
            "the length of a traced value is not known yet: to record the call, write torch.fx.wrap('len') "
            "at the top of the module"
        )

    @classmethod
    def __torch_function__(cls, orig_method, types, args=None, kwargs=None):
        args, kwargs = args or (), kwargs or {}
        tracers = {}

        def note(value):
            if isinstance(value, cls):
                tracers[value.tracer] = None

        map_aggregate(args, note)
        map_aggregate(kwargs, note)
        if len(tracers) > 1:
            raise RuntimeError("a function was given proxies of different traces: %s" % list(tracers))
        tracer = next(iter(tracers))
        owner = getattr(orig_method, "owner", None)
        if owner is not None and isinstance(owner, root.jit.ScriptModule):  # A method of a scripted module.
            return tracer.create_proxy("call_method", orig_method.__name__, (owner,) + tuple(args), kwargs)
        if _is_method(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        name = name_for(orig_method.__name__)
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


def _is_method(function):
    """Whether what was called is a method or property of Tensor rather than a function."""
    overrides = getattr(root, "overrides", None)
    if hasattr(overrides, "is_tensor_method_or_property"):
        return overrides.is_tensor_method_or_property(function)
    name = getattr(function, "__name__", "")
    return name == "__get__" or getattr(root.Tensor, name, None) is function


def _instruction(frame):
    """The instructions of a frame from the one that it is at; None where that is not known."""
    instructions = list(dis.get_instructions(frame.f_code))
    for i, instruction in enumerate(instructions):
        if instruction.offset == frame.f_lasti:
            return instructions[i:]
    return None


def _is_assert(instructions):
    opname = instructions[0].opname
    jump = opname.startswith("POP_JUMP") and opname.endswith("IF_TRUE")
    return jump and len(instructions) > 1 and instructions[1].opname == "LOAD_ASSERTION_ERROR"


def _assert_message(instructions):
    """The text behind `assert condition, `, where it is a constant."""
    if len(instructions) > 2 and instructions[2].opname == "LOAD_CONST":
        return instructions[2].argval
    return None


class Attribute(Proxy):
    """`proxy.name`. Becomes a node when it is used as a value; called, it is a method call."""

    def __init__(self, root, attr):
        self.root, self.attr, self.tracer = root, attr, root.tracer
        self._node = None

    @property
    def node(self):
        if self._node is None:
            self._node = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {}).node
        return self._node

    def __call__(self, *args, **kwargs):
        return self.tracer.create_proxy("call_method", self.attr, (self.root,) + args, kwargs)


class ParameterProxy(Proxy):
    """A parameter whose shape is taken as it is now: those questions are answered, not recorded."""

    def __init__(self, tracer, node, name, param):
        super().__init__(node, tracer)
        if not isinstance(param, root.nn.Parameter):
            raise AssertionError("%s is no parameter" % name)
        self.param, self.name = param, name

    def __repr__(self):
        return "ParameterProxy(%s)" % self.name

    @property
    def shape(self):
        return self.param.shape

    def size(self, *args):
        return self.param.size(*args)

    def dim(self):
        return self.param.dim()

    @property
    def ndim(self):
        return self.param.ndim

    def numel(self):
        return self.param.numel()

    def nelement(self):
        return self.param.nelement()


def _operator_method(name):
    target = getattr(operator, name)

    def method(*args, **kwargs):
        return args[0].tracer.create_proxy("call_function", target, args, kwargs)

    return method


def _reflected_method(name):
    target = getattr(operator, name)

    def method(self, other):
        return self.tracer.create_proxy("call_function", target, (other, self), {})

    return method


def _define(dunder, method):
    method.__name__ = dunder
    setattr(Proxy, dunder, method)


for _name in magic_methods:
    if hasattr(operator, _name):
        _define("__%s__" % _name.strip("_"), _operator_method(_name))
for _name in reflectable_magic_methods:
    if hasattr(operator, _name):
        _define("__r%s__" % _name.strip("_"), _reflected_method(_name))
