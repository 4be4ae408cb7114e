"""torch.futures: results that come later; here a forked call has run before its future is there."""

from .jit._async import Future


def collect_all(futures):
    """A future of the list of futures."""
    return Future(list(futures))


def wait_all(futures):
    return [future.wait() for future in futures]
