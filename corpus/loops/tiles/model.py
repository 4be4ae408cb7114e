"""The peaks of an image's tiles, row by row and column by column: both loops are unrolled."""

import torch


class Net(torch.nn.Module):
    def forward(self, image):
        rows = []
        for i in range(image.shape[1] // 2):  # cause
            row = []
            for j in range(image.shape[2] // 2):
                tile = image[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
                row.append(tile.amax(dim=(1, 2)))
            rows.append(torch.stack(row, dim=1))
        return torch.stack(rows, dim=1)


def example():
    return (torch.linspace(-1.0, 1.0, 48).reshape(2, 4, 6),)
