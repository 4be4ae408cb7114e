#include "engine/script/detail/refinement.h"

#include <algorithm>

namespace assay::script::detail {
namespace {

auto find_variable(const Refinements::List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(),
                      [&](const Refinements::Refinement& r) { return r.variable == name; });
}

}  // namespace

Refinements::List Refinements::both(const List& a, const List& b) {
  List result = a;
  for (const auto& r : b) {
    auto found = find_variable(result, r.variable);
    if (found == result.end()) {
      result.push_back(r);
    } else if (!core::same_type(found->type, r.type)) {
      // Two different claims about one variable: neither is used.
      result.erase(found);
    }
  }
  return result;
}

Refinements::List Refinements::common(const List& a, const List& b) {
  List result;
  for (const auto& r : a) {
    auto found = find_variable(b, r.variable);
    if (found != b.end() && core::same_type(found->type, r.type)) result.push_back(r);
  }
  return result;
}

}  // namespace assay::script::detail
