"""Graphs as Python source."""

import collections.abc
import typing
from dataclasses import dataclass
from typing import Any, Dict, List, NamedTuple, Optional

from ..utils import _pytree as pytree
from ._names import PRESENT, Namespace, is_from_torch, qualified_name, type_text
from .node import map_arg

BINARY = {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "truediv": "/", "div": "/", "mod": "%",
    "pow": "**", "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|", "xor": "^", "matmul": "@",
}  # fmt: skip
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">="}
reflectable_magic_methods = {name: "{} %s {}" % sign for name, sign in BINARY.items()}
magic_methods = dict(
    {name: "{} %s {}" % sign for name, sign in COMPARISONS.items()},
    pos="+{}", neg="-{}", invert="~{}", getitem="{}[{}]", **reflectable_magic_methods
)  # fmt: skip
inplace_methods = {
    "i" + name.rstrip("_"): "{} %s= {}" % sign for name, sign in BINARY.items() if name != "div"
}
inplace_methods["setitem"] = "{}[{}] = {}"

# Generic types as they are named with their arguments: typing's, by Python's own.
GENERICS = {tuple: typing.Tuple, list: List, dict: Dict, set: typing.Set, frozenset: typing.FrozenSet}


@dataclass
class PythonCode:
    """The source of a function, and the globals that it needs."""

    src: str
    globals: Dict[str, Any]


def _format_target(base, target):
    """`base.a.b`, of parts that may be no identifiers."""
    for part in target.split("."):
        base += "." + part if part.isidentifier() else ""
        if not part.isidentifier():
            base = 'getattr(%s, "%s")' % (base, part)
    return base


def last_uses(nodes):
    """For each node the nodes whose last use it is."""
    found, known = {}, set()

    def note(used, user):
        if used not in known:
            known.add(used)
            found.setdefault(user, []).append(used)

    for node in reversed(nodes):
        map_arg(node.args, lambda used: note(used, node))
        map_arg(node.kwargs, lambda used: note(used, node))
    return found


class CodeGen:
    """How a graph becomes the source of a function. Derived classes change the head of the function,
    its result, and how inputs and outputs are passed."""

    def __init__(self):
        self._body_transformer = None

    def gen_fn_def(self, free_vars, maybe_return_annotation):
        if not free_vars or free_vars[0] != "self":
            free_vars.insert(0, "self")
        return "def forward(%s)%s:" % (", ".join(free_vars), maybe_return_annotation)

    def generate_output(self, output_args):
        return "return %s" % (repr(output_args),)

    def process_inputs(self, *args):
        """The graph's inputs from the arguments of a call."""
        return args

    def process_outputs(self, outputs):
        """The result of a call from the graph's output."""
        return outputs

    def additional_globals(self):
        """[(name, object)] that the generated code needs beside what its nodes name."""
        return []

    def _gen_python_code(self, nodes, root_module, namespace):
        writer = _Writer(self, root_module, namespace, list(nodes))
        return writer.code()


