"""Data parallelism. An engine has one device: a batch is not split."""
from .data_parallel import DataParallel, data_parallel
