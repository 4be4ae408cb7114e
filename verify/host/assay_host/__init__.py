"""The PyTorch side of assay: runs and exports a user's model, beside the user's own torch.

A child process of assay that answers requests on its standard streams. Needs nothing but torch (1.8
or later) and Python 3.6. assay carries this package and starts it with `python -c`; by hand:
`python -m assay_host` in the folder above.
"""
