#include "tests/fuzz/targets/seeds.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "engine/archive/zip_reader.h"
#include "engine/base/text.h"
#include "verify/host/frame.h"
#include "verify/recording.h"
#include "verify/reproduce.h"
#include "verify/spec_parser.h"

namespace assay::fuzz::testing {
namespace {

using Texts = std::vector<std::string>;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The smallest files of a folder with this ending: mutations of small files reach more.
Texts files(const std::string& folder, const std::string& ending, size_t most) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().string().ends_with(ending)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    auto size_a = std::filesystem::file_size(a), size_b = std::filesystem::file_size(b);
    return size_a != size_b ? size_a < size_b : a < b;
  });
  if (found.size() > most) found.resize(most);
  Texts out;
  for (const auto& path : found) out.push_back(contents(path));
  return out;
}

Texts members(const std::string& ending, size_t most) {
  Texts out;
  for (const std::string& bytes : files("corpus", ".pt", 8)) {
    archive::ZipReader zip(archive::FileBytes::copy(bytes));
    for (const archive::ZipRecord& record : zip.records()) {
      if (record.name.ends_with(ending) && out.size() < most) out.push_back(zip.read(record));
    }
  }
  return out;
}

/// The programs in front of the golden graphs, and the graphs behind them.
Texts golden(const std::string& folder, bool program) {
  Texts out;
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

Texts schemas() {
  return {"aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
          "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor i)",
          "aten::add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)",
          "aten::conv2d(Tensor input, Tensor? bias=None, int[2] stride=1) -> Tensor",
          "aten::f(t[] x, Dict(str, (int, t)) d, str s=\"a\\\"b\", float e=-1.5e-3) -> t?[]",
          "prim::g(*, Tensor(a)[] x, Device? d=None, ...) -> ()"};
}

/// Specs as the lines of feed_spec.
Texts specs() {
  Texts out;
  for (const std::string& text : files("corpus", "spec.json", 30)) {
    std::string lines;
    for (const auto& piece : verify::spec_pieces(verify::parse_spec_json(text, "spec.json"))) {
      lines += piece.flag + " " + piece.text + "\n";
    }
    out.push_back(lines);
  }
  out.push_back(
      "input x: {a: [f32[b, *r, 2*t+1], i64?] * n, c?: (bool, str in \"u\" | \"v\")}?\n"
      "dim b=1..8:2\ndim t=3..5\ndim n=0..3\nranks r=0..2\natol 1e-3\natol output[0]:0.5\n"
      "aliases x.a[0][0]=x.a[1][0]\n");
  return out;
}

Texts repros() {
  verify::Spec spec = verify::parse_spec({{"input", "x: f32[b, t] in -1..1"},
                                          {"input", "m = i64[b]?"},
                                          {"dim", "b=1..4"},
                                          {"dim", "t=2..8"}});
  verify::Repro repro;
  repro.property = "parity";
  repro.class_id = "AS102";
  repro.model = "model.py:Net";
  repro.arguments = {"--against=a.pt"};
  repro.spec = verify::spec_json(spec);
  verify::Point point;
  point.sizes = {{"b", 2}, {"t", 3}};
  repro.smallest = verify::build_case(spec, point);
  return {verify::encode_repro(repro),
          R"({"v":1,"seed":3,"property":"parity","class":"AS102","model":"m.py:N","case":)" +
              verify::to_json(repro.smallest) + "}"};
}

/// A recording's frames without its archives, which have a target of their own.
Texts recordings(size_t most) {
  Texts out;
  for (const std::string& bytes : files("corpus", ".rec", most)) {
    out.push_back(bytes.substr(0, size_t{24} << 10));
    out.push_back(bytes);
  }
  return out;
}

}  // namespace

std::vector<std::string> seeds_of(std::string_view target) {
  if (target == "zip") return files("corpus", ".pt", 4);
  if (target == "archive") return files("corpus", ".pt", 12);
  if (target == "pickle") return members("data.pkl", 8);
  if (target == "source_map") return members(".debug_pkl", 8);
  if (target == "script") {
    Texts all = golden("tests/golden/script", true);
    for (std::string& text : members(".py", 8)) all.push_back(std::move(text));
    return all;
  }
  if (target == "graph") {
    Texts all = golden("tests/golden/script", false);
    for (std::string& text : golden("tests/golden/ir", false)) all.push_back(std::move(text));
    return all;
  }
  if (target == "schema") return schemas();
  if (target == "spec") return specs();
  if (target == "spec_file") return files("corpus", "spec.json", 20);
  if (target == "repro") return repros();
  if (target == "frames" || target == "recording") return recordings(3);
  return {};
}

}  // namespace assay::fuzz::testing
