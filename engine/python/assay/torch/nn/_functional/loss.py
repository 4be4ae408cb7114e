"""Losses: their values, as assay has no backward pass.

A trace names its values after the variables here, so that those which hold tensors have PyTorch's names."""
import math
import warnings
from typing import Callable, Optional

from ..._package import torch
from .. import _operators as _nn
from .. import _reduction as _Reduction
from .activation import logsigmoid
from .distance import pairwise_distance
from .public import public

Tensor = torch.Tensor


def _reduction_name(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> str:
    """The reduction that is asked for, which the old arguments override."""
    if size_average is None and reduce is None:
        return reduction
    return _Reduction.legacy_get_string(size_average, reduce)


def _reduction_enum(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> int:
    return _Reduction.get_enum(_reduction_name(size_average, reduce, reduction))


def _current_enum(reduction: str) -> int:
    """The number of a reduction where old names are not taken."""
    if reduction not in ["none", "mean", "sum"]:
        raise ValueError("reduction: '{}' is none of 'none', 'mean' and 'sum'".format(reduction))
    return _Reduction.get_enum(reduction)


def _reduced(loss: Tensor, reduction_enum: int) -> Tensor:
    if reduction_enum == 1:
        return loss.mean()
    if reduction_enum == 2:
        return loss.sum()
    return loss


def _warn_of_sizes(input: Tensor, target: Tensor) -> None:
    if not (target.size() == input.size()):
        warnings.warn("the target of size {} and the input of size {} are broadcast to each other, which is "
                      "likely not what is meant".format(target.size(), input.size()), stacklevel=3)


def _check_sizes(input: Tensor, target: Tensor) -> None:
    if not (target.size() == input.size()):
        raise ValueError("the target has size {}, the input {}: they must be equal".format(
            target.size(), input.size()))


@public
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor, blank: int = 0,
    reduction: str = "mean", zero_infinity: bool = False
) -> Tensor:
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank,
                          _Reduction.get_enum(reduction), zero_infinity)


@public
def nll_loss(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    return _nn.nll_loss_nd(input, target, weight, _reduction_enum(size_average, reduce, reduction), ignore_index)


@public
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: Optional[bool] = None,
    eps: float = 1e-8, reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _current_enum(_reduction_name(size_average, reduce, reduction))
    return torch.poisson_nll_loss(input, target, log_input, full, eps, reduction_enum)


def _variances(var: Tensor, input: Tensor) -> Tensor:
    """One for each number of the input, or one for its last dimension, which may be left out."""
    if var.size() == input.size():
        return var
    shared = input.size()[:-1]
    if var.size() == shared:
        return torch.unsqueeze(var, -1)
    if var.size()[:-1] != shared or var.size(-1) != 1:
        raise ValueError("var has size {}, the input {}: equal sizes are needed, or 1 for (or nothing of) "
                         "the last dimension".format(var.size(), input.size()))
    return var


@public
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    var = _variances(var, input)
    reduction_enum = _current_enum(reduction)
    if torch.any(var < 0):
        raise ValueError("var: a variance is negative")
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = (var.log() + (input - target)**2 / var) * 0.5
    if full:
        loss += math.log(2 * math.pi) / 2
    return _reduced(loss, reduction_enum)


@public
def kl_div(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", log_target: bool = False
) -> Tensor:
    per_batch = reduction == "batchmean"
    if reduction == "mean" and size_average is None and reduce is None:
        warnings.warn("reduction: 'mean' divides by the number of elements; the mathematical definition of "
                      "the divergence is reduction='batchmean'")
    reduction_enum = _reduction_enum(size_average, reduce, "sum" if per_batch else reduction)
    reduced = torch.kl_div(
        input, target, reduction_enum, log_target=log_target)
    if per_batch and input.dim() > 0:
        return reduced / input.size()[0]
    return reduced


@public
def cross_entropy(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    ignore_index: int = -100, reduce: Optional[bool] = None, reduction: str = "mean", label_smoothing: float = 0.0
) -> Tensor:
    return _nn.cross_entropy_loss(input, target, weight, _reduction_enum(size_average, reduce, reduction),
                                  ignore_index, label_smoothing)


@public
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    _check_sizes(input, target)
    if weight is not None:
        weight = weight.expand(_nn._infer_size(target.size(), weight.size()))
    return _nn.binary_cross_entropy(input, target, weight, reduction_enum)


@public
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean", pos_weight: Optional[Tensor] = None
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    _check_sizes(input, target)
    return torch.binary_cross_entropy_with_logits(
        input, target, weight, pos_weight, reduction_enum)


@public
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(
        input, target)
    return _nn.smooth_l1_loss(expanded_input, expanded_target, reduction_enum, beta)


@public
def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    _warn_of_sizes(input, target)
    expanded_input, expanded_target = torch.broadcast_tensors(
        input, target)
    return _nn.huber_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), delta)


@public
def l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(
        input, target)
    return _nn.l1_loss(expanded_input, expanded_target, reduction_enum)


@public
def mse_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(
        input, target)
    return _nn.mse_loss(expanded_input, expanded_target, reduction_enum)


@public
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss: the inputs ({} and {}) and the target ({}) need one number "
                           "of dimensions".format(input1.size(), input2.size(), target.size()))
    return torch.margin_ranking_loss(
        input1, input2, target, margin, reduction_enum)


@public
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    return torch.hinge_embedding_loss(input, target, margin, _reduction_enum(size_average, reduce, reduction))


@public
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    return _nn.multilabel_margin_loss(input, target, _reduction_enum(size_average, reduce, reduction))


@public
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    return _nn.soft_margin_loss(input, target, _reduction_enum(size_average, reduce, reduction))


@public
def multilabel_soft_margin_loss(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _current_enum(_reduction_name(size_average, reduce, reduction))
    loss = (target * logsigmoid(input) + (1 - target) * logsigmoid(-input)).neg()
    if weight is not None:
        loss = loss * weight
    last = input.dim() - 1
    C = input.size(last)
    loss = loss.sum(dim=last) / C
    return _reduced(loss, reduction_enum)


@public
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    return torch.cosine_embedding_loss(input1, input2, target, margin,
                                       _reduction_enum(size_average, reduce, reduction))


@public
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Optional[Tensor] = None,
    size_average: Optional[bool] = None, reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if p != 1 and p != 2:
        raise ValueError("p: 1 or 2 is needed, not {}".format(p))
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight: one number a class is needed; its size is {}".format(weight.size()))
    return _nn.multi_margin_loss(input, target, p, margin, weight, reduction_enum)


@public
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, size_average: Optional[bool] = None, reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    return torch.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap,
                                     _reduction_enum(size_average, reduce, reduction))


@public
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *,
    distance_function: Optional[Callable[[Tensor, Tensor], Tensor]] = None, margin: float = 1.0, swap: bool = False,
    reduction: str = "mean"
) -> Tensor:
    if torch.jit.is_scripting():
        raise NotImplementedError("F.triplet_margin_with_distance_loss cannot be scripted: it takes a function")
    distance = pairwise_distance if distance_function is None else distance_function
    positive_dist = distance(anchor, positive)
    negative_dist = distance(anchor, negative)
    if swap:
        swap_dist = distance(positive, negative)
        negative_dist = torch.min(negative_dist, swap_dist)
    output = (positive_dist - negative_dist + margin).clamp(min=0.0)
    number = _Reduction.get_enum(reduction)
    if number == 0:
        return output
    return output.mean() if number == 1 else output.sum()
