"""Marks of how stable a part of the interface is. They change nothing."""


def compatibility(is_backward_compatible):
    return lambda function: function
