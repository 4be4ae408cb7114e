"""torch.nn.parallel.distributed, whose names packages import."""
from ..._absent import names

__getattr__ = names(__name__, "DistributedDataParallel", "assay runs in one process, on one device: call the module itself")
