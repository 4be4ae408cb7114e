"""Makes torchvision's models from a seed and calls them; writes what they give as JSON.

Usage: torchvision_values.py OUTPUT MODEL...
"""
import json
import sys
import warnings

import torch
import torchvision

warnings.simplefilter("ignore")
OPTIONS = {"googlenet": {"init_weights": False}, "inception_v3": {"init_weights": False}}


def made(name):
    options = dict(OPTIONS.get(name, {}), weights=None)
    if name.startswith(("fcn", "deeplab", "lraspp")):
        options["weights_backbone"] = None
    torch.manual_seed(1)
    return torchvision.models.get_model(name, **options)


def digest(tensor):
    """Shape, and a few numbers that depend on every element."""
    values = tensor.detach().double().flatten()
    return [list(tensor.shape), values.sum().item(), values.abs().sum().item(),
            (values * torch.linspace(-1, 1, values.numel(), dtype=torch.float64)).sum().item()]


def values(name):
    model = made(name)
    state = {key: digest(value) for key, value in model.state_dict().items()}
    torch.manual_seed(2)
    size = 224 if name.startswith(("vit", "maxvit")) else 96
    image = torch.randn(1, 3, size, size)
    with torch.no_grad():
        output = model.eval()(image)
    outputs = output if isinstance(output, dict) else {"out": output}
    return {"state": state, "outputs": {key: value.flatten().tolist()[:2000] for key, value in outputs.items()}}


with open(sys.argv[1], "w") as written:
    json.dump({name: values(name) for name in sys.argv[2:]}, written)
