#pragma once

#include <rapidcheck/Shrinkable.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/cases/point.h"

namespace assay::fuzz {

/// Simpler points next to this one, boldest first: every size at its least and every choice the
/// plainest; then one feature at a time (choice, size at its least, size halved, size one less);
/// then the seed 0. All in the domain; each is simpler than the point in exactly one sense, so that
/// shrinking ends.
std::vector<verify::Point> smaller_points(const verify::Spec& spec, const verify::Point& point);

/// The point with its simpler ones, each with its own in turn, worked out when they are asked for.
/// A function of the point alone: it is the same for a point that was drawn, probed or remembered.
rc::Shrinkable<verify::Point> shrinkable_point(std::shared_ptr<const verify::Spec> spec,
                                               verify::Point point);

/// Whether `a` is simpler than `b`: fewer unusual choices, then smaller sizes in all, then seed 0.
bool simpler(const verify::Spec& spec, const verify::Point& a, const verify::Point& b);

/// What came of trying a point.
struct Attempt {
  bool fails = false;
  std::string key;  ///< Class, visibility and source line of the failure.
};

struct ShrinkLimits {
  int64_t max_steps = 500;  ///< Points tried.
  /// Asked before each try; true ends the shrinking (time is up, interrupted).
  std::function<bool()> stop = [] { return false; };
};

struct Shrunk {
  verify::Point point;
  int64_t tried = 0;
  bool complete = false;  ///< No simpler point fails alike; else a limit was hit.
  /// Points met on the way that fail with another key, the first of each.
  std::vector<std::pair<verify::Point, std::string>> other_failures;
};

/// Walks the shrinkable to ever simpler points that fail with the same key. A step that changes the
/// key is noted and not followed, so a reduction cannot slide to another failure.
Shrunk shrink(rc::Shrinkable<verify::Point> start, const std::string& key,
              const std::function<Attempt(const verify::Point&)>& attempt,
              const ShrinkLimits& limits = {});

}  // namespace assay::fuzz
