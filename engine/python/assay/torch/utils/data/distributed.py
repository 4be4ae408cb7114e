"""One process's part of a data set."""

import math

from ..._package import torch
from .sampler import Sampler


class DistributedSampler(Sampler):
    """Every `num_replicas`-th index from `rank` on, of an order that all processes draw alike."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if num_replicas is None or rank is None:
            raise RuntimeError("assay runs in one process: tell DistributedSampler its num_replicas and rank")
        if not 0 <= rank < num_replicas:
            raise ValueError(f"rank {rank} is none of 0 to {num_replicas - 1}")
        self.dataset, self.num_replicas, self.rank, self.epoch = dataset, num_replicas, rank, 0
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        count = len(dataset) / num_replicas
        self.num_samples = math.floor(count) if drop_last else math.ceil(count)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self):
        order = list(range(len(self.dataset)))
        if self.shuffle:
            generator = torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            order = torch.randperm(len(self.dataset), generator=generator).tolist()
        repeats = math.ceil(self.total_size / len(order))
        return iter((order * repeats)[self.rank:self.total_size:self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch
