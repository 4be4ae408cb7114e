"""torch.hub: weights of published models, from where PyTorch keeps them."""
import os
import re
import shutil
import tempfile
import urllib.parse
import urllib.request

from .serialization import load as _load

_hub_dir = None


def _get_torch_home():
    cache = os.getenv('XDG_CACHE_HOME', '~/.cache')
    return os.path.expanduser(os.getenv('TORCH_HOME', os.path.join(cache, 'torch')))


def get_dir():
    return _hub_dir or os.path.join(_get_torch_home(), 'hub')


def set_dir(d):
    global _hub_dir
    _hub_dir = os.path.expanduser(d)


def download_url_to_file(url, dst, hash_prefix=None, progress=True):
    """Downloads to a file beside `dst` and renames it, so that `dst` is whole whenever it is there."""
    import hashlib
    digest = hashlib.sha256()
    with urllib.request.urlopen(url) as source, tempfile.NamedTemporaryFile(
            dir=os.path.dirname(dst) or '.', delete=False) as target:
        try:
            while chunk := source.read(1 << 16):
                digest.update(chunk)
                target.write(chunk)
            if hash_prefix and not digest.hexdigest().startswith(hash_prefix):
                raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{digest.hexdigest()}")')
            target.close()
            shutil.move(target.name, dst)
        finally:
            if os.path.exists(target.name):
                os.remove(target.name)


def load_state_dict_from_url(url, model_dir=None, map_location=None, progress=True, check_hash=False, file_name=None):
    """The state dict at `url`, from PyTorch's folder of downloads if it is there."""
    model_dir = model_dir or os.path.join(get_dir(), 'checkpoints')
    os.makedirs(model_dir, exist_ok=True)
    name = file_name or os.path.basename(urllib.parse.urlparse(url).path)
    path = os.path.join(model_dir, name)
    if not os.path.exists(path):
        found = re.search(r'-([a-f0-9]*)\.', name) if check_hash else None
        download_url_to_file(url, path, found.group(1) if found else None, progress)
    return _load(path, map_location=map_location)


def _unsupported(*args, **kwargs):
    raise NotImplementedError("assay's torch.hub fetches weights, not programs: import the model's own package")


load = list = help = _unsupported
