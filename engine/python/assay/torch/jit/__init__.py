"""torch.jit: scripting, tracing, archives."""


def load(f, map_location=None, _extra_files=None):
    raise NotImplementedError("torch.jit.load is not there yet")


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'jit.{name}' yet")
