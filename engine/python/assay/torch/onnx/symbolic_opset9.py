"""Names that packages import to say how their operators would be written in ONNX, which assay never does."""


def __getattr__(name):
    if name.startswith('__'):
        raise AttributeError(name)

    def symbolic(*args, **kwargs):
        raise NotImplementedError("assay's torch writes no ONNX: export with PyTorch")

    return symbolic
