"""Finding a pattern in a graph and putting something else in its place."""

import copy
from typing import Dict, List, NamedTuple

from ._names import root as torch
from ._symbolic_trace import symbolic_trace
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, map_aggregate, map_arg

__all__ = ["Match", "replace_pattern"]


class Match(NamedTuple):
    """One place where the pattern was found."""

    anchor: Node  # The node of the pattern from which it was found: the first that its output gives.
    nodes_map: Dict[Node, Node]  # The nodes of the pattern, and what they are in the graph.


def replace_pattern(gm, pattern, replacement):
    """Replaces each place in `gm` that computes what `pattern` computes by what `replacement` does.
    Pattern and replacement are functions or GraphModules with the same arguments. Gives the list of
    matches. Places that overlap an earlier one stay, as do those whose inner values are used
    elsewhere."""
    wanted, other = _graph_of(pattern), _graph_of(replacement)
    if len(_placeholders(wanted)) != len(_placeholders(other)):
        raise ValueError("pattern and replacement take different numbers of arguments")
    matches = find_matches(gm, wanted)
    _provide_targets(gm, replacement)
    replaced = {}
    for match in matches:
        _replace_one(gm.graph, wanted, other, match, replaced)
    gm.recompile()
    return [Match(anchor=_output(wanted).all_input_nodes[0], nodes_map=match) for match in matches]


def _graph_of(pattern):
    if isinstance(pattern, Graph):
        return pattern
    return pattern.graph if isinstance(pattern, GraphModule) else symbolic_trace(pattern).graph


def _placeholders(graph):
    return [node for node in graph.nodes if node.op == "placeholder"]


def _output(graph):
    return next(node for node in graph.nodes if node.op == "output")


# -- Finding


def find_matches(gm, pattern):
    """[{node of the pattern: node of the graph}], none of which share nodes."""
    anchors = [node for node in _output(pattern).all_input_nodes]
    found, taken = [], set()
    for candidate in list(gm.graph.nodes):
        match = _match_at(gm, pattern, anchors, candidate)
        if match is None:
            continue
        inner = {b for a, b in match.items() if a.op != "placeholder"}
        if inner & taken or not _is_closed(match, anchors):
            continue
        taken |= inner
        found.append(match)
    return found


def _match_at(gm, pattern, anchors, candidate):
    """The match whose last value is the candidate. Where the pattern gives several values the others
    are looked for in the whole graph."""
    match = {}
    if not anchors or not _fits(gm, anchors[0], candidate, match):
        return None
    for anchor in anchors[1:]:
        if anchor in match:
            continue
        for other in gm.graph.nodes:
            attempt = dict(match)
            if _fits(gm, anchor, other, attempt):
                match = attempt
                break
        else:
            return None
    return match


def _is_closed(match, anchors):
    """Whether nothing outside of the match uses a value that the pattern does not give."""
    inner = set(match.values())
    return all(
        a.op == "placeholder" or a in anchors or all(user in inner for user in b.users) for a, b in match.items()
    )


def _fits(gm, a, b, match):
    """Whether node b of the graph computes what node a of the pattern does; fills the match."""
    if a in match:
        return match[a] is b
    if not isinstance(b, Node):
        if a.op == "placeholder":
            match[a] = b
            return True
        return False
    if b in match.values() or (a.op != "placeholder" and not _same_step(gm, a, b)):
        return False  # Two values of the pattern are two of the graph.
    match[a] = b
    if a.op == "placeholder":
        return True
    return _fit_values(gm, a.args, b.args, match) and _fit_values(gm, a.kwargs, b.kwargs, match)


def _same_step(gm, a, b):
    if a.op != b.op:
        return False
    if a.op in ("get_attr", "call_module"):
        return _same_member(a, b)
    return a.target == b.target


def _same_member(a, b):
    """Modules of one class, and attributes of one kind."""
    first, second = (node.graph.owning_module for node in (a, b))
    if first is None or second is None:
        return a.target == b.target
    x, y = _member(first, a.target), _member(second, b.target)
    if isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor):
        return True
    return type(x) is type(y)


def _member(module, path):
    for part in path.split("."):
        module = getattr(module, part)
    return module


def _fit_values(gm, a, b, match):
    if isinstance(a, Node):
        return _fits(gm, a, b, match)
    if isinstance(a, (list, tuple)):
        same = isinstance(b, (list, tuple)) and len(a) == len(b)
        return same and all(_fit_values(gm, x, y, match) for x, y in zip(a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_fit_values(gm, a[k], b[k], match) for k in a)
    if isinstance(a, slice):
        return isinstance(b, slice) and _fit_values(
            gm, (a.start, a.stop, a.step), (b.start, b.stop, b.step), match)  # fmt: skip
    return not isinstance(b, Node) and a == b


# -- Replacing


def _provide_targets(gm, replacement):
    """Gives the module what the replacement calls and reads."""
    if not isinstance(replacement, torch.nn.Module):
        return
    graph = _graph_of(replacement)
    gm.delete_all_unused_submodules()
    for node in graph.nodes:
        if node.op not in ("call_module", "get_attr"):
            continue
        try:
            _member(gm, node.target)
            continue
        except AttributeError:
            value = _member(replacement, node.target)
        if isinstance(value, torch.nn.Module):
            gm.add_submodule(node.target, copy.deepcopy(value))
        else:
            *prefix, name = node.target.split(".")
            owner = _member(gm, ".".join(prefix)) if prefix else gm
            setattr(owner, name, copy.deepcopy(value))


def _replace_one(graph, pattern, replacement, match, replaced):
    """`replaced`: what became of nodes that earlier replacements took away."""
    values = {}
    for a, r in zip(_placeholders(pattern), _placeholders(replacement)):
        given = match[a]
        values[r] = replaced.get(given, given) if isinstance(given, Node) else given
    given_back = [match[a] for a in _output(pattern).all_input_nodes]
    first_user = _first_user(graph, given_back)
    with graph.inserting_before(first_user):
        result = graph.graph_copy(replacement, values)
    made = []
    map_aggregate(result, lambda item: made.append(item) if isinstance(item, Node) else None)
    if len(made) != len(given_back):
        raise AssertionError("pattern and replacement give different numbers of values")
    for old, new in zip(given_back, made):
        if old is not new:
            old.replace_all_uses_with(new)
            replaced[old] = new
    for a in reversed(list(pattern.nodes)):
        if a.op not in ("placeholder", "output") and not match[a]._erased:
            graph.erase_node(match[a])


def _first_user(graph, nodes):
    """The first node of the graph that uses one of these."""
    users = {user for node in nodes for user in node.users}
    return next((node for node in graph.nodes if node in users), None)
