"""Python's multiprocessing, whose names these are. Tensors travel between processes as copies."""

import multiprocessing
from multiprocessing import *  # noqa: F401,F403

from .._absent import names

__all__ = ["set_sharing_strategy", "get_sharing_strategy", "get_all_sharing_strategies"] + multiprocessing.__all__


def get_all_sharing_strategies():
    return {"file_descriptor", "file_system"}


def get_sharing_strategy():
    return "file_system"


def set_sharing_strategy(new_strategy):
    """Tensors are copied whatever is asked."""
    if new_strategy not in get_all_sharing_strategies():
        raise ValueError(f"{new_strategy!r} is none of {sorted(get_all_sharing_strategies())}")


_WHY = "start processes by Python's multiprocessing"

__getattr__ = names(__name__, "spawn start_processes SpawnContext ProcessContext ProcessExitedException "
                    "ProcessRaisedException", _WHY)
