"""The modules of torch.distributed, whose names packages import: each has stand-ins for them."""

import sys
import types

from .._absent import names

PARTS = {
    "algorithms": "Join JoinHook Joinable",
    "algorithms._checkpoint.checkpoint_wrapper": "CheckpointImpl CheckpointWrapper apply_activation_checkpointing "
                                                 "checkpoint_wrapper",
    "algorithms.ddp_comm_hooks": "DDPCommHookType register_ddp_comm_hook",
    "algorithms.ddp_comm_hooks.debugging_hooks": "noop_hook",
    "algorithms.ddp_comm_hooks.default_hooks": "allreduce_hook bf16_compress_hook bf16_compress_wrapper "
                                               "fp16_compress_hook fp16_compress_wrapper",
    "algorithms.ddp_comm_hooks.post_localSGD_hook": "PostLocalSGDState post_localSGD_hook",
    "algorithms.ddp_comm_hooks.powerSGD_hook": "PowerSGDState batched_powerSGD_hook powerSGD_hook",
    "algorithms.join": "Join JoinHook Joinable",
    "algorithms.model_averaging.averagers": "ModelAverager PeriodicModelAverager",
    "constants": "default_pg_timeout",
    "distributed_c10d": """
        Store ProcessGroup ReduceOp GroupMember P2POp Backend group _get_default_group _get_global_rank get_rank
        get_world_size all_gather all_reduce barrier broadcast init_process_group new_group _object_to_tensor
        _pg_map _rank_not_in_group _tensor_to_object""",
    "elastic.multiprocessing": "Std start_processes",
    "elastic.multiprocessing.errors": "ChildFailedError ErrorHandler get_error_handler record",
    "fsdp": """
        BackwardPrefetch CPUOffload FullyShardedDataParallel MixedPrecision ShardingStrategy StateDictType
        FullStateDictConfig LocalStateDictConfig""",
    "fsdp.fully_sharded_data_parallel": """
        BackwardPrefetch CPUOffload FullStateDictConfig FullyShardedDataParallel LocalStateDictConfig MixedPrecision
        ShardingStrategy StateDictConfig StateDictType""",
    "fsdp.sharded_grad_scaler": "ShardedGradScaler",
    "fsdp.wrap": "always_wrap_policy enable_wrap size_based_auto_wrap_policy transformer_auto_wrap_policy wrap",
    "launch": "launch main parse_args",
    "launcher.api": "LaunchConfig elastic_launch launch_agent",
    "nn": "all_gather all_reduce all_to_all broadcast gather reduce reduce_scatter scatter RemoteModule",
    "nn.functional": "all_gather all_reduce all_to_all broadcast gather reduce reduce_scatter scatter",
    "optim": "DistributedOptimizer PostLocalSGDOptimizer ZeroRedundancyOptimizer",
    "pipeline.sync": "NoChunk Pipe WithDevice is_checkpointing is_recomputing",
    "rpc": """
        RRef BackendType RpcBackendOptions TensorPipeRpcBackendOptions WorkerInfo get_worker_info init_rpc remote
        rpc_async rpc_sync shutdown""",
    "rpc.api": "_all_gather _require_initialized get_worker_info remote rpc_async rpc_sync shutdown",
    "run": "config_from_args get_args_parser main parse_args run",
}


def make(package, reason):
    """Makes the modules below `package`, and those that only lead to them."""
    paths = set(PARTS)
    for path in PARTS:
        while "." in path:
            path = path.rpartition(".")[0]
            paths.add(path)
    for path in sorted(paths):
        name = f"{package}.{path}"
        module = sys.modules[name] = types.ModuleType(name, f"torch.distributed.{path}, whose names packages import.")
        module.__path__ = []
        module.__getattr__ = names(name, PARTS.get(path, ""), reason)
        parent, _, last = name.rpartition(".")
        setattr(sys.modules[parent], last, module)
    sys.modules[f"{package}.rpc"].is_available = lambda: False
