"""torch.hub: where weights are kept. assay fetches nothing from a network."""

import importlib.util
import os
import re
import sys
from urllib.parse import urlparse  # noqa: F401
from urllib.request import Request, urlopen  # noqa: F401

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
DEFAULT_CACHE_DIR = "~/.cache"
ENV_TORCH_HOME = "TORCH_HOME"
ENV_XDG_CACHE_HOME = "XDG_CACHE_HOME"
ENV_GITHUB_TOKEN = "GITHUB_TOKEN"
MODULE_HUBCONF = "hubconf.py"
VAR_DEPENDENCY = "dependencies"


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


def _entry_points(folder, source):
    """The module hubconf of a folder."""
    if source != "local":
        raise RuntimeError(f"assay fetches no programs: clone {folder} and give its folder, with source='local'")
    path = os.path.join(os.path.expanduser(folder), MODULE_HUBCONF)
    spec = importlib.util.spec_from_file_location("hubconf", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(path))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(os.path.dirname(path))
    absent = [name for name in getattr(module, VAR_DEPENDENCY, ()) if importlib.util.find_spec(name) is None]
    if absent:
        raise RuntimeError(f"Missing dependencies: {', '.join(absent)}")
    return module


def _entry_point(folder, source, name):
    found = getattr(_entry_points(folder, source), name, None)
    if not callable(found):
        raise RuntimeError(f"Cannot find callable {name} in hubconf")
    return found


def load(repo_or_dir, model, *args, source="github", trust_repo=None, force_reload=False, verbose=True,
         skip_validation=False, **kwargs):
    """What the function `model` of a folder's module hubconf gives."""
    return _entry_point(repo_or_dir, source, model)(*args, **kwargs)


def list(github, force_reload=False, skip_validation=False, trust_repo=None):
    raise RuntimeError(f"assay fetches no programs: clone {github} and read its module hubconf")


def help(github, model, force_reload=False, skip_validation=False, trust_repo=None):  # noqa: A001
    raise RuntimeError(f"assay fetches no programs: clone {github} and read its module hubconf")
