"""torch.distributed: an engine is one process, which is a group of its own until one asks for more."""

import sys as _sys

from .._absent import names
from . import _parts

_WHY = "assay runs in one process. Ask torch.distributed.is_available() before, which is False"


def is_available():
    return False


def is_initialized():
    return False


def is_nccl_available():
    return False


is_mpi_available = is_gloo_available = is_ucc_available = is_torchelastic_launched = is_nccl_available

__getattr__ = names(__name__, """
    AllToAllOptions AllreduceCoalescedOptions AllreduceOptions Backend BarrierOptions BroadcastOptions
    BuiltinCommHookType DebugLevel FileStore GatherOptions GradBucket GroupMember HashStore Logger P2POp PrefixStore
    ProcessGroup ProcessGroupGloo ProcessGroupNCCL ProcessGroupMPI ReduceOp ReduceOptions ReduceScatterOptions
    Reducer ScatterOptions Store TCPStore Work all_gather all_gather_coalesced all_gather_into_tensor
    all_gather_multigpu all_gather_object all_reduce all_reduce_coalesced all_reduce_multigpu all_to_all
    all_to_all_single barrier batch_isend_irecv broadcast broadcast_multigpu broadcast_object_list
    default_pg_timeout destroy_process_group dist_backend gather gather_object get_backend get_debug_level
    get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size group init_process_group irecv
    isend monitored_barrier new_group new_subgroups new_subgroups_by_enumeration recv reduce reduce_multigpu
    reduce_op reduce_scatter reduce_scatter_multigpu reduce_scatter_tensor register_rendezvous_handler rendezvous
    scatter scatter_object_list send set_debug_level set_debug_level_from_env supports_complex
    _rank_not_in_group""", _WHY)
_parts.make(__name__, _WHY)
_sys.modules[__name__ + ".distributed_c10d"].is_initialized = is_initialized
