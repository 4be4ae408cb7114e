"""torch.optim._functional: steps of optimizers."""

from .._absent import names

__getattr__ = names(__name__, "adadelta adagrad adam adamax adamw asgd nadam radam rmsprop rprop sgd sparse_adam",
                    "assay does not train")
