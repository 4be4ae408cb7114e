"""Returns are summed up from the last step back: the first round reads another row where there are more."""

import torch


def discounted(rewards, keep):
    total = torch.zeros_like(rewards[0])
    sums = []
    for reward, share in zip(reversed(list(rewards)), reversed(list(keep))):  # cause
        total = reward + share * total
        sums.append(total)
    return torch.stack(sums[::-1])


class Net(torch.nn.Module):
    def forward(self, rewards, alive):
        return discounted(rewards, 0.9 * alive.to(rewards.dtype))


def example():
    return torch.linspace(-1.0, 1.0, 8).reshape(4, 2), torch.tensor([[True, False]] * 4)
