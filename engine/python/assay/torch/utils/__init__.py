"""torch.utils, without torch.utils.data: assay loads no data sets."""
