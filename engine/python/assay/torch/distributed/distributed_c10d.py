"""torch.distributed.distributed_c10d, whose names packages import."""

from .._absent import names
from . import _WHY, is_initialized  # noqa: F401

__getattr__ = names(__name__, """
    Store ProcessGroup ReduceOp GroupMember P2POp Backend group _get_default_group _get_global_rank get_rank
    get_world_size all_gather all_reduce barrier broadcast init_process_group new_group""", _WHY)
