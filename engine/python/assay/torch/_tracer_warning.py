"""What tracing warns by."""

import warnings


class TracerWarning(Warning):
    """Something was done while tracing that the trace does not show."""

    __module__ = f"{__package__}.jit._trace"

    @staticmethod
    def ignore_lib_warnings():
        warnings.filterwarnings("ignore", category=TracerWarning, module="torch.(?!jit)")


TracerWarning.ignore_lib_warnings()
