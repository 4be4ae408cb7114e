"""Whether torch.jit.script and trace do anything (PYTORCH_JIT=0 turns them off)."""

import os

_on = os.environ.get("PYTORCH_JIT", "1") != "0"


def enabled():
    return _on


def enable():
    global _on
    _on = True


def disable():
    global _on
    _on = False
