"""The Wishart distribution: positive definite matrices."""

import math
import warnings
from numbers import Number

from .._package import torch
from . import constraints
from .chi2 import Chi2
from .exp_family import ExponentialFamily
from .multivariate_normal import _MATRICES, _half_log_det, _precision_to_scale_tril
from .utils import lazy_property, tracing


def _mvdigamma(x, p):
    if not x.gt((p - 1) / 2).all():
        raise ValueError(f"the multivariate digamma function of dimension {p} needs arguments above {(p - 1) / 2}")
    steps = torch.arange(p, dtype=x.dtype, device=x.device).div(2).expand(x.shape + (-1,))
    return torch.digamma(x.unsqueeze(-1) - steps).sum(-1)


class Wishart(ExponentialFamily):
    arg_constraints = {"covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky,
                       "df": constraints.greater_than(0)}
    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = [(name, value) for name, value in zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril))
                 if value is not None]
        if len(given) != 1:
            raise AssertionError(f"Wishart takes one of {', '.join(_MATRICES)}, not {len(given)} of them")
        (name, matrix), = given
        if matrix.dim() < 2:
            raise ValueError(f"Wishart: {name} is at least a matrix")
        if isinstance(df, Number):
            batch_shape = torch.Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        event_shape = matrix.shape[-2:]
        if self.df.le(event_shape[-1] - 1).any():
            raise ValueError(f"Wishart: matrices of {event_shape[-1]} rows need df > {event_shape[-1] - 1}, not {df}")
        if self.df.lt(event_shape[-1]).any():
            warnings.warn("Wishart: with so small a df samples are likely to be singular")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        if name == "covariance_matrix":
            matrix = torch.linalg.cholesky(matrix)
        elif name == "precision_matrix":
            matrix = _precision_to_scale_tril(matrix)
        self._unbroadcasted_scale_tril = matrix
        self._prepare()

    def _prepare(self):
        like = self._unbroadcasted_scale_tril
        less = torch.arange(self._event_shape[-1], dtype=like.dtype, device=like.device)
        self._dist_chi2 = Chi2(df=self.df.unsqueeze(-1) - less.expand(self._batch_shape + (-1,)))
        self._batch_dims = [-(number + 1) for number in range(len(self._batch_shape))]

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(batch_shape + self.event_shape)
        new._batch_shape, new._event_shape = batch_shape, self._event_shape
        new._prepare()

    def _square(self, matrices):
        return matrices.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        return self._square(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._square(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.transpose(-2, -1))

    @lazy_property
    def precision_matrix(self):
        like = self._unbroadcasted_scale_tril
        one = torch.eye(self._event_shape[-1], device=like.device, dtype=like.dtype)
        return self._square(torch.cholesky_solve(one, like))

    def _times(self, numbers, matrices):
        return numbers.view(self._batch_shape + (1, 1)) * matrices

    mean = property(lambda self: self._times(self.df, self.covariance_matrix))

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor[factor <= 0] = math.nan
        return self._times(factor, self.covariance_matrix)

    @property
    def variance(self):
        diagonal = self.covariance_matrix.diagonal(dim1=-2, dim2=-1)
        return self._times(self.df, self.covariance_matrix.pow(2)
                           + torch.einsum("...i,...j->...ij", diagonal, diagonal))

    def _bartlett_sampling(self, sample_shape=torch.Size()):
        """The product of a triangle with itself: roots of chi-squared numbers on its diagonal, normal ones below."""
        p = self._event_shape[-1]
        roots = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=torch.finfo(roots.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(p, p, offset=-1)
        noise[..., i, j] = torch.randn(torch.Size(sample_shape) + self._batch_shape + (p * (p - 1) // 2,),
                                       dtype=noise.dtype, device=noise.device)
        lower = self._unbroadcasted_scale_tril @ noise
        return lower @ lower.transpose(-2, -1)

    def rsample(self, sample_shape=torch.Size(), max_try_correction=None):
        """Samples. PyTorch 1.13 draws those again at first that are regular, which one seed's numbers depend on; then
        those that are singular, a few times."""
        tries = max_try_correction if max_try_correction is not None else 3 if tracing() else 10
        sample_shape = torch.Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        again = self._of_any_batch(self.support.check(sample))
        if tracing():
            for _ in range(tries):
                sample = torch.where(again[..., None, None], self._bartlett_sampling(sample_shape), sample)
                again = self._of_any_batch(~self.support.check(sample))
            return sample
        for _ in range(tries if again.any() else 0):
            drawn = self._bartlett_sampling(again[again].shape)
            sample[again] = drawn
            again[again.clone()] = self._of_any_batch(~self.support.check(drawn))
            if not again.any():
                break
        return sample

    def _of_any_batch(self, found):
        return found.amax(self._batch_dims) if self._batch_shape else found

    def log_prob(self, value):
        self._check(value)
        p, lower = self._event_shape[-1], self._unbroadcasted_scale_tril
        inside = torch.cholesky_solve(value, lower).diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return (-self.df * (p * math.log(2) / 2 + _half_log_det(lower)) - torch.mvlgamma(self.df / 2, p=p)
                + (self.df - p - 1) / 2 * torch.linalg.slogdet(value).logabsdet - inside / 2)

    def entropy(self):
        p, half = self._event_shape[-1], self.df / 2
        return ((p + 1) * (p * math.log(2) / 2 + _half_log_det(self._unbroadcasted_scale_tril))
                + torch.mvlgamma(half, p=p) - (self.df - p - 1) / 2 * _mvdigamma(half, p=p) + self.df * p / 2)

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        more = y + (p + 1) / 2
        return more * (-torch.linalg.slogdet(-2 * x).logabsdet + math.log(2) * p) + torch.mvlgamma(more, p=p)
