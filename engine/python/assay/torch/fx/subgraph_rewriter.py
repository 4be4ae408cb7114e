"""Finding a pattern in a graph and putting something else in its place."""

import copy
from typing import Callable, Dict, List, NamedTuple

from ._compatibility import compatibility
from .._package import torch
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node

__all__ = ["Match", "replace_pattern"]


@compatibility(is_backward_compatible=True)
class Match(NamedTuple):
    """One place where the pattern was found."""

    anchor: Node  # The node of the pattern from which it was found: the first that its output gives.
    nodes_map: Dict[Node, Node]  # The nodes of the pattern, and what they are in the graph.


@compatibility(is_backward_compatible=True)
def replace_pattern(gm: GraphModule, pattern: Callable, replacement: Callable) -> List[Match]:
    """Replaces each place in `gm` that computes what `pattern` computes by what `replacement` does.
    Pattern and replacement are functions or modules with the same arguments. Gives the list of matches.
    Places that overlap an earlier one stay, as do those whose inner values are used elsewhere."""
    from .passes.utils.matcher_utils import SubgraphMatcher  # Here, since the passes import this package.

    wanted, other = _graph_of(pattern), _graph_of(replacement)
    if len(_placeholders(wanted)) != len(_placeholders(other)):
        raise ValueError("pattern and replacement take different numbers of arguments")
    matches = SubgraphMatcher(wanted).match(gm.graph)
    replaced = {}
    for match in matches:
        _replace_one(gm.graph, wanted, other, match, replaced)
    if isinstance(replacement, torch.nn.Module):
        gm.delete_all_unused_submodules()
        _provide_targets(gm, replacement)
    gm.recompile()
    return [Match(anchor=match.anchors[0], nodes_map=match.nodes_map) for match in matches]


def _graph_of(pattern):
    if isinstance(pattern, Graph):
        return pattern
    return pattern.graph if isinstance(pattern, GraphModule) else symbolic_trace(pattern).graph


def _placeholders(graph):
    return [node for node in graph.nodes if node.op == "placeholder"]


def _member(module, path):
    for part in path.split("."):
        module = getattr(module, part)
    return module


# -- Replacing


def _provide_targets(gm, replacement):
    """Gives the module what its graph calls and reads by now, from the replacement."""
    for node in gm.graph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        try:
            _member(gm, node.target)
            continue
        except AttributeError:
            value = copy.deepcopy(_member(replacement, node.target))
        *prefix, name = node.target.split(".")
        place = gm
        for part in prefix:
            if not hasattr(place, part):
                place.add_module(part, torch.nn.Module())
            place = getattr(place, part)
        setattr(place, name, value)


def _replace_one(graph, pattern, replacement, match, replaced):
    """`replaced`: what became of nodes that earlier replacements took away."""
    given = [replaced.get(node, node) if isinstance(node, Node) else node for node in match.placeholder_nodes]
    values = dict(zip(_placeholders(replacement), given))
    with graph.inserting_before(_first_user(graph, match.returning_nodes)):
        result = graph.graph_copy(replacement, values)
    made = [result] if isinstance(result, Node) else list(result)
    if len(made) != len(match.returning_nodes):
        raise AssertionError("pattern and replacement give different numbers of values")
    for old, new in zip(match.returning_nodes, made):
        if old is not new:
            old.replace_all_uses_with(new)
            replaced[old] = new
    for node in reversed(list(pattern.nodes)):
        if node.op not in ("placeholder", "output") and not match.nodes_map[node]._erased:
            graph.erase_node(match.nodes_map[node])


def _first_user(graph, nodes):
    """The first node of the graph that uses one of these."""
    users = {user for node in nodes for user in node.users}
    return next((node for node in graph.nodes if node in users), None)
