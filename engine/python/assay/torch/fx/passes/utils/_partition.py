"""Whether nodes of a graph could be one node."""


def validate_partition(partition):
    """Whether the nodes could be one node: nothing outside of them lies between two of them."""
    inside = set(partition)
    waiting = [user for node in partition for user in node.users if user not in inside]
    seen = set()
    while waiting:
        node = waiting.pop()
        if node in inside:
            return False
        if node not in seen:
            seen.add(node)
            waiting.extend(node.users)
    return True
