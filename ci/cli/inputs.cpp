#include "ci/cli/inputs.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "ci/cli/verb.h"
#include "engine/base/error.h"
#include "verify/host/frame.h"
#include "verify/host/value_tree.h"
#include "verify/observation/bounded.h"
#include "verify/spec/parser.h"

namespace assay::cli {

using nlohmann::json;

namespace {

/// Takes the smallest size above 1, which tells dimensions from broadcast ones, and first choices.
class Plainest : public verify::Chooser {
 public:
  int64_t size(const std::string&, const verify::SizeDomain& domain) override {
    return domain.nearest(std::max<int64_t>(2, domain.min()));
  }
  std::string choice(const verify::ChoiceAxis& axis) override { return axis.choices[0]; }
};

verify::Call read_inputs(const std::string& folder) {
  std::string tensors = read_file(folder + "/tensors.safetensors", size_t{16} << 30);
  verify::host::MemorySource source(tensors);
  auto frame = verify::host::read_frame(source);
  base::check(frame.has_value(), folder, "/tensors.safetensors is empty");
  verify::host::TreeReader reader(*frame);
  verify::Call call;
  try {
    json document = json::parse(read_file(folder + "/case.json"));
    call.args = reader.values(document.value("args", json::array()));
    const json kwargs = document.value("kwargs", json::object());
    for (const auto& [name, tree] : kwargs.items()) {
      call.kwargs.emplace_back(name, reader.value(tree));
    }
  } catch (const json::exception& e) {
    base::fail(folder, "/case.json: ", e.what());
  }
  return call;
}

}  // namespace

std::vector<Flag> spec_flags() {
  std::vector<Flag> flags{{"--spec", "FILE", "a spec file (JSON); the flags below refine it"}};
  for (const auto& f : verify::spec_flags()) flags.push_back({"--" + f.flag, "TEXT", f.help, true});
  return flags;
}

std::vector<Flag> input_flags() {
  std::vector<Flag> flags = spec_flags();
  flags.push_back({"--load-inputs", "DIR", "a folder with case.json and tensors.safetensors"});
  return flags;
}

verify::Spec spec_of(const Arguments& arguments, const std::optional<verify::Spec>& otherwise) {
  std::vector<verify::SpecPiece> pieces;
  for (const auto& f : verify::spec_flags()) {
    for (const std::string& text : arguments.all("--" + f.flag)) pieces.push_back({f.flag, text});
  }
  auto file = arguments.value("--spec");
  if (!file && otherwise && !arguments.has("--input"))
    return verify::parse_spec(pieces, *otherwise);
  if (!file) return verify::parse_spec(pieces);
  constexpr size_t limit = size_t{16} << 20;
  return verify::parse_spec(pieces, verify::parse_spec_json(read_file(*file, limit), *file));
}

verify::Case plainest_case(const verify::Spec& spec, uint64_t seed) {
  Plainest chooser;
  auto point = verify::choose_point(spec, chooser, seed);
  base::check(point.has_value(), "the spec has no point with its smallest sizes");
  return verify::build_case(spec, *point);
}

verify::Call inputs_of(const Arguments& arguments, std::optional<core::Device> device) {
  if (auto folder = arguments.value("--load-inputs")) return load_inputs(*folder);
  auto seed = static_cast<uint64_t>(arguments.integer("--seed", 0, 0, INT64_MAX));
  verify::Spec spec = spec_of(arguments);
  if (device) spec.devices = {*device};
  return verify::materialize(plainest_case(spec, seed));
}

verify::Call load_inputs(const std::string& folder) {
  try {
    return read_inputs(folder);
  } catch (base::Error& e) {
    e.add_context(fmt::format("reading the inputs in {}", folder));
    throw;
  }
}

void save_values(const std::string& folder, const core::Value& outputs) {
  verify::check_bounded(outputs, "the result");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  base::check(!error, "cannot make the folder ", folder, ": ", error.message());
  verify::host::TreeWriter writer;
  json document{{"outputs", writer.tree(outputs)}};
  write_file(folder + "/case.json", document.dump(2) + "\n");
  write_file(folder + "/tensors.safetensors",
             verify::host::frame_bytes(json::object(), writer.tensors()));
}

}  // namespace assay::cli
