"""What distributions share: parameters of one shape, and odds given as probabilities or as logits."""

from functools import update_wrapper
from numbers import Number

from .._package import torch
from ..overrides import is_tensor_like

euler_constant = 0.57721566490153286060


def broadcast_all(*values):
    """Tensors of one shape; numbers become tensors of the first tensor's dtype and device."""
    if not all(is_tensor_like(value) or isinstance(value, Number) for value in values):
        raise ValueError("a distribution's parameters are numbers or tensors")
    like = next((value for value in values if isinstance(value, torch.Tensor)), None)
    options = {"dtype": torch.get_default_dtype()} if like is None else {"dtype": like.dtype, "device": like.device}
    return torch.broadcast_tensors(*(value if is_tensor_like(value) else torch.tensor(value, **options)
                                     for value in values))


def batch_of(first, *given):
    """The batch shape: none where all parameters were plain numbers, else that of the tensors they became."""
    return torch.Size() if all(isinstance(value, Number) for value in given) else first.size()


def tracing():
    return torch._C._get_tracing_state()


def _standard_normal(shape, dtype, device):
    if tracing():
        return torch.normal(torch.zeros(shape, dtype=dtype, device=device),
                            torch.ones(shape, dtype=dtype, device=device))
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def _sum_rightmost(value, dim):
    return value if dim == 0 else value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits, is_binary=False):
    return torch.sigmoid(logits) if is_binary else torch.nn.functional.softmax(logits, dim=-1)


def clamp_probs(probs):
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    inside = clamp_probs(probs)
    return torch.log(inside) - torch.log1p(-inside) if is_binary else torch.log(inside)


class lazy_property:
    """A property that is computed when it is first asked for, and then kept."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        update_wrapper(self, wrapped)

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


class ProbsOrLogits:
    """Two parameters of which one is given and the other follows from it."""

    _binary = True

    def _take_odds(self, probs, logits):
        """Keeps what is given; its value as it was given."""
        if (probs is None) == (logits is None):
            raise ValueError(f"{type(self).__name__} takes either `probs` or `logits`, and one of them it needs")
        name, given = ("probs", probs) if probs is not None else ("logits", logits)
        setattr(self, name, broadcast_all(given)[0])
        self._given_odds = name
        return given

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=self._binary)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def _param(self):
        return getattr(self, self._given_odds)

    @property
    def param_shape(self):
        return self._param.size()

    def _expand_to(self, new, batch_shape):
        super()._expand_to(new, batch_shape)
        new._given_odds = self._given_odds

    def _new(self, *args, **keywords):
        return self._param.new(*args, **keywords)


def tril_matrix_to_vec(mat, diag=0):
    """The elements on and under a diagonal, row by row."""
    n = mat.shape[-1]
    if not tracing() and (diag < -n or diag >= n):
        raise ValueError(f"a matrix of {n} rows has diagonals from {-n} to {n - 1}, not {diag}")
    return mat[..., _under(n, diag, mat.device)]


def vec_to_tril_matrix(vec, diag=0):
    """The matrix with these elements on and under a diagonal, and zeros above."""
    count = vec.shape[-1]
    # The number of rows solves (n + diag) * (n + diag + 1) / 2 = count.
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if not tracing() and round(n) - n > torch.finfo(vec.dtype).eps:
        raise ValueError(f"{count} elements fill no lower triangle of a square matrix")
    n = torch.round(n).long() if isinstance(n, torch.Tensor) else round(n)
    mat = vec.new_zeros(vec.shape[:-1] + torch.Size((n, n)))
    mat[..., _under(n, diag, vec.device)] = vec
    return mat


def _under(n, diag, device):
    numbers = torch.arange(n, device=device)
    return numbers < numbers.view(-1, 1) + (diag + 1)
