"""The functions of torch.nn.functional, one file for each family; torch/nn/functional.py lists them."""
