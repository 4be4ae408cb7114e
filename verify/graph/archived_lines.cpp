#include "verify/graph/archived_lines.h"

#include <algorithm>

#include "engine/base/source_range.h"
#include "engine/base/text.h"
#include "verify/observation/places.h"

namespace assay::verify {
namespace {

constexpr size_t longest = 300;         // Of a line, of which reports show some.
constexpr size_t most_lines = 1 << 20;  // Of one archive's texts, which come from outside.

/// Whether it is the text of a user's file, and not the archive's own code.
bool is_of_a_file(const base::Source& source) {
  return source.name.ends_with(".py") && !source.name.starts_with("code/") &&
         !is_of_library(source.name);
}

/// As much of a line as is shown, without what would move a terminal's cursor.
std::string shown(std::string_view line) {
  std::string text(line.substr(0, longest));
  std::erase_if(text, [](unsigned char c) { return c < ' ' && c != '\t'; });
  return text;
}

}  // namespace

void ArchivedLines::add(const Program& program) {
  for (const Step& step : program.steps) {
    if (!step.node || step.traced) continue;  // A trace has the stack of calls for its text.
    base::SourceRange place = step.node->range().original();
    if (!place || !is_of_a_file(*place.source)) continue;
    const base::Source& source = *place.source;
    std::string file(base_name(source.name));
    if (lines_.count({file, source.first_line})) continue;
    int number = source.first_line;
    for (const std::string& line : base::split(source.text, '\n')) {
      if (lines_.size() >= most_lines) return;
      lines_.emplace(std::pair(file, number++), shown(line));
    }
  }
}

std::string ArchivedLines::line(const std::string& file, int line) const {
  auto found = lines_.find({std::string(base_name(file)), line});
  return found == lines_.end() ? std::string() : found->second;
}

}  // namespace assay::verify
