"""Kullback-Leibler divergences.

Those of one family have closed forms. Those between families are -H(p) - E_p[log q], where log q is a sum of terms
whose means under p are known: x, x^2, log x, log(1 - x), exp(-x / s). They are infinite where p reaches values that q
does not."""

import math
import warnings

from .._package import torch
from ..nn.functional import softplus
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .lowrank_multivariate_normal import (
    LowRankMultivariateNormal, _batch_lowrank_logdet, _batch_lowrank_mahalanobis)
from .multivariate_normal import MultivariateNormal, _batch_mahalanobis, _half_log_det
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .pareto import Pareto
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform
from .utils import _sum_rightmost, euler_constant
from .wishart import Wishart, _mvdigamma

__all__ = ["register_kl", "kl_divergence"]

_REGISTERED = {}


def register_kl(type_p, type_q):
    """A decorator of the function that computes KL(p, q) of these classes and classes derived from them."""
    for one in (type_p, type_q):
        if not isinstance(one, type):
            raise TypeError(f"register_kl takes classes, not {one}")

    def decorator(function):
        _REGISTERED[type_p, type_q] = function
        return function
    return decorator


def _generations(derived, base):
    """How far a class is from one above it; those that only say that they are above it are farthest."""
    return derived.__mro__.index(base) if base in derived.__mro__ else len(derived.__mro__)


def _nearest(type_p, type_q):
    """The function registered for the classes nearest to these: nearest to the first, then to the second."""
    fitting = [(_generations(type_p, p), _generations(type_q, q), (p, q)) for p, q in _REGISTERED
               if issubclass(type_p, p) and issubclass(type_q, q)]
    if not fitting:
        return None
    by_p = min(fitting)[2]
    by_q = min((at_q, at_p, pair) for at_p, at_q, pair in fitting)[2]
    if _REGISTERED[by_p] is not _REGISTERED[by_q]:
        warnings.warn(f"two functions fit kl_divergence({type_p.__name__}, {type_q.__name__}) as well: register_kl one "
                      f"for ({by_p[0].__name__}, {by_q[1].__name__})", RuntimeWarning)
    return _REGISTERED[by_p]


def kl_divergence(p, q):
    function = _nearest(type(p), type(q))
    if function is None:
        raise NotImplementedError(f"no KL(p, q) is known of a {type(p).__name__} and a {type(q).__name__}")
    return function(p, q)


def _put(result, where, value):
    """The result with this value where the condition holds."""
    return torch.where(where.expand_as(result), torch.full_like(result, value), result)


# ---- One family.

@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones = _put(_put(ones, q.probs == 0, math.inf), p.probs == 0, 0)
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return ones + _put(_put(zeros, q.probs == 1, math.inf), p.probs == 1, 0)


