"""What several passes ask of nodes and graphs."""

import collections
from dataclasses import dataclass
from typing import List, Set, Tuple, Union

from .._compatibility import compatibility
from ..._package import torch
from .._names import official
from ..graph import Graph
from ..node import Node, _get_qualified_name

__all__ = ["get_acc_ops_name", "get_node_target", "is_node_output_tensor", "FxNetAccFusionsFinder", "legalize_graph"]

Tensors = Union[Tuple[torch.Tensor], List[torch.Tensor]]
TensorOrTensors = Union[torch.Tensor, Tensors]
NodeList = List[Node]
NodeSet = Set[Node]
Names = List[str]
CALLABLE_NODE_OPS = {"call_module", "call_function", "call_method"}


@compatibility(is_backward_compatible=False)
def get_acc_ops_name(k):
    """A function or class as a text: module and name; acc_ops.NAME for those of a module acc_ops."""
    if isinstance(k, str):
        return k
    module = official(k.__module__ or "").replace("torch._ops", "torch.ops")
    return "%s.%s" % ("acc_ops" if "acc_ops" in module else module, k.__name__)


@compatibility(is_backward_compatible=False)
def get_node_target(submodules, node):
    """What the node calls as a text: the name of the function, of the method, or of the module's class.
    `submodules` has modules by their paths."""
    if node.op not in CALLABLE_NODE_OPS:
        raise AssertionError("a %s node calls nothing" % node.op)
    if node.op == "call_module":
        module = submodules[node.target]
        return get_acc_ops_name(getattr(module, "_base_class_origin", type(module)))
    if node.op == "call_method":
        return node.target
    if "acc_ops" in (getattr(node.target, "__module__", None) or ""):
        return "acc_ops." + node.target.__name__
    return _get_qualified_name(node.target)


@compatibility(is_backward_compatible=False)
def is_node_output_tensor(node):
    """Whether the node gives a tensor, as far as ShapeProp has found."""
    kind = node.meta.get("type", None)
    return kind is not None and issubclass(kind, torch.Tensor)


@compatibility(is_backward_compatible=False)
class FxNetAccFusionsFinder:
    """Called, gives for each node of `acc_nodes` that passes on something other than tensors the group of
    nodes that has to stay together for that. Nodes have the meta data of ShapeProp."""

    def __init__(self, module, acc_nodes):
        self.module, self.nodes, self.acc_nodes = module, list(module.graph.nodes), acc_nodes
        self._place = {node: i for i, node in enumerate(self.nodes)}

    @dataclass
    class FusionGroup:
        top_node_idx: int  # The place of its first node in the graph.
        nodes: NodeSet
        inputs: NodeSet
        nodes_need_process: NodeSet

        def add_node(self, node):
            if node in self.nodes:
                return
            self.nodes_need_process.add(node)
            self.nodes.add(node)
            self.inputs.discard(node)
            self.inputs.update(n for n in node.all_input_nodes if n.op in CALLABLE_NODE_OPS and n not in self.nodes)

    def recursive_add_node(self, fusion_group, inputs):
        """Adds what lies between the inputs and nodes of the group above them. Says whether there is."""
        for arg in list(inputs):
            if arg.op not in CALLABLE_NODE_OPS or self._place[arg] < fusion_group.top_node_idx:
                continue
            if arg in fusion_group.nodes:
                return True
            if self.recursive_add_node(fusion_group, arg.all_input_nodes):
                fusion_group.add_node(arg)
                return True
        return False

    def __call__(self):
        found = {}
        for node in list(self.acc_nodes):
            known = node in found or node not in self.acc_nodes
            if known or node.op not in CALLABLE_NODE_OPS or "tensor_meta" in node.meta:
                continue
            group = self._group_of(node)
            if group.nodes <= self.acc_nodes:
                found.update((member, group.nodes) for member in group.nodes)
            else:
                self.acc_nodes -= group.nodes
        return found

    def _group_of(self, first):
        group = self.FusionGroup(self._place[first], {first}, set(first.all_input_nodes), {first})
        while group.nodes_need_process:
            node = group.nodes_need_process.pop()
            self.recursive_add_node(group, group.inputs)
            if "tensor_meta" not in node.meta:
                for user in node.users:
                    if user.op in CALLABLE_NODE_OPS and user not in group.nodes:
                        group.add_node(user)
                        self.recursive_add_node(group, group.inputs)
            for arg in node.all_input_nodes:
                if arg.op in CALLABLE_NODE_OPS and "tensor_meta" not in arg.meta and arg not in group.nodes:
                    group.add_node(arg)
                    group.top_node_idx = min(group.top_node_idx, self._place[arg])
                    self.recursive_add_node(group, group.inputs)
        return group


@compatibility(is_backward_compatible=False)
def legalize_graph(gm):
    """Brings the nodes of the module's graph into an order in which each stands behind what it uses."""
    missing = {node: len(node.all_input_nodes) for node in gm.graph.nodes}
    ready = collections.deque(node for node in gm.graph.nodes if not missing[node])
    made, values = Graph(), {}
    while ready:
        node = ready.popleft()
        values[node] = made.node_copy(node, values.__getitem__)
        for user in node.users:
            missing[user] -= 1
            if not missing[user]:
                ready.append(user)
    if len(values) < len(missing):
        raise RuntimeError("nodes use one another in a circle: %s" % [node for node in missing if missing[node]])
    made._codegen = gm.graph._codegen
    gm.graph = made
    return gm
