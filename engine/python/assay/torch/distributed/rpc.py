"""torch.distributed.rpc, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, """
    RRef BackendType RpcBackendOptions TensorPipeRpcBackendOptions WorkerInfo get_worker_info init_rpc remote
    rpc_async rpc_sync shutdown""", _WHY)
