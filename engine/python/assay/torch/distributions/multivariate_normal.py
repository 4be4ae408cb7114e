"""The multivariate normal distribution."""

import math

from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import _standard_normal, lazy_property


def _batch_mv(matrices, vectors):
    return torch.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def _batch_mahalanobis(lower, x):
    """The squared length of x in units of the Cholesky factor of a covariance."""
    return torch.linalg.solve_triangular(lower, x.unsqueeze(-1), upper=False).squeeze(-1).pow(2).sum(-1)


def _half_log_det(lower):
    return lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _precision_to_scale_tril(precision):
    """The Cholesky factor of the inverse: flipped round, an upper factor is a lower one."""
    upper = torch.flip(torch.linalg.cholesky(torch.flip(precision, (-2, -1))), (-2, -1))
    one = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return torch.linalg.solve_triangular(upper.mT, one, upper=False)


_MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


class MultivariateNormal(Distribution):
    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("MultivariateNormal: loc is at least a vector")
        given = [(name, value) for name, value in zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril))
                 if value is not None]
        if len(given) != 1:
            raise ValueError(f"MultivariateNormal takes one of {', '.join(_MATRICES)}, not {len(given)} of them")
        (name, matrix), = given
        if matrix.dim() < 2:
            raise ValueError(f"MultivariateNormal: {name} is at least a matrix")
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        if name == "covariance_matrix":
            matrix = torch.linalg.cholesky(matrix)
        elif name == "precision_matrix":
            matrix = _precision_to_scale_tril(matrix)
        self._unbroadcasted_scale_tril = matrix

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril

    def _square(self, matrices):
        return matrices.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        return self._square(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._square(torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT))

    @lazy_property
    def precision_matrix(self):
        return self._square(torch.cholesky_inverse(self._unbroadcasted_scale_tril))

    mean = mode = property(lambda self: self.loc)

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=torch.Size()):
        normal = _standard_normal(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
        return self.loc + _batch_mv(self._unbroadcasted_scale_tril, normal)

    def log_prob(self, value):
        self._check(value)
        distance = _batch_mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        return (-0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance)
                - _half_log_det(self._unbroadcasted_scale_tril))

    def entropy(self):
        entropy = (0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
                   + _half_log_det(self._unbroadcasted_scale_tril))
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
