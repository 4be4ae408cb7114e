"""Optimizers as programs set them up: parameter groups with their settings. Nothing is trained."""

import sys
import types

from . import lr_scheduler, optimizer, swa_utils
from .optimizer import Optimizer, required

_ADAM = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8}
# Each optimizer's settings, in the order of its arguments.
_SETTINGS = {
    "Adadelta": {"lr": 1.0, "rho": 0.9, "eps": 1e-6, "weight_decay": 0, "foreach": None, "maximize": False},
    "Adagrad": {"lr": 1e-2, "lr_decay": 0, "weight_decay": 0, "initial_accumulator_value": 0, "eps": 1e-10,
                "foreach": None, "maximize": False},
    "Adam": {**_ADAM, "weight_decay": 0, "amsgrad": False, "foreach": None, "maximize": False, "capturable": False,
             "differentiable": False, "fused": False},
    "AdamW": {**_ADAM, "weight_decay": 1e-2, "amsgrad": False, "maximize": False, "foreach": None,
              "capturable": False},
    "SparseAdam": {**_ADAM, "maximize": False},
    "Adamax": {**_ADAM, "lr": 2e-3, "weight_decay": 0, "foreach": None, "maximize": False},
    "ASGD": {"lr": 1e-2, "lambd": 1e-4, "alpha": 0.75, "t0": 1e6, "weight_decay": 0, "foreach": None,
             "maximize": False},
    "SGD": {"lr": required, "momentum": 0, "dampening": 0, "weight_decay": 0, "nesterov": False, "maximize": False,
            "foreach": None, "differentiable": False},
    "RAdam": {**_ADAM, "weight_decay": 0, "foreach": None},
    "Rprop": {"lr": 1e-2, "etas": (0.5, 1.2), "step_sizes": (1e-6, 50), "foreach": None, "maximize": False},
    "RMSprop": {"lr": 1e-2, "alpha": 0.99, "eps": 1e-8, "weight_decay": 0, "momentum": 0, "centered": False,
                "foreach": None, "maximize": False, "differentiable": False},
    "NAdam": {**_ADAM, "lr": 2e-3, "weight_decay": 0, "momentum_decay": 4e-3, "foreach": None},
    "LBFGS": {"lr": 1, "max_iter": 20, "max_eval": None, "tolerance_grad": 1e-7, "tolerance_change": 1e-9,
              "history_size": 100, "line_search_fn": None},
}


def _optimizer_class(name, settings):
    """The class of this name, in the module in which PyTorch has it."""
    def init(self, params, *args, **keywords):
        if len(args) > len(settings):
            raise TypeError(f"{name}() takes at most {len(settings)} settings, not {len(args)}")
        given = dict(zip(settings, args))
        for key, value in keywords.items():
            if key not in settings or key in given:
                why = "is given twice" if key in given else "is none of its settings"
                raise TypeError(f"{name}(): '{key}' {why}")
            given[key] = value
        if given.get("lr", settings["lr"]) is required:
            raise ValueError(f"{name}() needs a learning rate lr")
        defaults = {**settings, **given}
        if name == "LBFGS" and defaults["max_eval"] is None:
            defaults["max_eval"] = defaults["max_iter"] * 5 // 4
        Optimizer.__init__(self, params, defaults)
    place = types.ModuleType(f"{__name__}.{name.lower() if name not in _FILES else _FILES[name]}")
    made = type(name, (Optimizer,), {"__init__": init, "__module__": place.__name__,
                                     "__doc__": f"The parameter groups and settings of PyTorch's {name}."})
    setattr(place, name, made)
    place.Optimizer = Optimizer
    sys.modules[place.__name__] = place
    return made, place


_FILES = {"SparseAdam": "sparse_adam"}
for _name, _settings in _SETTINGS.items():
    _class, _place = _optimizer_class(_name, _settings)
    globals()[_name] = _class
    globals()[_place.__name__.rpartition(".")[2]] = _place
del _name, _settings, _class, _place


def __getattr__(name):
    raise AttributeError(f"assay's torch has no 'optim.{name}'")
