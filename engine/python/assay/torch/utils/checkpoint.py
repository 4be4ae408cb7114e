"""Recomputation in the backward pass, of which assay has none: the functions are just called."""


def get_device_states(*args):
    """The devices of the tensors beside the CPU, and the states of their generators: there are none."""
    return [], []


def set_device_states(devices, states):
    if devices:
        raise NotImplementedError("set_device_states: assay's devices share one random generator, which "
                                  "torch.set_rng_state() sets")


def checkpoint(function, *args, use_reentrant=True, preserve_rng_state=True, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, **kwargs):
    for function in functions.children() if hasattr(functions, 'children') else functions:
        input = function(input)
    return input
