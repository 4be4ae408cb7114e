"""One node in place of several that compute the same."""

from ...._compatibility import compatibility
from ....._package import torch
from ....graph import Graph
from ....graph_module import GraphModule
from ....node import Node, map_aggregate
from ....operator_schemas import overload_packet
from ...infra.pass_base import PassBase, PassResult


def _packets(names):
    return {getattr(torch.ops.aten, name) for name in names.split() if hasattr(torch.ops.aten, name)}


# What gives another value each time, and what changes an argument.
rand_ops = _packets(
    "dropout _fused_dropout _standard_gamma bernoulli multinomial native_dropout normal poisson binomial rrelu "
    "rand_like rand randint randn randperm"
)
inplace_ops = _packets("add_ sub_ mul_ div_ pow_ lerp_ relu_ sigmoid_ tanh_")


@compatibility(is_backward_compatible=False)
def get_CSE_banned_ops():
    """The operators of torch.ops.aten whose calls are not alike even with the same arguments."""
    return rand_ops | inplace_ops


@compatibility(is_backward_compatible=False)
class CSEPass(PassBase):
    """Keeps the first of the nodes that call the same with the same arguments. For functional graphs:
    `banned_ops` are those whose calls all stay."""

    def __init__(self, banned_ops=None):
        self.banned_ops = banned_ops or set()
        super().__init__()

    def call(self, graph_module):
        made, values, known, changed = Graph(), {}, {}, False
        for node in graph_module.graph.nodes:
            key = self._key(node, values)
            if key is not None and key in known:
                values[node], changed = known[key], True
                continue
            values[node] = made.node_copy(node, values.__getitem__)
            if key is not None:
                known[key] = values[node]
        return PassResult(GraphModule(graph_module, made), changed)

    def _key(self, node, values):
        """What two nodes that compute the same have in common; None for nodes that stay."""
        if node.op in ("placeholder", "output", "get_attr") or overload_packet(node.target) in self.banned_ops:
            return None
        leaf = lambda value: values[value] if isinstance(value, Node) else (type(value), value)
        args, kwargs = map_aggregate(node.args, leaf), map_aggregate(node.kwargs, leaf)
        key = (node.op, node.target, _frozen(args), _frozen(kwargs))
        try:
            hash(key)
        except TypeError:
            return None
        return key


def _frozen(value):
    """A value that can be compared with others and hashed, containers and their kinds included."""
    if isinstance(value, (list, tuple)):
        return type(value).__name__, tuple(map(_frozen, value))
    if isinstance(value, dict):
        return "dict", tuple((key, _frozen(item)) for key, item in value.items())
    if isinstance(value, slice):
        return "slice", tuple(map(_frozen, (value.start, value.stop, value.step)))
    return value
