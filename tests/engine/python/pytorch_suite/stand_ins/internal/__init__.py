"""torch.testing._internal, as far as tests of TorchScript and torch.fx need it."""
