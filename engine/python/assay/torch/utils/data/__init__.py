"""Data sets, and loaders that read them in this process."""
from .dataset import (ChainDataset, ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset, random_split)
from .sampler import (BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler)
from .dataloader import DataLoader, default_collate, get_worker_info

