"""torch.masked: reductions over the elements that a mask leaves, and tensors that carry one."""

from ._absent import names

__getattr__ = names(__name__, "MaskedTensor amax amin argmax argmin as_masked_tensor cumprod cumsum is_masked_tensor "
                    "log_softmax logaddexp logsumexp masked_tensor mean median norm normalize prod softmax softmin std "
                    "sum var", "use masked_fill and torch's own reductions")
