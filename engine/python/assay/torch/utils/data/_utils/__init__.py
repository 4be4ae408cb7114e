"""The place in which programs look for collate functions."""
from . import collate, worker  # noqa: F401
