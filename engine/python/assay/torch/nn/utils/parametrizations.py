"""Parametrizations that come with torch."""
from ..._package import torch
from .. import functional as F
from ..modules import Module
from . import parametrize
from .spectral_norm import check_iterations, default_dim, kept, outputs_first, random_unit_vectors

Tensor = torch.Tensor

__all__ = ['orthogonal', 'spectral_norm']


def _weight_of(module, name):
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"'{name}' is no tensor of {module}")
    return weight


def orthogonal(module, name='weight', orthogonal_map=None, *, use_trivialization=True):
    raise NotImplementedError("assay's torch has no orthogonal parametrization: where the model was trained, make the "
                              "weight an ordinary one by torch.nn.utils.parametrize.remove_parametrizations")


class _SpectralNorm(Module):
    """Divides by the largest singular value; in training each reading improves the singular vectors."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        ndim = weight.ndim
        if not -ndim <= dim < ndim:
            raise IndexError(f"a weight of {ndim} dimensions has no dimension {dim}")
        check_iterations(n_power_iterations)
        self.dim = dim % ndim
        self.eps = eps
        if ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._reshape_weight_to_matrix(weight)
            for name, vector in zip(('_u', '_v'), random_unit_vectors(matrix, eps)):
                self.register_buffer(name, vector)
            self._power_method(matrix, 15)

    def _reshape_weight_to_matrix(self, weight):
        return outputs_first(weight, self.dim).flatten(1)

    def _power_method(self, matrix, iterations):
        with torch.no_grad():
            for _ in range(iterations):
                self._u = F.normalize(torch.mv(matrix, self._v), dim=0, eps=self.eps, out=self._u)
                self._v = F.normalize(torch.mv(matrix.t(), self._u), dim=0, eps=self.eps, out=self._v)

    def forward(self, weight):
        if weight.ndim == 1:  # the vector's own length
            return F.normalize(weight, dim=0, eps=self.eps)
        matrix = self._reshape_weight_to_matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = kept(self._u, self._v)
        return weight / torch.dot(u, torch.mv(matrix, v))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None):
    """Keeps the largest singular value of `name` at one."""
    weight = _weight_of(module, name)
    made = _SpectralNorm(weight, n_power_iterations, default_dim(module) if dim is None else dim, eps)
    return parametrize.register_parametrization(module, name, made)
