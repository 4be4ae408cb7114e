"""Samples by their numbers, or one after the other."""
import bisect
from itertools import accumulate
from typing import Generic, TypeVar

from ..._package import torch

T_co = TypeVar('T_co', covariant=True)


class Dataset(Generic[T_co]):
    """To be given __getitem__ and, for most uses, __len__."""

    def __getitem__(self, index):
        raise NotImplementedError

    def __add__(self, other):
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co]):
    """To be given __iter__."""

    def __iter__(self):
        raise NotImplementedError

    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    """The rows of tensors that have as many of them."""

    def __init__(self, *tensors):
        lengths = [tensor.size(0) for tensor in tensors]
        assert len(set(lengths)) <= 1, f"the tensors have different numbers of rows: {lengths}"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple([rows[index] for rows in self.tensors])

    def __len__(self):
        return self.tensors[0].size(0)


class ConcatDataset(Dataset[T_co]):
    """Data sets one behind the other."""

    def __init__(self, datasets):
        self.datasets = list(datasets)
        assert len(self.datasets) > 0, 'there is no data set to concatenate'
        self.cumulative_sizes = list(accumulate(map(len, self.datasets)))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if index < -len(self):
            raise ValueError(f"index {index} is before the first of {len(self)} samples")
        index = index + len(self) if index < 0 else index
        place = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[place][index - (self.cumulative_sizes[place - 1] if place else 0)]


class ChainDataset(IterableDataset):
    """Iterable data sets one behind the other."""

    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        for dataset in self.datasets:
            yield from dataset

    def __len__(self):
        return sum(map(len, self.datasets))


class Subset(Dataset[T_co]):
    """Some samples of a data set."""

    def __init__(self, dataset, indices):
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index):
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def random_split(dataset, lengths, generator=None):
    """Subsets of these lengths that share no sample."""
    if sum(lengths) != len(dataset):
        raise ValueError(f"the lengths {list(lengths)} do not add up to the {len(dataset)} samples")
    order = torch.randperm(sum(lengths), generator=generator).tolist()
    return [Subset(dataset, order[end - length:end]) for end, length in zip(accumulate(lengths), lengths)]
