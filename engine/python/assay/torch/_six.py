"""A few names of Python's own, under which old packages look for them."""

import collections.abc as container_abcs  # noqa: F401
from math import inf, nan  # noqa: F401

string_classes = (str, bytes)
int_classes = int
FileNotFoundError = FileNotFoundError
