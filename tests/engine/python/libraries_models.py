"""Small models of other people's libraries, for libraries_test.py: what eager, traced and scripted ones give.

libraries_models.py OUT list|run|load FOLDER NAME...: writes JSON to OUT. `run` leaves archives in FOLDER, which
`load` runs. Folders in ASSAY_LIBRARIES are searched for libraries first.
"""
import importlib.util
import json
import os
import re
import sys
import warnings

sys.path[:0] = [folder for folder in os.environ.get("ASSAY_LIBRARIES", "").split(os.pathsep) if folder]

import torch  # noqa: E402

MODELS = {}
VIT = dict(image_size=32, patch_size=8, num_classes=10, dim=32, depth=2, heads=2, mlp_dim=48)
TINY = dict(vocab_size=99, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
            max_position_embeddings=64)
GPT = dict(vocab_size=99, n_embd=32, n_layer=2, n_head=4, n_positions=64)
T5 = dict(vocab_size=99, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4)
UNET = dict(sample_size=16, in_channels=3, out_channels=3, layers_per_block=1, block_out_channels=(32, 32),
            down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"))
VAE = dict(block_out_channels=(32, 32), down_block_types=("DownEncoderBlock2D",) * 2,
           up_block_types=("UpDecoderBlock2D",) * 2)


def image(size=64, channels=3):
    return [torch.rand(1, channels, size, size)]


def ids():
    return [torch.randint(3, 90, (2, 12))]


def add(path, make, inputs, label=""):
    """A model of a library: `make` gets the class or function at `path`, and gives the module."""
    module, _, name = path.rpartition(".")
    MODELS[f"{path}{label and ':' + label}"] = (
        module, lambda: make(getattr(importlib.import_module(module), name)), inputs)


def called(function, *given, **named):
    """A module that calls a function of a library."""
    class Caller(torch.nn.Module):
        def forward(self, *inputs):
            return function(*inputs, *given, **named)
    return Caller()


for arch in ("resnet26t", "efficientnet_lite0", "mobilenetv3_small_050", "vit_tiny_patch16_224", "convnext_atto",
             "levit_128s", "regnety_002", "ghostnet_050", "convit_tiny", "crossvit_tiny_240", "edgenext_xx_small"):
    fixed = {"vit_tiny_patch16_224": 224, "levit_128s": 224, "convit_tiny": 224, "crossvit_tiny_240": 240}
    add("timm.create_model", lambda create, arch=arch: create(arch, pretrained=False),
        lambda size=fixed.get(arch, 64): image(size), arch)
for kind, config in {"Bert": TINY, "Roberta": TINY, "Electra": TINY, "Albert": dict(TINY, embedding_size=16),
                     "GPT2": GPT, "T5Encoder": T5}.items():
    add(f"transformers.{kind}Model", lambda model, config=config: model(model.config_class(
        **config, torchscript=True, use_cache=False)), ids)
add("vit_pytorch.ViT", lambda model: model(**VIT), lambda: image(32))
add("vit_pytorch.cait.CaiT", lambda model: model(**dict(VIT, cls_depth=1)), lambda: image(32))
add("vit_pytorch.max_vit.MaxViT", lambda model: model(
    num_classes=10, dim_conv_stem=8, dim=16, dim_head=8, depth=(1, 1), window_size=4), image)
for arch in ("resnet18", "mobilenetv2_wd4", "shufflenetv2_wd2", "peleenet"):
    add("pytorchcv.model_provider.get_model", lambda get, arch=arch: get(arch, pretrained=False),
        lambda: image(224), arch)
for arch in ("Unet", "FPN", "Linknet", "PAN"):
    add(f"segmentation_models_pytorch.{arch}", lambda model: model("resnet18", encoder_weights=None, classes=3), image)
add("monai.networks.nets.UNet", lambda model: model(
    spatial_dims=2, in_channels=1, out_channels=2, channels=(4, 8, 16), strides=(2, 2), num_res_units=1),
    lambda: image(32, 1))
add("monai.networks.nets.SegResNet", lambda model: model(spatial_dims=2, init_filters=8), lambda: image(32, 1))
add("monai.networks.nets.AttentionUnet", lambda model: model(
    spatial_dims=2, in_channels=1, out_channels=2, channels=(4, 8, 16), strides=(2, 2)), lambda: image(32, 1))
add("diffusers.UNet2DModel", lambda model: model(**UNET), lambda: image(16) + [torch.tensor([3])])
add("diffusers.AutoencoderKL", lambda model: model(**VAE), lambda: image(32))
add("kornia.color.rgb_to_hsv", called, image)
add("kornia.filters.gaussian_blur2d", lambda blur: called(blur, (5, 5), (1.5, 1.5)), image)
add("kornia.geometry.resize", lambda resize: called(resize, (12, 12)), image)
add("kornia.enhance.equalize", called, image)
add("einops.layers.torch.Rearrange", lambda layer: layer("b c (h p) (w q) -> b (h w) (p q c)", p=8, q=8), image)
add("torchmetrics.functional.pearson_corrcoef", called, lambda: [torch.rand(12), torch.rand(12)])
add("torchmetrics.functional.structural_similarity_index_measure", called, lambda: image(24) + image(24))
add("speechbrain.lobes.models.Xvector.Xvector", lambda model: model(
    in_channels=20, tdnn_channels=[8] * 5, lin_neurons=8), lambda: [torch.rand(2, 30, 20)])
add("asteroid.models.ConvTasNet", lambda model: model(
    2, n_filters=8, n_blocks=2, n_repeats=1, bn_chan=4, hid_chan=8, skip_chan=4), lambda: [torch.rand(1, 400)])
add("perceiver_pytorch.PerceiverIO", lambda model: model(
    dim=32, queries_dim=32, logits_dim=5, depth=1, num_latents=4, latent_dim=16), lambda: [torch.rand(1, 16, 32)])


def available():
    """The models whose library is there, by what the import system finds without importing it."""
    return [name for name, (module, _, _) in MODELS.items() if importlib.util.find_spec(module.split(".")[0])]


def numbers(given):
    """The tensors in a result: shape and values."""
    if isinstance(given, torch.Tensor):
        return [[list(given.shape), given.detach().double().reshape(-1).tolist()]]
    if isinstance(given, dict):
        given = given.values()
    return [one for item in given for one in numbers(item)] if hasattr(given, "__iter__") else []


def text(graph):
    """A graph's text less what differs between two processes: mangled names, lines of torch's own files."""
    graph = re.sub(r"___torch_mangle_\d+\.", "", str(graph))
    return re.sub(r" # \S*[/\\](torch|assay)[/\\]\S*:\d+:\d+$", "", graph, flags=re.M).splitlines()


def inputs_of(name):
    torch.manual_seed(3)
    return MODELS[name][2]()


def run(name, folder):
    """What the model gives, with what way of running it could not be taken under "error"."""
    torch.manual_seed(1)
    model = MODELS[name][1]().eval()
    inputs, found = inputs_of(name), {}
    ways = {"eager": lambda: model, "script": lambda: torch.jit.script(model),
            "trace": lambda: torch.jit.trace(model, tuple(inputs), check_trace=False, strict=False)}
    for way, make in ways.items():
        try:
            torch.manual_seed(5)
            with torch.no_grad():
                made = make()
                torch.manual_seed(5)
                found[way] = {"values": numbers(made(*inputs))}
            if way == "trace":
                found[way]["text"] = text(made.graph)
            if way != "eager":
                made.save(os.path.join(folder, f"{name}.{way}.pt"))
        except Exception as error:
            found[way] = {"error": f"{type(error).__name__}: {error}"}
    return found


def load(name, folder):
    """What the archives give that another process left."""
    found = {}
    for way in ("script", "trace"):
        path = os.path.join(folder, f"{name}.{way}.pt")
        if os.path.exists(path):
            with torch.no_grad():
                torch.manual_seed(5)
                found[way] = {"values": numbers(torch.jit.load(path)(*inputs_of(name)))}
    return found


if __name__ == "__main__":
    out, action, where, *names = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    if action == "list":
        answer = available()
    else:
        answer = {name: (run if action == "run" else load)(name, where) for name in names}
    with open(out, "w") as file:
        json.dump(answer, file)
