"""Batch normalization."""
from typing import List, Optional

from ..._package import torch
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedBuffer, UninitializedParameter, is_lazy
from .lazy import LazyModuleMixin
from .module import Module

Tensor = torch.Tensor

__all__ = ['BatchNorm1d', 'LazyBatchNorm1d', 'BatchNorm2d', 'LazyBatchNorm2d', 'BatchNorm3d', 'LazyBatchNorm3d',
           'SyncBatchNorm']


def _check_rank(input: Tensor, ranks: List[int]) -> None:
    if input.dim() not in ranks:
        raise ValueError(f"the number of dimensions must be one of {ranks}, but the input has {input.dim()}")


def _add_scale_and_shift(module, present, shape, device, dtype):
    """Gives the module a weight and a bias of this shape, not yet filled, or says that it has none."""
    for name in ('weight', 'bias'):
        value = Parameter(torch.empty(shape, device=device, dtype=dtype)) if present else None
        module.register_parameter(name, value)


class _NormBase(Module):
    """Scale, shift and running statistics, each present or not."""

    _version = 2  # since 2 state dicts have num_batches_tracked
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    num_features: int
    eps: float
    momentum: float
    affine: bool
    track_running_stats: bool

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 device=None, dtype=None):
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        _add_scale_and_shift(self, affine, (num_features,), device, dtype)
        statistics = (('running_mean', torch.zeros, num_features, dtype),
                      ('running_var', torch.ones, num_features, dtype),
                      ('num_batches_tracked', torch.zeros, (), torch.long))
        for name, filled, shape, kind in statistics:
            value = filled(shape, dtype=kind, device=device) if track_running_stats else None
            self.register_buffer(name, value)
        self.reset_parameters()

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return (f'{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, '
                f'track_running_stats={self.track_running_stats}')

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
        is_older = (local_metadata.get("version") or 1) < 2
        if is_older and self.track_running_stats:
            state_dict.setdefault(prefix + "num_batches_tracked", torch.tensor(0, dtype=torch.long))
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


class _BatchNorm(_NormBase):
    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        # The share of this batch in the running statistics. Without a momentum they are plain averages
        # over the batches so far.
        if self.momentum is None:
            exponential_average_factor = 0.0
        else:
            exponential_average_factor = self.momentum
        if self.training and self.track_running_stats:
            if self.num_batches_tracked is not None:
                self.num_batches_tracked.add_(1)
                if self.momentum is None:
                    exponential_average_factor = 1.0 / float(self.num_batches_tracked)
                else:
                    exponential_average_factor = self.momentum
        # The texts are statements, as PyTorch has them there: each takes a number among the graph's values.
        """Evaluation without running statistics uses the batch's."""
        if self.training:
            bn_training = True
        else:
            bn_training = self.running_mean is None and self.running_var is None
        """Training does not touch statistics that are not kept."""
        return F.batch_norm(input,
                            self.running_mean if not self.training or self.track_running_stats else None,
                            self.running_var if not self.training or self.track_running_stats else None,
                            self.weight, self.bias, bn_training, exponential_average_factor, self.eps)


class _LazyNormBase(LazyModuleMixin, _NormBase):
    weight: UninitializedParameter
    bias: UninitializedParameter

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None):
        super().__init__(0, eps, momentum, False, False, device=device, dtype=dtype)
        self.affine, self.track_running_stats = affine, track_running_stats
        waiting = [(UninitializedParameter, 'weight'), (UninitializedParameter, 'bias')] if affine else []
        if track_running_stats:
            waiting += [(UninitializedBuffer, 'running_mean'), (UninitializedBuffer, 'running_var')]
        for kind, name in waiting:
            setattr(self, name, kind(device=device, dtype=dtype))
        if track_running_stats:
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self):
        if self.num_features == 0 or self.has_uninitialized_params():
            return
        super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for name in ('weight', 'bias', 'running_mean', 'running_var'):
            value = getattr(self, name)
            if value is not None and is_lazy(value):
                value.materialize((self.num_features,))
        self.reset_parameters()


class BatchNorm1d(_BatchNorm):
    """Normalizes (N, C) or (N, C, L) per channel."""

    def _check_input_dim(self, input):
        _check_rank(input, [2, 3])


class LazyBatchNorm1d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm1d
    _check_input_dim = BatchNorm1d._check_input_dim


class BatchNorm2d(_BatchNorm):
    """Normalizes (N, C, H, W) per channel."""

    def _check_input_dim(self, input):
        _check_rank(input, [4])


class LazyBatchNorm2d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm2d
    _check_input_dim = BatchNorm2d._check_input_dim


class BatchNorm3d(_BatchNorm):
    """Normalizes (N, C, D, H, W) per channel."""

    def _check_input_dim(self, input):
        _check_rank(input, [5])


class LazyBatchNorm3d(_LazyNormBase, _BatchNorm):
    cls_to_become = BatchNorm3d
    _check_input_dim = BatchNorm3d._check_input_dim


class SyncBatchNorm(_BatchNorm):
    """Batch normalization for models that were trained on several devices; here it is on one."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 process_group: Optional[object] = None, device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device=device, dtype=dtype)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"the input must have a batch and channels, but it has {input.dim()} dimensions")

    def forward(self, input: Tensor) -> Tensor:
        if not input.is_cuda:
            raise ValueError(f"SyncBatchNorm works on CUDA devices only, but the input is on {input.device}")
        return super().forward(input)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """A copy of the tree in which every batch normalization is a SyncBatchNorm with the same tensors."""
        converted = module
        if isinstance(module, _BatchNorm):
            converted = SyncBatchNorm(module.num_features, module.eps, module.momentum, module.affine,
                                      module.track_running_stats, process_group)
            if module.affine:
                with torch.no_grad():
                    converted.weight = module.weight
                    converted.bias = module.bias
            converted.running_mean = module.running_mean
            converted.running_var = module.running_var
            converted.num_batches_tracked = module.num_batches_tracked
        for name, child in module.named_children():
            converted.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return converted
