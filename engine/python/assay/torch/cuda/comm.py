"""torch.cuda.comm, whose names packages import."""

from .._absent import names

__getattr__ = names(__name__, "broadcast broadcast_coalesced gather reduce_add reduce_add_coalesced scatter",
                    "an engine runs on the CPU")
