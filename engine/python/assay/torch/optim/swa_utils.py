"""Averages of weights over a training."""

from .._absent import names

__getattr__ = names(__name__, "AveragedModel SWALR update_bn", "assay does not train. Load the averaged weights "
                    "into the model itself")
