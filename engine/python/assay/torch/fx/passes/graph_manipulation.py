"""Nodes exchanged by what they call; how large their values are."""

from typing import NamedTuple

from .._compatibility import compatibility
from ..._package import torch
from ..graph import Graph
from .shape_prop import ShapeProp

__all__ = ["replace_target_nodes_with", "size_bytes", "get_size_of_all_nodes", "get_tensor_meta", "get_size_of_node"]


@compatibility(is_backward_compatible=False)
def replace_target_nodes_with(fx_module, old_op, old_target, new_op, new_target):
    """Gives every node of this kind and target the other kind and target."""
    made, values = Graph(), {}
    for node in fx_module.graph.nodes:
        values[node] = made.node_copy(node, values.__getitem__)
        if node.op == old_op and node.target == old_target:
            values[node].op, values[node].target = new_op, new_target
    fx_module.graph = made


@compatibility(is_backward_compatible=False)
class size_bytes(NamedTuple):
    """The size of a node's value, and with the parameters of the module that it calls."""

    output_size: int
    total_size: int


@compatibility(is_backward_compatible=False)
def get_size_of_all_nodes(fx_module, args=None):
    """Notes each node's sizes as its `size_bytes`. With arguments the module is run to find them."""
    if args is not None:
        ShapeProp(fx_module).propagate(*args)
    for node in fx_module.graph.nodes:
        if node.op == "output":
            break
        node.size_bytes = get_size_of_node(fx_module, node)


@compatibility(is_backward_compatible=False)
def get_tensor_meta(node):
    meta = node.meta.get("tensor_meta")
    if not meta:
        raise RuntimeError("what tensor %s gives is not known: ShapeProp finds it" % node)
    return meta


@compatibility(is_backward_compatible=False)
def get_size_of_node(fx_module, node):
    meta = get_tensor_meta(node)
    own = meta.shape.numel()
    held = 0
    if node.op == "call_module":
        held = sum(parameter.numel() for parameter in fx_module.get_submodule(node.target).parameters())
    width = torch.tensor([], dtype=meta.dtype).element_size()
    return size_bytes(width * own, width * (own + held))
