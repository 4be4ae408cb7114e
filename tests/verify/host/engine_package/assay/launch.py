"""Notes that it was asked to put the engine's torch in place."""

installed = []


def install():
    installed.append(True)
