"""torch.distributed.fsdp, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, """
    BackwardPrefetch CPUOffload FullyShardedDataParallel MixedPrecision ShardingStrategy StateDictType
    FullStateDictConfig LocalStateDictConfig""", _WHY)
