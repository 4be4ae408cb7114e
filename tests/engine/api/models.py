"""Makes archives of whole models with PyTorch for engine_test.cpp.

python3 models.py DIR [NAME...]: for each model and FORM (traced, scripted) DIR/NAME.FORM.pt, and for
each of two inputs DIR/NAME.FORM.I.case.pt (a module that holds the input and what PyTorch's run of
the archive's module gives). Weights are random with a fixed seed; every model is in eval mode.
"""
import pathlib
import sys

import torch
from torch import nn

from archives import Case, leaves

IMAGE_MODELS = ["resnet18", "resnet50", "mobilenet_v2", "squeezenet1_0", "densenet121"]


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(32, 5)

    def forward(self, x):
        return self.head(self.layers(x))


class Recurrent(nn.Module):
    """Token ids through an embedding and a recurrent network of one kind."""

    def __init__(self, network):
        super().__init__()
        self.words = nn.Embedding(50, 16, padding_idx=0)
        self.network = network
        self.head = nn.Linear(24, 7)

    def forward(self, ids):
        output, state = self.network(self.words(ids))
        return self.head(output), state


class Bags(nn.Module):
    """Embeddings looked up, compared and pooled."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(40, 12)
        self.places = nn.Embedding(64, 12, max_norm=None)
        self.norm = nn.LayerNorm(12)

    def forward(self, ids):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))
        x = self.norm(x)
        return x.mean(1), torch.matmul(x, self.words.weight.t()).argmax(-1)


def image(batch, size):
    return torch.randn(batch, 3, size, size)


def tokens(*sizes):
    return torch.randint(0, 40, sizes)


def models():
    import torchvision

    for name in IMAGE_MODELS:
        model = getattr(torchvision.models, name)(weights=None)
        yield name, model, [image(1, 64), image(2, 96)]
    # The layers of vit_b_16 at the width of the smallest that is in use: its weights are 20 MB, not 340.
    model = torchvision.models.VisionTransformer(
        image_size=64, patch_size=16, num_layers=12, num_heads=3, hidden_dim=192, mlp_dim=768)
    yield "vit_ti_16", model, [image(1, 64), image(3, 64)]
    model = torchvision.models.segmentation.deeplabv3_resnet50(weights=None, weights_backbone=None)
    yield "deeplabv3_resnet50", model, [image(1, 64), image(2, 96)]


def small_models():
    yield "encoder", Encoder(), [torch.randn(2, 9, 32), torch.randn(3, 5, 32)]
    lstm = nn.LSTM(16, 24, 2, batch_first=True)
    yield "lstm", Recurrent(lstm), [tokens(2, 11), tokens(3, 4)]
    both = nn.GRU(16, 12, bidirectional=True)
    yield "gru", Recurrent(both), [tokens(7, 2), tokens(3, 5)]
    yield "embedding", Bags(), [tokens(2, 6), tokens(3, 9)]


def settle(model):
    """What training would have done: statistics and heads that are not where they began."""
    for part in model.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)
        if isinstance(part, nn.Linear) and not part.weight.any():
            nn.init.normal_(part.weight, std=0.02)
    return model.eval()


def save(folder, name, model, inputs):
    model = settle(model)
    traced = torch.jit.trace(model, inputs[0], strict=False, check_trace=False)
    for form, export in (("traced", traced), ("scripted", torch.jit.script(model))):
        export.save(str(folder / f"{name}.{form}.pt"))
        for i, value in enumerate(inputs):
            case = Case([value], [leaf.contiguous() for leaf in leaves(export(value))])
            torch.jit.script(case).save(str(folder / f"{name}.{form}.{i}.case.pt"))


def main(folder, names):
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with torch.no_grad(), torch.jit.optimized_execution(False):
        for family in (small_models, models):
            for name, model, inputs in family():
                if not names or name in names:
                    save(folder, name, model, inputs)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:])
