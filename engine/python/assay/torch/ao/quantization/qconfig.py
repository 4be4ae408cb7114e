"""torch.ao.quantization.qconfig, whose names packages import."""

from . import __getattr__  # noqa: F401
