"""Matrix products with the same right-hand side as one."""

import itertools
import operator

from ..._package import torch
from .._symbolic_trace import symbolic_trace
from ..passes.tools_common import legalize_graph
from ..proxy import Proxy


def split_result_tensors(result, inputs):
    """The rows of the result that belong to each of the inputs."""
    rows = [0] * len(inputs) if isinstance(result, Proxy) else [one.shape[0] for one in inputs]
    return torch.split(result, rows)


def may_depend_on(a, b, search_depth=6):
    """Whether node a is, or depends on, node b; yes where that is further away than the depth."""
    if a == b:
        return True
    if not a.all_input_nodes:
        return False
    return search_depth == 0 or any(may_depend_on(used, b, search_depth - 1) for used in a.all_input_nodes)


def are_nodes_independent(nodes):
    """Whether surely none depends on another."""
    return not any(may_depend_on(a, b) or may_depend_on(b, a) for a, b in itertools.combinations(nodes, 2))


def merge_matmul(in_mod):
    """The module, traced; torch.matmul of several values with one other multiplies them all at once."""
    gm = symbolic_trace(in_mod)
    by_right = {}
    for node in gm.graph.nodes:
        if node.op == "call_function" and node.target is torch.matmul:
            right = node.args[1]
            # One attribute that is read twice is one value.
            by_right.setdefault(right.target if right.op == "get_attr" else right, []).append(node)
    for products in by_right.values():
        if len(products) > 1 and are_nodes_independent(products):
            _merge(gm.graph, products)
            legalize_graph(gm)
    gm.recompile()
    gm.graph.lint()
    return gm


def _merge(graph, products):
    lefts, right = [product.args[0] for product in products], products[0].args[1]
    product = graph.call_function(torch.matmul, (graph.call_function(torch.cat, (lefts,)), right))
    parts = graph.call_function(split_result_tensors, (product, lefts))
    for i, old in enumerate(products):
        old.replace_all_uses_with(graph.call_function(operator.getitem, (parts, i)))
        graph.erase_node(old)