class _Writer:
    """The source of one graph, line by line."""

    def __init__(self, codegen, root_module, namespace, nodes):
        self.codegen, self.root_module, self.namespace, self.nodes = codegen, root_module, namespace, nodes
        self.free_vars, self.body, self.globals, self.wrapped = [], [], {}, {}
        self.returns = ""
        for name, value in [(name, value) for name, (_, value) in PRESENT.items()] + codegen.additional_globals():
            self.add_global(name, value)

    def add_global(self, wanted, value):
        """The text by which the source names an object."""
        if is_from_torch(value) and value is not PRESENT["device"][1]:
            return qualified_name(value)
        name = self.namespace.create_name(wanted.replace(".", "_"), value)
        self.globals.setdefault(name, value)
        return name

    def type_repr(self, kind):
        if kind == ():
            return "()"
        text, origin = type_text(kind), getattr(kind, "__origin__", None)
        if origin is collections.abc.Callable:  # Its arguments are a list, so that it is taken as it is.
            return self.add_global("typing_Callable", kind)
        if origin is not None:
            generic = GENERICS.get(origin, origin)
            name = self.add_global(type_text(generic), generic)
            inner = [self.type_repr(item) for item in getattr(kind, "__args__", ())]
            if origin is tuple and not inner and kind is not typing.Tuple:
                inner = ["()"]
            return "%s[%s]" % (name, ",".join(inner)) if inner else name
        return self.add_global(text, kind)

    def value_repr(self, value):
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self.add_global(qualified_name(type(value)), type(value)) + repr(tuple(value))
        return repr(value)

    def arguments(self, args, kwargs):
        shown = [self.value_repr(value) for value in args]
        return ", ".join(shown + ["%s = %s" % (key, self.value_repr(value)) for key, value in kwargs.items()])

    def code(self):
        released = last_uses(self.nodes)
        for node in self.nodes:
            getattr(self, node.op)(node)
            self.release(node, released.get(node, []))
        if not self.body:
            self.body.append("pass\n")
        wrap = "\n".join('torch.fx._symbolic_trace.wrap("%s")' % name for name in self.wrapped)
        body = self.codegen._body_transformer(self.body) if self.codegen._body_transformer else self.body
        head = self.codegen.gen_fn_def(self.free_vars, self.returns)
        text = "\n".join("    " + line for line in "".join(body).split("\n"))
        return PythonCode("\n%s\n\n%s\n%s" % (wrap, head, text), self.globals)

    def release(self, node, names):
        """Lets go of values behind their last use."""
        if node.op == "placeholder":
            return
        if node.op == "output" or not names:
            self.body.append("\n")
        else:
            self.body.append(";  %s = None\n" % " = ".join(repr(name) for name in names))

    def assign(self, node, value):
        typed = " : " + self.type_repr(node.type) if node.type is not None else ""
        self.body.append("%r%s = %s" % (node, typed, value))

    def placeholder(self, node):
        typed = " : " + self.type_repr(node.type) if node.type is not None else ""
        self.free_vars.append(node.target + typed + (" = %r" % (node.args[0],) if node.args else ""))
        name = node.target.replace("*", "")
        if name != repr(node):
            self.body.append("%r = %s\n" % (node, name))

    def get_attr(self, node):
        self.assign(node, _format_target(self.root_module, node.target))

    def call_module(self, node):
        target = _format_target(self.root_module, node.target)
        self.assign(node, "%s(%s)" % (target, self.arguments(node.args, node.kwargs)))

    def call_method(self, node):
        target = _format_target(repr(node.args[0]), node.target)
        self.assign(node, "%s(%s)" % (target, self.arguments(node.args[1:], node.kwargs)))

    def call_function(self, node):
        target, args = node.target, node.args
        if target.__module__ == "_operator" and target.__name__ in magic_methods:
            self.assign(node, magic_methods[target.__name__].format(*[repr(value) for value in args]))
            return
        if target.__module__ == "_operator" and target.__name__ in inplace_methods:
            self.body.append(inplace_methods[target.__name__].format(*[repr(value) for value in args]) + ";  ")
            self.assign(node, repr(args[0]))
            return
        name = self.add_global(qualified_name(target), target)
        if name == "getattr" and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            self.assign(node, _format_target(repr(args[0]), args[1]))
            return
        self.assign(node, "%s(%s)" % (name, self.arguments(args, node.kwargs)))
        if node.meta.get("is_wrapped", False):
            self.wrapped.setdefault(name)

    def output(self, node):
        if node.type is not None:
            self.returns = " -> " + self.type_repr(node.type)
        self.body.append(self.codegen.generate_output(node.args[0]))


class _PyTreeInfo(NamedTuple):
    """The arguments of the function that was traced, and the form of what goes in and out."""

    orig_args: List[str]
    in_spec: pytree.TreeSpec
    out_spec: Optional[pytree.TreeSpec]


class _PyTreeCodeGen(CodeGen):
    """A function that takes containers, over a graph that takes their leaves."""

    def __init__(self, pytree_info):
        super().__init__()
        self.pytree_info = pytree_info

    def process_inputs(self, *inputs):
        return pytree.tree_flatten(inputs)[0]

    def process_outputs(self, out):
        return pytree.tree_unflatten(out, self.pytree_info.out_spec) if self.pytree_info.out_spec else out

    def gen_fn_def(self, free_vars, maybe_return_annotation):
        names = list(self.pytree_info.orig_args)
        if names and names[0] == "self":
            free_vars.insert(0, "self")
        text = super().gen_fn_def(names[:], maybe_return_annotation)
        if free_vars:
            annotated = [name + "; " for name in free_vars if ":" in name]
            if annotated:
                text += "\n    " + "".join(annotated) + "\n"
            leaves = ", ".join(name.split(":")[0] for name in free_vars)
            text += "\n    %s, = fx_pytree.tree_flatten_spec([%s], self._in_spec)" % (leaves, ", ".join(names))
        return text

    def generate_output(self, output_args):
        if self.pytree_info.out_spec:
            return "return pytree.tree_unflatten(%r, self._out_spec)" % (output_args,)
        return super().generate_output(output_args)
