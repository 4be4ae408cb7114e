"""Graphs as pictures, by pydot."""

import hashlib

from .._compatibility import compatibility
from ..._package import torch
from ..graph_module import GraphModule
from ..node import _format_arg, _get_qualified_name
from .shape_prop import TensorMetadata

__all__ = ["FxGraphDrawer"]

try:
    import pydot
except ImportError:
    pydot = None

COLORS = {
    "placeholder": '"AliceBlue"', "call_module": "LemonChiffon1", "get_attr": "LightGrey", "output": "PowderBlue",
}  # fmt: skip
# Functions and methods have a color by their name.
COLORS_BY_NAME = ("CadetBlue1 Coral DarkOliveGreen1 DarkSeaGreen1 GhostWhite Khaki1 LavenderBlush1 LightSkyBlue MistyRose1 "
                  "MistyRose2 PaleTurquoise2 PeachPuff1 Salmon Thistle1 Thistle3 Wheat1").split()  # fmt: skip
STYLE = {"shape": "record", "style": '"filled,rounded"', "fontcolor": "#000000"}


def _escaped(text):
    return text.replace("{", r"\{").replace("}", r"\}")


@compatibility(is_backward_compatible=False)
class FxGraphDrawer:
    """Draws a GraphModule, and apart from it each submodule that is one:

        FxGraphDrawer(traced, "net").get_dot_graph().write_svg("net.svg")
    """

    def __init__(self, graph_module, name, ignore_getattr=False, ignore_parameters_and_buffers=False,
                 skip_node_names_in_args=True):  # fmt: skip
        if pydot is None:
            raise RuntimeError("FXGraphDrawer requires the pydot package to be installed: pip install pydot")
        self._name, self._skip_attributes = name, ignore_getattr
        self._skip_parameters, self._skip_nodes = ignore_parameters_and_buffers, skip_node_names_in_args
        self._dot_graphs = {name: self._to_dot(graph_module, name)}
        for node in graph_module.graph.nodes:
            inner = graph_module.get_submodule(node.target) if node.op == "call_module" else None
            if isinstance(inner, GraphModule):
                inner_name = "%s_%s" % (name, node.target)
                self._dot_graphs[inner_name] = self._to_dot(inner, inner_name)

    def get_dot_graph(self, submod_name=None):
        return self.get_main_dot_graph() if submod_name is None else self.get_submod_dot_graph(submod_name)

    def get_main_dot_graph(self):
        return self._dot_graphs[self._name]

    def get_submod_dot_graph(self, submod_name):
        return self._dot_graphs["%s_%s" % (self._name, submod_name)]

    def get_all_dot_graphs(self):
        return self._dot_graphs

    def _to_dot(self, graph_module, name):
        dot = pydot.Dot(name, rankdir="TB")
        nodes = [n for n in graph_module.graph.nodes if not (self._skip_attributes and n.op == "get_attr")]
        for node in nodes:
            color = COLORS.get(node.op) or _color_of(node._pretty_print_target(node.target))
            dot.add_node(pydot.Node(node.name, label=self._label(graph_module, node), fillcolor=color, **STYLE))
            if node.op == "call_module" and not self._skip_parameters:
                self._add_parameters(dot, node, graph_module.get_submodule(node.target))
        for node in nodes:
            for user in node.users:
                dot.add_edge(pydot.Edge(node.name, user.name))
        return dot

    @staticmethod
    def _add_parameters(dot, node, module):
        if isinstance(module, GraphModule):
            return
        kinds = (("parameter", module.named_parameters()), ("buffer", module.named_buffers()))
        for kind, members in kinds:
            for name, value in members:
                path = "%s.%s" % (node.name, name)
                label = r"{%s|op_code=get_%s\l%s%s\n}" % (path, kind, value.dtype, list(value.shape))
                dot.add_node(pydot.Node(path, label=label, fillcolor="Salmon", **STYLE))
                dot.add_edge(pydot.Edge(path, node.name))

    def _label(self, graph_module, node):
        parts = ["name=%%%s" % node.name, "op_code=%s\n" % node.op]
        if node.op == "call_module":
            module = graph_module.get_submodule(node.target)
            parts[-1] += r"\n%s\n" % _escaped(torch.typename(module))
            constants = ["%s: %s" % (name, getattr(module, name)) for name in getattr(module, "__constants__", ())]
            parts.append(r"\n".join(constants) + r"\n")
        else:
            target = node.target if isinstance(node.target, str) else _get_qualified_name(node.target)
            parts.append(r"target=%s\n" % _escaped(target))
            parts += self._arguments("args=(%s)", [(None, value) for value in node.args])
            parts += self._arguments("kwargs={%s}", list(node.kwargs.items()))
            parts.append(r"num_users=%d\n" % len(node.users))
        return "{%s}" % "|".join(parts + _of_tensors(node.meta.get("tensor_meta")))

    def _arguments(self, form, pairs):
        shown = [
            ("" if name is None else "%s: " % name) + _format_arg(value, max_list_len=8) for name, value in pairs
        ]
        shown = [text for text in shown if not (self._skip_nodes and "%" in text)]
        return [_escaped(form % (r"\l%s,\n" % r",\n".join(shown))) + r"\l"] if shown else []


def _color_of(name):
    return COLORS_BY_NAME[int(hashlib.md5(name.encode()).hexdigest()[:8], 16) % len(COLORS_BY_NAME)]


def _of_tensors(meta):
    """The parts of a label that say what tensors a node gives."""
    if isinstance(meta, TensorMetadata):
        told = (("dtype", meta.dtype), ("shape", tuple(meta.shape)), ("requires_grad", meta.requires_grad))
        return [r"%s=%s\n" % pair for pair in told + (("stride", meta.stride),)]
    items = meta.values() if isinstance(meta, dict) else meta or ()
    return [part for item in items for part in _of_tensors(item)]
