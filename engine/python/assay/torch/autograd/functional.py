"""torch.autograd.functional: Jacobians and their products."""

from .._absent import names

__getattr__ = names(__name__, "jacobian hessian vjp jvp vhp hvp", "assay computes no gradients")
