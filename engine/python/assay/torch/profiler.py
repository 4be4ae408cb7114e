"""torch.profiler: programs run under it as without; times are not taken."""

import enum

from ._absent import names
from .autograd.profiler import profile as _profile
from .autograd.profiler import record_function  # noqa: F401


class ProfilerActivity(enum.Enum):
    CPU = 0
    CUDA = 1


class ProfilerAction(enum.Enum):
    """What a profiler does in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    return {ProfilerActivity.CPU}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0):
    """What to do by the number of a step: some to wait, some to warm up, some to record, over and over."""
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError("a schedule has one step or more that is recorded, and no negative numbers")

    def action(step):
        if step < 0:
            raise AssertionError(f"steps are counted from 0; this is {step}")
        step -= skip_first
        length = wait + warmup + active
        if step < 0 or repeat and step >= repeat * length or step % length < wait:
            return ProfilerAction.NONE
        place = step % length
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD
    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """What would write a profile into a folder; there is none to write."""
    return lambda profile: None


class profile(_profile):
    """Runs what is inside of it. Asked for times, it says that there are none."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, experimental_config=None, use_cuda=None):
        super().__init__()
        self.activities = set(activities) if activities else supported_activities()
        self.schedule, self.on_trace_ready, self.step_num = schedule, on_trace_ready, 0

    def start(self):
        """Begins what is not recorded."""

    def stop(self):
        """Ends it."""

    def step(self):
        self.step_num += 1

    def add_metadata(self, key, value):
        """Is forgotten."""

    add_metadata_json = add_metadata


def kineto_available():
    return False


__getattr__ = names(__name__, "ExecutionGraphObserver DeviceType profiler", "take times with Python's own tools")
