"""A weight as its direction times its length."""
from ..._package import torch
from ...utils import hooks
from ..parameter import Parameter, is_lazy

__all__ = ['WeightNorm', 'weight_norm', 'remove_weight_norm']


def _norm_except_dim(v, dim):
    """The 2-norm over all dimensions but `dim`, which stays; over all of them for -1."""
    if dim == -1:
        return v.norm(2)
    rest = [d for d in range(v.dim()) if d != dim]
    return v.norm(2, rest, keepdim=True) if rest else v.abs()


class WeightNorm:
    """The hook that computes the weight from `<name>_g` and `<name>_v` before each call."""

    def __init__(self, name, dim):
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module):
        g = getattr(module, self.name + '_g')  # A trace shows these names.
        v = getattr(module, self.name + '_v')
        return torch._weight_norm(v, g, self.dim)

    @staticmethod
    def apply(module, name, dim):
        if hooks.key_of(module._forward_pre_hooks, WeightNorm, name) is not None:
            raise RuntimeError(f"'{name}' has weight_norm already: call remove_weight_norm before")
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if is_lazy(weight):
            raise ValueError("weight_norm needs a weight with a shape: call the lazy module once before")
        del module._parameters[name]
        for suffix, value in (('_g', _norm_except_dim(weight, made.dim)), ('_v', weight)):
            module.register_parameter(name + suffix, Parameter(value.data))
        made(module, None)
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for suffix in ('_g', '_v'):
            del module._parameters[self.name + suffix]
        module.register_parameter(self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        weight = self.compute_weight(module)
        setattr(module, self.name, weight)


def weight_norm(module, name='weight', dim=0):
    """Replaces the parameter `name` by its norms along `dim` and its direction."""
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name='weight'):
    """Makes the weight a parameter again."""
    key = hooks.key_of(module._forward_pre_hooks, WeightNorm, name)
    if key is None:
        raise ValueError(f"'{name}' has no weight_norm in {module}")
    module._forward_pre_hooks.pop(key).remove(module)
    return module
