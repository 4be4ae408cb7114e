"""The von Mises distribution: angles."""

import math

from .. import jit
from .._package import torch
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all, lazy_property

# Polynomials for the modified Bessel functions of order 0 and 1, below and above 3.75 (Abramowitz and Stegun, 9.8.1 to
# 9.8.4).
_SMALL = ((1.0, 3.5156229, 3.0899424, 1.2067492, 0.2659732, 0.360768e-1, 0.45813e-2),
          (0.5, 0.87890594, 0.51498869, 0.15084934, 0.2658733e-1, 0.301532e-2, 0.32411e-3))
_LARGE = ((0.39894228, 0.1328592e-1, 0.225319e-2, -0.157565e-2, 0.916281e-2, -0.2057706e-1, 0.2635537e-1,
           -0.1647633e-1, 0.392377e-2),
          (0.39894228, -0.3988024e-1, -0.362018e-2, 0.163801e-2, -0.1031555e-1, 0.2282967e-1, -0.2895312e-1,
           0.1787654e-1, -0.420059e-2))


def _polynomial(y, coefficients):
    result = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        result = coefficient + y * result
    return result


def _log_modified_bessel_fn(x, order=0):
    small = _polynomial((x / 3.75) * (x / 3.75), _SMALL[order])
    if order == 1:
        small = x.abs() * small
    large = x - 0.5 * x.log() + _polynomial(3.75 / x, _LARGE[order]).log()
    return torch.where(x < 3.75, small.log(), large)


@jit.script_if_tracing
def _rejection_sample(loc, concentration, proposal_r, x):
    """Best and Fisher (1979): draws until every element has accepted one."""
    done = torch.zeros(x.shape, dtype=torch.bool, device=loc.device)
    while not done.all():
        u = torch.rand((3,) + x.shape, dtype=loc.dtype, device=loc.device)
        u1, u2, u3 = u.unbind()
        z = torch.cos(math.pi * u1)
        f = (1 + proposal_r * z) / (proposal_r + z)
        c = concentration * (proposal_r - f)
        accept = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
        if accept.any():
            x = torch.where(accept, (u3 - 0.5).sign() * f.acos(), x)
            done = done | accept
    return (x + math.pi + loc) % (2 * math.pi) - math.pi


class VonMises(Distribution):
    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, torch.Size(), validate_args)
        tau = 1 + (1 + 4 * self.concentration ** 2).sqrt()
        rho = (tau - (2 * tau).sqrt()) / (2 * self.concentration)
        self._proposal_r = (1 + rho ** 2) / (2 * rho)

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._proposal_r = self._proposal_r.expand(batch_shape)

    mean = mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self):
        return 1 - (_log_modified_bessel_fn(self.concentration, order=1)
                    - _log_modified_bessel_fn(self.concentration, order=0)).exp()

    def sample(self, sample_shape=torch.Size()):
        with torch.no_grad():
            x = torch.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device)
            return _rejection_sample(self.loc, self.concentration, self._proposal_r, x)

    def log_prob(self, value):
        self._check(value)
        return (self.concentration * torch.cos(value - self.loc) - math.log(2 * math.pi)
                - _log_modified_bessel_fn(self.concentration, order=0))
