"""torch.cuda.amp.grad_scaler, whose name packages import."""

import enum

from . import GradScaler  # noqa: F401


class OptState(enum.Enum):
    """How far an optimizer's step is."""

    READY, UNSCALED, STEPPED = 0, 1, 2
