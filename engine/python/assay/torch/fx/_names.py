"""Names: of functions as text that finds them again, and of values, each its own."""

import builtins
import keyword
import math
import re
import sys
import types

from .._package import torch as root
from ..utils import _pytree as pytree
from . import _pytree as fx_pytree

ROOT_NAME = __package__.rpartition(".")[0]

# What generated code can always name: (the statement that imports it, the object).
PRESENT = {
    "inf": ("from math import inf", math.inf),
    "nan": ("from math import nan", math.nan),
    "NoneType": ("NoneType = type(None)", type(None)),
    "torch": ("import torch", root),
    "device": ("from torch import device", root.device),
    "fx_pytree": ("import torch.fx._pytree as fx_pytree", fx_pytree),
    "pytree": ("import torch.utils._pytree as pytree", pytree),
}


def official(module_name):
    """A module's name as users write it, whatever name the package has here."""
    inside = module_name == ROOT_NAME or module_name.startswith(ROOT_NAME + ".")
    return "torch" + module_name[len(ROOT_NAME) :] if inside else module_name


# Operators that PyTorch has in torch._C._nn and not in torch.
OF_NN = frozenset("""
    _scaled_dot_product_attention adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d
    avg_pool2d avg_pool3d binary_cross_entropy col2im cross_entropy_loss elu elu_ fractional_max_pool2d
    fractional_max_pool3d gelu gelu_ glu hardsigmoid hardsigmoid_ hardswish hardswish_ hardtanh hardtanh_ huber_loss
    im2col l1_loss leaky_relu leaky_relu_ linear log_sigmoid max_pool2d_with_indices max_pool3d_with_indices
    max_unpool2d max_unpool3d mish mish_ mse_loss multi_margin_loss multilabel_margin_loss nll_loss nll_loss_nd
    one_hot pad_sequence reflection_pad1d reflection_pad2d reflection_pad3d relu6 relu6_ replication_pad1d
    replication_pad2d replication_pad3d silu silu_ smooth_l1_loss soft_margin_loss softplus softshrink
    upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d upsample_nearest2d upsample_nearest3d
    upsample_trilinear3d""".split())


def _homes():
    functional = sys.modules.get(ROOT_NAME + ".nn.functional") or root.nn.functional
    return (("torch", root), ("torch.nn.functional", functional))


def is_from_torch(value):
    module = getattr(value, "__module__", None)
    if module is not None:
        return official(module).partition(".")[0] == "torch"
    name = getattr(value, "__name__", None)
    return name not in (None, "torch") and any(getattr(home, name, None) is value for _, home in _homes())


def module_of(function):
    """Name of the module in which a function is found; RuntimeError if there is none."""
    if function.__module__ is not None:
        return _public_home(official(function.__module__), function)
    for name, home in _homes():
        if getattr(home, function.__name__, None) is function:
            return name
    raise RuntimeError("cannot find the module of %r" % (function,))


def _public_home(module, function):
    """The module in which PyTorch has what is an operator or in a private module here."""
    name = function.__name__
    if module == "torch" and not isinstance(function, (type, types.FunctionType)):
        return "torch._C._nn" if name in OF_NN else "torch.nn.functional" if name == "pad" else module
    if module.startswith("torch._") and getattr(root, name, None) is function:
        return "torch"
    return module


def qualified_name(function):
    """The text that finds a function or class again: "torch.relu", "len"."""
    name = function.__name__
    if getattr(builtins, name, None) is function:
        return name
    if isinstance(function, type(root.relu)) and "." in name:  # One overload.
        return "torch.ops.%s.%s" % (function._schemas[0].partition("::")[0], name)
    described = (types.MethodDescriptorType, types.WrapperDescriptorType)
    if isinstance(function, described) and function is getattr(root.Tensor, name, None):
        return "torch.Tensor." + name
    return "%s.%s" % (module_of(function).replace("torch._ops", "torch.ops"), name)


def type_text(kind):
    """An annotation as it is printed."""
    if isinstance(kind, type) and not isinstance(kind, types.GenericAlias):
        return kind.__qualname__ if kind.__module__ == "builtins" else official(kind.__module__) + "." + kind.__qualname__
    if kind is ...:
        return "..."
    if isinstance(kind, types.FunctionType):
        return kind.__name__
    return repr(kind)


def snake_case(text):
    """ "MyBlock" as "my_block"."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", text).lower()


def name_for(target):
    """What a node is called after its target, before numbers make it unique."""
    text = target if isinstance(target, str) else target.__name__
    if text.startswith("__") and text.endswith("__"):
        text = text[2:-2]
    return snake_case(text)


class Namespace:
    """Gives out names: valid identifiers, none of them twice, none that hides one of Python's own."""

    def __init__(self):
        self._of_object, self._used, self._last = {}, set(), {}

    def create_name(self, wanted, owner):
        """A name like `wanted`. One owner keeps one name; None owns nothing."""
        if owner is not None and owner in self._of_object:
            return self._of_object[owner]
        name = re.sub("[^0-9a-zA-Z_]+", "_", wanted) or "_unnamed"
        if name[0].isdigit():
            name = "_" + name
        base, number = re.fullmatch(r"(.*?)(?:_(\d+))?", name).groups()
        if number is not None:
            name = "%s_%d" % (base, int(number))
        count = int(number or 0) or self._last.get(base, 0)
        while name in self._used or self._is_reserved(name, owner):
            count += 1
            name = "%s_%d" % (base, count)
        self._used.add(name)
        self._last[base] = count
        if owner is not None:
            self._of_object[owner] = name
        return name

    def associate_name_with_obj(self, name, owner):
        self._of_object.setdefault(owner, name)

    @staticmethod
    def _is_reserved(name, owner):
        if keyword.iskeyword(name):
            return True
        if name in vars(builtins):
            return owner is not vars(builtins)[name]
        return name in PRESENT and owner is not PRESENT[name][1]
