"""A mode in which gradients are checked; there are none to check."""


class set_detect_anomaly:
    """Keeps whether the mode is on."""

    _on = False

    def __init__(self, mode, check_nan=True):
        self.before = set_detect_anomaly._on
        set_detect_anomaly._on = bool(mode)

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        set_detect_anomaly._on = self.before
        return False


class detect_anomaly(set_detect_anomaly):
    def __init__(self, check_nan=True):
        super().__init__(True, check_nan)


def is_anomaly_enabled():
    return set_detect_anomaly._on
