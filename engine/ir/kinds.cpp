#include "engine/ir/kinds.h"

#include <unordered_map>

namespace assay::ir {

const Structure* structure_of(base::Symbol kind) {
  using enum ops::Effect;
  using enum Sharing;
  static const auto all = [] {
    std::unordered_map<base::Symbol, Structure> rows;
#define KIND(identifier, name, effect, sharing) \
  rows.emplace(kinds().identifier, Structure{kinds().identifier, effect, sharing});
#include "engine/ir/kinds.def"
#undef KIND
    return rows;
  }();
  auto found = all.find(kind);
  return found == all.end() ? nullptr : &found->second;
}

const Kinds& make_kinds() {
  static const Kinds all;
  return all;
}

const base::Symbol& name_attribute() {
  static const base::Symbol name("name");
  return name;
}

const base::Symbol& keywords_attribute() {
  static const base::Symbol name("keywords");
  return name;
}

}  // namespace assay::ir
