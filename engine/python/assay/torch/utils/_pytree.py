"""Nested containers as a flat list of leaves and a description of their form, and back."""

import collections
import operator


class _Kind:
    """How one type of container is taken apart and put together again."""

    def __init__(self, flatten, unflatten):
        self.flatten, self.unflatten = flatten, unflatten


SUPPORTED_NODES = {}


def _register_pytree_node(kind, flatten_fn, unflatten_fn):
    """`flatten_fn(container)` gives (children, context), `unflatten_fn(children, context)` the
    container again."""
    SUPPORTED_NODES[kind] = _Kind(flatten_fn, unflatten_fn)


def _named_tuple(items, kind):
    return kind(*items)


_register_pytree_node(dict, lambda d: (list(d.values()), list(d)), lambda items, keys: dict(zip(keys, items)))
_register_pytree_node(list, lambda x: (x, None), lambda items, context: list(items))
_register_pytree_node(tuple, lambda x: (list(x), None), lambda items, context: tuple(items))
_register_pytree_node(collections.namedtuple, lambda x: (list(x), type(x)), _named_tuple)
_register_pytree_node(
    collections.OrderedDict,
    lambda d: (list(d.values()), list(d)),
    lambda items, keys: collections.OrderedDict(zip(keys, items)),
)


def _kind_of(value):
    """The registered kind of a container; None for a leaf."""
    if isinstance(value, tuple) and hasattr(value, "_fields") and type(value).__bases__ == (tuple,):
        return collections.namedtuple
    return type(value) if type(value) in SUPPORTED_NODES else None


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


def tree_flatten(tree):
    """(leaves, spec)"""
    kind = _kind_of(tree)
    if kind is None:
        return [tree], LeafSpec()
    children, context = SUPPORTED_NODES[kind].flatten(tree)
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
    return SUPPORTED_NODES[spec.type].unflatten(children, spec.context)


def tree_map(fn, tree):
    leaves, spec = tree_flatten(tree)
    return tree_unflatten([fn(leaf) for leaf in leaves], spec)


def map_only(kind):
    """A decorator: the function for values of that type, and no change for others."""

    def decorate(fn):
        return lambda value: fn(value) if isinstance(value, kind) else value

    return decorate


def tree_map_only(kind, fn, tree):
    return tree_map(map_only(kind)(fn), tree)


def tree_all(predicate, tree):
    return all(map(predicate, tree_flatten(tree)[0]))


def tree_any(predicate, tree):
    return any(map(predicate, tree_flatten(tree)[0]))


def tree_all_only(kind, predicate, tree):
    return all(predicate(leaf) for leaf in tree_flatten(tree)[0] if isinstance(leaf, kind))


def tree_any_only(kind, predicate, tree):
    return any(predicate(leaf) for leaf in tree_flatten(tree)[0] if isinstance(leaf, kind))


def _broadcast_to_and_flatten(tree, spec):
    """The leaves of a tree that may stop short of a form: each is repeated for what is below it. None
    where the tree does not fit."""
    if _is_leaf(tree):
        return [tree] * spec.num_leaves
    if isinstance(spec, LeafSpec) or _kind_of(tree) != spec.type:
        return None
    children, context = SUPPORTED_NODES[spec.type].flatten(tree)
    if len(children) != len(spec.children_specs) or not operator.eq(context, spec.context):
        return None
    leaves = []
    for child, child_spec in zip(children, spec.children_specs):
        inner = _broadcast_to_and_flatten(child, child_spec)
        if inner is None:
            return None
        leaves += inner
    return leaves
