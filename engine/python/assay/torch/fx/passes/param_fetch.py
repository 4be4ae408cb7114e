"""The attributes of modules by which other programs build the same layers."""

from .._compatibility import compatibility
from ..._package import torch
from ..graph_module import GraphModule

__all__ = ["default_matching", "extract_attrs_for_lowering", "lift_lowering_attrs_to_nodes"]


@compatibility(is_backward_compatible=False)
def default_matching(name, target_version):
    """The name of an attribute in the given version of a class: the same in each."""
    return name


_CONVOLUTION = "weight bias kernel_size stride padding dilation groups padding_mode"
_POOLING = "kernel_size stride padding dilation return_indices ceil_mode"

# (version of the class, attributes, how they are named in another version) by class.
module_fetch_book = {
    getattr(torch.nn, name): (version, attributes.split(), default_matching)
    for name, version, attributes in (
        ("Linear", 1, "weight bias"),
        ("Conv2d", 1, _CONVOLUTION),
        ("BatchNorm2d", 2, "weight bias running_mean running_var eps"),
        ("AdaptiveAvgPool2d", 1, ""),
        ("MaxPool2d", 1, _POOLING),
        ("ReLU", 1, "inplace"),
    )
}


@compatibility(is_backward_compatible=False)
def extract_attrs_for_lowering(mod):
    """The module's class name and attributes. RuntimeError for a class that module_fetch_book lacks."""
    kind = torch.typename(mod)
    if type(mod) not in module_fetch_book:
        raise RuntimeError("module_fetch_book does not say which attributes %s has" % kind)
    version, names, name_in = module_fetch_book[type(mod)]
    if version < mod._version:
        raise RuntimeError("module_fetch_book knows %s of version %d, not %d" % (kind, version, mod._version))
    found = {"name": kind}
    found.update((name, getattr(mod, name_in(name, mod._version))) for name in names)
    return found


@compatibility(is_backward_compatible=False)
def lift_lowering_attrs_to_nodes(fx_module):
    """Gives every call_module node, those of inner GraphModules included, its module's attributes."""
    for node in fx_module.graph.nodes:
        if node.op == "call_module":
            inner = fx_module.get_submodule(node.target)
            if isinstance(inner, GraphModule):
                lift_lowering_attrs_to_nodes(inner)
            else:
                node.attrs_for_lowering = extract_attrs_for_lowering(inner)
