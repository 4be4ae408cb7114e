"""torch.hub: where weights are kept. assay fetches nothing from a network."""

import os


def _get_torch_home():
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


_dir = None


def get_dir():
    return _dir or os.path.join(_get_torch_home(), "hub")


def set_dir(d):
    global _dir
    _dir = os.path.expanduser(d)


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None):
    """The weights, where they have been fetched already."""
    from .serialization import load
    name = file_name or os.path.basename(url.split("?")[0])
    path = os.path.join(model_dir or os.path.join(get_dir(), "checkpoints"), name)
    if not os.path.exists(path):
        raise RuntimeError(f"assay fetches nothing from the network: fetch {url} to {path} first")
    return load(path, map_location=map_location)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    raise RuntimeError(f"assay fetches nothing from the network: fetch {url} to {dst} first")


def load(repo_or_dir, model, *args, **kwargs):
    raise RuntimeError(f"assay fetches no programs: import the package that has {model}")
