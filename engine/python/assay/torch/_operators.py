"""The catalog's operators as functions."""

from assay import _engine as _C

globals().update(_C.functions)


