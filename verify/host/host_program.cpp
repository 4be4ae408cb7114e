#include "verify/host/host_program.h"

#include <fmt/core.h>

#include "engine/base/text.h"
#include "verify/host/pytorch_host.h"

namespace assay::verify::host {

namespace {

/// Makes the carried sources importable, then starts them.
constexpr std::string_view kImporter = R"py(
import importlib.util
import sys


class Carried:
    def find_spec(self, name, path=None, target=None):
        if name in SOURCES:
            return importlib.util.spec_from_loader(name, self, is_package=name == "assay_host")

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        code = compile(SOURCES[module.__name__], "<" + module.__name__ + ">", "exec")
        exec(code, module.__dict__)


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
