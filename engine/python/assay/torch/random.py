"""The generator that random operators use unless they are given another one."""

import contextlib

from assay import _engine as _C

default_generator = _C.default_generator


def manual_seed(seed):
    """Sets the seed; PyTorch's CPU gives the same numbers for it."""
    return default_generator.manual_seed(int(seed))


def seed():
    """Sets a seed that nobody knows before, and gives it."""
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    """Where the generator stands, for set_rng_state."""
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, **_):
    """Leaves the generator where it was."""
    before = get_rng_state() if enabled else None
    try:
        yield
    finally:
        if enabled:
            set_rng_state(before)
