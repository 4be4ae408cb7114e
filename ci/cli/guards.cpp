#include "ci/cli/guards.h"

#include <fmt/core.h>

#include "engine/core/print.h"
#include "verify/graph/origins.h"

namespace assay::cli {
namespace {

using verify::Origins;

std::string guard(const Origins::Guard& g) {
  return fmt::format("  {} is {}  # {}\n", g.condition, core::repr(g.value), place_text(g.place));
}

std::string origin(const Origins::Origin& o) {
  return fmt::format("  {} = {}, by {}  # {}\n", core::repr(o.value), o.expression, o.how,
                     place_text(o.place));
}

std::string baked(const Origins::Baked& b) {
  return fmt::format("  {} = {} in {} ({})  # {}\n", core::repr(b.value), b.expression, b.op,
                     b.argument, place_text(b.place));
}

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
  return section(origins.guards, "conditions that the trace went by:", guard) +
         section(origins.origins, "numbers that left the trace:", origin) +
         section(origins.baked, "constants that were such numbers:", baked);
}

}  // namespace assay::cli
