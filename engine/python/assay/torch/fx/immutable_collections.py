"""Lists and dicts that refuse to be changed: what a node's arguments are held in.

A node keeps track of who uses whom, which a change behind its back would spoil.
"""

from ..utils import _pytree


def _refusing(name, base):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(
            "%s does not support %s: it belongs to a node; give the node new args or kwargs instead: new_args = list(node.args), change that, node.args = tuple(new_args)"
            % (type(self).__name__, name)
        )

    refuse.__name__ = name
    return refuse


class immutable_list(list):
    """A list without its mutating methods."""

    def __reduce__(self):
        return immutable_list, (tuple(self),)

    def __hash__(self):
        return hash(tuple(self))


class immutable_dict(dict):
    """A dict without its mutating methods."""

    def __reduce__(self):
        return immutable_dict, (tuple(self.items()),)

    def __hash__(self):
        return hash(tuple(self.items()))


_CHANGING = {
    immutable_list: "__delitem__ __iadd__ __imul__ __setitem__ append clear extend insert pop remove "
    "reverse sort",
    immutable_dict: "__delitem__ __ior__ __setitem__ clear pop popitem setdefault update",
}
for _kind, _names in _CHANGING.items():
    for _name in _names.split():
        setattr(_kind, _name, _refusing(_name, _kind.__mro__[1]))

_pytree._register_pytree_node(
    immutable_list, lambda x: (list(x), None), lambda items, context: immutable_list(items)
)
_pytree._register_pytree_node(
    immutable_dict,
    lambda x: (list(x.values()), list(x.keys())),
    lambda items, keys: immutable_dict(zip(keys, items)),
)
