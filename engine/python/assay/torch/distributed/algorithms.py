"""torch.distributed.algorithms, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, """
    Join JoinHook Joinable""", _WHY)
