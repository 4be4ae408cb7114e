"""Losses: their values, as assay has no backward pass."""
import math
import warnings
from typing import Callable, Optional

from ... import torch
from .. import _operators as _nn
from .. import _reduction as _Reduction
from .activation import logsigmoid
from .distance import pairwise_distance
from .public import public

Tensor = torch.Tensor


def _reduction_enum(size_average: Optional[bool], reduce: Optional[bool], reduction: str) -> int:
    """The operator's number of a reduction, which the old arguments override."""
    if size_average is not None or reduce is not None:
        return _Reduction.legacy_get_enum(size_average, reduce)
    return _Reduction.get_enum(reduction)


def _warn_of_sizes(input: Tensor, target: Tensor) -> None:
    if not (target.size() == input.size()):
        warnings.warn("Using a target size ({}) that is different to the input size ({}): they are broadcast to each "
                      "other, which is likely not what is meant".format(target.size(), input.size()), stacklevel=3)


def _check_reduction(reduction: str) -> None:
    if reduction != "none" and reduction != "mean" and reduction != "sum":
        raise ValueError(reduction + " is not valid")


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
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    _check_reduction(reduction)
    return torch.poisson_nll_loss(input, target, log_input, full, eps, _Reduction.get_enum(reduction))


@public
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = torch.unsqueeze(var, -1)
        elif not (input.size()[:-1] == var.size()[:-1] and var.size(-1) == 1):
            raise ValueError("var is of incorrect size")
    _check_reduction(reduction)
    if torch.any(var < 0):
        raise ValueError("var has negative entry/entries")
    var = var.clone()
    with torch.no_grad():
        var.clamp_(min=eps)
    loss = 0.5 * (torch.log(var) + (input - target)**2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    if reduction == "mean":
        return loss.mean()
    elif reduction == "sum":
        return loss.sum()
    else:
        return loss


@public
def kl_div(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", log_target: bool = False
) -> Tensor:
    if size_average is not None or reduce is not None:
        reduction_enum = _Reduction.legacy_get_enum(size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn("reduction: 'mean' divides by the number of elements; the mathematical definition of the "
                          "divergence is reduction='batchmean'")
        if reduction == "batchmean":
            reduction_enum = _Reduction.get_enum("sum")
        else:
            reduction_enum = _Reduction.get_enum(reduction)
    reduced = torch.kl_div(input, target, reduction_enum, log_target=log_target)
    if reduction == "batchmean" and input.dim() != 0:
        reduced = reduced / input.size()[0]
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
    if target.size() != input.size():
        raise ValueError("Using a target size ({}) that is different to the input size ({}) is deprecated. Please "
                         "ensure they have the same size.".format(target.size(), input.size()))
    if weight is not None:
        new_size = _nn._infer_size(target.size(), weight.size())
        weight = weight.expand(new_size)
    return _nn.binary_cross_entropy(input, target, weight, reduction_enum)


@public
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean", pos_weight: Optional[Tensor] = None
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if not (target.size() == input.size()):
        raise ValueError("Target size ({}) must be the same as input size ({})".format(target.size(), input.size()))
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction_enum)


@public
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    return _nn.smooth_l1_loss(expanded_input, expanded_target, reduction_enum, beta)


@public
def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    _warn_of_sizes(input, target)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    return _nn.huber_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), delta)


@public
def l1_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    return _nn.l1_loss(expanded_input, expanded_target, reduction_enum)


@public
def mse_loss(
    input: Tensor, target: Tensor, size_average: Optional[bool] = None, reduce: Optional[bool] = None,
    reduction: str = "mean"
) -> Tensor:
    _warn_of_sizes(input, target)
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    expanded_input, expanded_target = torch.broadcast_tensors(input, target)
    return _nn.mse_loss(expanded_input, expanded_target, reduction_enum)


@public
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: Optional[bool] = None,
    reduce: Optional[bool] = None, reduction: str = "mean"
) -> Tensor:
    reduction_enum = _reduction_enum(size_average, reduce, reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: "
                           "input1: {}, input2: {}, target: {} ".format(input1.size(), input2.size(), target.size()))
    return torch.margin_ranking_loss(input1, input2, target, margin, reduction_enum)


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
    if size_average is not None or reduce is not None:
        reduction = _Reduction.legacy_get_string(size_average, reduce)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    class_dim = input.dim() - 1
    classes = input.size(class_dim)
    loss = loss.sum(dim=class_dim) / classes
    if reduction == "none":
        ret = loss
    elif reduction == "mean":
        ret = loss.mean()
    elif reduction == "sum":
        ret = loss.sum()
    else:
        ret = input
        raise ValueError(reduction + " is not valid")
    return ret


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
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None:
        if weight.dim() != 1:
            raise ValueError("weight must be one-dimensional")
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
    distance_function = distance_function if distance_function is not None else pairwise_distance
    positive_dist = distance_function(anchor, positive)
    negative_dist = distance_function(anchor, negative)
    if swap:
        negative_dist = torch.min(negative_dist, distance_function(positive, negative))
    output = torch.clamp(positive_dist - negative_dist + margin, min=0.0)
    reduction_enum = _Reduction.get_enum(reduction)
    if reduction_enum == 1:
        return output.mean()
    elif reduction_enum == 2:
        return output.sum()
    else:
        return output
