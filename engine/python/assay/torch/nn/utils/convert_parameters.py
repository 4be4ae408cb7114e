"""All parameters as one vector, and back."""
from ..._package import torch


def _check_devices(parameters):
    if len({parameter.device for parameter in parameters}) > 1:
        raise TypeError('one vector needs all parameters on one device: move the module to one before')


def parameters_to_vector(parameters):
    parameters = list(parameters)
    _check_devices(parameters)
    return torch.cat([parameter.view(-1) for parameter in parameters])


def vector_to_parameters(vec, parameters):
    """Makes the parameters views of consecutive parts of `vec`."""
    if not isinstance(vec, torch.Tensor):
        raise TypeError(f'the vector must be a tensor, not {torch.typename(vec)}')
    parameters = list(parameters)
    _check_devices(parameters)
    start = 0
    for parameter in parameters:
        stop = start + parameter.numel()
        parameter.data = vec[start:stop].view_as(parameter).data
        start = stop
