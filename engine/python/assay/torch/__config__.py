"""How this torch was built."""


def show():
    from .version import __version__
    return f"assay's engine under the names of PyTorch {__version__}\n"


def parallel_info():
    from assay import _engine
    return f"assay's engine, threads: {_engine.get_num_threads()}\n"
