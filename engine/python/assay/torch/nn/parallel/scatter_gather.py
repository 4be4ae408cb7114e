"""torch.nn.parallel.scatter_gather, whose names packages import."""
from ..._absent import names

__getattr__ = names(__name__, "gather scatter scatter_kwargs is_namedtuple",
                    "assay runs in one process, on one device: call the module itself")
