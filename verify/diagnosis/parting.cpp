#include "verify/diagnosis/parting.h"

#include <algorithm>

#include "engine/base/text.h"
#include "verify/diagnosis/attribution.h"

namespace assay::verify::diagnosis {
namespace {

std::optional<SourceLocation> line_of(const Program& program, size_t step) {
  const Step& place = located(program, step);
  return place.line == 0 ? std::nullopt : std::optional(place_of(place));
}

/// Nothing for an empty run.
std::optional<SourceLocation> first_line(const Program& program, size_t begin, size_t end) {
  return begin == end ? std::nullopt : line_of(program, begin);
}

/// The step that makes an element which a step puts together; the step itself where that is not
/// told.
const Operand* element(const Program& program, const Operand& of, const std::string& index) {
  int64_t at = 0;
  const Step& step = program.steps[of.step];
  bool told = gathers(step) && base::parse_int(index, at) && at >= 0 &&
              static_cast<size_t>(at) < step.operands.size();
  if (!told) return nullptr;
  const Operand& found = step.operands[static_cast<size_t>(at)];
  return found.kind == Operand::Kind::result ? &found : nullptr;
}

}  // namespace

std::optional<SourceLocation> parts_at(const Program& a, const Program& b,
                                       const Alignment& alignment) {
  for (const GraphDifference& d : alignment.differences) {
    auto place = d.kind == GraphDifference::Kind::structure ? first_line(a, d.begin_a, d.end_a)
                                                            : line_of(a, d.step_a);
    if (!place) place = first_line(b, d.begin_b, d.end_b);
    if (place) return place;
  }
  return std::nullopt;
}

std::optional<SourceLocation> made_at(const Program& program, const std::string& place) {
  constexpr std::string_view head = "output";
  if (!place.starts_with(head) || program.steps.empty()) return std::nullopt;
  const std::vector<Operand>& ends = program.steps.back().operands;
  bool made = ends.size() == 1 && ends[0].kind == Operand::Kind::result;
  if (!made) return std::nullopt;
  const Operand* at = &ends[0];
  std::string path = place.substr(head.size());
  while (path.starts_with("[") && path.find(']') != std::string::npos) {
    const Operand* next = element(program, *at, path.substr(1, path.find(']') - 1));
    if (!next) break;
    at = next;
    path = path.substr(path.find(']') + 1);
  }
  return line_of(program, at->step);
}

}  // namespace assay::verify::diagnosis
