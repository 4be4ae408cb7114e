#include "ci/cli/guards.h"

#include <fmt/core.h>

#include "engine/core/print.h"

namespace assay::cli {
namespace {

using verify::Origins;
using verify::guards::Condition;
using verify::guards::Fixed;

std::string condition(const Condition& c) {
  return fmt::format("  {}  # {}\n", c.text, place_text(c.place));
}

std::string condition_in_spec(const Condition& c) {
  return fmt::format("  {}: {}  # {}\n", c.text, kind_name(c.kind), place_text(c.place));
}

std::string fixed(const Fixed& f) {
  return fmt::format("  {} = {} in {}  # {}\n", f.text, f.value, f.what, place_text(f.place));
}

std::string origin(const Origins::Origin& o) {
  return fmt::format("  {} = {}, by {}  # {}\n", core::repr(o.value), o.expression, o.how,
                     place_text(o.place));
}

std::string baked(const Origins::Baked& b) {
  return fmt::format("  {} = {} in {} ({})  # {}\n", core::repr(b.value), b.expression, b.op,
                     b.argument, place_text(b.place));
}

constexpr const char* conditions_title = "conditions that the trace went by:";

template <typename Item>
std::string section(const std::vector<Item>& items, const char* title,
                    std::string (*line)(const Item&)) {
  if (items.empty()) return "";
  std::string lines;
  for (const Item& item : items) lines += line(item);
  return fmt::format("{}\n{}", title, lines);
}

}  // namespace

std::string guards_text(const Origins& origins) {
  return section(verify::guards::conditions_of(origins), conditions_title, condition) +
         section(origins.origins, "numbers that left the trace:", origin) +
         section(origins.baked, "constants that were such numbers:", baked);
}

std::string guards_text(const verify::guards::Validity& validity) {
  std::string rests_on = validity.rests_on();
  return validity.sentence() + (rests_on.empty() ? "" : "; that rests on " + rests_on) + "\n" +
         section(validity.conditions, conditions_title, condition_in_spec) +
         section(validity.fixed, "numbers that are fixed, and that others would change:", fixed);
}

}  // namespace assay::cli
