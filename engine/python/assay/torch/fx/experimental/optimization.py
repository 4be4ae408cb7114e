"""Modules made faster for inference: fewer layers that compute the same."""

import copy

from ...nn.utils.fusion import fuse_conv_bn_eval
from ..._package import torch
from .._symbolic_trace import Tracer, symbolic_trace
from ..graph import Graph
from ..graph_module import GraphModule
from ..interpreter import Transformer
from ..node import Node

PAIRS = [(getattr(torch.nn, "Conv%dd" % d), getattr(torch.nn, "BatchNorm%dd" % d)) for d in (1, 2, 3)]


def _parent_name(target):
    """ "a.b.c" as ("a.b", "c")."""
    parent, _, name = target.rpartition(".")
    return parent, name


def matches_module_pattern(pattern, node, modules):
    """Whether the node calls a module of the pattern's second class with what one of the first gives."""
    if not node.args:
        return False
    for kind, call in zip(pattern, (node.args[0], node)):
        if not isinstance(call, Node) or call.op != "call_module" or type(modules.get(call.target)) is not kind:
            return False
    return True


def replace_node_module(node, modules, new_module):
    """Puts a module in the place of the one that the node calls."""
    parent, name = _parent_name(node.target)
    modules[node.target] = new_module
    setattr(modules[parent], name, new_module)


def fuse(model, inplace=False, no_trace=False):
    """The model, traced, with batch normalizations folded into the convolutions before them. The model
    itself stays as it is unless `inplace`."""
    model = model if inplace else copy.deepcopy(model)
    traced = model if no_trace and isinstance(model, GraphModule) else symbolic_trace(model)
    modules, graph = dict(traced.named_modules()), copy.deepcopy(traced.graph)
    for pattern in PAIRS:
        for node in graph.nodes:
            if not matches_module_pattern(pattern, node, modules) or len(node.args[0].users) > 1:
                continue
            convolution, norm = modules[node.args[0].target], modules[node.target]
            if norm.track_running_stats:
                replace_node_module(node.args[0], modules, fuse_conv_bn_eval(convolution, norm))
                node.replace_all_uses_with(node.args[0])
                graph.erase_node(node)
    return GraphModule(traced, graph)


class _DropoutRemover(Transformer):
    def call_module(self, target, args, kwargs):
        if isinstance(self.submodules[target], torch.nn.Dropout):
            return args[0] if args else kwargs["input"]
        return super().call_module(target, args, kwargs)


def remove_dropout(model):
    """The model, traced, without its nn.Dropout layers."""
    return _DropoutRemover(symbolic_trace(model)).transform()


def extract_subgraph(orig_module, nodes, inputs, outputs):
    """A GraphModule of some nodes of the module's graph, from and to the given ones."""
    graph, values = Graph(), {}
    for node in inputs:
        values[node] = graph.placeholder(node.name)
    for node in nodes:
        values[node] = graph.node_copy(node, values.__getitem__)
    graph.output([values[node] for node in outputs])
    graph.lint()
    return GraphModule(orig_module, graph)


def use_mkl_length(graph):
    """The default of `pass_config` for a decision that the engine makes by itself."""
    return len(graph.nodes) > 2


def optimize_for_inference(model, pass_config=None, tracer=Tracer):
    """fuse and remove_dropout, unless `pass_config` says False of conv_bn_fuse or remove_dropout. Which
    layout tensors have inside is the engine's own business, so that mkldnn_layout_optimize is checked and
    has no effect."""
    config = {"conv_bn_fuse": True, "remove_dropout": True, "mkldnn_layout_optimize": {"heuristic": use_mkl_length}}
    config.update(pass_config or {})
    layout = config["mkldnn_layout_optimize"]
    if layout is not False and not (isinstance(layout, dict) and "heuristic" in layout):
        raise RuntimeError("mkldnn_layout_optimize is False or a dict with a heuristic, not %r" % (layout,))
    if config["conv_bn_fuse"]:
        model = fuse(model)
    if config["remove_dropout"]:
        model = remove_dropout(model)
    if layout is False:
        return model
    made = tracer()
    graph = made.trace(copy.deepcopy(model))
    return GraphModule(made.root, graph)
