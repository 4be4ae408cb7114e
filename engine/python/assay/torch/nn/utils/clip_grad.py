"""Limits on gradients."""
import math
import warnings

from ..._package import torch


def _grads(parameters):
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False):
    """Scales the gradients down, in place, until the norm of all together is at most `max_norm`; returns it."""
    grads = _grads(parameters)
    norm_type = float(norm_type)
    if not grads:
        return torch.tensor(0.)
    device = grads[0].device
    if norm_type == math.inf:
        total = torch.stack([grad.detach().abs().max().to(device) for grad in grads]).max()
    else:
        total = torch.norm(torch.stack([torch.norm(grad.detach(), norm_type).to(device) for grad in grads]), norm_type)
    if error_if_nonfinite and not bool(total.isfinite()):
        raise RuntimeError(f'the gradients have the {norm_type}-norm {total.item()} together, by which none '
                           'can be scaled; with error_if_nonfinite=False they are all the same')
    scale = torch.clamp(float(max_norm) / (total + 1e-6), max=1.0)
    for grad in grads:
        grad.detach().mul_(scale.to(grad.device))
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2., error_if_nonfinite=False):
    warnings.warn("clip_grad_norm is an old name: call clip_grad_norm_", stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters, clip_value):
    """Cuts the elements of the gradients, in place, to [-clip_value, clip_value]."""
    for grad in _grads(parameters):
        grad.data.clamp_(min=-float(clip_value), max=float(clip_value))
