"""Parts of graphs as modules, and graphs compared."""

from .common import HolderModule, compare_graphs, lift_subgraph_as_module
