"""torch.nn.grad: gradients of convolutions."""

from .._absent import names

__getattr__ = names(__name__, "conv1d_input conv1d_weight conv2d_input conv2d_weight conv3d_input conv3d_weight",
                    "assay computes no gradients")
