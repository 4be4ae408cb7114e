"""Groups of nodes as submodules."""

import copy

from ...graph import Graph
from ...proxy import Proxy
from ..tools_common import legalize_graph
from ._partition import validate_partition
from .common import lift_subgraph_as_module


def topo_sort(nodes):
    """The nodes in an order in which each stands behind those of them that it uses."""
    missing = {node: sum(used in nodes for used in node.all_input_nodes) for node in nodes}
    order = [node for node in nodes if not missing[node]]
    for done in order:
        for user in done.users:
            if user in missing:
                missing[user] -= 1
                if not missing[user]:
                    order.append(user)
    if len(order) != len(nodes):
        raise AssertionError("the nodes use one another in a circle")
    return order


def fuse_as_graphmodule(gm, nodes, module_name):
    """(a GraphModule of the nodes, the nodes that it takes, those of its nodes that others use). `nodes`
    are in their order."""
    for node in nodes:
        if node.graph.owning_module is not gm or node._erased:
            raise AssertionError("%s is no node of %s" % (node, gm._get_name()))
    if not validate_partition(nodes):
        raise AssertionError("what lies between these nodes is none of them: %s" % (nodes,))
    graph, inputs, values = Graph(), {}, {}

    def value_of(used):
        if used in values:
            return values[used]
        if used not in inputs:
            inputs[used] = graph.placeholder(used.name, type_expr=used.type)
            inputs[used].meta = copy.copy(used.meta)
        return inputs[used]

    for node in nodes:
        values[node] = graph.node_copy(node, value_of)
    outputs = {node: values[node] for node in nodes if any(user not in values for user in node.users)}
    results = tuple(outputs.values())
    graph.output(results[0] if len(results) == 1 else results)
    graph.lint()
    return lift_subgraph_as_module(gm, graph, module_name), tuple(inputs), tuple(outputs)


def insert_subgm(gm, sub_gm, orig_inputs, orig_outputs):
    """Adds the module and a call of it, whose results take the places of the original nodes."""
    name = type(sub_gm).__name__
    gm.add_submodule(name, sub_gm)
    call = gm.graph.call_module(name, args=orig_inputs)
    if len(orig_outputs) == 1:
        orig_outputs[0].replace_all_uses_with(call)
    else:
        for i, original in enumerate(orig_outputs):
            original.replace_all_uses_with(Proxy(call)[i].node)
    return gm


def erase_nodes(gm, nodes):
    for node in reversed(nodes):
        gm.graph.erase_node(node)


def fuse_by_partitions(gm, partitions):
    """Puts a call of a submodule, fused_0 and so on, in the place of each group of nodes."""
    for i, nodes in enumerate(partitions):
        nodes = topo_sort(nodes)
        fused, inputs, outputs = fuse_as_graphmodule(gm, nodes, "fused_%d" % i)
        insert_subgm(gm, fused, inputs, outputs)
        erase_nodes(gm, nodes)
    return legalize_graph(gm)
