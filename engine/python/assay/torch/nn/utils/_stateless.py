"""The earlier name of torch.nn.utils.stateless."""

from .stateless import functional_call
