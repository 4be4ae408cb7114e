"""Stepping through generated code."""


def set_trace(gm):
    """From now on the module's code stops in Python's debugger at its start."""

    def stopping(before):
        return lambda body: ["import pdb; pdb.set_trace()\n", *(before(body) if before else body)]

    with gm.graph.on_generate_code(stopping):
        gm.recompile()
    return gm
