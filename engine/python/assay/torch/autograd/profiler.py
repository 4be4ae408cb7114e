"""Profilers: programs run under them as without; times are not taken."""

import contextlib

from .._absent import names


class record_function(contextlib.ContextDecorator):
    """A part of a program with a name."""

    def __init__(self, name, args=None):
        self.name, self.args = name, args

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def _no_times(what):
    raise NotImplementedError(f"profile.{what}: assay takes no times of operators; take times with Python's own tools")


class profile:
    """Runs what is inside of it. Asked for times, it says that there are none."""

    def __init__(self, enabled=True, **options):
        self.enabled = enabled

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0):
        _no_times("key_averages()")

    def events(self):
        _no_times("events()")

    def table(self, *args, **keywords):
        _no_times("table()")

    def total_average(self):
        _no_times("total_average()")

    def export_chrome_trace(self, path):
        _no_times("export_chrome_trace()")

    def export_stacks(self, path, metric="self_cpu_time_total"):
        _no_times("export_stacks()")


class emit_nvtx(profile):
    """Ranges for NVIDIA's profiler, which sees none."""

    def __init__(self, enabled=True, record_shapes=False):
        super().__init__(enabled)


class emit_itt(emit_nvtx):
    """Ranges for Intel's."""


def kineto_available():
    return False


__getattr__ = names(__name__, "EventList FunctionEvent MemRecordsAcc load_nvprof parse_nvprof_trace", "take times with Python's own tools")
