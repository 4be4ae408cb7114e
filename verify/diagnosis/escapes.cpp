#include "verify/diagnosis/escapes.h"

#include <algorithm>
#include <filesystem>

#include "verify/graph/program.h"

namespace assay::verify::diagnosis {
namespace {

/// Recordings and archives may have been made in different folders.
bool same_file(const SourceLocation& a, const SourceLocation& b) {
  return std::filesystem::path(a.file).filename() == std::filesystem::path(b.file).filename();
}

bool same_function(const SourceLocation& a, const SourceLocation& b) {
  return same_file(a, b) && (a.function == b.function || a.function.empty() || b.function.empty());
}

bool same_place(const Escape& a, const Escape& b) {
  return a.kind == b.kind && a.place.line == b.place.line && same_function(a.place, b.place);
}

bool is_number(const std::optional<core::Scalar>& value, const core::Scalar& wanted) {
  return value && !value->is_bool() && value->to_complex() == wanted.to_complex();
}

bool differ(const Escape& a, const Escape& b) {
  return a.value && b.value && a.value->to_complex() != b.value->to_complex();
}

/// Of places that serve equally, the nearest above `reader` in its function.
class Nearest {
 public:
  explicit Nearest(const SourceLocation& reader) : reader_(reader) {}

  void offer(const SourceLocation& place) {
    bool new_line = !any_ || any_->line != place.line || !same_file(*any_, place);
    lines_ += new_line;
    any_ = place;
    bool above = same_function(place, reader_) && place.line <= reader_.line;
    if (above && (!above_ || above_->line < place.line)) above_ = place;
  }
  std::optional<SourceLocation> above() const { return above_; }
  std::optional<SourceLocation> above_or_only() const {
    return above_ || lines_ != 1 ? above_ : any_;
  }

 private:
  const SourceLocation& reader_;
  std::optional<SourceLocation> above_, any_;
  int lines_ = 0;
};

/// Moves both to the nearest positions from which the traces meet the same escapes again; false
/// where they do not soon.
bool meet_again(const std::vector<Escape>& a, const std::vector<Escape>& b, size_t& i, size_t& j) {
  constexpr size_t furthest = 64;
  for (size_t distance = 1; distance <= furthest; ++distance) {
    for (size_t in_a = 0; in_a <= distance; ++in_a) {
      size_t x = i + in_a, y = j + distance - in_a;
      if (x >= a.size() || y >= b.size() || !same_place(a[x], b[y])) continue;
      i = x, j = y;
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<SourceLocation> captured_at(const Escapes& escapes, const core::Value& in_subject,
                                          const core::Value& in_probe,
                                          const SourceLocation& reader) {
  auto a = number_of(in_subject), b = number_of(in_probe);
  if (!a || !b) return std::nullopt;
  Nearest nearest(reader);
  for (const Escape& escape : *escapes.subject) {
    if (!is_number(escape.value, *a)) continue;
    bool follows = std::any_of(escapes.probe->begin(), escapes.probe->end(), [&](const Escape& e) {
      return same_place(e, escape) && is_number(e.value, *b);
    });
    if (follows) nearest.offer(escape.place);
  }
  return nearest.above_or_only();
}

std::optional<SourceLocation> decided_at(const Escapes& escapes, const SourceLocation& reader) {
  const auto& a = *escapes.subject;
  const auto& b = *escapes.probe;
  Nearest decision(reader), number(reader);
  std::optional<SourceLocation> first;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (!same_place(a[i], b[j])) {
      // Ways that part without a decision are not followed: what differs behind is a consequence.
      if (!first || !meet_again(a, b, i, j)) break;
      continue;
    }
    if (differ(a[i], b[j]) && a[i].kind == "bool") {
      decision.offer(a[i].place);
      if (!first) first = a[i].place;
    } else if (differ(a[i], b[j]) && !first) {
      number.offer(a[i].place);
    }
    ++i, ++j;
  }
  if (auto above = decision.above()) return above;
  return first ? first : number.above();
}

}  // namespace assay::verify::diagnosis
