"""torch.autograd.forward_ad: gradients computed forward."""

from .._absent import names

__getattr__ = names(__name__, "dual_level make_dual unpack_dual enter_dual_level exit_dual_level UnpackedDualTensor",
                    "assay computes no gradients")
