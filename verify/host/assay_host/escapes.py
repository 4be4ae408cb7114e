"""Values that leave the graph while it is traced: what `bool`, `int`, `item` and their kin gave, and
at which of the user's lines. From there on the tracer sees them as constants.

Looks at a tensor's form (its rank, whether it is contiguous) never were in the graph; they count
where the user's own code looks."""

import sys

import torch

from assay_host.listening import is_user_frame

METHODS = ["__bool__", "__int__", "__index__", "__float__", "__complex__", "__len__", "__array__",
           "item", "tolist", "numpy"]  # fmt: skip
LOOKS = ["dim", "ndimension", "is_contiguous", "is_floating_point", "is_complex"]
LOOKED_AT = ["ndim", "requires_grad", "is_cuda"]
MOST = 10000


def own_attributes():
    """What each listened name is in torch.Tensor itself; None where a base class has it."""
    return dict((name, vars(torch.Tensor).get(name)) for name in METHODS + LOOKS + LOOKED_AT)


def user_place():
    frame = sys._getframe(2)
    while frame is not None and not is_user_frame(frame):
        frame = frame.f_back
    if frame is None:
        return None
    code = frame.f_code
    return {"file": code.co_filename, "line": frame.f_lineno, "function": code.co_name}


class Escapes:
    """While entered, records each escape; a call that another escape makes is not one of its own."""

    def __enter__(self):
        self.found, self._inside = [], False
        self._own = own_attributes()
        for name in METHODS + LOOKS:
            setattr(torch.Tensor, name, self._listening(name, getattr(torch.Tensor, name), name in LOOKS))
        for name in LOOKED_AT:
            base = getattr(torch.Tensor, name)
            setattr(torch.Tensor, name, property(self._listening(name, base.__get__, True), base.__set__))
        return self

    def __exit__(self, *_):
        for name, own in self._own.items():
            if own is None:
                delattr(torch.Tensor, name)
            else:
                setattr(torch.Tensor, name, own)

    def _listening(self, name, original, is_look):
        def escape(tensor, *args, **kwargs):
            foreign = is_look and not is_user_frame(sys._getframe(1))
            if self._inside or foreign or torch._C._get_tracing_state() is None:
                return original(tensor, *args, **kwargs)
            self._inside = True
            try:
                value = original(tensor, *args, **kwargs)
            finally:
                self._inside = False
            if isinstance(value, torch.Tensor):
                return value  # len() goes on to ask it for its index: there it escapes.
            place = user_place()
            if place and len(self.found) < MOST:
                self.found.append(dict(place, kind=name.strip("_"), value=plain(value)))
            return value

        return escape


def plain(value):
    """A number that JSON holds exactly, or None."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value if isinstance(value, (bool, int, float)) and abs(value) < 2**63 else None
