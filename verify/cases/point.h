#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/spec/spec.h"

namespace assay::verify {

/// One point of a spec's input space, before shapes are worked out: a size for every letter and a
/// choice for every feature. Two points that are equal give equal cases.
struct Point {
  /// Letters by name; `*rest` for the number of sizes of a pack and `rest.0`, `rest.1` for them;
  /// `x.1` for a `?` at dimension 1 of x.
  Bindings sizes;
  /// By ChoiceAxis::key: "mode" -> "eval", "layout x" -> "strided".
  base::FlatMap<std::string> choices;
  /// Of the values.
  uint64_t seed = 0;

  friend bool operator==(const Point&, const Point&) = default;
  friend auto operator<=>(const Point&, const Point&) = default;
};

/// The sizes that a letter may have, given the letters it depends on. Never empty.
class SizeDomain {
 public:
  struct Range {
    int64_t low, high, step;
  };
  /// Drops empty ranges; nothing when none is left.
  static std::optional<SizeDomain> make(std::vector<Range> ranges);

  bool contains(int64_t size) const;
  /// The member closest to `size`, the smaller of two.
  int64_t nearest(int64_t size) const;
  int64_t min() const;
  int64_t max() const;
  int64_t count() const;
  /// The k-th member in the order declared, 0 <= k < count().
  int64_t at(int64_t k) const;
  const std::vector<Range>& ranges() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
};

/// Decides every feature of a point, one after the other, each within its domain.
class Chooser {
 public:
  virtual ~Chooser() = default;
  /// A member of `domain` for the size `name`.
  virtual int64_t size(const std::string& name, const SizeDomain& domain) = 0;
  /// One of `axis.choices`.
  virtual std::string choice(const ChoiceAxis& axis) = 0;
};

/// Walks the features of a spec in a fixed order (choices, then letters in dependency order, then
/// packs, repeat counts and `?` sizes) and lets the chooser decide each. Nothing where a size has
/// no possible value given those before it, or is negative.
std::optional<Point> choose_point(const Spec& spec, Chooser& chooser, uint64_t seed);
/// For many points of one spec: `axes` are its choice_axes.
std::optional<Point> choose_point(const Spec& spec, const std::vector<ChoiceAxis>& axes,
                                  Chooser& chooser, uint64_t seed);
/// The same where the choices are made: lets the chooser decide the sizes of `point`, which has
/// none.
std::optional<Point> choose_sizes(const Spec& spec, Chooser& chooser, Point point);

/// Keeps what `wanted` says where it lies in the domain; else the nearest size, the first choice.
/// This is how one feature is changed: copy a point, set the feature, nearest_point.
std::optional<Point> nearest_point(const Spec& spec, const Point& wanted);

/// Whether the point is one that `choose_point` could have given.
bool in_domain(const Spec& spec, const Point& point);

/// What a `?` size may be where nothing else is said.
inline constexpr SizeDomain::Range any_size{0, 8, 1};

}  // namespace assay::verify
