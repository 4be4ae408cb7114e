#include "verify/diagnosis/questions.h"

#include <algorithm>
#include <set>

#include "verify/observation/places.h"

namespace assay::verify::diagnosis {

Questions questions(const Origins* origins, const std::vector<Escape>* escapes) {
  Questions out;
  auto count = [&](const SourceLocation& place, bool answer) {
    Answers& there = out[{std::string(base_name(place.file)), place.line}];
    ++(answer ? there.yes : there.no);
  };
  if (origins) {
    for (const Origins::Guard& g : origins->guards) {
      if (g.value.is_bool()) count(g.place, g.value.to_bool());
    }
  } else if (escapes) {
    for (const Escape& e : *escapes) {
      if (e.kind == "bool" && e.value) count(e.place, e.value->to_double() != 0);
    }
  }
  return out;
}

namespace {

/// Fewer exports than these would be told apart by many a line.
constexpr size_t enough = 4;

bool tells(const std::pair<std::string, int>& line, const std::vector<Counted>& exports) {
  std::map<int64_t, int64_t> count_by_yes, yes_by_count;
  std::set<int64_t> asked;
  for (const Counted& e : exports) {
    auto there = e.questions.find(line);
    if (there == e.questions.end()) return false;
    const auto& [yes, no] = there->second;
    asked.insert(yes + no);
    if (count_by_yes.emplace(yes, e.count).first->second != e.count) return false;
    if (yes_by_count.emplace(e.count, yes).first->second != yes) return false;
  }
  bool speaks = exports.size() >= enough || *asked.begin() > 1;
  return asked.size() == 1 && count_by_yes.size() > 1 && speaks;
}

}  // namespace

bool answers_tell(const std::vector<Counted>& exports) {
  return !exports.empty() && std::ranges::any_of(exports[0].questions, [&](const auto& asked) {
    return tells(asked.first, exports);
  });
}

}  // namespace assay::verify::diagnosis
