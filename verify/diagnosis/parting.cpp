#include "verify/diagnosis/parting.h"

#include <algorithm>

#include "engine/base/text.h"
#include "verify/diagnosis/attribution.h"
#include "verify/diagnosis/steps.h"
#include "verify/observation/places.h"

namespace assay::verify::diagnosis {
namespace {

/// The step's line; of a step of a library, whose own lines scripted code has, that of the nearest
/// one before which is the user's.
std::optional<SourceLocation> line_of(const Program& program, size_t step) {
  const Step& place = located(program, step);
  if (place.line == 0) return std::nullopt;
  if (!is_of_library(place.file)) return place_of(place);
  while (step-- > 0) {
    const Step& before = program.steps[step];
    if (before.line != 0 && !is_of_library(before.file)) return place_of(before);
  }
  return std::nullopt;
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

/// Whether an operand is a graph's input, or taken out of it.
bool comes_from_input(const Program& program, const Operand& operand, size_t input) {
  if (operand.kind == Operand::Kind::input) return operand.step == input;
  if (operand.kind != Operand::Kind::result) return false;
  const Step& step = program.steps[operand.step];
  bool takes_out = step.op == "aten::__getitem__" || step.op == "prim::TupleIndex" ||
                   step.op == "prim::TupleUnpack";
  return takes_out && comes_from_input(program, step.operands[0], input);
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

namespace {

/// The first step that changes what came in as an input of the graph, or is a part of it.
std::optional<size_t> step_that_changes(const Program& program, size_t input) {
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    for (size_t o = 0; o < step.operands.size(); ++o) {
      bool changes = writes_operand(step, o) && comes_from_input(program, step.operands[o], input);
      if (changes) return s;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<size_t> step_that_changes(const Program& program, const std::string& place) {
  constexpr std::string_view head = "args[";
  int64_t argument = 0;
  size_t end = place.find(']');
  bool told = place.starts_with(head) && end != std::string::npos &&
              base::parse_int(place.substr(head.size(), end - head.size()), argument);
  if (!told) return std::nullopt;
  return step_that_changes(program,
                           static_cast<size_t>(argument) + 1);  // Behind the module itself.
}

std::optional<Sign> sign_in_graphs(const Finding& finding, const Program& subject,
                                   const Program* probe) {
  const Difference* headline = finding.comparison.headline();
  auto sign = [](const std::optional<SourceLocation>& at, const char* what) {
    return at ? std::optional(Sign{*at, what, {}}) : std::nullopt;
  };
  if (headline && finding.class_id == "AS115") {
    return sign(made_at(subject, headline->place), "that line makes what differs");
  }
  if (headline && finding.class_id == "AS110") {
    auto step = step_that_changes(subject, headline->place);
    if (!step) return std::nullopt;
    return Sign{place_of(located(subject, *step)),
                "that line changes a list or dict, of which scripted code is given a copy", step};
  }
  if (headline && finding.class_id == "AS111" && headline->layer == Layer::inputs) {
    // Where two arguments are one tensor, the graph may change it by either name.
    auto step = step_that_changes(subject, headline->place);
    for (size_t i = 1; !step && i < subject.graph->inputs().size(); ++i) {
      step = step_that_changes(subject, i);
    }
    if (!step) return std::nullopt;
    return Sign{place_of(located(subject, *step)), "that line changes the tensor", step};
  }
  if (finding.class_id != "AS121") return std::nullopt;
  if (probe) {
    auto found = sign(
        parts_at(subject, *probe, align(subject, *probe)),
        "no cause is known: that is where the export differs from one made at the failing case");
    if (found) return found;
  }
  if (!headline) return std::nullopt;
  return sign(made_at(subject, headline->place), "no cause is known: that line makes what differs");
}

}  // namespace assay::verify::diagnosis
