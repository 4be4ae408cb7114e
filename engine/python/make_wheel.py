"""Makes a wheel of the built package: make_wheel.py PACKAGE VERSION FOLDER. Prints the file's path.

The extension needs oneDNN, fmt and OpenSSL of the system, as the program does.
"""

import base64
import hashlib
import pathlib
import sys
import sysconfig
import zipfile


def files(package):
    """What belongs into the wheel, with the path inside."""
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path, f"assay/{path.relative_to(package)}"
    for link in sorted(package.iterdir()):  # rglob does not follow links to folders.
        if link.is_symlink() and link.is_dir():
            for path in sorted(link.resolve().rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path, f"assay/{link.name}/{path.relative_to(link.resolve())}"


def main():
    package, version, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    python = "cp" + sysconfig.get_config_var("py_version_nodot")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"{python}-{python}-{platform}"
    information = f"assay-{version}.dist-info"
    members = {name: path.read_bytes() for path, name in files(package)}
    members[f"{information}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: assay\nVersion: {version}\n"
        "Summary: Runs exported neural networks, and code written for PyTorch, without PyTorch\n"
        f"Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*\n").encode()
    members[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: false\nTag: {tag}\n").encode()
    members[f"{information}/entry_points.txt"] = b"[console_scripts]\nassay-python = assay.launch:run\n"
    record = ""
    for name, contents in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(contents)}\n"
    members[f"{information}/RECORD"] = (record + f"{information}/RECORD,,\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"assay-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, contents in members.items():
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # The same contents, the same file.
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, contents, zipfile.ZIP_DEFLATED)
    print(wheel)


main()
