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


def operators():
    """What torchvision computes outside of Python."""
    torch.manual_seed(3)
    boxes = torch.rand(200, 4) * 50
    boxes[:, 2:] += boxes[:, :2]
    scores, kinds = torch.rand(200), torch.randint(3, (200,))
    images = torch.randn(2, 3, 12, 15)
    regions = torch.cat([torch.randint(2, (7, 1)).float(), torch.rand(7, 2) * 8 - 1, torch.rand(7, 2) * 9 + 5], 1)
    found = {f"nms {limit}": torchvision.ops.nms(boxes, scores, limit) for limit in (0.1, 0.3, 0.7)}
    found["batched_nms"] = torchvision.ops.batched_nms(boxes.double(), scores.double(), kinds, 0.3)
    for i, arguments in enumerate([(3, 1., -1, False), ((2, 4), 0.5, 2, True), (4, 1.3, -1, True)]):
        found[f"roi_align {i}"] = torchvision.ops.roi_align(images, regions, *arguments)
    return {name: value.flatten().tolist() for name, value in found.items()}


with open(sys.argv[1], "w") as written:
    json.dump({"operators": operators(), **{name: values(name) for name in sys.argv[2:]}}, written)
