"""torch.testing._internal.common_cuda: there is no CUDA."""

TEST_CUDA = TEST_CUDNN = TEST_MULTIGPU = False


def with_tf32_off(fn):
    return fn


def tf32_on_and_off(*args, **kwargs):
    return lambda fn: fn


def __getattr__(name):
    if name.startswith(("TEST_", "CUDA", "SM")):
        return False
    raise AttributeError(name)
