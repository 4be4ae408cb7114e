"""Types of values in a graph."""

from .proxy import Proxy


def annotate(val, type):
    """Gives the node of a proxy a type; anything else it leaves alone."""
    if isinstance(val, Proxy):
        if val.node.type:
            raise RuntimeError("%s has the type %s already" % (val.node, val.node.type))
        val.node.type = type
    return val
