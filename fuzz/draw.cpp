#include "fuzz/draw.h"

#include <utility>

#include "fuzz/generate/points.h"

namespace assay::fuzz {

using verify::Case;
using verify::Point;

Drawer::Drawer(const verify::Spec& spec, const Hints& hints)
    : spec_(spec), generator_(points(spec, hints)) {}

std::optional<Case> Drawer::make(Turn turn) const {
  if (auto* known = std::get_if<Case>(&turn)) return std::move(*known);
  Draw& draw = std::get<Draw>(turn);
  constexpr int attempts = 50;
  for (int k = 0; k < attempts; ++k) {
    Point point = generator_(k == 0 ? draw.random : draw.random.split(), draw.size).value();
    bool none = point.choices.empty();  // A point has a word for each choice, a device at least.
    if (!none) return build_case(spec_, point);
  }
  return std::nullopt;
}

}  // namespace assay::fuzz
