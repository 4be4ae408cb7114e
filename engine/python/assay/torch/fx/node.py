"""One step of a graph: what is called, with what, and who uses the result."""

import builtins
import types
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from . import _names
from .._package import torch as root
from ._names import ROOT_NAME, official, type_text
from .immutable_collections import immutable_dict, immutable_list

__all__ = ["Node", "map_arg", "map_aggregate"]

KINDS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")

BaseArgumentTypes = (str, int, float, bool, complex, root.dtype, root.Tensor, root.device, root.memory_format, root.layout)
base_types = BaseArgumentTypes

# What a node calls, and what it can be given.
Target = Union[Callable[..., Any], str]
Argument = Optional[
    Union[Tuple[Any, ...], List[Any], Dict[str, Any], slice, range, "Node", Union[BaseArgumentTypes]]
]

_side_effectful_functions = {
    getattr(root, name) for name in ("_assert", "_assert_async") if hasattr(root, name)
}


def map_aggregate(a, fn):
    """`a` with `fn(leaf)` in place of each leaf of its tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        items = [map_aggregate(item, fn) for item in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return immutable_list([map_aggregate(item, fn) for item in a])
    if isinstance(a, dict):
        return immutable_dict((key, map_aggregate(item, fn)) for key, item in a.items())
    if isinstance(a, slice):
        return slice(*[map_aggregate(item, fn) for item in (a.start, a.stop, a.step)])
    return fn(a)


def map_arg(a, fn):
    """As map_aggregate, of nodes alone."""
    if not callable(fn):
        raise AssertionError("map_arg needs a function, not %s" % type(fn).__name__)
    return map_aggregate(a, lambda item: fn(item) if isinstance(item, Node) else item)


def _get_qualified_name(func):
    return _names.qualified_name(func)


def _type_repr(obj):
    return type_text(obj)


def _format_arg(arg, max_list_len=float("inf")):
    """An argument as a printed graph shows it: nodes with a percent sign."""
    if isinstance(arg, Node):
        return "%" + str(arg)
    if hasattr(arg, "_custom_fx_repr_fn"):
        return arg._custom_fx_repr_fn()
    if isinstance(arg, dict):
        return "{%s}" % ", ".join("%s: %s" % (key, _format_arg(value)) for key, value in arg.items())
    if isinstance(arg, (list, tuple)):
        shown = [_format_arg(item) for i, item in enumerate(arg) if i < max_list_len]
        if len(arg) > len(shown):
            shown.append("...[total_len=%d]" % len(arg))
        text = ", ".join(shown)
        return "[%s]" % text if isinstance(arg, list) else "(%s%s)" % (text, "," if len(arg) == 1 else "")
    return str(arg)


class Node:
    """What a node's `target`, `args` and `kwargs` mean goes by its `op`:

    placeholder    an argument of the graph; the target is its name, args[0] the default value
    get_attr       a parameter, buffer or other attribute of the module; the target is its path
    call_function  target(*args, **kwargs)
    call_module    the submodule at the path `target`, called
    call_method    args[0].target(*args[1:], **kwargs)
    output         args[0] is what the graph gives back
    """

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        if op not in KINDS:
            raise AssertionError("%r is no kind of node; there are %s" % (op, ", ".join(KINDS)))
        if op == "call_function" and not callable(target):
            raise ValueError(_wrong_target(name, target, "a Callable"))
        if op != "call_function" and not isinstance(target, str):
            raise ValueError(_wrong_target(name, target, "a str"))
        self.graph, self.name, self.op, self.target, self.type = graph, name, op, target, return_type
        self._input_nodes, self.users, self.meta = {}, {}, {}
        self._args = self._kwargs = None
        self._set_arguments(map_arg(args, lambda x: x), map_arg(kwargs, lambda x: x))
        self._prev = self._next = self
        self._erased = False
        self._repr_fn = None

    # -- The place in the graph

    @property
    def next(self):
        return self._next

    @property
    def prev(self):
        return self._prev

    def prepend(self, x):
        """Moves the node x to the place before this one."""
        if x.graph is not self.graph:
            raise AssertionError("cannot move node %s into another graph" % x)
        if x is self:
            return
        x._remove_from_list()
        before = self._prev
        before._next, x._prev, x._next, self._prev = x, before, self, x

    def append(self, x):
        """Moves the node x to the place behind this one."""
        self._next.prepend(x)

    def _remove_from_list(self):
        self._prev._next, self._next._prev = self._next, self._prev

    # -- Arguments and users

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, args):
        self._set_arguments(map_arg(args, lambda x: x), self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, kwargs):
        self._set_arguments(self._args, map_arg(kwargs, lambda x: x))

    def _set_arguments(self, args, kwargs):
        for used in self._input_nodes:
            used.users.pop(self)
        self._args, self._kwargs, self._input_nodes = args, kwargs, {}
        map_arg((args, kwargs), lambda used: self._input_nodes.setdefault(used))
        for used in self._input_nodes:
            used.users.setdefault(self)

    @property
    def all_input_nodes(self):
        """Every node among the arguments, once, in their order."""
        return list(self._input_nodes)

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def update_kwarg(self, key, arg):
        self.kwargs = dict(self.kwargs, **{key: arg})

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        """Puts `replace_with` where this node is an argument, of those users that the callback says yes
        to. Gives the list of users that were changed."""
        if propagate_meta:
            if replace_with.meta:
                raise AssertionError("%s has meta data of its own, which propagate_meta would overwrite" % replace_with)
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def normalized_arguments(self, root, arg_types=None, kwarg_types=None, normalize_to_only_use_kwargs=False):
        """The arguments by the names of the function or module that is called; None where those are not known."""
        from .operator_schemas import normalize_function, normalize_module
        if self.op == "call_function":
            return normalize_function(self.target, self.args, self.kwargs, arg_types, kwarg_types,
                                      normalize_to_only_use_kwargs)
        if self.op == "call_module":
            return normalize_module(root, self.target, self.args, self.kwargs, normalize_to_only_use_kwargs)
        return None

    def replace_input_with(self, old_input, new_input):
        def other(node):
            return new_input if node is old_input else node

        self._set_arguments(map_arg(self.args, other), map_arg(self.kwargs, other))

    def is_impure(self):
        """Whether the node matters although nobody uses its result."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            return self.target in _side_effectful_functions
        if self.op == "call_module":
            if self.graph.owning_module is None:
                raise AssertionError("whether a call_module is pure is known once the graph belongs to a GraphModule")
            module = self.graph.owning_module.get_submodule(self.target)
            return getattr(module, "_is_impure", False)
        return False

    @property
    def stack_trace(self):
        """Where the user's code made the node; None where that was not recorded."""
        return self.meta.get("stack_trace", None)

    @stack_trace.setter
    def stack_trace(self, trace):
        self.meta["stack_trace"] = trace

    # -- Text

    def __repr__(self):
        return self._repr_fn(self) if self._repr_fn else self.name

    def _pretty_print_target(self, target):
        if isinstance(target, str):
            return target
        if not hasattr(target, "__module__"):
            return str(target)
        if not hasattr(target, "__name__"):
            return _get_qualified_name(target)
        if target.__module__ in ("builtins", "_operator"):
            return "%s.%s" % (target.__module__.lstrip("_"), target.__name__)
        return _get_qualified_name(target)

    def format_node(self, placeholder_names=None, maybe_return_typename=None):
        """The node's line of a printed graph. Where a list is given that is not empty, a placeholder
        goes there in place of a line, and the type of the result to the second list."""
        typed = "%s " % type_text(self.type) if self.type else ""
        head = "%%%s : %s[#users=%d] = %s" % (self.name, typed, len(self.users), self.op)
        if self.op == "placeholder":
            if placeholder_names:
                placeholder_names.append(self.target + (": " + type_text(self.type) if self.type else ""))
                return None
            return "%s[target=%s]%s" % (head, self.target, "(default=%s)" % (self.args[0],) if self.args else "")
        if self.op == "get_attr":
            return "%s[target=%s]" % (head, self._pretty_print_target(self.target))
        if self.op == "output":
            if self.type and maybe_return_typename:
                maybe_return_typename[0] = " -> " + type_text(self.type)
            return "return %s" % (self.args[0],)
        target = self._pretty_print_target(self.target)
        return "%s[target=%s](args = %s, kwargs = %s)" % (head, target, _format_arg(self.args), _format_arg(self.kwargs))


def _wrong_target(name, target, wanted):
    return "Node %s has the target %s of type %s, but %s is expected" % (name, target, type(target).__name__, wanted)
