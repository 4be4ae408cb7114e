"""Nested containers as a flat list of leaves and a description of their form, and back."""

import collections
import operator
from typing import Any, Callable, NamedTuple


Context = PyTree = Any  # What a kind keeps of a container beside its children; containers and leaves.


class NodeDef(NamedTuple):
    """How one type of container is taken apart and put together again."""

    flatten_fn: Callable
    unflatten_fn: Callable


SUPPORTED_NODES = {}


def _register_pytree_node(typ, flatten_fn, unflatten_fn):
    """`flatten_fn(container)` gives (children, context), `unflatten_fn(children, context)` the
    container again."""
    SUPPORTED_NODES[typ] = NodeDef(flatten_fn, unflatten_fn)


# Libraries register their own containers with these.
def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_unflatten(values, context):
    return dict(zip(context, values))


def _list_flatten(d):
    return d, None


def _list_unflatten(values, context):
    return list(values)


def _tuple_flatten(d):
    return list(d), None


def _tuple_unflatten(values, context):
    return tuple(values)


def _namedtuple_flatten(d):
    return list(d), type(d)


def _namedtuple_unflatten(values, context):
    return context(*values)


def _odict_flatten(d):
    return list(d.values()), list(d)


def _odict_unflatten(values, context):
    return collections.OrderedDict(zip(context, values))


_register_pytree_node(dict, _dict_flatten, _dict_unflatten)
_register_pytree_node(list, _list_flatten, _list_unflatten)
_register_pytree_node(tuple, _tuple_flatten, _tuple_unflatten)
_register_pytree_node(collections.namedtuple, _namedtuple_flatten, _namedtuple_unflatten)
_register_pytree_node(collections.OrderedDict, _odict_flatten, _odict_unflatten)


def _is_namedtuple_instance(pytree):
    return isinstance(pytree, tuple) and hasattr(pytree, "_fields") and type(pytree).__bases__ == (tuple,)


def _get_node_type(pytree):
    return collections.namedtuple if _is_namedtuple_instance(pytree) else type(pytree)


def _kind_of(value):
    """The registered kind of a container; None for a leaf."""
    kind = _get_node_type(value)
    return kind if kind in SUPPORTED_NODES else None


def _is_leaf(value):
    return _kind_of(value) is None


class TreeSpec:
    """The form of a tree: the kind of its root, what else the kind needs, and the children's forms."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, list(children_specs)
        self.num_leaves = sum(child.num_leaves for child in self.children_specs)

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return (self.type, self.context, self.children_specs) == (other.type, other.context, other.children_specs)

    def __ne__(self, other):
        return not self == other

    def __repr__(self):
        name = getattr(self.type, "__name__", self.type)
        inner = ",\n  ".join(repr(child).replace("\n", "\n  ") for child in self.children_specs)
        return "TreeSpec(%s, %s, [%s])" % (name, self.context, inner)


class LeafSpec(TreeSpec):
    """The form of what is no container."""

    def __init__(self):
        super().__init__(None, None, [])
        self.num_leaves = 1

    def __repr__(self):
        return "*"


def tree_flatten(pytree):
    """(leaves, spec)"""
    kind = _kind_of(pytree)
    if kind is None:
        return [pytree], LeafSpec()
    children, context = SUPPORTED_NODES[kind].flatten_fn(pytree)
    leaves, specs = [], []
    for child in children:
        inner, spec = tree_flatten(child)
        leaves += inner
        specs.append(spec)
    return leaves, TreeSpec(kind, context, specs)


def tree_unflatten(values, spec):
    """The tree of that form with these leaves."""
    if not isinstance(spec, TreeSpec):
        raise ValueError("tree_unflatten needs a TreeSpec, not %s" % type(spec).__name__)
    values = list(values)
    if len(values) != spec.num_leaves:
        raise ValueError("%d leaves do not fill a tree of %d: %s" % (len(values), spec.num_leaves, spec))
    if isinstance(spec, LeafSpec):
        return values[0]
    children, start = [], 0
    for child in spec.children_specs:
        children.append(tree_unflatten(values[start : start + child.num_leaves], child))
        start += child.num_leaves
    return SUPPORTED_NODES[spec.type].unflatten_fn(children, spec.context)


def tree_map(fn, pytree):
    leaves, spec = tree_flatten(pytree)
    return tree_unflatten([fn(leaf) for leaf in leaves], spec)


def map_only(kind):
    """A decorator: the function for values of that type, and no change for others."""

    def decorate(fn):
        return lambda value: fn(value) if isinstance(value, kind) else value

    return decorate


def tree_map_only(ty, fn, pytree):
    return tree_map(map_only(ty)(fn), pytree)


def tree_all(predicate, pytree):
    return all(map(predicate, tree_flatten(pytree)[0]))


def tree_any(predicate, pytree):
    return any(map(predicate, tree_flatten(pytree)[0]))


def tree_all_only(kind, predicate, pytree):
    return all(predicate(leaf) for leaf in tree_flatten(pytree)[0] if isinstance(leaf, kind))


def tree_any_only(kind, predicate, pytree):
    return any(predicate(leaf) for leaf in tree_flatten(pytree)[0] if isinstance(leaf, kind))


def _broadcast_to_and_flatten(pytree, spec):
    """The leaves of a tree that may stop short of a form: each is repeated for what is below it. None
    where the tree does not fit."""
    if _is_leaf(pytree):
        return [pytree] * spec.num_leaves
    if isinstance(spec, LeafSpec) or _kind_of(pytree) != spec.type:
        return None
    children, context = SUPPORTED_NODES[spec.type].flatten_fn(pytree)
    if len(children) != len(spec.children_specs) or not operator.eq(context, spec.context):
        return None
    leaves = []
    for child, child_spec in zip(children, spec.children_specs):
        inner = _broadcast_to_and_flatten(child, child_spec)
        if inner is None:
            return None
        leaves += inner
    return leaves
