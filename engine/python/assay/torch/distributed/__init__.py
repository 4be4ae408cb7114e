"""torch.distributed: an engine is one process."""


def is_available():
    return False


def is_initialized():
    return False


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'distributed.{name}': it runs in one process")
