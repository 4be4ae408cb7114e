"""A module cut into submodules by tags on its nodes."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from .._compatibility import compatibility
from ..._package import torch
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_arg
from ..proxy import Proxy
from .utils.common import HolderModule, lift_subgraph_as_module

__all__ = ["getattr_recursive", "setattr_recursive", "Component", "split_by_tags"]


@compatibility(is_backward_compatible=False)
def getattr_recursive(obj, name):
    """The attribute at the path; None where there is none."""
    for part in name.split("."):
        obj = getattr(obj, part, None)
    return obj


@compatibility(is_backward_compatible=False)
def setattr_recursive(obj, attr, value):
    *prefix, name = attr.split(".")
    for part in prefix:
        obj = getattr(obj, part)
    setattr(obj, name, value)


@compatibility(is_backward_compatible=False)
@dataclass
class Component:
    """One submodule while it is made."""

    graph: Graph
    order: int
    name: str
    input_placeholders: List = field(default_factory=list)
    orig_inputs: List = field(default_factory=list)
    orig_outputs: List = field(default_factory=list)
    getattr_maps: Dict[Node, Node] = field(default_factory=dict)
    constructor_args: List[str] = field(default_factory=list)
    gm: Optional[Any] = None

    def value_of(self, node, values, homes):
        """What stands for a node of the original graph in this one."""
        if node.op == "get_attr":
            if node not in self.getattr_maps:
                self.getattr_maps[node] = self.graph.get_attr(node.target, type_expr=node.type)
            return self.getattr_maps[node]
        if homes.get(node) is self:
            return values[node]
        if node not in self.orig_inputs:
            self.orig_inputs.append(node)
            self.input_placeholders.append(self.graph.placeholder(node.name, type_expr=node.type))
        return self.input_placeholders[self.orig_inputs.index(node)]


def _nodes_in(value):
    found = []
    map_arg(value, found.append)
    return found


@compatibility(is_backward_compatible=False)
def split_by_tags(gm, tags):
    """A GraphModule with a submodule for each tag, called in the order of the tags. Every node that calls
    something has a `tag`; it uses none of a later one."""
    components = {tag: Component(Graph(), i, tag) for i, tag in enumerate(tags)}
    main, main_values, values, homes, used = Graph(), {}, {}, {}, {}
    output = None
    for node in gm.graph.nodes:
        if node.op == "output":
            if output is not None:
                raise RuntimeError("the graph has several output nodes")
            output = node
        elif node.op == "placeholder":
            main_values[node] = main.placeholder(node.name, type_expr=node.type)
        elif node.op != "get_attr":
            _copy_node(node, components, values, homes)
    if output is None:
        raise RuntimeError("the graph has no output node")
    for component in components.values():
        used.update(dict.fromkeys(component.orig_inputs))
    used = dict.fromkeys(node for node in gm.graph.nodes if node in used)
    for node in _nodes_in(output.args[0]):
        if node.op == "get_attr":
            main_values[node] = main.get_attr(node.name, type_expr=node.type)
        else:
            used[node] = None
    for node in used:
        if node.op != "placeholder":
            homes[node].orig_outputs.append(node)
    for component in components.values():
        _call_component(gm, component, main, main_values, values)
    main.output(map_arg(output.args[0], main_values.__getitem__))
    holder = HolderModule({component.name: component.gm for component in components.values()})
    for node in _nodes_in(output.args[0]):
        if node.op == "get_attr":
            setattr(holder, node.name, getattr_recursive(gm, node.target))
    return GraphModule(holder, main)


def _copy_node(node, components, values, homes):
    if not hasattr(node, "tag"):
        raise AssertionError("%s has no tag" % node)
    home = homes[node] = components[node.tag]
    late = [used for used in node.all_input_nodes if used in homes and homes[used].order > home.order]
    if late:
        raise AssertionError("%s with the tag %s uses %s, whose tag comes later" % (node, node.tag, late))
    values[node] = home.graph.node_copy(node, lambda used: home.value_of(used, values, homes))
    values[node].tag = node.tag


def _call_component(gm, component, main, main_values, values):
    results = tuple(values[node] for node in component.orig_outputs)
    component.graph.output(results[0] if len(results) == 1 else results)
    component.gm = lift_subgraph_as_module(gm, component.graph)
    call = main.call_module(component.name, tuple(main_values[node] for node in component.orig_inputs))
    if len(results) == 1:
        main_values[component.orig_outputs[0]] = call
        return
    for i, node in enumerate(component.orig_outputs):
        main_values[node] = Proxy(call)[i].node
