"""A module cut into submodules that run one after another."""

from .._compatibility import compatibility
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import map_arg
from ..proxy import Proxy

__all__ = ["Partition", "split_module"]


@compatibility(is_backward_compatible=True)
class Partition:
    """The nodes of one submodule, and what goes in and out of it."""

    def __init__(self, name):
        self.name, self.submod_name = name, "submod_%s" % name
        self.node_names, self.inputs, self.outputs = [], {}, {}
        self.partitions_dependent_on, self.partition_dependents = {}, {}
        self.graph, self.environment, self.targets = Graph(), {}, {}

    def __repr__(self):
        return "Partition %s of %s, which takes %s and gives %s" % (
            self.name, self.node_names, list(self.inputs), list(self.outputs))  # fmt: skip


@compatibility(is_backward_compatible=True)
def split_module(m, root_m, split_callback, qualname_map=None, keep_original_order=False):
    """A GraphModule that calls one submodule for each number that `split_callback(node)` gives.
    `qualname_map`, where given, is filled with the old path of each moved module by the new one. The
    submodules are called by what they depend on, or with `keep_original_order` as their first nodes stand."""
    partitions, of_node = {}, {}
    originals = {node.name: node for node in m.graph.nodes}
    for node in m.graph.nodes:
        if node.op in ("placeholder", "get_attr", "output"):
            continue
        name = str(split_callback(node))
        partition = partitions.setdefault(name, Partition(name))
        partition.node_names.append(node.name)
        of_node[node.name] = partition
    for node in m.graph.nodes:
        _note_uses(node, of_node)
    order = _in_order(partitions)
    for partition in order:
        for name in partition.inputs:
            made = partition.graph.placeholder(name)
            made.meta = originals[name].meta.copy()
            partition.environment[originals[name]] = made
    for node in m.graph.nodes:
        if node.name in of_node:
            _copy_node(node, of_node[node.name], m, qualname_map)
    return _assemble(m, list(partitions.values()) if keep_original_order else order, originals)


def _note_uses(node, of_node):
    user = of_node.get(node.name)
    for used in node.all_input_nodes:
        maker = of_node.get(used.name)
        if maker is user:
            continue
        if maker is not None:
            maker.outputs.setdefault(used.name)
        if user is not None:
            user.inputs.setdefault(used.name)
        if maker is not None and user is not None:
            user.partitions_dependent_on.setdefault(maker.name)
            maker.partition_dependents.setdefault(user.name)


def _in_order(partitions):
    """Partitions behind those that they depend on."""
    waiting = {name: set(p.partitions_dependent_on) for name, p in partitions.items()}
    order, ready = [], [name for name, needed in waiting.items() if not needed]
    while ready:
        name = ready.pop()
        order.append(partitions[name])
        for dependent in partitions[name].partition_dependents:
            waiting[dependent].discard(name)
            if not waiting[dependent]:
                ready.append(dependent)
    if len(order) != len(partitions):
        raise RuntimeError("the parts depend on one another in a circle")
    return order


def _copy_node(node, partition, m, qualname_map):
    value_of = partition.environment.__getitem__
    args, kwargs = map_arg(node.args, value_of), map_arg(node.kwargs, value_of)
    target = node.target
    if node.op == "call_module":
        value = m.get_submodule(target)
        target = target.replace(".", "_")
        partition.targets[target] = value
        if qualname_map is not None:
            qualname_map["%s.%s" % (partition.submod_name, target)] = node.target
    made = partition.graph.create_node(node.op, target, args, kwargs)
    made.meta = node.meta.copy()
    partition.environment[node] = made


def _assemble(m, order, originals):
    graph, values, members = Graph(), {}, {}
    for node in m.graph.nodes:
        if node.op == "placeholder":
            values[node.name] = graph.placeholder(node.target, node.type, *node.args)
            values[node.name].meta = node.meta.copy()
        elif node.op == "get_attr":
            values[node.name] = graph.get_attr(node.target)
            values[node.name].meta = node.meta.copy()
            members[node.target] = _member(m, node.target)
    for partition in order:
        results = tuple(partition.environment[originals[name]] for name in partition.outputs)
        partition.graph.output(results[0] if len(results) == 1 else results)
        members[partition.submod_name] = GraphModule(partition.targets, partition.graph)
        call = graph.call_module(partition.submod_name, tuple(values[name] for name in partition.inputs))
        if len(partition.outputs) == 1:
            values[next(iter(partition.outputs))] = call
        elif partition.outputs:
            proxy = Proxy(call)
            for i, name in enumerate(partition.outputs):
                values[name] = proxy[i].node
    for node in m.graph.nodes:
        if node.op == "output":
            graph.output(map_arg(node.args[0], lambda n: values[n.name]))
    return GraphModule(members, graph)


def _member(module, path):
    for part in path.split("."):
        module = getattr(module, part)
    return module
