"""torch.distributed.optim, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, """
    DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer""", _WHY)
