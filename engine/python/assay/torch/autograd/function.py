"""torch.autograd.Function: its forward runs; a backward is never asked for."""


class _Context:
    """What a forward is given as `ctx`."""

    needs_input_grad = ()

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def save_for_forward(self, *tensors):
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors):
        pass

    def mark_non_differentiable(self, *tensors):
        pass

    def mark_shared_storage(self, *pairs):
        pass

    def set_materialize_grads(self, value):
        pass


FunctionCtx = _Context


class Function(_Context):
    """A function with a derivative of its own, of which assay needs the forward alone."""

    def __init__(self, *args, **keywords):
        raise RuntimeError(f"{type(self).__name__} is called by its static apply(), not by an object of it")

    @classmethod
    def apply(cls, *args, **keywords):
        context = _Context()
        context.needs_input_grad = tuple(False for _ in args)
        return cls.forward(context, *args, **keywords)

    @staticmethod
    def forward(ctx, *args, **keywords):
        raise NotImplementedError("a class derived from autograd.Function defines a static forward(ctx, ...)")

    @staticmethod
    def backward(ctx, *gradients):
        raise NotImplementedError("assay computes no gradients")


def once_differentiable(function):
    return function
