#include "verify/diagnosis/questions.h"

#include <algorithm>

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

bool account_for(const Questions& subject, const Questions& other, int64_t more) {
  return more != 0 && std::ranges::any_of(subject, [&](const auto& asked) {
           auto there = other.find(asked.first);
           if (there == other.end()) return false;
           const auto& [yes, no] = asked.second;
           const auto& [yes_there, no_there] = there->second;
           int64_t turned = yes_there - yes;
           bool again = yes + no > 1 && yes + no == yes_there + no_there;
           return again && turned != 0 && more % turned == 0;
         });
}

}  // namespace assay::verify::diagnosis
