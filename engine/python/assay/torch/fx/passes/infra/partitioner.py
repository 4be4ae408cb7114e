"""Groups of nodes that a backend can run, as large as they get."""

import itertools

from ...node import _get_qualified_name
from ..utils.fuser_utils import fuse_by_partitions

# What a partition of these alone has nothing to compute for.
VIEWS = ("torch.ops.aten.view", "_operator.getitem")


class Partition:
    """A set of nodes with a number."""

    def __init__(self, id=None, nodes=None):
        self.id, self.nodes = id, set(nodes or ())

    def __repr__(self):
        return str(self.nodes)

    def add_node(self, node):
        self.nodes.add(node)

    def remove_node(self, node):
        self.nodes.remove(node)

    def size(self):
        return len(self.nodes)


class CapabilityBasedPartitioner:
    """Groups the nodes that `operator_support` says yes of, each with those that use it."""

    def __init__(self, graph_module, operator_support, allows_single_node_partition=False):
        self.graph_module, self.operator_support = graph_module, operator_support
        self.allows_single_node_partition = allows_single_node_partition
        self.dependency_map = {}  # What each node depends on, through others too.
        for node in graph_module.graph.nodes:
            used = set(node.all_input_nodes)
            self.dependency_map[node] = used.union(*(self.dependency_map[one] for one in used))

    def _depends(self, nodes, others):
        """1 if a node of the second set depends on one of the first, -1 the other way round, 0 if neither."""
        for a, b in itertools.product(nodes, others):
            if a in self.dependency_map[b]:
                return 1
            if b in self.dependency_map[a]:
                return -1
        return 0

    def propose_partitions(self):
        """The groups, as Partition objects."""
        modules = dict(self.graph_module.named_modules())
        nodes = [n for n in self.graph_module.graph.nodes if self.operator_support.is_node_supported(modules, n)]
        partitions, of_node, numbers = {}, {}, itertools.count()

        def assign(node, partition):
            old = of_node.pop(node, None)
            if old is not None:
                old.remove_node(node)
                if not old.size():
                    del partitions[old.id]
            if partition is not None:
                partition.add_node(node)
                partitions[partition.id] = of_node[node] = partition

        for node in reversed(nodes):
            joined = [one for one in self._free_users(node, of_node) if one.id is not None]
            target = joined[0] if joined else Partition(next(numbers))
            assign(node, target)
            for other in joined[1:]:
                for member in list(other.nodes):
                    assign(member, target)
        self._keep_items_with_tuples(of_node, assign)
        if not self.allows_single_node_partition:
            partitions = {number: one for number, one in partitions.items() if self._computes(one)}
        return list(partitions.values())

    def _free_users(self, node, of_node):
        """The partitions of the node's users, but for those that depend on others of them."""
        users = {of_node[user] if user in of_node else Partition(nodes=[user]): None for user in node.users}
        every = list(users)
        for a, b in itertools.combinations(every, 2):
            order = self._depends(a.nodes, b.nodes)
            if order == 1:
                users.pop(b, None)
            elif order == -1:
                users.pop(a, None)
        return list(users)

    def _keep_items_with_tuples(self, of_node, assign):
        """Items of a node that gives a tuple belong where it does."""
        moves = []
        for node in self.graph_module.graph.nodes:
            if all(_is_call_of(user, ("_operator.getitem",)) for user in node.users):
                moves += [(user, of_node.get(node)) for user in node.users if of_node.get(user) is not of_node.get(node)]
        for user, partition in moves:
            assign(user, partition)

    @staticmethod
    def _computes(partition):
        return sum(n.op == "call_function" and not _is_call_of(n, VIEWS) for n in partition.nodes) > 1

    def fuse_partitions(self, partitions):
        """The module with each partition as a submodule."""
        return fuse_by_partitions(self.graph_module, [list(partition.nodes) for partition in partitions])

    def partition_and_fuse(self):
        return self.fuse_partitions(self.propose_partitions())


def _is_call_of(node, names):
    return node.op == "call_function" and _get_qualified_name(node.target) in names
