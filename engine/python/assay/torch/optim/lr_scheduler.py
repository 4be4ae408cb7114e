"""Schedules of learning rates, which are a part of training."""

from .._absent import names

__getattr__ = names(__name__, """
    _LRScheduler ChainedScheduler ConstantLR CosineAnnealingLR CosineAnnealingWarmRestarts CyclicLR ExponentialLR
    LambdaLR LinearLR MultiplicativeLR MultiStepLR OneCycleLR PolynomialLR ReduceLROnPlateau SequentialLR StepLR
    EPOCH_DEPRECATION_WARNING""", "assay does not train. Train in PyTorch; assay runs, exports and checks what was "
                    "trained")
