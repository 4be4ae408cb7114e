"""PyTorch's source release, whose tests run: a folder, or the archive that Debian keeps of it.

    source.py build/pytorch-source      # fetches it, and checks it; prints where it is"""

import hashlib
import os
import shutil
import sys
import tarfile
import urllib.request

VERSION = "1.13.1"
ADDRESS = "http://deb.debian.org/debian/pool/main/p/pytorch/pytorch_1.13.1%2bdfsg.orig.tar.xz"
SHA256 = "d0355588b8528566d477e6ebf1b4d9d036a6fd75711339f66b27472ce5879dc7"
# What of the release is needed; all of it is many times that.
PARTS = ("test/test_jit", "test/test_nnapi", "test/jit/", "test/test_fx", "test/fx/", "test/expect/", "test/jit_hooks/",
         "torch/testing/", "torch/jit/", "torch/nn/", "torch/fx/", "torch/_jit_internal.py", "docs/source/")

# Debian 12's Python is older than the filter; whose archive it is, its hash tells.
SAFELY = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}


def is_release(folder):
    return os.path.exists(os.path.join(folder, "test", "test_jit.py"))


def fetch(folder):
    """Makes `folder` hold the parts of the release that are needed; fetches the archive and checks it."""
    os.makedirs(folder, exist_ok=True)
    archive = os.path.join(folder, "release.tar.xz")
    with urllib.request.urlopen(ADDRESS, timeout=120) as answer, open(archive, "wb") as file:
        shutil.copyfileobj(answer, file)
    try:
        return extract(archive, folder)
    finally:
        os.unlink(archive)


def extract(archive, folder):
    with open(archive, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != SHA256:
        raise SystemExit(f"{archive} is not PyTorch {VERSION}'s source release: its SHA-256 is {digest}")
    made = None
    with tarfile.open(archive) as opened:
        for member in opened:
            root, _, rest = member.name.partition("/")
            if rest.startswith(PARTS) and member.isfile():
                opened.extract(member, folder, **SAFELY)
                made = os.path.join(folder, root)
    return made


def release(place):
    """The folder of the release: `place` is that folder, one that it is to be kept in, or its archive."""
    if os.path.isfile(place):
        return extract(place, place + ".extracted")
    if is_release(place):
        return os.path.abspath(place)
    if os.path.isdir(place):
        for name in os.listdir(place):
            if is_release(os.path.join(place, name)):
                return os.path.abspath(os.path.join(place, name))
    return fetch(place)


if __name__ == "__main__":
    print(release(sys.argv[1]))
