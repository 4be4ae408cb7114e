"""Weights of convolutions in another order in memory."""
from ..modules import Conv2d, ConvTranspose2d


def convert_conv2d_weight_memory_format(module, memory_format):
    """Reorders the weights of all two-dimensional convolutions in `module`."""
    if isinstance(module, (Conv2d, ConvTranspose2d)):
        module.weight.data = module.weight.detach().clone().contiguous(memory_format=memory_format)
    for child in module.children():
        convert_conv2d_weight_memory_format(child, memory_format)
    return module
