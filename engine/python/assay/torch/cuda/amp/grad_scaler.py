"""torch.cuda.amp.grad_scaler, whose name packages import."""

from . import GradScaler  # noqa: F401
