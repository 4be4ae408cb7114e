"""A weight as its direction times its length."""
from ... import torch
from ..parameter import Parameter, UninitializedParameter

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
        g = getattr(module, self.name + '_g')
        v = getattr(module, self.name + '_v')
        return torch._weight_norm(v, g, self.dim)

    @staticmethod
    def apply(module, name, dim):
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        made = WeightNorm(name, dim)
        weight = getattr(module, name)
        if isinstance(weight, UninitializedParameter):
            raise ValueError("weight_norm needs a weight with a shape: call the lazy module once before")
        del module._parameters[name]
        module.register_parameter(name + '_g', Parameter(_norm_except_dim(weight, made.dim).data))
        module.register_parameter(name + '_v', Parameter(weight.data))
        setattr(module, name, made.compute_weight(module))
        module.register_forward_pre_hook(made)
        return made

    def remove(self, module):
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + '_g']
        del module._parameters[self.name + '_v']
        setattr(module, self.name, Parameter(weight.data))

    def __call__(self, module, inputs):
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module, name='weight', dim=0):
    """Replaces the parameter `name` by its norms along `dim` and its direction."""
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module, name='weight'):
    """Makes the weight a parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")
