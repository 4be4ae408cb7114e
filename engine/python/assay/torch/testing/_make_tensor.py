"""torch.testing.make_tensor."""

import math


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False,
                exclude_zero=False, memory_format=None):
    """A tensor of values drawn evenly from [low, high): from all values of a type of few of them, else from
    -9 to 9."""
    from .._package import torch
    sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    if noncontiguous and memory_format is not None:
        raise ValueError("noncontiguous and memory_format exclude each other")
    low, high = _bounds(torch, dtype, low, high)
    stored = (*sizes[:-1], 2 * sizes[-1]) if noncontiguous and sizes and math.prod(sizes) > 1 else sizes
    made = _draw(torch, stored, dtype, device, low, high)
    if stored is not sizes:
        made = made[..., ::2]
    if exclude_zero:
        smallest = 1 if not (dtype.is_floating_point or dtype.is_complex) else torch.finfo(dtype).tiny
        made[made == 0] = smallest
    if memory_format is not None:
        made = made.clone(memory_format=memory_format)
    if requires_grad:
        if not (dtype.is_floating_point or dtype.is_complex):
            raise ValueError(f"tensors of {dtype} have no gradients")
        made.requires_grad_()
    return made


def _bounds(torch, dtype, low, high):
    if dtype is torch.bool:
        least, most = 0, 2
    elif dtype is torch.uint8:
        least, most = 0, 10
    else:
        least, most = -9, 10 if not (dtype.is_floating_point or dtype.is_complex) else 9
    low, high = least if low is None else low, most if high is None else high
    if math.isnan(low) or math.isnan(high) or low >= high:
        raise ValueError(f"there is no value from {low} up to {high}")
    return low, high


def _draw(torch, sizes, dtype, device, low, high):
    if dtype.is_complex:
        part = torch.float64 if dtype is torch.complex128 else torch.float32
        real, imaginary = (torch.empty(sizes, dtype=part, device=device).uniform_(low, high) for _ in range(2))
        return torch.complex(real, imaginary).to(dtype)
    if dtype.is_floating_point:
        return torch.empty(sizes, dtype=torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype,
                           device=device).uniform_(low, high).to(dtype)
    return torch.randint(math.floor(low), math.ceil(high), sizes, device=device, dtype=dtype)
