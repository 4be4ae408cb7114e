"""Passes over graphs."""

from . import (
    graph_drawer, graph_manipulation, operator_support, param_fetch, shape_prop, split_module, split_utils,
    tools_common,
)  # fmt: skip
