"""The package itself, for its own modules. Their functions, which a compiler reads as text, name what they
use as `torch.relu`; the package imports them, so that they do not import it."""

import sys

torch = sys.modules[__package__]
