"""A part of a graph as a module; whether two graphs are alike."""

from ..._compatibility import compatibility
from ...._package import torch
from ...graph_module import GraphModule
from .matcher_utils import SubgraphMatcher

__all__ = ["HolderModule", "lift_subgraph_as_module", "compare_graphs"]


@compatibility(is_backward_compatible=False)
class HolderModule(torch.nn.Module):
    """A module that has submodules and nothing else."""

    def __init__(self, d):
        super().__init__()
        for name, module in d.items():
            self.add_module(name, module)


@compatibility(is_backward_compatible=False)
def lift_subgraph_as_module(gm, subgraph, class_name="GraphModule"):
    """A GraphModule of a graph whose nodes name attributes and submodules of `gm`."""
    holder = HolderModule({})
    for node in subgraph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        *prefix, name = node.target.split(".")
        source, place = gm, holder
        for part in prefix:
            if not hasattr(place, part):
                place.add_module(part, HolderModule({}))
            source, place = getattr(source, part), getattr(place, part)
        setattr(place, name, getattr(source, name))
    return GraphModule(holder, subgraph, class_name)


@compatibility(is_backward_compatible=False)
def compare_graphs(left, right):
    """Whether both have the same inputs, outputs and nodes, connected alike."""
    return bool(SubgraphMatcher(left, match_output=True, match_placeholder=True).match(right))
