"""torch.distributed.nn, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, """
    all_gather all_reduce all_to_all broadcast gather reduce reduce_scatter scatter RemoteModule""", _WHY)
