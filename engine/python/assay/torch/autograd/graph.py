"""torch.autograd.graph: what is done with tensors kept for gradients. None are kept."""

from .._absent import refuse_gradients


class Node:
    """Stands for the operator that a tensor came from: it says that there is one."""

    next_functions = ()

    def name(self):
        return "Backward"

    def __call__(self, *gradients):
        refuse_gradients("grad_fn")

    def __repr__(self):
        return "<Backward>"


class saved_tensors_hooks:
    """Two functions that are never called."""

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return False


class save_on_cpu(saved_tensors_hooks):
    def __init__(self, pin_memory=False):
        super().__init__(lambda tensor: tensor, lambda tensor: tensor)


class disable_saved_tensors_hooks(saved_tensors_hooks):
    def __init__(self, error_message):
        super().__init__(None, None)
