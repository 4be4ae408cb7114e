"""Data parallelism. An engine has one device: a batch is not split."""
from ..._absent import names
from .data_parallel import DataParallel, data_parallel

__getattr__ = names(__name__, "DistributedDataParallel DistributedDataParallelCPU gather parallel_apply replicate scatter",
                    "assay runs in one process, on one device: call the module itself",
                    submodules=("distributed", "scatter_gather"))
