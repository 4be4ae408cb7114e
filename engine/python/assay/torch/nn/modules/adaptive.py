"""A softmax over many classes in clusters by how frequent they are."""
from collections import namedtuple
from typing import List

from ..._package import torch
from ..functional import log_softmax
from .container import ModuleList, Sequential
from .linear import Linear
from .module import Module

Tensor = torch.Tensor

__all__ = ['AdaptiveLogSoftmaxWithLoss']

_ASMoutput = namedtuple('_ASMoutput', 'output loss')


class AdaptiveLogSoftmaxWithLoss(Module):
    """The frequent classes are in the head, the others in clusters of ever smaller projections."""

    in_features: int
    n_classes: int
    cutoffs: List[int]
    div_value: float
    head_bias: bool
    head: Linear
    tail: ModuleList

    def __init__(self, in_features, n_classes, cutoffs, div_value=4., head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if (cutoffs != sorted(set(cutoffs)) or min(cutoffs) <= 0 or max(cutoffs) > n_classes - 1
                or any(int(cutoff) != cutoff for cutoff in cutoffs)):
            raise ValueError(f"cutoffs {cutoffs} have to be whole numbers from 1 to {n_classes - 1}, in "
                             f"rising order")
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = cutoffs + [n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.cutoffs[0] + self.n_clusters  # a cluster is one class of the head

        self.head = Linear(in_features, self.head_size, bias=head_bias, device=device, dtype=dtype)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(Linear(in_features, hidden, bias=False, device=device, dtype=dtype),
                                        Linear(hidden, size, bias=False, device=device, dtype=dtype)))

    def reset_parameters(self):
        self.head.reset_parameters()
        for project, classify in self.tail:
            project.reset_parameters()
            classify.reset_parameters()

    def _check_shapes(self, input, target):
        rank = target.dim()
        if rank > 1:
            raise RuntimeError(f"target has {rank} dimensions; give one class for each sample, or one in all")
        if rank == 1 and target.size(0) != input.size(0):
            raise RuntimeError(f"input has {input.size(0)} samples, target {target.size(0)}; give as many of each")
        if input.dim() != rank + 1:
            raise RuntimeError(f"input is {tuple(input.shape)}; with a target of {rank} dimensions it has to have "
                               f"{rank + 1}")

    def forward(self, input_, target_):
        self._check_shapes(input_, target_)
        single = target_.dim() == 0
        input, target = (input_.unsqueeze(0), target_.unsqueeze(0)) if single else (input_, target_)

        used_rows = 0
        batch_size = target.size(0)
        output = input.new_zeros(batch_size)
        places = target.new_empty(batch_size)  # of each sample in the head: its class or its cluster
        bounds = [0] + self.cutoffs
        for i, (low, high) in enumerate(zip(bounds, bounds[1:])):
            chosen = (target >= low) & (target < high)
            rows = chosen.nonzero().squeeze()
            if rows.numel() == 0:
                continue
            used_rows += rows.numel()
            classes = target[chosen]
            if i == 0:
                places.index_copy_(0, rows, classes)
                continue
            inside = (classes - low).unsqueeze(1)
            scores = self.tail[i - 1](input.index_select(0, rows))
            places.index_fill_(0, rows, self.shortlist_size + i - 1)
            output.index_copy_(0, rows, log_softmax(scores, dim=1).gather(1, inside).squeeze(1))
        if used_rows != batch_size:
            raise RuntimeError(f"target holds {target.min().item()} to {target.max().item()}; classes are from 0 "
                               f"to {self.n_classes - 1}")

        in_head = log_softmax(self.head(input), dim=1).gather(1, places.unsqueeze(1))
        output += in_head.squeeze()
        loss = (-output).mean()
        return _ASMoutput(output.squeeze(0) if single else output, loss)

    def _get_full_log_prob(self, input, head_output):
        frequent = self.shortlist_size
        full = input.new_empty((head_output.size(0), self.n_classes))
        of_head = log_softmax(head_output, dim=1)
        full[:, :frequent] = of_head[:, :frequent]
        for i, (start, stop) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            within = log_softmax(self.tail[i](input), dim=1)
            full[:, start:stop] = within + of_head[:, frequent + i].unsqueeze(1)
        return full

    def log_prob(self, input):
        """The logarithms of the probabilities of all classes."""
        return self._get_full_log_prob(input, self.head(input))

    def predict(self, input):
        """The most probable class of each sample; clusters are looked into only where the head points to one."""
        head_output = self.head(input)
        output = torch.argmax(head_output, dim=1)
        in_cluster = (output >= self.shortlist_size)
        if not in_cluster.any():
            return output
        if in_cluster.all():
            return torch.argmax(self._get_full_log_prob(input, head_output), dim=1)
        log_prob = self._get_full_log_prob(input[in_cluster], head_output[in_cluster])
        output[in_cluster] = torch.argmax(log_prob, dim=1)
        return output
