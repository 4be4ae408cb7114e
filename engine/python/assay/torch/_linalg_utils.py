"""Functions of linear algebra that PyTorch has taken away: each names its successor."""


def _removed(name):
    def function(*args, **keywords):
        raise RuntimeError(f"torch.{name} was deprecated in PyTorch 1.9 and is gone: use torch.linalg.{name} instead")
    function.__name__ = function.__qualname__ = name
    return function


solve, lstsq, eig = _removed("solve"), _removed("lstsq"), _removed("eig")
