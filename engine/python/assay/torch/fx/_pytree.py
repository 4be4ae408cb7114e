"""Flattening of arguments along a form that is already known, for generated code."""

import collections

from ..utils._pytree import SUPPORTED_NODES, LeafSpec


_own = {}  # How trees of other classes are taken apart, where that goes by the form.


def register_pytree_flatten_spec(typ, flatten_fn_spec):
    """A function of a tree of this class and its form, which gives the list of what is in there."""
    _own[typ] = flatten_fn_spec


def tree_flatten_spec(tree, spec):
    """The leaves of `tree`, which is taken apart as `spec` says, however deep it really goes."""
    if isinstance(spec, LeafSpec):
        return [tree]
    if spec.type in _own:
        children = _own[spec.type](tree, spec)
    elif spec.type in (list, tuple, collections.namedtuple):
        children = [tree[index] for index in range(len(spec.children_specs))]
    elif spec.type is dict or hasattr(tree, "keys"):
        children = [tree[key] for key in spec.context]
    elif spec.type in SUPPORTED_NODES:
        children = SUPPORTED_NODES[spec.type].flatten(tree)[0]
    else:
        raise RuntimeError("%s is no container that can be flattened" % spec.type)
    return [leaf for child, inner in zip(children, spec.children_specs) for leaf in tree_flatten_spec(child, inner)]
