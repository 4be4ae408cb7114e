"""Recomputation in the backward pass, of which assay has none: the functions are just called."""


def checkpoint(function, *args, use_reentrant=True, preserve_rng_state=True, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, **kwargs):
    for function in functions.children() if hasattr(functions, 'children') else functions:
        input = function(input)
    return input
