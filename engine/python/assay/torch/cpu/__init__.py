"""torch.cpu: autocast on the CPU."""

from . import amp  # noqa: F401
