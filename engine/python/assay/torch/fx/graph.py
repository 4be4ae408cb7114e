"""A function as a list of nodes."""

import contextlib
import copy
import inspect
import warnings

from ._codegen import CodeGen, PythonCode, _PyTreeCodeGen, _PyTreeInfo  # noqa: F401
from ._names import Namespace as _Namespace
from .._package import torch as root
from ._names import name_for
from .node import Node, _format_arg, map_aggregate, map_arg

__all__ = ["Graph", "PythonCode", "CodeGen"]


class _node_list:
    """The nodes of a graph in their order, while they change."""

    def __init__(self, graph, direction="_next"):
        self.graph, self.direction = graph, direction

    def __len__(self):
        return self.graph._len

    def __iter__(self):
        node = getattr(self.graph._root, self.direction)
        while node is not self.graph._root:
            if not node._erased:
                yield node
            node = getattr(node, self.direction)

    def __reversed__(self):
        return _node_list(self.graph, "_prev" if self.direction == "_next" else "_next")


class Graph:
    """Nodes in the order in which they run: placeholders first, the output last. Nodes are made where
    `inserting_before` and `inserting_after` say, else at the end."""

    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._root = Node(self, "", "root", "", (), {})
        self._len, self._insert = 0, self._root.prepend
        self._graph_namespace = _Namespace()
        self._owning_module, self._owners = owning_module, 0
        self._tracer_cls, self._tracer_extras = tracer_cls, tracer_extras
        self._codegen = CodeGen()

    @property
    def owning_module(self):
        """The GraphModule that has this graph; None where there is none, or more than one."""
        return self._owning_module

    @owning_module.setter
    def owning_module(self, module):
        if module is None:
            return
        self._owning_module = module if self._owners == 0 else None
        self._owners += 1

    @property
    def nodes(self):
        return _node_list(self)

    # -- Making nodes

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        args, kwargs = () if args is None else args, {} if kwargs is None else kwargs
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise AssertionError("a node takes a tuple of arguments and a dict of keywords")
        wanted = name if name is not None else name_for(target)
        node = Node(self, self._graph_namespace.create_name(wanted, None), op, target, args, kwargs, type_expr)
        self._graph_namespace.associate_name_with_obj(node.name, node)
        self._insert(node)
        self._len += 1
        return node

    def placeholder(self, name, type_expr=None, default_value=inspect.Signature.empty):
        """An argument of the graph. A default value makes it one that may be left out."""
        defaults = [value for value in (default_value,) if value is not inspect.Signature.empty]
        return self.create_node("placeholder", name, tuple(defaults), type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        if self.owning_module is not None and not _finds(self.owning_module, qualified_name):
            _warn_missing("get_attr", qualified_name, "attribute")
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        if self.owning_module is not None and not _finds(self.owning_module, module_name):
            _warn_missing("call_module", module_name, "submodule")
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_function", the_function, args, kwargs, type_expr=type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        """A copy, here, of a node that may be of another graph; `arg_transform` leads its arguments to
        nodes of this one."""
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        made = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        made.meta = copy.copy(node.meta)
        return made

    def graph_copy(self, g, val_map, return_output_node=False):
        """Copies every node of `g` but its output here, and gives what the output would be of.
        `val_map` has nodes of `g` that stand for nodes of this graph, and gets the others."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda n: val_map[n])
                return (result, node) if return_output_node else result
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        memo = {} if memo is None else memo
        copied = Graph(tracer_cls=self._tracer_cls, tracer_extras=self._tracer_extras)
        copied._codegen = copy.deepcopy(self._codegen)
        values = {}
        memo[id(self)] = copied
        result = copied.graph_copy(self, values, return_output_node=True)
        if result is not None:
            value, old = result
            made = copied.output(value, type_expr=getattr(old, "type", None))
            made.meta = copy.copy(old.meta)
        return copied

    # -- Where nodes are made

    def inserting_before(self, n=None):
        """For a `with` statement or from now on: nodes are made before n, or at the start of the
        graph."""
        if n is None:
            return self.inserting_after(self._root)
        self._check_own(n)
        return _InsertPoint(self, n.prepend)

    def inserting_after(self, n=None):
        """For a `with` statement or from now on: nodes are made behind n, or at the end of the graph."""
        if n is None:
            return self.inserting_before(self._root)
        self._check_own(n)
        return _InsertPoint(self, n.append)

    def _check_own(self, node):
        if node.graph is not self:
            raise AssertionError("node %s is of another graph" % node)

    # -- Removing nodes

    def erase_node(self, to_erase):
        if to_erase.users:
            raise RuntimeError(
                "node %s cannot be erased, but it still had %d users in the graph: %s"
                % (to_erase, len(to_erase.users), list(to_erase.users))
            )
        if to_erase._erased:
            warnings.warn("node %s is erased already" % to_erase)
            return
        to_erase._remove_from_list()
        to_erase._erased = True
        self._len -= 1
        to_erase._set_arguments(map_arg(to_erase.args, lambda n: None), map_arg(to_erase.kwargs, lambda n: None))

    def eliminate_dead_code(self):
        """Erases what nobody uses and nobody would miss. Says whether there was any."""
        self.lint()
        found = False
        for node in reversed(self.nodes):
            if not node.users and not node.is_impure():
                self.erase_node(node)
                found = True
        return found

    # -- Running and printing

    def set_codegen(self, codegen):
        self._codegen = codegen

    def process_inputs(self, *args):
        return self._codegen.process_inputs(*args)

    def process_outputs(self, out):
        return self._codegen.process_outputs(out)

    @contextlib.contextmanager
    def on_generate_code(self, make_transformer):
        """Until the end of the `with` statement generated code goes through the function that
        `make_transformer(the one before, or None)` gives: from the list of lines to another."""
        before = self._codegen._body_transformer
        self._codegen._body_transformer = make_transformer(before)
        try:
            yield
        finally:
            self._codegen._body_transformer = before

    def python_code(self, root_module):
        """The source of the function, whose attributes are those of the variable `root_module`, with
        the globals that it needs."""
        namespace = _Namespace()
        nodes = list(self.nodes)
        before = [node._repr_fn for node in nodes]
        for node in nodes:
            node._repr_fn = lambda n: namespace.create_name(n.name, n)
        try:
            return self._codegen._gen_python_code(nodes, root_module, namespace)
        finally:
            for node, old in zip(nodes, before):
                node._repr_fn = old

    def __str__(self):
        return "\n    ".join(["graph():"] + [node.format_node() for node in self.nodes])

    def print_tabular(self):
        """Prints the nodes as a table."""
        rows = [("opcode", "name", "target", "args", "kwargs")]
        rows += [tuple(str(item) for item in (n.op, n.name, n.target, n.args, n.kwargs)) for n in self.nodes]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)))

    def lint(self):
        """Raises RuntimeError or ValueError where the graph is not well formed: a node used before it is
        computed or of another graph, a name used twice, a target that is not there."""
        seen, names = set(), set()
        for node in self.nodes:
            map_arg((node.args, node.kwargs), lambda used: self._lint_use(node, used, seen))
            seen.add(node)
            if node.name in names:
                raise RuntimeError("two nodes have the name %s" % node.name)
            names.add(node.name)
            _lint_target(node)
            if self.owning_module is not None and node.op in ("get_attr", "call_module"):
                _lint_path(node, self.owning_module)

    def _lint_use(self, node, used, seen):
        if used.graph is not self:
            raise RuntimeError("node %s uses %s, which does not belong to this Graph" % (node, used))
        if used not in seen:
            raise RuntimeError("node %s is wrong: %s was used before it has been defined, in\n%s" % (node, used, self))


