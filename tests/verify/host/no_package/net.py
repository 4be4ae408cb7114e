from .parts import double  # noqa: F401
