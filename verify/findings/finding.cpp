#include "verify/findings/finding.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "verify/cases/reproduce.h"
#include "verify/observation/places.h"

namespace assay::verify {

namespace {

/// Indices of repeated modules ("layers.3.attention") without their numbers.
std::string without_numbers(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c < '0' || c > '9') {
      out += c;
    } else if (out.empty() || out.back() != '#') {
      out += '#';
    }
  }
  return out;
}

std::string members(const Boundary::Region& region, const std::string& name) {
  std::vector<std::string> parts = region.choices;
  for (const auto& [low, high] : region.sizes) {
    parts.push_back(low == high ? std::to_string(low) : fmt::format("{}..{}", low, high));
  }
  if (name.empty()) return base::join(parts, ", ");
  bool one = parts.size() == 1 && parts[0].find("..") == std::string::npos;
  return fmt::format("{}{}{}", name, one ? " = " : " in ", base::join(parts, ", "));
}

std::string region_text(const Boundary::Region& region, const std::string& name, bool only) {
  std::string at = members(region, name);
  using Verdict = Boundary::Region::Verdict;
  auto how = [&](const char* plain) {
    return region.how.empty() ? std::string(plain) : region.how;
  };
  switch (region.verdict) {
    case Verdict::right:
      return fmt::format("{}{}", only ? "right only at " : "right at ", at);
    case Verdict::wrong:
      return fmt::format("{} without an error at {}", how("wrong result"), at);
    case Verdict::error:
      return fmt::format("{} at {}", how("error"), at);
    case Verdict::lenient:
      return fmt::format("{} at {}", how("accepts what the model rejects"), at);
    case Verdict::rejected:
      return fmt::format("{} at {}", how("rejected by both"), at);
    case Verdict::untested:
      break;
  }
  return fmt::format("{} at {}", how("not tested"), at);
}

}  // namespace

const std::vector<FailureClass>& failure_classes() {
  static const std::vector<FailureClass> rows{
#define FAILURE_CLASS(id, name, meaning, level, hint) {#id, name, meaning, Level::level, hint},
#include "verify/findings/failure_class.def"
#undef FAILURE_CLASS
  };
  return rows;
}

const FailureClass* find_failure_class(std::string_view id) {
  for (const FailureClass& row : failure_classes()) {
    if (row.id == id) return &row;
  }
  return nullptr;
}

std::string_view visibility_name(Visibility visibility) {
  constexpr std::array<std::string_view, 5> names{"none", "silent", "loud", "lenient", "latent"};
  return names[static_cast<size_t>(visibility)];
}

int urgency(Visibility visibility) {
  switch (visibility) {
    case Visibility::silent:
      return 0;
    case Visibility::lenient:
      return 1;
    case Visibility::loud:
      return 2;
    case Visibility::latent:
      return 3;
    case Visibility::none:
      break;
  }
  return 4;
}

Visibility visibility_of(const Comparison& comparison) {
  const Difference* headline = comparison.headline();
  if (!headline) return Visibility::none;
  if (headline->layer != Layer::ending) return Visibility::silent;
  bool returned = headline->subject.rfind("returned", 0) == 0;
  return returned ? Visibility::lenient : Visibility::loud;
}

std::string FeatureAxis::text() const {
  if (is_size()) {
    std::string out = kind;
    if (!path.empty()) out += ' ' + path;
    if (dim >= 0) out += fmt::format(".{}", dim);
    return letter.empty() ? out : fmt::format("{} ({})", out, letter);
  }
  return path.empty() ? kind : kind + ' ' + path;
}

bool Boundary::is_right_everywhere() const {
  return std::all_of(regions.begin(), regions.end(),
                     [](const Region& region) { return region.verdict == Region::Verdict::right; });
}

