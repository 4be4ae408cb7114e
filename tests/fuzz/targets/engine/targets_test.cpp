#include "fuzz/targets/engine/targets.h"

#include "engine/archive/zip_reader.h"
#include "engine/archive/zip_writer.h"
#include "tests/fuzz/targets/byte_target_test.h"

namespace assay::fuzz::testing {
namespace {

Seeds members(const std::string& ending, size_t most) {
  Seeds out;
  for (const std::string& bytes : files("corpus", ".pt", 8)) {
    archive::ZipReader zip(archive::FileBytes::copy(bytes));
    for (const archive::ZipRecord& record : zip.records()) {
      if (record.name.ends_with(ending) && out.size() < most) out.push_back(zip.read(record));
    }
  }
  return out;
}

/// The programs in front of the golden graphs, and the graphs behind them.
Seeds golden(const std::string& folder, bool program) {
  Seeds out;
  for (const std::string& text : files(folder, ".txt", 100)) {
    size_t line = text.find('\n') + 1, rule = std::min(text.find("==> "), text.size());
    if (program) {
      out.push_back(text.substr(line, rule - line));
      continue;
    }
    for (size_t at = text.find("graph("); at != std::string::npos;) {
      size_t next = text.find("\n==> ", at);
      out.push_back(text.substr(at, next == std::string::npos ? next : next + 1 - at));
      at = next == std::string::npos ? next : text.find("graph(", next);
    }
  }
  return out;
}

Seeds schemas() {
  return {"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
          "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor i)",
          "aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
          "aten::conv2d(Tensor input, Tensor? bias=None, int[2] stride=1) -> Tensor",
          "aten::f(t[] x, Dict(str, (int, t)) d, str s=\"a\\\"b\", float e=-1.5e-3) -> t?[]",
          "prim::g(*, Tensor(a)[] x, Device? d=None, ...) -> ()"};
}

/// A NumPy array file, of format 1 or 2.
std::string npy(char format, const std::string& type, const std::string& shape, size_t bytes,
                bool fortran = false) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                       shape + "), }\n";
  std::string out = std::string("\x93NUMPY") + format + '\0' + static_cast<char>(header.size());
  return out + std::string(format == 1 ? 1 : 3, '\0') + header + std::string(bytes, '\x01');
}

Seeds arrays() {
  return {npy(1, "<f4", "2, 3", 24), npy(2, "<i8", "3,", 24), npy(1, "|b1", "", 1),
          npy(1, "<c16", "0, 5", 0), npy(1, "<f8", "2, 2", 32, true)};
}

Seeds files_of_arrays() {
  Seeds out;
  for (const std::string& array : arrays()) {
    archive::ZipWriter zip("");
    zip.add("a.npy", array);
    zip.add("b.npy", arrays()[0]);
    out.push_back(zip.finish());
  }
  return out;
}

/// A recording's first frames, and a whole one.
Seeds recordings() {
  Seeds out;
  for (const std::string& bytes : files("corpus", ".rec", 3)) {
    out.push_back(bytes.substr(0, size_t{24} << 10));
    out.push_back(bytes);
  }
  return out;
}

Seeds both(Seeds a, const Seeds& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Seeds seeds_of(std::string_view target) {
  if (target == "zip") return files("corpus", ".pt", 4);
  if (target == "archive") return files("corpus", ".pt", 12);
  if (target == "pickle") return members("data.pkl", 8);
  if (target == "source_map") return members(".debug_pkl", 8);
  if (target == "script") return both(golden("tests/golden/script", true), members(".py", 8));
  if (target == "graph") {
    return both(golden("tests/golden/script", false), golden("tests/golden/ir", false));
  }
  if (target == "schema") return schemas();
  if (target == "npy") return arrays();
  if (target == "npz") return files_of_arrays();
  return recordings();
}

ASSAY_BYTE_TARGETS(EngineTargets, engine_targets, seeds_of);

}  // namespace
}  // namespace assay::fuzz::testing
