"""What the benchmark scripts share: archives that PyTorch makes, and PyTorch set up as a fair peer."""
import glob
import os
import sys
import tempfile

FOLDER = os.environ.get("ASSAY_BENCH", os.path.join(tempfile.gettempdir(), "assay-bench"))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("ASSAY_BIN", os.path.join(ROOT, "build", "release", "bin"))
SIZES = ["1", "3", "224", "224"]
FORMS = ["traced", "scripted"]


def path(name, ending):
    return os.path.join(FOLDER, name + ending)


def archive(name, form):
    return path(name, f".{form}.pt")


def environment(threads):
    """What a process of PyTorch's starts with: as many threads for every pool as asked, and OpenBLAS where
    Debian's folder for it is there, since its matrix products otherwise run in a slow library."""
    wanted = {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
    folders = glob.glob("/usr/lib/*/openblas-pthread")
    if folders:
        known = os.environ.get("LD_LIBRARY_PATH", "")
        others = [entry for entry in known.split(":") if entry and entry not in folders]
        wanted["LD_LIBRARY_PATH"] = ":".join(folders + others)
    return wanted


def settle(threads):
    """Starts this script anew in the environment, which is read when a process starts."""
    wanted = environment(threads)
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        os.environ.update(wanted)
        os.execv(sys.executable, [sys.executable, *sys.argv])


def blas():
    """Name of the library that PyTorch's matrix products run in; warns of the slow reference one."""
    import torch

    torch.randn(4, 4) @ torch.randn(4, 4)
    with open("/proc/self/maps") as file:
        loaded = {os.path.basename(line.split()[-1]) for line in file if "/" in line}
    for name in ("mkl", "openblas", "blis", "atlas", "blas"):
        found = sorted(entry for entry in loaded if name in entry.lower())
        if found:
            break
    else:
        found = ["unknown"]
    if not any(fast in found[0].lower() for fast in ("mkl", "openblas", "blis", "atlas")):
        print(f"warning: PyTorch uses {found[0]}, which is slow: comparisons flatter assay",
              file=sys.stderr)
    return found[0]


def make_archives(name):
    """NAME.traced.pt, NAME.scripted.pt and an input NAME.bin in FOLDER, once."""
    import torch
    import torchvision

    if all(os.path.exists(archive(name, form)) for form in FORMS):
        return
    os.makedirs(FOLDER, exist_ok=True)
    segmentation = name.startswith("deeplab")
    models = torchvision.models.segmentation if segmentation else torchvision.models
    options = {"weights": None}
    if segmentation:
        options["weights_backbone"] = None
    torch.manual_seed(0)
    module = getattr(models, name)(**options).eval()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)
        if isinstance(part, torch.nn.Linear) and not part.weight.any():
            torch.nn.init.normal_(part.weight, std=0.02)  # vit's head begins as zeros
    example = torch.randn(*map(int, SIZES))
    with open(path(name, ".bin"), "wb") as file:
        file.write(example.numpy().tobytes())
    with torch.no_grad():
        traced = torch.jit.trace(module, example, strict=False, check_trace=False)
        traced.save(archive(name, "traced"))
        torch.jit.script(module).save(archive(name, "scripted"))
