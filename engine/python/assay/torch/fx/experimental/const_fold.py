"""Computing once what depends on a module's attributes alone."""

import re

from ..._package import torch
from .._symbolic_trace import symbolic_trace
from ..graph_module import GraphModule
from ..node import Node
from ..passes.split_module import split_module

CONSTANT, REST = "submod_0", "submod_1"


class FoldedGraphModule(GraphModule):
    """Runs `const_subgraph_module` at its first call, and keeps what that gives as the attribute
    `fx_const_folded_attrs_name`, which its own graph reads."""

    def __init__(self, root, graph, const_subgraph=None, fx_const_folded_attrs_name=None, device_for_folded_attrs="cuda"):
        graph._owners = 0  # From here on this module is the graph's only owner.
        super().__init__(root, graph)
        self.const_subgraph_module = GraphModule(root, const_subgraph) if const_subgraph is not None else None
        self.has_folding_been_run = False
        self.fx_const_folded_attrs_name = fx_const_folded_attrs_name
        self.device_for_folded_attrs = device_for_folded_attrs

    def __call__(self, *args, **kwargs):
        if not self.has_folding_been_run:
            self.run_folding()
        return super().__call__(*args, **kwargs)

    def run_folding(self):
        if self.const_subgraph_module is None or self.fx_const_folded_attrs_name is None:
            return
        if self.has_folding_been_run:
            raise AssertionError("the constants have been computed already")
        self.has_folding_been_run = True
        folded = self.const_subgraph_module()
        if isinstance(folded, tuple):
            kept = torch.nn.ParameterList([self._parameter(value) for value in folded])
        else:
            kept = self._parameter(folded)
        setattr(self, self.fx_const_folded_attrs_name, kept)

    def _parameter(self, value):
        if isinstance(value, int):
            value = torch.Tensor([value]).to(device=self.device_for_folded_attrs)
        return torch.nn.Parameter(value, requires_grad=value.requires_grad)


def get_unique_attr_name_in_module(mod_traced, name):
    """An identifier like `name` that is no attribute of the module yet."""
    name = re.sub("[^0-9a-zA-Z_]+", "_", name)
    if name[0].isdigit():
        name = "_" + name
    while hasattr(mod_traced, name):
        base, number = re.fullmatch(r"(.*?)(?:_(\d+))?", name).groups()
        name = "%s_%d" % (base, int(number or 0) + 1)
    return name


def _inline_module(gm, inline_mod_name):
    """Puts the nodes of a submodule that is a GraphModule in the place of the call of it."""
    inner = gm.get_submodule(inline_mod_name)
    call = next(node for node in gm.graph.nodes if node.op == "call_module" and node.target == inline_mod_name)
    placeholders = [node for node in inner.graph.nodes if node.op == "placeholder"]
    values = dict(zip(placeholders, call.args))
    for placeholder, value in values.items():
        if isinstance(value, Node):
            value.meta = placeholder.meta.copy()
    with gm.graph.inserting_before(call):
        result = gm.graph.graph_copy(inner.graph, values)
    call.replace_all_uses_with(result)
    gm.graph.eliminate_dead_code()


def split_const_subgraphs(module, skip_folding_node_fn=None, device_for_folded_attrs="cpu"):
    """The module as a FoldedGraphModule: what can be computed from attributes is computed at the first
    call. Nodes of which `skip_folding_node_fn` says yes stay where they are."""
    traced = module if isinstance(module, GraphModule) else symbolic_trace(module)
    constant = _constant_nodes(traced, skip_folding_node_fn)
    if all(node.op == "get_attr" for node in constant):
        return FoldedGraphModule(traced, traced.graph)
    split = split_module(traced, module, lambda node: 0 if node in constant else 1)
    for part in (split.submod_0, split.submod_1):
        for node in part.graph.nodes:
            if node.op == "call_module":
                setattr(split, node.target, getattr(part, node.target))
    call = next(node for node in split.graph.nodes if node.op == "call_module" and node.target == CONSTANT)
    folding = _reading_attributes(split, call)
    output = next(node for node in folding.graph.nodes if node.op == "output")
    name = get_unique_attr_name_in_module(split, "_FX_CONST_FOLDED_ATTRS")
    several = isinstance(output.args[0], tuple)
    setattr(split, name, torch.nn.ParameterList() if several else torch.nn.Parameter())
    with split.graph.inserting_before(call):
        folded = split.graph.get_attr(name)
    folded.meta = call.meta.copy()
    call.replace_all_uses_with(folded)
    split.graph.eliminate_dead_code()
    _inline_module(split, REST)
    return FoldedGraphModule(split, split.graph, folding.graph, name, device_for_folded_attrs)


def _constant_nodes(traced, skip):
    """Attributes, and what is computed from them alone."""
    found = set()
    for node in traced.graph.nodes:
        if node.op in ("placeholder", "output") or (node.op != "get_attr" and not found.issuperset(node.all_input_nodes)):
            continue
        if not (skip and skip(node)) and not node.is_impure():
            found.add(node)
    return found


def _reading_attributes(split, call):
    """The module behind the call, which reads for itself the attributes that it is given."""
    made = GraphModule(split, getattr(split, call.target).graph)
    given = {node.name: node for node in call.args}
    for node in made.graph.nodes:
        if node.op == "placeholder":
            with made.graph.inserting_before(node):
                read = made.graph.get_attr(given[node.target].target)
            read.meta = node.meta.copy()
            node.replace_all_uses_with(read)
            made.graph.erase_node(node)
    return made
