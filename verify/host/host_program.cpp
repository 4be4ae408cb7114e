#include "verify/host/host_program.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "verify/host/pytorch_host.h"

namespace assay::verify::host {

namespace {

/// Makes the carried sources importable, then starts them. Where the engine's package is given,
/// their compiled forms are kept beside its own, as Python keeps those of files: to compile them
/// takes as long as a tenth of a small check.
constexpr std::string_view kImporter = R"py(
import importlib.util
import marshal
import os
import sys


class Carried:
    def find_spec(self, name, path=None, target=None):
        if name in SOURCES:
            return importlib.util.spec_from_loader(name, self, is_package=name == "assay_host")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        exec(code_of(module.__name__), module.__dict__)


def code_of(name):
    text = SOURCES[name]
    if KEPT is None or not sys.implementation.cache_tag:
        return compile(text, "<" + name + ">", "exec")
    path = importlib.util.cache_from_source(os.path.join(KEPT, name + ".py"))
    head = importlib.util.MAGIC_NUMBER + importlib.util.source_hash(text.encode())
    try:
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(head):
            return marshal.loads(data[len(head):])
    except (OSError, ValueError, EOFError, TypeError):
        pass
    code = compile(text, "<" + name + ">", "exec")
    keep(path, head + marshal.dumps(code))
    return code


def keep(path, data):
    new = path + "." + str(os.getpid())
    try:
        with open(new, "wb") as file:
            file.write(data)
        os.replace(new, path)
    except OSError:  # Nobody may write there.
        pass


KEPT = os.path.join(sys.argv[1], "assay") if len(sys.argv) > 1 else None
sys.meta_path.insert(0, Carried())
import assay_host.__main__
)py";

}  // namespace

std::string host_program() {
  std::string program = "SOURCES = {\n";
  for (const HostModule& module : host_modules())
    program +=
        fmt::format("{}: {},\n", base::python_repr(module.name), base::python_repr(module.text));
  return program + "}\n" + std::string(kImporter);
}

}  // namespace assay::verify::host
