"""What optimizers have in common: groups of parameters with settings."""

from collections import defaultdict
from copy import deepcopy

from .._tensor import Tensor


class _Required:
    def __repr__(self):
        return "<required parameter>"


required = _Required()


class Optimizer:
    """Parameters in groups, each with its settings. They can be read, changed, saved and loaded; `step` says
    that assay does not train."""

    def __init__(self, params, defaults):
        if isinstance(params, Tensor):
            raise TypeError("an optimizer takes a list of tensors or of groups, not one tensor")
        self.defaults = defaults
        self.state = defaultdict(dict)
        self.param_groups = []
        groups = list(params)
        if not groups:
            raise ValueError("an optimizer needs parameters, and was given an empty list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def add_param_group(self, param_group):
        if not isinstance(param_group, dict):
            raise TypeError("a group of parameters is a dict")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError("the parameters of a group need an order: give a list instead of a set")
        params = param_group["params"] = [params] if isinstance(params, Tensor) else list(params)
        for param in params:
            if not isinstance(param, Tensor):
                raise TypeError(f"an optimizer takes tensors, not {type(param).__name__}")
            if not param.is_leaf:
                raise ValueError("an optimizer takes tensors that were not computed from others")
        for name, value in self.defaults.items():
            if value is required and name not in param_group:
                raise ValueError(f"a group of parameters needs a value for {name}")
            param_group.setdefault(name, value)
        known = {id(param) for group in self.param_groups for param in group["params"]}
        if known.intersection(map(id, params)):
            raise ValueError("a parameter stands in two groups")
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none=False):
        """Forgets gradients that somebody has set."""
        for group in self.param_groups:
            for param in group["params"]:
                if param.grad is not None:
                    param.grad = None if set_to_none else param.grad.detach().zero_()

    def step(self, closure=None):
        raise NotImplementedError(f"{type(self).__name__}.step(): assay does not train. Train in PyTorch; assay runs, "
                                  "exports and checks what was trained")

    def state_dict(self):
        """Settings by group, with numbers in the place of parameters."""
        numbers = {}
        for group in self.param_groups:
            for param in group["params"]:
                numbers[id(param)] = len(numbers)
        groups = [{**{key: value for key, value in group.items() if key != "params"},
                   "params": [numbers[id(param)] for param in group["params"]]} for group in self.param_groups]
        state = {numbers[id(key)] if isinstance(key, Tensor) else key: value for key, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict):
        saved = deepcopy(state_dict["param_groups"])
        if [len(group["params"]) for group in saved] != [len(group["params"]) for group in self.param_groups]:
            raise ValueError("the saved groups of parameters differ in number or size from this optimizer's")
        params = {}
        for group, own in zip(saved, self.param_groups):
            params.update(zip(group["params"], own["params"]))
            group["params"] = own["params"]
        self.param_groups = saved
        self.state = defaultdict(dict, {params.get(key, key): value for key, value in state_dict["state"].items()})

    def __repr__(self):
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"\nParameter Group {number}\n")
            lines += [f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params"]
        return f"{type(self).__name__} ({''.join(lines)})"