@register_kl(Beta, Beta)
def _beta(p, q):
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    mean_log = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return (total_p.lgamma() - total_q.lgamma() - (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
            + ((p.concentration - q.concentration) * mean_log).sum(-1))


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL of binomial distributions is not known where q has the larger total count")
    result = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return _put(result, p.total_count > q.total_count, math.inf)


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    return _put(_put(terms, q.probs == 0, math.inf), p.probs == 0, 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    return (p.mean * (p.logits - q.logits) + p._cont_bern_log_norm() + torch.log1p(-p.probs)
            - q._cont_bern_log_norm() - torch.log1p(-q.probs))


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    return (q.concentration * (p.rate / q.rate).log() + torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
            + (p.concentration - q.concentration) * torch.digamma(p.concentration)
            + (q.rate - p.rate) * (p.concentration / p.rate))


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, away = p.scale / q.scale, (p.loc - q.loc) / q.scale
    return (-ratio.log() + away + ratio * euler_constant + torch.exp((1 + ratio).lgamma() - away)
            - (1 + euler_constant))


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, away = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + away / q.scale + ratio * torch.exp(-away / p.scale) - 1


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    ratio = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return _put(result, p.scale < q.scale, math.inf)


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return _put(result, (q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("KL of transformed distributions is known where the transforms are the same")
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("KL of independent distributions is known where as many dimensions are reinterpreted")
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(Wishart, Wishart)
def _wishart(p, q):
    n, half_p, half_q = p.event_shape[-1], p.df / 2, q.df / 2
    return (q.df * (_half_log_det(q._unbroadcasted_scale_tril) - _half_log_det(p._unbroadcasted_scale_tril))
            + half_p * (_trace(q, p._unbroadcasted_scale_tril) - n) + torch.mvlgamma(half_q, p=n)
            - torch.mvlgamma(half_p, p=n) + (half_p - half_q) * _mvdigamma(half_p, p=n))


# ---- Normal distributions of vectors: 2 KL = log det q - log det p + tr(q^-1 p) + distance^2 - n.

def _log_det(one):
    if isinstance(one, LowRankMultivariateNormal):
        return _batch_lowrank_logdet(one._unbroadcasted_cov_factor, one._unbroadcasted_cov_diag, one._capacitance_tril)
    return 2 * _half_log_det(one._unbroadcasted_scale_tril)


def _distance(q, x):
    if isinstance(q, LowRankMultivariateNormal):
        return _batch_lowrank_mahalanobis(q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag, x,
                                          q._capacitance_tril)
    return _batch_mahalanobis(q._unbroadcasted_scale_tril, x)


def _roots(p):
    """Matrices whose squares add up to p's covariance."""
    if isinstance(p, LowRankMultivariateNormal):
        return [p._unbroadcasted_cov_factor, torch.diag_embed(p._unbroadcasted_cov_diag.sqrt())]
    return [p._unbroadcasted_scale_tril]


def _trace(q, root):
    """The trace of q^-1 R R'."""
    if isinstance(q, LowRankMultivariateNormal):
        factor, diagonal = q._unbroadcasted_cov_factor, q._unbroadcasted_cov_diag
        narrow = torch.linalg.solve_triangular(q._capacitance_tril, factor.mT / diagonal.unsqueeze(-2), upper=False)
        return ((root * diagonal.rsqrt().unsqueeze(-1)).pow(2).sum((-2, -1))
                - narrow.matmul(root).pow(2).sum((-2, -1)))
    return torch.linalg.solve_triangular(q._unbroadcasted_scale_tril, root, upper=False).pow(2).sum((-2, -1))


def _normal_vectors(p, q):
    if p.event_shape != q.event_shape:
        raise ValueError(f"KL of vectors of {p.event_shape[0]} and {q.event_shape[0]} elements is not defined")
    trace = sum(_trace(q, root) for root in _roots(p))
    return 0.5 * (_log_det(q) - _log_det(p) + trace + _distance(q, q.loc - p.loc) - p.event_shape[0])


for _p in (MultivariateNormal, LowRankMultivariateNormal):
    for _q in (MultivariateNormal, LowRankMultivariateNormal):
        register_kl(_p, _q)(_normal_vectors)


# ---- Between families.

def _x_log_x(x):
    return x * x.log()


def _mean_square(p):
    return p.variance + p.mean.pow(2)


# The mean of log x.
_MEAN_LOG = {
    Beta: lambda p: p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma(),
    Exponential: lambda p: -p.rate.log() - euler_constant,
    Gamma: lambda p: p.concentration.digamma() - p.rate.log(),
    Pareto: lambda p: p.scale.log() + p.alpha.reciprocal(),
    Uniform: lambda p: (_x_log_x(p.high) - _x_log_x(p.low)) / (p.high - p.low) - 1,
}
# The mean of exp(-x / s).
_MEAN_EXP = {
    Exponential: lambda p, s: p.rate * s / (p.rate * s + 1),
    Gamma: lambda p, s: (1 + (p.rate * s).reciprocal()).pow(-p.concentration),
    Normal: lambda p, s: torch.exp(-p.loc / s + 0.5 * (p.scale / s).pow(2)),
    Uniform: lambda p, s: s / (p.high - p.low) * (torch.exp(-p.low / s) - torch.exp(-p.high / s)),
}


def _of(table, p):
    return next(table[kind] for kind in type(p).__mro__ if kind in table)


def _log_beta(p, q):
    mean_log_rest = _MEAN_LOG[Uniform](Uniform(1 - p.high, 1 - p.low, validate_args=False))
    normalizer = (q.concentration1.lgamma() + q.concentration0.lgamma() - (q.concentration1 + q.concentration0).lgamma())
    return (q.concentration1 - 1) * _of(_MEAN_LOG, p)(p) + (q.concentration0 - 1) * mean_log_rest - normalizer


def _log_gumbel(p, q):
    away = (p.mean - q.loc) / q.scale
    return -q.scale.log() - away - torch.exp(q.loc / q.scale) * _of(_MEAN_EXP, p)(p, q.scale)


def _log_laplace(p, q):
    """For a normal p: the mean distance is that of a folded normal distribution."""
    away = (p.loc - q.loc) / p.scale
    distance = (math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * away.pow(2))
                + (p.loc - q.loc) * torch.erf(math.sqrt(0.5) * away))
    return -torch.log(2 * q.scale) - distance / q.scale


# E_p[log q] by the class of q.
_MEAN_LOG_DENSITY = {
    Beta: _log_beta,
    ContinuousBernoulli: lambda p, q: p.mean * q.logits + torch.log1p(-q.probs) + q._cont_bern_log_norm(),
    Exponential: lambda p, q: q.rate.log() - q.rate * p.mean,
    Gamma: lambda p, q: (q.concentration * q.rate.log() - q.concentration.lgamma()
                         + (q.concentration - 1) * _of(_MEAN_LOG, p)(p) - q.rate * p.mean),
    Gumbel: _log_gumbel,
    Laplace: _log_laplace,
    Normal: lambda p, q: (-0.5 * (2 * math.pi * q.scale.pow(2)).log()
                          - 0.5 * (_mean_square(p) - 2 * q.loc * p.mean + q.loc.pow(2)) / q.scale.pow(2)),
    Pareto: lambda p, q: q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _of(_MEAN_LOG, p)(p),
    Poisson: lambda p, q: p.probs * q.rate.log() - q.rate,
    Uniform: lambda p, q: -(q.high - q.low).log(),
}


def _reaches_out(p, q):
    """Whether p has values where q has none, for a p or a q whose bounds are parameters."""
    p, q = p.support, q.support
    return ((getattr(p, "lower_bound", -math.inf) < getattr(q, "lower_bound", -math.inf))
            | (getattr(p, "upper_bound", math.inf) > getattr(q, "upper_bound", math.inf)))


def _across(p, q):
    result = -p.entropy() - _of(_MEAN_LOG_DENSITY, q)(p, q)
    if isinstance(p, Uniform) or isinstance(q, (Uniform, Pareto)):
        out = _reaches_out(p, q)
        result = _put(result, out if isinstance(out, torch.Tensor) else torch.tensor(out), math.inf)
    if isinstance(p, Pareto):  # Its mean and its variance are infinite from a slope on.
        result = _put(result, p.alpha <= (2 if isinstance(q, Normal) else 1), math.inf)
    return result


def _infinite(p, q):
    return torch.full(p.batch_shape, math.inf, dtype=p.mean.dtype, device=p.mean.device)


_FINITE = {
    Bernoulli: (Poisson,), Beta: (ContinuousBernoulli, Exponential, Gamma, Normal, Uniform),
    ContinuousBernoulli: (Exponential, Normal, Uniform), Exponential: (Gamma, Gumbel, Normal),
    Gamma: (Exponential, Gumbel, Normal), Gumbel: (Normal,), Laplace: (Normal,), Normal: (Gumbel, Laplace),
    Pareto: (Exponential, Gamma, Normal),
    Uniform: (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Normal, Pareto),
}
_UNIT = (Beta, ContinuousBernoulli, Uniform)
_INFINITE = {
    Beta: (Pareto,), ContinuousBernoulli: (Pareto,), Exponential: (*_UNIT, Pareto), Gamma: (*_UNIT, Pareto),
    Gumbel: (*_UNIT, Pareto, Exponential, Gamma), Laplace: (*_UNIT, Pareto, Exponential, Gamma),
    Normal: (*_UNIT, Pareto, Exponential, Gamma), Pareto: _UNIT, Poisson: (Bernoulli, Binomial),
}
for _table, _function in ((_FINITE, _across), (_INFINITE, _infinite)):
    for _p, _qs in _table.items():
        for _q in _qs:
            register_kl(_p, _q)(_function)
del _table, _function, _p, _q, _qs
