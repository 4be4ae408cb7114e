"""Instance normalization."""
from ..._package import torch
from .. import functional as F
from .batchnorm import _check_rank, _LazyNormBase, _NormBase

Tensor = torch.Tensor

__all__ = ['InstanceNorm1d', 'InstanceNorm2d', 'InstanceNorm3d', 'LazyInstanceNorm1d', 'LazyInstanceNorm2d',
           'LazyInstanceNorm3d']


class _InstanceNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False,
                 device=None, dtype=None):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device=device, dtype=dtype)

    def _get_no_batch_dim(self):
        raise NotImplementedError

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                              error_msgs):
        # Before 0.4 running statistics were there by default: such a state dict is told from a wrong one.
        if local_metadata.get('version', None) is None and not self.track_running_stats:
            found = [key for key in (prefix + 'running_mean', prefix + 'running_var') if key in state_dict]
            for key in found:
                state_dict.pop(key)
            if found:
                error_msgs.append(
                    f'{type(self).__name__} tracks no running statistics, but the state dict has '
                    f'{", ".join(found)}: leave them out, or make the module with track_running_stats=True')
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys,
                                      error_msgs)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        if input.dim() == self._get_no_batch_dim():
            return self._handle_no_batch_input(input)
        return self._apply_instance_norm(input)

    def _handle_no_batch_input(self, input):
        return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias,
                               self.training or not self.track_running_stats, self.momentum, self.eps)


class InstanceNorm1d(_InstanceNorm):
    """Normalizes each channel of each sample of (N, C, L) or (C, L)."""

    def _get_no_batch_dim(self):
        return 2

    def _check_input_dim(self, input):
        _check_rank(input, [2, 3])


class InstanceNorm2d(_InstanceNorm):
    """Normalizes each channel of each sample of (N, C, H, W) or (C, H, W)."""

    def _get_no_batch_dim(self):
        return 3

    def _check_input_dim(self, input):
        _check_rank(input, [3, 4])


class InstanceNorm3d(_InstanceNorm):
    """Normalizes each channel of each sample of (N, C, D, H, W) or (C, D, H, W)."""

    def _get_no_batch_dim(self):
        return 4

    def _check_input_dim(self, input):
        _check_rank(input, [4, 5])


class LazyInstanceNorm1d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm1d
    _get_no_batch_dim = InstanceNorm1d._get_no_batch_dim
    _check_input_dim = InstanceNorm1d._check_input_dim


class LazyInstanceNorm2d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm2d
    _get_no_batch_dim = InstanceNorm2d._get_no_batch_dim
    _check_input_dim = InstanceNorm2d._check_input_dim


class LazyInstanceNorm3d(_LazyNormBase, _InstanceNorm):
    cls_to_become = InstanceNorm3d
    _get_no_batch_dim = InstanceNorm3d._get_no_batch_dim
    _check_input_dim = InstanceNorm3d._check_input_dim
