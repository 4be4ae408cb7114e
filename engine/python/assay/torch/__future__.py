"""Switches for behaviour to come: kept for programs that set them."""

_switches = {"overwrite_module_params_on_conversion": False}


def set_overwrite_module_params_on_conversion(value):
    _switches["overwrite_module_params_on_conversion"] = bool(value)


def get_overwrite_module_params_on_conversion():
    return _switches["overwrite_module_params_on_conversion"]
