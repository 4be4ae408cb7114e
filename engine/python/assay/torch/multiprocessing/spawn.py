"""torch.multiprocessing.spawn, whose names packages import."""

from .._absent import names
from . import _WHY

__getattr__ = names(__name__, "spawn start_processes SpawnContext ProcessContext ProcessException "
                    "ProcessExitedException ProcessRaisedException", _WHY)
