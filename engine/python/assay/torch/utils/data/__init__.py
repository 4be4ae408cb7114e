"""Data sets, and loaders that read them in this process."""
from ..._absent import names
from .dataset import (ChainDataset, ConcatDataset, Dataset, IterableDataset, Subset, TensorDataset, random_split)
from .sampler import (BatchSampler, RandomSampler, Sampler, SequentialSampler, SubsetRandomSampler,
                      WeightedRandomSampler)
from .distributed import DistributedSampler
from .dataloader import DataLoader, default_collate, default_convert, get_worker_info

__getattr__ = names(__name__, "DFIterDataPipe DataChunk DataLoader2 IterDataPipe MapDataPipe functional_datapipe",
                    "data pipes are a part of training: use a Dataset or a list")
