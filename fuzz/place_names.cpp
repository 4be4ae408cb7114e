#include "fuzz/place_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/base/text.h"
#include "verify/observation/places.h"

namespace assay::fuzz {

using verify::SourceLocation;
using verify::Step;

namespace {

/// How far above a line its function is looked for.
constexpr int most_lines = 2000;

std::string numbered(const std::string& name, int ordinal) {
  return ordinal == 1 ? name : fmt::format("{} #{}", name, ordinal);
}

/// What the steps of one line share, in the order of the graph.
struct GraphLine {
  std::string scope, function;
  std::vector<std::string> operators;

  void add(const Step& step) {
    if (operators.empty()) scope = step.scope;
    if (function.empty()) function = step.function;
    if (std::find(operators.begin(), operators.end(), step.op) == operators.end()) {
      operators.push_back(step.op);
    }
  }
  std::string text() const {
    std::string out = scope;
    if (!function.empty()) out += (out.empty() ? "" : ".") + function;
    if (!out.empty()) out += ' ';
    return out + base::join(operators, " ");
  }
};

/// The user's line behind a step; where the archive does not tell, the line of its own text, which
/// is what an error in it names.
std::optional<std::pair<std::string, int>> line_of(const Step& step) {
  if (!step.file.empty()) return std::pair(std::string(step.file_name()), step.line);
  if (!step.node) return std::nullopt;
  base::SourceRange place = step.node->range().original();
  if (!place) return std::nullopt;
  return std::pair(std::string(verify::base_name(place.source->name)), place.line());
}

int indent_of(std::string_view line) {
  size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? INT32_MAX : static_cast<int>(first);
}

/// "forward" of "def forward(self, x):", "Net" of "class Net(Base):"; empty for other lines.
std::string declared(std::string_view line) {
  line = base::trim(line);
  for (std::string_view keyword : {"def ", "class "}) {
    if (!line.starts_with(keyword)) continue;
    line.remove_prefix(keyword.size());
    return std::string(line.substr(0, line.find_first_of("(:")));
  }
  return {};
}

}  // namespace

PlaceNames::PlaceNames(const verify::Program& program, verify::diagnosis::SourceText source)
    : source_(std::move(source)) {
  std::map<Line, GraphLine> lines;
  for (const Step& step : program.steps) {
    if (auto line = line_of(step)) lines[*line].add(step);
  }
  std::map<std::string, int> alike;
  for (const auto& [line, steps] : lines) {
    std::string text = fmt::format("{} {}", line.first, steps.text());
    of_graph_[line] = numbered(text, ++alike[text]);
  }
}

std::string PlaceNames::name(const SourceLocation& place) const {
  std::string file(verify::base_name(place.file));
  auto found = of_graph_.find({file, place.line});
  if (found != of_graph_.end()) return found->second;
  auto [known, fresh] = of_source_.try_emplace({place.file, place.line});
  if (fresh) known->second = by_source(place);
  if (!known->second.empty()) return fmt::format("{} {}", file, known->second);
  return fmt::format("{}:{}", file, place.line);
}

std::string PlaceNames::by_source(const SourceLocation& place) const {
  if (!source_) return {};
  auto words_at = [&](int line) { return source_(place.file, line); };
  std::string own = words_at(place.line);
  std::string words(base::trim(own));
  if (words.empty()) return {};
  std::string path;
  int indent = indent_of(own), ordinal = 1;
  for (int line = place.line - 1; line > 0 && place.line - line < most_lines; --line) {
    std::string above = words_at(line);
    // Once the function is found, what is looked for is the class that it is in.
    if (path.empty() && base::trim(above) == words) ++ordinal;
    if (indent_of(above) >= indent) continue;
    std::string outer = declared(above);
    if (outer.empty()) continue;
    indent = indent_of(above);
    path = path.empty() ? outer : outer + '.' + path;
    if (indent == 0) break;
  }
  if (!path.empty()) path += ' ';
  return numbered(fmt::format("{}'{}'", path, words), ordinal);
}

}  // namespace assay::fuzz
