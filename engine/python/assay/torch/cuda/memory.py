"""Memory of CUDA devices, of which nothing is counted."""

from . import (  # noqa: F401
    caching_allocator_alloc, caching_allocator_delete, empty_cache, list_gpu_processes, max_memory_allocated,
    max_memory_cached, max_memory_reserved, mem_get_info, memory_allocated, memory_cached, memory_reserved,
    memory_snapshot, memory_stats, memory_summary, reset_accumulated_memory_stats, reset_max_memory_allocated,
    reset_max_memory_cached, reset_peak_memory_stats, set_per_process_memory_fraction)
