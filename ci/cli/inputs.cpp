#include "ci/cli/inputs.h"

#include "ci/cli/files.h"
#include "engine/base/error.h"
#include "verify/spec/parser.h"

namespace assay::cli {

namespace {

/// Takes the smallest size above 1, which tells dimensions from broadcast ones, and first choices.
class Plainest : public verify::Chooser {
 public:
  int64_t size(const std::string&, const verify::SizeDomain& domain) override {
    return domain.nearest(std::max<int64_t>(2, domain.min()));
  }
  std::string choice(const verify::ChoiceAxis& axis) override { return axis.choices[0]; }
};

}  // namespace

std::vector<Flag> spec_flags() {
  std::vector<Flag> flags{{"--spec", "FILE", "a spec file (JSON); the flags below refine it"}};
  for (const auto& f : verify::spec_flags()) flags.push_back({"--" + f.flag, "TEXT", f.help, true});
  return flags;
}

verify::Spec spec_of(const Arguments& arguments, const std::optional<verify::Spec>& otherwise) {
  std::vector<verify::SpecPiece> pieces;
  for (const auto& f : verify::spec_flags()) {
    for (const std::string& text : arguments.all("--" + f.flag)) pieces.push_back({f.flag, text});
  }
  verify::Spec base;
  if (auto file = arguments.value("--spec")) {
    constexpr size_t limit = size_t{16} << 20;
    base = verify::parse_spec_json(read_file(*file, limit), *file);
  } else if (otherwise && !arguments.has("--input")) {
    base = *otherwise;
  }
  verify::Spec spec = verify::parse_spec(pieces, std::move(base));
  verify::check_letters_are_used(spec);
  return spec;
}

verify::Case plainest_case(const verify::Spec& spec, uint64_t seed) {
  Plainest chooser;
  auto point = verify::choose_point(spec, chooser, seed);
  base::check(point.has_value(), "the spec has no point with its smallest sizes");
  return verify::build_case(spec, *point);
}

verify::Call drawn_inputs(const Arguments& arguments, std::optional<core::Device> device) {
  auto seed = seed_of(arguments);
  verify::Spec spec = spec_of(arguments);
  if (device) spec.devices = {*device};
  return verify::materialize(plainest_case(spec, seed));
}

}  // namespace assay::cli
