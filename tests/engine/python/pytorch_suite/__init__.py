"""Runs PyTorch's own tests of TorchScript and torch.fx under assay's torch: see README.md."""
