"""torch.utils.benchmark: times of statements."""

from .._absent import names

__getattr__ = names(__name__, "CallgrindStats Compare FunctionCounts Fuzzer FuzzedParameter FuzzedTensor Measurement "
                    "ParameterAlias Timer", "take times with Python's timeit")
