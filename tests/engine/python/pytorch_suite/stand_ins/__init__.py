"""What PyTorch's tests import beside its documented interface, as far as they need it: see install."""
