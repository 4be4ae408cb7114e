"""The LKJ distribution of Cholesky factors of correlation matrices (Lewandowski, Kurowicka and Joe, 2009)."""

import math

from .._package import torch
from . import constraints
from .beta import Beta
from .distribution import Distribution
from .utils import broadcast_all


class LKJCholesky(Distribution):
    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"a correlation matrix has at least 2 rows, not {dim}")
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        marginal = self.concentration + 0.5 * (dim - 2)
        rows = torch.arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        rows = torch.cat([rows.new_zeros((1,)), rows])
        self._beta = Beta(rows + 0.5, marginal.unsqueeze(-1) - 0.5 * rows)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)), validate_args)

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new.dim, new._beta = self.dim, self._beta.expand(batch_shape + (self.dim,))

    def sample(self, sample_shape=torch.Size()):
        """The onion method: each row is a point of a sphere, at a distance that is beta distributed."""
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device).tril(-1)
        sphere = normal / normal.norm(dim=-1, keepdim=True)
        sphere[..., 0, :].fill_(0.0)
        w = torch.sqrt(y) * sphere
        rest = torch.clamp(1 - torch.sum(w ** 2, dim=-1), min=torch.finfo(w.dtype).tiny).sqrt()
        return w + torch.diag_embed(rest)

    def log_prob(self, value):
        self._check(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        rows = self.dim - 1
        alpha = self.concentration + 0.5 * rows
        normalizer = (0.5 * rows * math.log(math.pi) + torch.mvlgamma(alpha - 0.5, rows) - torch.lgamma(alpha) * rows)
        return torch.sum(order * diagonal.log(), dim=-1) - normalizer
