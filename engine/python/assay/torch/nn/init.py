"""Fills of weights. The order of random draws is PyTorch's, so that one seed gives the same network."""
import math
import warnings

from .._package import torch
from .._tensor import Tensor

_LINEAR = ('linear', 'conv1d', 'conv2d', 'conv3d', 'conv_transpose1d', 'conv_transpose2d', 'conv_transpose3d')


def calculate_gain(nonlinearity, param=None):
    """By how much an activation shrinks what passes it, as the factor that makes up for it."""
    if nonlinearity in _LINEAR or nonlinearity == 'sigmoid':
        return 1
    if nonlinearity == 'tanh':
        return 5.0 / 3
    if nonlinearity == 'relu':
        return math.sqrt(2.0)
    if nonlinearity == 'selu':
        return 3.0 / 4
    if nonlinearity == 'leaky_relu':
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"leaky_relu: the slope must be a number, not {param!r}")
        return math.sqrt(2.0 / (1 + slope ** 2))
    raise ValueError(f"nonlinearity: no gain is known of {nonlinearity!r}")


def uniform_(tensor: Tensor, a: float = 0., b: float = 1.) -> Tensor:
    with torch.no_grad():
        return tensor.uniform_(a, b)


def normal_(tensor: Tensor, mean: float = 0., std: float = 1.) -> Tensor:
    with torch.no_grad():
        return tensor.normal_(mean, std)


def trunc_normal_(tensor, mean=0., std=1., a=-2., b=2.):
    """A normal distribution cut to [a, b], by the inverse of its distribution function."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("trunc_normal_: mean is more than 2 std away from [a, b], so the values will not be "
                      "distributed as asked", stacklevel=2)

    def below(x):
        return (1. + math.erf((x - mean) / std / math.sqrt(2.))) / 2.

    with torch.no_grad():
        tensor.uniform_(2 * below(a) - 1, 2 * below(b) - 1)
        tensor.erfinv_()
        tensor.mul_(std * math.sqrt(2.))
        tensor.add_(mean)
        return tensor.clamp_(min=a, max=b)


def constant_(tensor: Tensor, val: float) -> Tensor:
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    with torch.no_grad():
        return tensor.fill_(1.)


def zeros_(tensor: Tensor) -> Tensor:
    with torch.no_grad():
        return tensor.zero_()


def _needs_dimensions(tensor: Tensor, fitting: bool, wanted: str):
    if not fitting:
        raise ValueError(f"the tensor must have {wanted} dimensions; its shape is {tensor.shape}")


def eye_(tensor):
    """Ones on the diagonal of a matrix, zeros elsewhere."""
    _needs_dimensions(tensor, tensor.dim() == 2, "2")
    with torch.no_grad():
        return tensor.copy_(torch.eye(*tensor.shape, dtype=tensor.dtype, device=tensor.device))


def dirac_(tensor, groups=1):
    """The weight of a convolution that passes its input through, as far as the channels go."""
    _needs_dimensions(tensor, 3 <= tensor.dim() <= 5, "3 to 5")
    outputs, inputs, *kernel = tensor.shape
    if outputs % groups != 0:
        raise ValueError(f'{outputs} outputs do not divide into {groups} groups')
    per_group = outputs // groups
    centre = tuple(length // 2 for length in kernel)
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for channel in range(min(per_group, inputs)):
                tensor[(group * per_group + channel, channel) + centre] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor):
    """How many inputs reach an output of a weight, and how many outputs an input."""
    _needs_dimensions(tensor, tensor.dim() >= 2, "at least 2")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.size(1) * field, tensor.size(0) * field


def _calculate_correct_fan(tensor, mode):
    place = {'fan_in': 0, 'fan_out': 1}.get(mode.lower())
    if place is None:
        raise ValueError(f"mode: {mode!r} is neither 'fan_in' nor 'fan_out'")
    return _calculate_fan_in_and_fan_out(tensor)[place]


def _xavier_std(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / float(fan_in + fan_out))


def xavier_uniform_(tensor: Tensor, gain: float = 1.) -> Tensor:
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Tensor, gain: float = 1.) -> Tensor:
    return normal_(tensor, 0., _xavier_std(tensor, gain))


def _kaiming_std(tensor, a, mode, nonlinearity):
    return calculate_gain(nonlinearity, a) / math.sqrt(_calculate_correct_fan(tensor, mode))


def _nothing_to_fill(tensor):
    if 0 in tensor.shape:
        warnings.warn("the tensor has no elements to fill", stacklevel=3)
        return True
    return False


def kaiming_uniform_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu'):
    if _nothing_to_fill(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor, a=0, mode='fan_in', nonlinearity='leaky_relu'):
    if _nothing_to_fill(tensor):
        return tensor
    return normal_(tensor, 0, _kaiming_std(tensor, a, mode, nonlinearity))


def _orthonormal_columns(matrix):
    """The factor Q of matrix = Q R with a positive diagonal in R, which makes it unique."""
    columns = matrix.double()
    found = columns.new_zeros(columns.shape)
    for i in range(columns.size(-1)):
        column = columns[..., i:i + 1]
        for _ in range(2):  # once leaves rounding errors along the columns before
            column = column - found @ (found.transpose(-2, -1) @ column)
        found[..., i:i + 1] = column / column.norm(2, -2, keepdim=True)
    return found.to(matrix.dtype)


def orthogonal_(tensor, gain=1):
    """A random (semi-)orthogonal matrix; dimensions after the first are taken as one."""
    _needs_dimensions(tensor, tensor.dim() >= 2, "at least 2")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    drawn = tensor.new(rows, columns).normal_(0, 1)
    if rows < columns:
        drawn.t_()
    q = _orthonormal_columns(drawn)
    if rows < columns:
        q.t_()
    with torch.no_grad():
        tensor.view_as(q).copy_(q)
        tensor.mul_(gain)
    return tensor


def sparse_(tensor, sparsity, std=0.01):
    """Normal values, and in each column a fraction of zeros."""
    _needs_dimensions(tensor, tensor.dim() == 2, "2")
    rows, columns = tensor.shape
    zeros = int(math.ceil(sparsity * rows))
    with torch.no_grad():
        tensor.normal_(0, std)
        for column in range(columns):
            tensor[torch.randperm(rows)[:zeros], column] = 0
    return tensor


def _deprecated(function):
    def renamed(*args, **kwargs):
        name = function.__name__
        warnings.warn(f"nn.init.{name[:-1]} is the old name of nn.init.{name}", stacklevel=2)
        return function(*args, **kwargs)

    renamed.__name__ = function.__name__[:-1]
    renamed.__doc__ = f"The old name of {function.__name__}."
    return renamed


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
