"""torch.monitor: events of a process that others listen to."""

from ._absent import names

__getattr__ = names(__name__, "Aggregation Event EventHandlerHandle Stat TensorboardEventHandler log_event "
                    "register_event_handler unregister_event_handler", "log with Python's logging")
