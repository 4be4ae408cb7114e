"""Marks for NVIDIA's profiler, of which there is none here."""

import contextlib


@contextlib.contextmanager
def range(msg, *args, **kwargs):
    yield


def range_push(msg):
    return -1


def range_pop():
    return -1


def mark(msg):
    return None
