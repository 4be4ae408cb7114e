"""Finding the places of a graph that compute what another graph, the pattern, does."""

from dataclasses import dataclass, field
from typing import Dict, List

from ....utils import _pytree as pytree
from ..._compatibility import compatibility
from ...node import Node
from ._partition import validate_partition

__all__ = ["SubgraphMatcher", "InternalMatch"]


@compatibility(is_backward_compatible=False)
@dataclass
class InternalMatch:
    """One place where the pattern was found."""

    anchors: List[Node]  # The nodes of the pattern from which it was found.
    nodes_map: Dict[Node, Node] = field(default_factory=dict)  # Nodes of the pattern, and what they are there.
    placeholder_nodes: List[Node] = field(default_factory=list)  # What the pattern's placeholders are there.
    returning_nodes: List[Node] = field(default_factory=list)  # What the nodes that it gives back are there.

    def __copy__(self):
        return InternalMatch(
            self.anchors, dict(self.nodes_map), list(self.placeholder_nodes), list(self.returning_nodes)
        )


@compatibility(is_backward_compatible=False)
class SubgraphMatcher:
    """Finds a pattern, a graph without dead code. Its placeholders stand for any value, or with
    `match_placeholder` for placeholders; with `match_output` its output is the graph's. Of places that
    overlap only the first is given, unless `remove_overlapping_matches` is off."""

    def __init__(self, pattern, match_output=False, match_placeholder=False, remove_overlapping_matches=True):
        self.pattern, self.match_output, self.match_placeholder = pattern, match_output, match_placeholder
        self.remove_overlapping_matches = remove_overlapping_matches
        nodes = list(pattern.nodes)
        if not nodes:
            raise ValueError("an empty pattern matches nothing; give it nodes beside its inputs and its output")
        unused = [node for node in nodes if node.op != "output" and not node.users]
        if unused:
            raise AssertionError("the pattern has nodes that nobody uses: %s" % unused)
        output = nodes[-1]
        self.pattern_placeholder_nodes = [node for node in nodes if node.op == "placeholder"]
        self.pattern_returning_nodes = output.all_input_nodes
        # The search goes upwards from the pattern's ends: what only the output uses.
        ends = [node for node in output.all_input_nodes if len(node.users) == 1]
        self.pattern_anchors = [output] if match_output else ends

    def match(self, graph):
        """The places in the graph, as InternalMatch: closed ones, of whose inner values nobody else makes
        use, and whose nodes could be one node without a circle."""
        found = []
        candidates = [
            [node for node in graph.nodes if self._nodes_are_equal(anchor, node)] for anchor in self.pattern_anchors
        ]
        self._extend(InternalMatch(self.pattern_anchors), candidates, found)
        found = [match for match in found if self._is_closed(match) and validate_partition(_inner(match))]
        return self._without_overlaps(found) if self.remove_overlapping_matches else found

    def _extend(self, match, candidates, found):
        """Adds the matches in which the anchors from `len(anchors) - len(candidates)` on are candidates. An
        anchor for which nothing could stand at all is left out of the search, and fails the match if it is
        needed."""
        if not candidates:
            if all(node in match.nodes_map for node in self.pattern_placeholder_nodes + self.pattern_returning_nodes):
                match.placeholder_nodes = [match.nodes_map[node] for node in self.pattern_placeholder_nodes]
                match.returning_nodes = [match.nodes_map[node] for node in self.pattern_returning_nodes]
                found.append(match)
            return
        anchor = self.pattern_anchors[len(self.pattern_anchors) - len(candidates)]
        for candidate in candidates[0]:
            attempt = match.__copy__()
            if self._match_nodes(anchor, candidate, attempt):
                self._extend(attempt, candidates[1:], found)

    def _nodes_are_equal(self, pn, gn):
        if pn.op == "placeholder" and not self.match_placeholder:
            return True
        if pn.op != gn.op:
            return False
        return pn.op in ("placeholder", "output") or pn.target == gn.target

    def _match_nodes(self, pn, gn, match):
        """Whether gn computes what pn does; fills the match, which is of no use where it does not."""
        if pn in match.nodes_map:
            return match.nodes_map[pn] is gn
        # Two values of the pattern are two of the graph.
        if any(known is gn for known in match.nodes_map.values()) or not self._nodes_are_equal(pn, gn):
            return False
        match.nodes_map[pn] = gn
        if pn.op == "placeholder":
            return True
        if pn.kwargs.keys() != gn.kwargs.keys():
            return False
        values, others = pytree.tree_flatten(pn.args)[0], pytree.tree_flatten(gn.args)[0]
        values += list(pn.kwargs.values())
        others += [gn.kwargs[name] for name in pn.kwargs]
        return len(values) == len(others) and all(self._match_values(a, b, match) for a, b in zip(values, others))

    def _match_values(self, a, b, match):
        if isinstance(a, Node) and isinstance(b, Node):
            return self._match_nodes(a, b, match)
        if isinstance(a, Node):
            if a.op != "placeholder":
                return False
            known = match.nodes_map.setdefault(a, b)
            return not isinstance(known, Node) and known == b
        return not isinstance(b, Node) and type(a) is type(b) and a == b

    def _is_closed(self, match):
        inside = [gn for gn in match.nodes_map.values() if isinstance(gn, Node)]
        for pn, gn in match.nodes_map.items():
            if pn.op == "placeholder" or pn in self.pattern_returning_nodes:
                continue
            if any(user not in inside for user in gn.users):
                return False
        return True

    @staticmethod
    def _without_overlaps(matches):
        kept, taken = [], set()
        for match in matches:
            inner = set(_inner(match))
            if not inner & taken:
                kept.append(match)
                taken |= inner
        return kept


def _inner(match):
    return [gn for pn, gn in match.nodes_map.items() if pn.op not in ("placeholder", "output")]
