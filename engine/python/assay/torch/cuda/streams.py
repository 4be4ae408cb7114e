"""Streams of CUDA devices."""

from . import Event, ExternalStream, Stream  # noqa: F401
