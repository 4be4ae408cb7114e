"""The multivariate normal distribution whose covariance is W W' + D, with a narrow W and a diagonal D."""

import math

from .._package import torch
from . import constraints
from .distribution import Distribution
from .multivariate_normal import _batch_mahalanobis, _batch_mv, _half_log_det
from .utils import _standard_normal, lazy_property


def _with_ones(matrices):
    """The matrices with one added on their diagonals."""
    return matrices + torch.eye(matrices.size(-1), dtype=matrices.dtype, device=matrices.device)


def _batch_capacitance_tril(W, D):
    """The Cholesky factor of 1 + W' D^-1 W, by which Woodbury's identity inverts the covariance."""
    return torch.linalg.cholesky(_with_ones(torch.matmul(W.mT / D.unsqueeze(-2), W)))


def _batch_lowrank_logdet(W, D, capacitance_tril):
    return 2 * _half_log_det(capacitance_tril) + D.log().sum(-1)


def _batch_lowrank_mahalanobis(W, D, x, capacitance_tril):
    return (x.pow(2) / D).sum(-1) - _batch_mahalanobis(capacitance_tril, _batch_mv(W.mT / D.unsqueeze(-2), x))


class LowRankMultivariateNormal(Distribution):
    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        event_shape = loc.shape[-1:]
        if loc.dim() < 1 or cov_factor.dim() < 2 or cov_factor.shape[-2:-1] != event_shape \
                or cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"LowRankMultivariateNormal takes a vector, a matrix and a vector of as many rows, not "
                             f"{tuple(loc.shape)}, {tuple(cov_factor.shape)} and {tuple(cov_diag.shape)}")
        try:
            wide, self.cov_factor, diagonal = torch.broadcast_tensors(loc.unsqueeze(-1), cov_factor,
                                                                      cov_diag.unsqueeze(-1))
        except RuntimeError as error:
            raise ValueError(f"LowRankMultivariateNormal: batches of loc {tuple(loc.shape)}, cov_factor "
                             f"{tuple(cov_factor.shape)} and cov_diag {tuple(cov_diag.shape)} do not fit") from error
        self.loc, self.cov_diag = wide[..., 0], diagonal[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = _batch_capacitance_tril(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))

    def _square(self, matrices):
        return matrices.expand(self._batch_shape + self._event_shape + self._event_shape)

    mean = mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self):
        return (self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag).expand(
            self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        return self._square(root * torch.linalg.cholesky(_with_ones(torch.matmul(scaled, scaled.mT))))

    @lazy_property
    def covariance_matrix(self):
        return self._square(torch.matmul(self._unbroadcasted_cov_factor, self._unbroadcasted_cov_factor.mT)
                            + torch.diag_embed(self._unbroadcasted_cov_diag))

    @lazy_property
    def precision_matrix(self):
        narrow = torch.linalg.solve_triangular(
            self._capacitance_tril, self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2),
            upper=False)
        return self._square(torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - narrow.mT @ narrow)

    def rsample(self, sample_shape=torch.Size()):
        shape, options = self._extended_shape(sample_shape), {"dtype": self.loc.dtype, "device": self.loc.device}
        narrow = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], **options)
        wide = _standard_normal(shape, **options)
        return (self.loc + _batch_mv(self._unbroadcasted_cov_factor, narrow)
                + self._unbroadcasted_cov_diag.sqrt() * wide)

    def _log_det(self):
        return _batch_lowrank_logdet(self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag,
                                     self._capacitance_tril)

    def log_prob(self, value):
        self._check(value)
        distance = _batch_lowrank_mahalanobis(self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag,
                                              value - self.loc, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self):
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy
