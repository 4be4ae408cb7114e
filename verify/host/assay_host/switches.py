"""The user's lines that switch gradients off during a call; asked to, it lets some of them do nothing."""

import linecache
import sys

import torch

from assay_host.exchanges import Exchanges
from assay_host.gradients import computes_gradients
from assay_host.listening import is_user_file, is_user_frame

WORDS = ("no_grad", "inference_mode", "set_grad_enabled")


def decorated_in(frame):
    """The user's function that a decorator of torch's calls in this frame, if any."""
    for name in ("func", "function"):
        code = getattr(frame.f_locals.get(name), "__code__", None)
        if code is not None and is_user_file(code.co_filename):
            return code
    return None


def decorator_line(code):
    first = code.co_firstlineno
    for line in range(first, first + 20):
        text = linecache.getline(code.co_filename, line)
        if any(word in text for word in WORDS):
            return line
        if text.lstrip().startswith("def "):
            break
    return first


def place_of_switch(frame):
    """Of a decorator where the function was called through one, else of the innermost line."""
    while frame is not None and not is_user_frame(frame):
        code = decorated_in(frame)
        if code is not None:
            return {"file": code.co_filename, "line": decorator_line(code), "function": code.co_name}
        frame = frame.f_back
    if frame is None:
        return None
    return {"file": frame.f_code.co_filename, "line": frame.f_lineno, "function": frame.f_code.co_name}


class Switches:
    """`ignored`: [file, line] of those that are to do nothing."""

    def __init__(self, ignored=()):
        self._exchanges = Exchanges()
        self.found, self._ignored = [], set((file, line) for file, line in ignored)
        if computes_gradients():
            self._owner, self._name = torch._C, "_set_grad_enabled"
        else:
            self._owner, self._name = torch.autograd.grad_mode._C, "set_grad_enabled"

    def __enter__(self):
        self._own = getattr(self._owner, self._name)
        self._exchanges.put(self._owner, self._name, self._switch)
        return self

    def __exit__(self, *exception):
        self._exchanges.put_back()

    def _switch(self, on):
        if not on and torch.is_grad_enabled():
            place = place_of_switch(sys._getframe(1))
            if place is not None:
                if (place["file"], place["line"]) in self._ignored:
                    return None
                if place not in self.found:
                    self.found.append(place)
        return self._own(on)
