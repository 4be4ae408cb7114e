"""torch.utils.mobile_optimizer: programs rewritten for phones."""

from .._absent import names

__getattr__ = names(__name__, "optimize_for_mobile generate_mobile_module_lints LintCode",
                    "assay writes archives as they are; rewrite them in PyTorch")
