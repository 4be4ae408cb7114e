"""Batches of a data set."""
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Callable, Generic, List, TypeVar

from ..._package import torch
from .dataset import IterableDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler

_Sample = T_co = TypeVar("_Sample", covariant=True)
_collate_fn_t = Callable[[List[T_co]], Any]


class _DatasetKind:
    """Which of the two kinds a data set is."""

    Map, Iterable = 0, 1


def default_collate(batch):
    """A batch of samples as one sample of batches."""
    first = batch[0]
    if isinstance(first, torch.Tensor):
        return torch.stack(batch, 0)
    if type(first).__module__ == 'numpy':
        return torch.as_tensor(batch) if first.shape == () else torch.stack([torch.as_tensor(one) for one in batch])
    if isinstance(first, float):
        return torch.as_tensor(batch, dtype=torch.float64)
    if isinstance(first, int):
        return torch.tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([one[key] for one in batch]) for key in first}
    if isinstance(first, tuple) and hasattr(first, '_fields'):
        return type(first)(*(default_collate(samples) for samples in zip(*batch)))
    if isinstance(first, Sequence):
        lengths = {len(one) for one in batch}
        if len(lengths) > 1:
            raise RuntimeError(f'samples of lengths {sorted(lengths)} make no batch: pad them in collate_fn')
        return [default_collate(samples) for samples in zip(*batch)]
    raise TypeError(f"samples of type {type(first).__name__} make no batch: give the DataLoader a collate_fn")


def default_convert(data):
    """A sample with tensors in the place of arrays."""
    if type(data).__module__ == 'numpy':
        return data if getattr(data, 'dtype', None) is not None and data.dtype.kind in 'SUaO' else torch.as_tensor(data)
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple):
        converted = [default_convert(one) for one in data]
        return type(data)(*converted) if hasattr(data, '_fields') else converted
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes, torch.Tensor)):
        return [default_convert(one) for one in data]
    return data


def get_worker_info():
    """None: there are no worker processes."""


class _BaseDataLoaderIter:
    """What goes through a loader once."""

    def __init__(self, loader):
        self._reset(loader)

    def _reset(self, loader, first_iter=False):
        self._batches, self._length = loader._batches(), loader

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def __len__(self):
        return len(self._length)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """In this process."""


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """In worker processes: none is ever made, isinstance() may be asked."""


class DataLoader(Generic[_Sample]):
    """Reads a data set in batches. Everything happens in this process, whatever `num_workers` says."""

    def __init__(self, dataset, batch_size=1, shuffle=None, sampler=None, batch_sampler=None, num_workers=0,
                 collate_fn=None, pin_memory=False, drop_last=False, timeout=0, worker_init_fn=None,
                 multiprocessing_context=None, generator=None, *, prefetch_factor=2, persistent_workers=False,
                 pin_memory_device=""):
        if sampler is not None and shuffle:
            raise ValueError('a sampler decides the order: shuffle cannot be given with it')
        if batch_sampler is not None:
            decided = {'batch_size': batch_size != 1, 'shuffle': shuffle, 'sampler': sampler is not None,
                       'drop_last': drop_last}
            if any(decided.values()):
                also = ', '.join(name for name, given in decided.items() if given)
                raise ValueError(f'a batch_sampler decides the batches: {also} cannot be given with it')
            batch_size = None
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers
        self.drop_last = drop_last
        self.generator = generator
        self.collate_fn = collate_fn
        self._iterable = isinstance(dataset, IterableDataset)
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        if batch_sampler is None and batch_size is not None and not self._iterable:
            self.batch_sampler = BatchSampler(sampler, batch_size, drop_last)

    def _iterated(self):
        samples = iter(self.dataset)
        if self.batch_size is None:
            yield from samples
            return
        while batch := list(islice(samples, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __iter__(self):
        return self._get_iterator()

    def _get_iterator(self):
        return _SingleProcessDataLoaderIter(self)

    def _batches(self):
        # PyTorch draws a seed for its workers whenever a loader is iterated: what is drawn later must be the same.
        torch.empty((), dtype=torch.int64).random_(generator=self.generator)
        if self._iterable:
            batches = self._iterated()
        elif self.batch_sampler is not None:
            batches = ([self.dataset[i] for i in indices] for indices in self.batch_sampler)
        else:
            batches = (self.dataset[i] for i in self.sampler)
        batched = self.batch_size is not None or self.batch_sampler is not None
        collate = self.collate_fn or (default_collate if batched else default_convert)
        return map(collate, batches)

    def __len__(self):
        if self._iterable:
            size = len(self.dataset)
            if self.batch_size is None:
                return size
            return size // self.batch_size if self.drop_last else -(-size // self.batch_size)
        return len(self.batch_sampler if self.batch_sampler is not None else self.sampler)
