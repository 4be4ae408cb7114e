"""Generators of CUDA devices; a fake device draws from the CPU's."""

from . import (  # noqa: F401
    get_rng_state_all, initial_seed, manual_seed, manual_seed_all, seed, seed_all, set_rng_state_all)
from . import get_rng_state, set_rng_state  # noqa: F401