class _InsertPoint:
    """Takes effect when it is made, and ends with the `with` statement."""

    def __init__(self, graph, insert):
        self._graph, self._before = graph, graph._insert
        graph._insert = insert

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._graph._insert = self._before


def _finds(module, path):
    for part in path.split("."):
        if not hasattr(module, part):
            return False
        module = getattr(module, part)
    return True


def _warn_missing(kind, path, what):
    warnings.warn(
        "Attempted to insert a %s Node with no underlying reference in the owning GraphModule: there is no %s. "
        "Add the %s before the code is used" % (kind, path, what),
        stacklevel=3,
    )


def _lint_target(node):
    wanted, fits = ("a Callable", callable(node.target)) if node.op == "call_function" else (
        "a str", isinstance(node.target, str))  # fmt: skip
    if not fits:
        kind = type(node.target).__name__
        raise ValueError("%s aims at %s of type %s, and needs %s" % (node, node.target, kind, wanted))


def _lint_path(node, module):
    place = module
    parts = node.target.split(".")
    for i, part in enumerate(parts):
        path = ".".join(parts[:i])
        if not hasattr(place, part):
            raise RuntimeError("%s aims at %s, but '%s' has no %s" % (node, node.target, path, part))
        owner, place = place, getattr(place, part)
    is_module = isinstance(place, root.nn.Module)
    if node.op == "call_module" and not is_module:
        raise RuntimeError("%s calls %s, which is no module" % (node, node.target))
    known = is_module or isinstance(place, root.nn.Parameter) or parts[-1] in getattr(owner, "_buffers", {})
    if node.op == "get_attr" and not known:
        text = "%s reads %s, and get_attr is for modules, parameters and buffers"
        warnings.warn(text % (node, node.target))