std::string Boundary::text() const {
  std::string name = !axis.letter.empty() ? axis.letter
                     : axis.kind == "dim" ? fmt::format("{}.{}", axis.path, axis.dim)
                                          : axis.text();
  // Values have no order and no names: their regions say how many of those drawn.
  if (axis.kind == "value" && axis.path.empty()) name.clear();
  int64_t others = std::count_if(regions.begin(), regions.end(), [](const Region& region) {
    return region.verdict == Region::Verdict::wrong || region.verdict == Region::Verdict::error ||
           region.verdict == Region::Verdict::lenient;
  });
  std::vector<std::string> parts;
  for (const Region& region : regions) {
    // Other devices are compared with the CPU, which says nothing of itself.
    bool counted = (possible > 0 || axis.kind == "device") &&
                   region.verdict == Region::Verdict::untested && region.how.empty();
    if (!counted) parts.push_back(region_text(region, name, others > 0));
  }
  if (measured < possible)
    parts.push_back(fmt::format("{} of {} sizes measured", measured, possible));
  std::vector<std::string> others_at, letters;
  for (const auto& [letter, size] : held) {
    others_at.push_back(fmt::format("{} = {}", letter, size));
    letters.push_back(letter);
  }
  if (otherwise_elsewhere) {
    parts.push_back("otherwise at other " +
                    (letters.empty() ? "sizes" : base::join(letters, " or ")));
  }
  std::string out = base::join(parts, "; ");
  if (!others_at.empty()) out = fmt::format("with {}: {}", base::join(others_at, ", "), out);
  return joint.empty() ? out : fmt::format("fails where {}; {}", joint, out);
}

std::string_view verdict_name(Boundary::Region::Verdict verdict) {
  constexpr std::array<std::string_view, 6> names{"right",   "wrong",    "error",
                                                  "lenient", "rejected", "untested"};
  return names[static_cast<size_t>(verdict)];
}

std::string_view proof_name(Proof proof) {
  constexpr std::array<std::string_view, 4> names{"none", "suspected", "supported", "proven"};
  return names[static_cast<size_t>(proof)];
}

std::string Reach::text() const {
  if (failing == 0) return {};
  std::string out =
      fmt::format("cures {} of {} failing case{}", cured, failing, failing == 1 ? "" : "s");
  if (right == 0) return out;
  std::string breaks = broken == 0 ? "none" : std::to_string(broken);
  return fmt::format("{}, breaks {} of {} that hold", out, breaks, right);
}

void Reach::add(const Reach& other) {
  cured += other.cured;
  failing += other.failing;
  // The cases that hold are the same ones, whatever kind of failure was looked into.
  broken = std::max(broken, other.broken);
  right = std::max(right, other.right);
}

std::string_view level_name(Level level) {
  constexpr std::array<std::string_view, 3> names{"fail", "note", "quiet"};
  return names[static_cast<size_t>(level)];
}

std::string_view state_name(FindingState state) {
  constexpr std::array<std::string_view, 4> names{"new", "known", "xfail", "xpass"};
  return names[static_cast<size_t>(state)];
}

std::string visibility_text(const Finding& finding) {
  std::string text(visibility_name(finding.visibility));
  for (Visibility other : finding.elsewhere) {
    text += (other == *finding.elsewhere.begin() ? ", elsewhere " : " and ") +
            std::string(visibility_name(other));
  }
  return text;
}

std::string fingerprint(const Finding& finding) {
  std::vector<std::string> parts{finding.class_id,
                                 std::string(visibility_name(finding.visibility)),
                                 finding.axis.kind,
                                 finding.cause.op,
                                 without_numbers(finding.cause.scope),
                                 std::string(base_name(finding.cause.file)),
                                 finding.cause.function,
                                 finding.cause.role};
  return short_hash(base::join(parts, "\n"));
}

bool same_cause(const Finding& a, const Finding& b) {
  bool same_line =
      base_name(a.cause.file) == base_name(b.cause.file) && a.cause.line == b.cause.line;
  bool alike = a.class_id == b.class_id && same_line;
  // A line says more than the property that found it and the feature that shows it; without one,
  // caution.
  return alike && (a.cause.line != 0 || (a.axis.kind == b.axis.kind && a.cause.op == b.cause.op &&
                                         a.property == b.property));
}

}  // namespace assay::verify
