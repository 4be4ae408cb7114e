def probes():
    return []
