"""torch.autograd.Function: its forward runs; a backward is never asked for."""

from assay import _engine as _C

_applied = set()  # Names of the functions that stood between gradients and what asks for them.


class _Context:
    """What a forward is given as `ctx`."""

    needs_input_grad = ()
    _constant = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        pass

    def mark_non_differentiable(self, *tensors):
        self._constant = tensors

    def mark_shared_storage(self, *pairs):
        pass

    def set_materialize_grads(self, value):
        pass

    def given(self, value):
        """What the function gave, which asks for gradients unless it was told otherwise."""
        if any(value is constant for constant in self._constant):
            return value.detach() if _asks(value) else value
        _C.mark_computed(value)
        return value


FunctionCtx = _Context


class Function(_Context):
    """A function with a derivative of its own, of which assay needs the forward alone."""

    def __init__(self, *args, **keywords):
        raise RuntimeError(f"{type(self).__name__} is called by its static apply(), not by an object of it")

    @classmethod
    def apply(cls, *args, **keywords):
        context = _Context()
        context.needs_input_grad = tuple(_asks(value) for value in args)
        before = _C.is_grad_enabled()
        _C.set_grad_enabled(False)
        try:
            given = cls.forward(context, *args, **keywords)
        finally:
            _C.set_grad_enabled(before)
        if not (before and any(context.needs_input_grad)):
            return given
        _applied.add(cls.__name__)
        made = [context.given(value) for value in (given if isinstance(given, tuple) else (given,))]
        return tuple(made) if isinstance(given, tuple) else made[0]

    @staticmethod
    def forward(ctx, *args, **keywords):
        raise NotImplementedError("a class derived from autograd.Function defines a static forward(ctx, ...)")

    @staticmethod
    def backward(ctx, *gradients):
        raise NotImplementedError("assay computes no gradients")


def _asks(value):
    return isinstance(value, _C.TensorBase) and value.requires_grad


def once_differentiable(function):
    return function
