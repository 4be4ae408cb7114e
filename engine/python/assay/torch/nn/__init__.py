"""torch.nn: modules, their parameters and the functions that they call."""
import importlib

from .modules import *
from .parameter import Parameter, UninitializedBuffer, UninitializedParameter
from .parallel import DataParallel
from . import _operators, functional, init, parallel, utils
from .modules.module import _parse_to

_operators._C._nn._parse_to = _parse_to


def factory_kwargs(kwargs):
    """The arguments among device, dtype and memory_format, or in a dictionary factory_kwargs, that make a tensor."""
    if kwargs is None:
        return {}
    simple_keys = {"device", "dtype", "memory_format"}
    unexpected = kwargs.keys() - simple_keys - {"factory_kwargs"}
    if unexpected:
        raise TypeError(f"unexpected kwargs {unexpected}")
    made = dict(kwargs.get("factory_kwargs", {}))
    for key in simple_keys & kwargs.keys():
        if key in made:
            raise TypeError(f"{key} specified twice, in **kwargs and in factory_kwargs")
        made[key] = kwargs[key]
    return made


def __getattr__(name):
    if name in ("grad", "intrinsic", "qat", "quantized"):
        return importlib.import_module("." + name, __name__)
    raise AttributeError(f"assay's torch has no 'nn.{name}' yet")
